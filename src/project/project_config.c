/* project_config.c — what a project says about its stacks' configuration: types, defaults and
 * values. */
#include "project/project_config.h"

#include "base/strbuf.h"
#include "base/vec.h"
#include "project/config_draft.h"
#include "project/config_value.h"

#include <math.h>
#include <stdlib.h>

/* --- types --- */

static bool is_integer_text(str text)
{
    bool is_signed = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    uint64_t size;
    return str_to_u64(str_slice(text, is_signed, text.len), &size) && size <= INT64_MAX;
}

/* Does a plain value have the declared type? Texts that read as integers or booleans count as
 * such. */
static bool has_type(const struct project_config *type, struct value value)
{
    if (value.kind == VALUE_SECRET)
        value = value.secret->element;
    if (str_equal(type->type, STR("string")))
        return value.kind == VALUE_STRING;
    if (str_equal(type->type, STR("integer")))
        return value.kind == VALUE_STRING
                   ? is_integer_text(value_text(value))
                   : value.kind == VALUE_NUMBER && value.number == trunc(value.number);
    if (str_equal(type->type, STR("boolean")))
        return value.kind == VALUE_STRING ? str_equal(value_text(value), STR("true"))
                                                || str_equal(value_text(value), STR("false"))
                                          : value.kind == VALUE_BOOL;
    if (str_equal(type->type, STR("object")))
        return value.kind == VALUE_OBJECT;
    if (value.kind != VALUE_ARRAY || !type->items)
        return false;
    for (uint32_t i = 0; i < value.len; i++)
        if (!has_type(type->items, value.items[i]))
            return false;
    return true;
}

/* string, or array<array<string>>. */
static str type_text(struct arena *arena, const struct project_config *type)
{
    return type->items ? arena_concat(arena, STR("array<"), type_text(arena, type->items), STR(">"))
                       : type->type;
}

static const struct project_config *declaration_read_items(struct arena *arena,
                                                           struct value declaration)
{
    const struct value *items = value_find(declaration, STR("items"));

    if (!items || items->kind != VALUE_OBJECT)
        return NULL;
    struct project_config *result = ARENA_NEW(arena, struct project_config);
    result->type = value_find_text(*items, STR("type"));
    result->items = declaration_read_items(arena, *items);
    return result;
}

/* --- reading --- */

static fallible check_own(const struct project_config *entry, str key)
{
    if (str_equal(entry->type, STR("array")) && !entry->items)
        return error_new(ERROR_INVALID,
                         "The configuration key '" STR_FMT
                         "' declares an array but does not specify the underlying type via the "
                         "'items' attribute",
                         STR_ARG(key));
    if (entry->type.len && entry->has_default && !has_type(entry, entry->default_value))
        return error_new(ERROR_INVALID,
                         "The default value specified for configuration key '" STR_FMT
                         "' is not of the expected type '" STR_FMT "'",
                         STR_ARG(key), STR_ARG(entry->type_text));
    return NULL;
}

static fallible check_foreign(const struct project_config *entry, str key)
{
    if (entry->type.len)
        return error_new(ERROR_INVALID,
                         "Configuration key '" STR_FMT
                         "' is not namespaced by the project and should not define a type",
                         STR_ARG(key));
    if (entry->has_default)
        return error_new(
            ERROR_INVALID,
            "Configuration key '" STR_FMT
            "' is not namespaced by the project and should not define a default value. Did "
            "you mean to use the 'value' attribute instead of 'default'?",
            STR_ARG(key));
    if (!entry->has_value)
        return error_new(ERROR_INVALID,
                         "Configuration key '" STR_FMT
                         "' is namespaced and must provide an attribute 'value'",
                         STR_ARG(key));
    return NULL;
}

static void set_if_present(struct value object, const char *key, bool *has, struct value *out)
{
    const struct value *found = value_find(object, str_from(key));

    *has = found && found->kind != VALUE_NULL;
    if (*has)
        *out = *found;
}

static fallible declaration_read(struct arena *arena, const struct project *project, str key,
                                 struct value value, struct project_config *out)
{
    struct project_config entry = { .type = STR(""), .declared_key = key };
    str prefix = arena_concat(arena, project->name, STR(":"));

    TRY(config_key_parse(arena, key, project->name, false, &entry.key));
    entry.is_own = str_find_char(key, ':') == SIZE_MAX || str_starts_with(key, prefix);
    if (value.kind != VALUE_OBJECT) {
        *(entry.is_own ? &entry.has_default : &entry.has_value) = true;
        *(entry.is_own ? &entry.default_value : &entry.value) = value;
    } else {
        const struct value *secret = value_find(value, STR("secret"));
        entry.type = value_find_text(value, STR("type"));
        entry.items = declaration_read_items(arena, value);
        entry.description = value_find_text(value, STR("description"));
        entry.is_secret = secret && secret->kind == VALUE_BOOL && secret->boolean;
        set_if_present(value, "default", &entry.has_default, &entry.default_value);
        set_if_present(value, "value", &entry.has_value, &entry.value);
    }
    entry.type_text = type_text(arena, &entry);
    if (entry.has_default && entry.has_value)
        return error_new(ERROR_INVALID,
                         "project config '" STR_FMT
                         "' cannot have both a 'default' and 'value' attribute",
                         STR_ARG(key));
    TRY(entry.is_own ? check_own(&entry, key) : check_foreign(&entry, key));
    *out = entry;
    return NULL;
}

