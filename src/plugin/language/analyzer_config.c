/* analyzer_config.c — what a policy pack is configured with. */
#include "plugin/language/analyzer_config.h"

#include "base/json.h"
#include "model/value_json.h"
#include "plugin/analyzer.h"
#include "proto/marshal.h"
#include "proto/message.h"

#define LEVEL_KEY STR("enforcementLevel")

struct policy_settings {
    enum policy_level level;
    struct value properties;
};

static fallible read_level(struct value value, str policy, enum policy_level *out)
{
    for (int level = POLICY_ADVISORY; value.kind == VALUE_STRING && level <= POLICY_REMEDIATE;
         level++) {
        if (str_equal(value_text(value), str_from(policy_level_names[level]))) {
            *out = (enum policy_level)level;
            return NULL;
        }
    }
    return error_new(ERROR_INVALID,
                     STR_FMT
                     ": enforcementLevel must be one of advisory, mandatory, remediate, disabled",
                     STR_ARG(policy));
}

/* A level, or an object with a level and properties. */
static fallible analyzer_config_apply(struct arena *arena, struct value given, str policy,
                                      struct policy_settings *settings)
{
    if (given.kind == VALUE_STRING)
        return read_level(given, policy, &settings->level);
    if (given.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, STR_FMT ": expected a level or an object", STR_ARG(policy));
    const struct value *level = value_find(given, LEVEL_KEY);
    if (level)
        TRY(read_level(*level, policy, &settings->level));
    settings->properties =
        value_merge(arena, settings->properties, value_without(arena, given, LEVEL_KEY));
    return NULL;
}

static fallible read_struct(struct arena *arena, str bytes, struct value *out)
{
    const struct unmarshal_options options = { .label = "policy" };
    return properties_unmarshal(arena, bytes, &options, out);
}

static fallible defaults_of(struct arena *arena, const Pb__PolicyInfo *policy,
                            struct policy_settings *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct value schema = VALUE_EMPTY_OBJECT;

    out->level = (enum policy_level)policy->enforcement_level;
    if (policy->config_schema)
        TRY(read_struct(arena, message_get_bytes(policy->config_schema, properties), &schema));
    struct member *defaults = ARENA_ARRAY(&scratch, struct member, schema.len);
    size_t count = 0;
    for (uint32_t i = 0; i < schema.len; i++) {
        const struct member *member = &schema.members[i];
        const struct value *given =
            member->value.kind == VALUE_OBJECT ? value_find(member->value, STR("default")) : NULL;
        if (given)
            defaults[count++] = (struct member){ member->key, *given };
    }
    out->properties = value_object(arena, defaults, count);
    return NULL;
}

static fallible apply_initial(struct arena *arena, const Pb__AnalyzerInfo *info, str policy,
                              struct policy_settings *settings)
{
    for (size_t i = 0; i < info->n_initial_config; i++) {
        const Pb__PolicyConfigEntry *entry = info->initial_config[i];
        str key = message_str(entry->key);
        struct value properties;
        if (!entry->value || (!str_equal(key, policy) && !str_equal(key, STR("all"))))
            continue;
        settings->level = (enum policy_level)entry->value->enforcement_level;
        TRY(read_struct(arena, message_get_bytes(entry->value, properties), &properties));
        settings->properties = value_merge(arena, settings->properties, properties);
    }
    return NULL;
}

static fallible check_required(const Pb__PolicyInfo *policy, struct value properties)
{
    for (size_t i = 0; policy->config_schema && i < policy->config_schema->n_required; i++)
        if (!value_has(properties, message_str(policy->config_schema->required[i])))
            return error_new(ERROR_INVALID, "%s: %s is required", policy->name,
                             policy->config_schema->required[i]);
    return NULL;
}

static fallible analyzer_config_parse(struct arena *arena, str config, struct value *out)
{
    struct json_reader reader;
    enum json_kind end; /* what follows is refused by looking at it */

    *out = VALUE_EMPTY_OBJECT;
    if (config.len == 0)
        return NULL;
    json_reader_init(&reader, arena, config);
    struct error *failure = value_read_plain(&reader, out);
    if (!failure)
        failure = json_peek(&reader, &end);
    json_reader_release(&reader);
    if (!failure && out->kind != VALUE_OBJECT)
        failure = error_new(ERROR_INVALID, "expected an object");
    return failure;
}

fallible analyzer_config_merge(struct arena *arena, const Pb__AnalyzerInfo *info, str config,
                               Pb__ConfigureAnalyzerRequest *out)
{
    const struct marshal_options options = { .accepts_byte_strings = true, .label = "policy" };
    struct value given;

    TRY(analyzer_config_parse(arena, config, &given));
    const struct value *all = value_find(given, STR("all"));
    out->policy_config = ARENA_ARRAY(arena, Pb__PolicyConfigEntry *, info->n_policies + 1);
    for (size_t i = 0; i < info->n_policies; i++) {
        const Pb__PolicyInfo *policy = info->policies[i];
        str name = message_str(policy->name), bytes;
        const struct value *own = value_find(given, name);
        struct policy_settings settings;
        TRY(defaults_of(arena, policy, &settings));
        TRY(apply_initial(arena, info, name, &settings));
        if (all)
            TRY(analyzer_config_apply(arena, *all, STR("all"), &settings));
        if (own)
            TRY(analyzer_config_apply(arena, *own, name, &settings));
        TRY(check_required(policy, settings.properties));
        Pb__PolicyConfigEntry *entry = ARENA_NEW(arena, Pb__PolicyConfigEntry);
        pb__policy_config_entry__init(entry);
        entry->key = message_cstr(arena, name);
        entry->value = ARENA_NEW(arena, Pb__PolicyConfig);
        pb__policy_config__init(entry->value);
        entry->value->enforcement_level = (Pb__EnforcementLevel)settings.level;
        TRY(properties_marshal(arena, settings.properties, &options, &bytes));
        message_put_bytes(entry->value, properties, bytes);
        out->policy_config[out->n_policy_config++] = entry;
    }
    return NULL;
}
