/* autonaming.c — the name that configuration (pulumi:autonaming) proposes or enforces for a
 * resource that is given none. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/urn.h"

#include "base/hash.h"
#include "base/json.h"
#include "model/value_json.h"

#define CONFIG_KEY STR("pulumi:autonaming")

static bool autonaming_has_config(const struct engine_options *options, str key)
{
    return config_facts_find(options->config, key) != NULL;
}

static str find_config(const struct engine_options *options, str key)
{
    const struct config_fact *found = config_facts_find(options->config, key);

    return found ? secret_reveal(found->text) : STR("");
}

static str project_key(struct arena *arena, const struct engine_options *options, str key)
{
    return arena_concat(arena, options->project->name, STR(":"), key);
}

static struct value autonaming_member(struct value object, str key)
{
    const struct value *found = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;
    return found ? *found : value_null();
}

static bool says_something(struct value section)
{
    return value_has(section, STR("mode")) || value_has(section, STR("pattern"));
}

/* --- checking --- */

/* What a section may hold besides how to name. */
static fallible autonaming_check_keys(struct value section, str subsections)
{
    if (section.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "expected an object");
    for (size_t i = 0; i < section.len; i++) {
        str key = section.members[i].key;
        enum value_kind kind = (enum value_kind)section.members[i].value.kind;
        bool is_text = str_equal(key, STR("mode")) || str_equal(key, STR("pattern"));
        bool is_known = is_text || str_equal(key, STR("enforce")) || str_equal(key, subsections);
        if (!is_known)
            return error_new(ERROR_INVALID, "unknown field '" STR_FMT "'", STR_ARG(key));
        if (kind
            != (is_text                          ? VALUE_STRING
                : str_equal(key, STR("enforce")) ? VALUE_BOOL
                                                 : VALUE_OBJECT))
            return error_new(ERROR_INVALID, "field '" STR_FMT "' is of the wrong type",
                             STR_ARG(key));
    }
    return NULL;
}

static fallible check_pattern(const struct engine_options *options, str pattern)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str before, key, rest = pattern;

    while (str_cut(rest, STR("${config."), &before, &rest) && str_cut(rest, STR("}"), &key, &rest))
        if (!autonaming_has_config(options, project_key(&scratch, options, key)))
            return error_new(ERROR_INVALID, "no value found for key \"" STR_FMT "\"", STR_ARG(key));
    return NULL;
}

static fallible check_section(const struct engine_options *options, struct value section,
                              str subsections)
{
    TRY(autonaming_check_keys(section, subsections));
    bool has_pattern = value_has(section, STR("pattern"));
    bool has_enforce = value_has(section, STR("enforce"));
    str mode = value_find_text(section, STR("mode"));

    if (value_has(section, STR("mode")) && (has_pattern || has_enforce))
        return error_new(ERROR_INVALID, "cannot specify both mode and pattern/enforce");
    if (has_enforce && !has_pattern)
        return error_new(ERROR_INVALID, "pattern must be specified when enforce is true");
    if (value_has(section, STR("mode")) && !str_equal(mode, STR("default"))
        && !str_equal(mode, STR("verbatim")) && !str_equal(mode, STR("disabled")))
        return error_new(ERROR_INVALID, "invalid naming mode: " STR_FMT, STR_ARG(mode));
    return check_pattern(options, value_find_text(section, STR("pattern")));
}

static fallible check_resources(const struct engine_options *options, struct value resources)
{
    for (size_t i = 0; i < resources.len; i++) {
        const struct member *resource = &resources.members[i];
        TRY(error_wrap(check_section(options, resource->value, STR("")),
                       "failed to resolve naming config for resource \"" STR_FMT "\"",
                       STR_ARG(resource->key)));
        if (!says_something(resource->value))
            return error_new(ERROR_INVALID,
                             "mode or pattern must be specified for resource \"" STR_FMT "\"",
                             STR_ARG(resource->key));
    }
    return NULL;
}