fallible project_read_config(struct arena *arena, struct project *project)
{
    const struct value *section = value_find(project->document, STR("config"));
    size_t count = section && section->kind == VALUE_OBJECT ? section->len : 0;
    struct project_config *entries = ARENA_ARRAY(arena, struct project_config, count);

    for (size_t i = 0; i < count; i++)
        TRY(declaration_read(arena, project, section->members[i].key, section->members[i].value,
                             &entries[i]));
    project->config = entries;
    project->config_count = count;
    return NULL;
}

/* --- applying --- */

/* A text for a scalar, else the structure. */
static struct value stack_value(struct arena *arena, struct value value)
{
    return config_from_plain(arena, value, true);
}

/* Of two declarations of the same key the first counts. */
static fallible apply_declaration(struct arena *arena, const struct project_config *entry,
                                  struct config_draft *draft)
{
    bool is_there;

    TRY(config_draft_has(draft, entry->key, &is_there));
    if (is_there || (!entry->has_value && !entry->has_default))
        return NULL;
    struct value value =
        stack_value(arena, entry->has_default ? entry->default_value : entry->value);
    return config_draft_put(draft, entry->key, value, true);
}

fallible project_apply_config(struct arena *arena, const struct project *project,
                              struct config *config, struct crypter *crypter)
{
    struct config_draft draft;
    struct error *failure = NULL;

    (void)crypter; /* environments are not supported yet */
    config_draft_open(&draft, arena, config);
    for (size_t i = 0; i < project->config_count && !failure; i++)
        failure = apply_declaration(arena, &project->config[i], &draft);
    config_draft_close(&draft, failure ? NULL : config);
    return failure;
}

/* --- validating --- */

static fallible fail_missing(const struct str_list *missing, str stack_name)
{
    CLEANUP(strbuf_release) struct strbuf list = { 0 };

    for (size_t i = 0; i < missing->len; i++) {
        bool is_last = i + 1 == missing->len;
        const char *separator = i == 0 ? "" : is_last ? " and " : ", ";
        strbuf_printf(&list, "%s'" STR_FMT "'", separator, STR_ARG(missing->items[i]));
    }
    return error_new(ERROR_INVALID, "Stack '" STR_FMT "' is missing configuration value%s %s",
                     STR_ARG(stack_name), missing->len > 1 ? "s" : "", list.ptr);
}

static fallible check_missing(struct arena *arena, const struct project *project, str stack_name,
                              const struct config *config)
{
    struct str_list missing = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; i < project->config_count && !failure; i++) {
        const struct project_config *entry = &project->config[i];
        const struct value *found = NULL;
        failure = config_get(arena, config, entry->key, true, &found);
        if (!failure && !found && entry->is_own)
            vec_add(&missing, entry->declared_key);
    }
    if (!failure && missing.len)
        failure = fail_missing(&missing, stack_name);
    vec_release(&missing);
    return failure;
}

static fallible declaration_check(struct arena *arena, const struct project_config *entry,
                                  str stack_name, const struct value *value,
                                  struct crypter *crypter)
{
    struct value open;

    TRY(config_unseal(arena, *value, crypter, &open));
    if (entry->is_secret && !config_is_secret(*value))
        return error_new(ERROR_INVALID,
                         "Stack '" STR_FMT "' with configuration key '" STR_FMT
                         "' must be encrypted as it's secret",
                         STR_ARG(stack_name), STR_ARG(entry->declared_key));
    if (!has_type(entry, open))
        return error_new(ERROR_INVALID,
                         "Stack '" STR_FMT "' with configuration key '" STR_FMT
                         "' must be of type '" STR_FMT "'",
                         STR_ARG(stack_name), STR_ARG(entry->declared_key),
                         STR_ARG(entry->type_text));
    return NULL;
}

fallible project_validate_config(struct arena *arena, const struct project *project, str stack_name,
                                 const struct config *config, struct crypter *crypter)
{
    TRY(check_missing(arena, project, stack_name, config));
    for (size_t i = 0; i < project->config_count; i++) {
        const struct project_config *entry = &project->config[i];
        const struct value *found;
        TRY(config_get(arena, config, entry->key, true, &found));
        if (found && entry->type.len)
            TRY(declaration_check(arena, entry, stack_name, found, crypter));
    }
    return NULL;
}