static fallible autonaming_check(const struct engine_options *options, struct value root)
{
    TRY(error_wrap(check_section(options, root, STR("providers")),
                   "failed to resolve root naming config"));
    struct value providers = autonaming_member(root, STR("providers"));
    for (size_t i = 0; i < providers.len; i++) {
        const struct member *provider = &providers.members[i];
        TRY(error_wrap(check_section(options, provider->value, STR("resources")),
                       "failed to resolve naming config for provider \"" STR_FMT "\"",
                       STR_ARG(provider->key)));
        TRY(check_resources(options, autonaming_member(provider->value, STR("resources"))));
    }
    return NULL;
}

/* {mode} or {pattern, enforce}; for a provider also {resources: {TYPE: …}}, at the top also
 * {providers: {PACKAGE: …}}. Only an update names things. */
fallible autonaming_load(struct stepgen *gen)
{
    const struct engine_options *options = gen->options;
    str text = find_config(options, CONFIG_KEY);
    struct json_reader reader;
    enum json_kind end; /* what follows is refused by looking at it */

    gen->autonaming = value_null();
    if (text.len == 0 || !operation_has(options, RULE_CHOOSES_NAMES))
        return NULL;
    json_reader_init(&reader, gen->arena, text);
    struct error *failure = value_read_plain(&reader, &gen->autonaming);
    if (!failure)
        failure = json_peek(&reader, &end);
    json_reader_release(&reader);
    if (failure)
        failure = error_wrap(failure, "failed to parse autonaming config");
    else
        failure = autonaming_check(options, gen->autonaming);
    return error_wrap(failure, "getting autonaming config");
}

/* --- choosing --- */

/* The most special section that says something: resource type, provider, all. */
static struct value section_for(struct value root, str type, bool *is_general)
{
    struct value provider =
        autonaming_member(autonaming_member(root, STR("providers")), type_package(type));
    struct value resource = autonaming_member(autonaming_member(provider, STR("resources")), type);

    *is_general = false;
    if (resource.kind == VALUE_OBJECT && says_something(resource))
        return resource;
    if (provider.kind == VALUE_OBJECT && says_something(provider))
        return provider;
    *is_general = true;
    return root;
}

/* Bytes that follow from the seed alone, so that a plan and its update agree. */
struct seeded {
    str seed;
    uint64_t block;
    unsigned char bytes[SHA256_SIZE];
    size_t used;
};

static unsigned next_byte(struct seeded *source)
{
    if (source->block == 0 || source->used == SHA256_SIZE) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        source->block++;
        hash_sha256(arena_concat(&scratch, source->seed,
                                 (str){ (const char *)&source->block, sizeof(source->block) }),
                    source->bytes);
        source->used = 0;
    }
    return source->bytes[source->used++];
}

struct alphabet {
    const char *name;
    const char *characters;
};

static const struct alphabet alphabets[] = {
    { "hex", "0123456789abcdef" },
    { "alphanum", "abcdefghijklmnopqrstuvwxyz0123456789" },
    { "string", "abcdefghijklmnopqrstuvwxyz" },
    { "num", "0123456789" },
};

static void add_random(struct strbuf *out, struct seeded *source, const char *characters,
                       uint64_t count)
{
    size_t size = strlen(characters);
    unsigned limit = 256 - 256 % (unsigned)size; /* so that no character is likelier than another */

    while (count > 0) {
        unsigned byte = next_byte(source);
        if (byte >= limit)
            continue;
        strbuf_add_char(out, characters[byte % size]);
        count--;
    }
}

static void add_uuid(struct strbuf *out, struct seeded *source)
{
    unsigned char bytes[16];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)next_byte(source);
    for (size_t i = 0; i < sizeof(bytes); i++)
        strbuf_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

/* hex(8), alphanum(4) …; false if it is none of them. */
static bool add_sized(struct strbuf *out, struct seeded *source, str expression)
{
    enum { LONGEST = 1024 };

    for (size_t i = 0; i < sizeof(alphabets) / sizeof(alphabets[0]); i++) {
        str name, rest;
        uint64_t count;
        if (!str_cut(expression, STR("("), &name, &rest)
            || !str_equal(name, str_from(alphabets[i].name)) || !str_ends_with(rest, STR(")")))
            continue;
        if (!str_to_u64(str_slice(rest, 0, rest.len - 1), &count) || count > LONGEST)
            continue;
        add_random(out, source, alphabets[i].characters, count);
        return true;
    }
    return false;
}

static bool add_expression(struct strbuf *out, const struct engine_options *options,
                           struct seeded *source, str urn, str expression, bool *is_random)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (str_equal(expression, STR("name")))
        strbuf_add(out, urn_name_of(urn));
    else if (str_equal(expression, STR("organization")))
        strbuf_add(out, options->project->organization);
    else if (str_equal(expression, STR("project")))
        strbuf_add(out, options->project->name);
    else if (str_equal(expression, STR("stack")))
        strbuf_add(out, options->project->stack);
    else if (str_starts_with(expression, STR("config.")))
        strbuf_add(out,
                   find_config(options, project_key(&scratch, options,
                                                    str_slice(expression, 7, expression.len))));
    else if (str_equal(expression, STR("uuid"))) {
        add_uuid(out, source);
        *is_random = true;
    } else if (add_sized(out, source, expression))
        *is_random = true;
    else
        return false;
    return true;
}

/* ${…} expanded; what is not known stays as it is. */
static str autonaming_expand(struct arena *arena, const struct engine_options *options, str pattern,
                             str urn, str seed, bool *is_random)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct seeded source = { .seed = seed };
    str before, rest = pattern, expression, after;

    while (str_cut(rest, STR("${"), &before, &after)) {
        strbuf_add(&out, before);
        if (!str_cut(after, STR("}"), &expression, &rest)) {
            rest = str_slice(pattern, pattern.len - after.len - 2, pattern.len);
            break;
        }
        if (!add_expression(&out, options, &source, urn, expression, is_random))
            strbuf_printf(&out, "${" STR_FMT "}", STR_ARG(expression));
    }
    strbuf_add(&out, rest);
    return arena_copy(arena, strbuf_str(&out));
}

static void choose_by_mode(struct registration *reg, str mode)
{
    if (str_equal(mode, STR("verbatim"))) {
        reg->autonaming_mode = AUTONAMING_ENFORCE;
        reg->proposed_name = urn_name_of(reg->urn);
    } else if (str_equal(mode, STR("disabled"))) {
        reg->autonaming_mode = AUTONAMING_DISABLE;
    } else {
        reg->has_autonaming = false;
    }
}

fallible autonaming_choose(struct stepgen *gen, struct registration *reg)
{
    bool is_general = true, is_random = false;
    struct provider_traits traits = { 0 };

    if (gen->autonaming.kind != VALUE_OBJECT || type_is_provider(reg->goal.type))
        return NULL;
    struct value section = section_for(gen->autonaming, reg->goal.type, &is_general);
    if (!says_something(section))
        return NULL;
    const struct value *enforce = value_find(section, STR("enforce"));
    str pattern = value_find_text(section, STR("pattern"));
    bool is_enforced = enforce && enforce->kind == VALUE_BOOL && enforce->boolean;
    reg->has_autonaming = true;
    if (pattern.len) {
        reg->autonaming_mode = is_enforced ? AUTONAMING_ENFORCE : AUTONAMING_PROPOSE;
        reg->proposed_name =
            autonaming_expand(reg->arena, gen->options, pattern, reg->urn, reg->seed, &is_random);
    } else {
        choose_by_mode(reg, value_find_text(section, STR("mode")));
    }
    /* Without anything random in it the name of the new instance would be that of the old. */
    if (reg->has_autonaming && !is_random) {
        reg->goal.has_delete_before_replace = true;
        reg->goal.deletes_before_replace = true;
    }
    TRY(reg->provider->ops->traits(reg->provider, &traits));
    if (reg->has_autonaming && !traits.supports_autonaming) {
        if (!is_general || is_enforced)
            report_diagnose(
                gen->report, SEVERITY_WARNING, reg->urn,
                "provider '" STR_FMT
                "' does not support autonaming configuration; the configured name is not used",
                STR_ARG(reg->provider->package));
        reg->has_autonaming = false;
    }
    return NULL;
}
