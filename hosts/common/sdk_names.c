/* sdk_names.c — whether a language can name the parts of a package, and tell them apart. */
#include "common/sdk.h"

#include "base/error.h"
#include "common/names.h"
#include "model/value.h"

struct sdk_check {
    const struct sdk_naming *naming;
    struct schema *schema;
};

/* Letters beyond ASCII are left to the language. */
static bool sdk_is_identifier(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!name_is_part(name.ptr[i]) && (unsigned char)name.ptr[i] < 0x80)
            return false;
    return name.len && !char_is_digit(name.ptr[0]);
}

/* `kind` is what has the name; `other` what has it already, if anything. */
static fallible check_one(const struct sdk_check *check, str owner, const char *kind, str given,
                          str name, const str *other)
{
    if (!sdk_is_identifier(name))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' has a %s '" STR_FMT
                         "', of which no name can be made in %s; rename it in the schema",
                         STR_ARG(owner), kind, STR_ARG(given), check->naming->language);
    if (!other)
        return NULL;
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' has a %s '" STR_FMT "' and a %s '" STR_FMT
                     "', which would both be '" STR_FMT "' in %s; rename one of them in the schema",
                     STR_ARG(owner), kind, STR_ARG(*other), kind, STR_ARG(given), STR_ARG(name),
                     check->naming->language);
}

static fallible check_properties(const struct sdk_check *check, str owner,
                                 struct schema_properties list)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct map seen = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; check->naming->property && i < list.len && !failure; i++) {
        str name = check->naming->property(&scratch, list.items[i].name);
        failure =
            check_one(check, owner, "property", list.items[i].name, name, map_find(&seen, name));
        map_put(&seen, name, (void *)&list.items[i].name);
    }
    map_release(&seen);
    return failure;
}

/* Their names are parts of names of types, too. */
static fallible check_methods(const struct sdk_check *check, const struct schema_resource *resource)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct map seen = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; i < resource->methods.len && !failure; i++) {
        const str *given = &resource->methods.items[i].key;
        str name = check->naming->property ? check->naming->property(&scratch, *given)
                                           : name_title(&scratch, *given);
        failure = check_one(check, resource->token, "method", *given, name, map_find(&seen, name));
        map_put(&seen, name, (void *)given);
    }
    map_release(&seen);
    return failure;
}

static fallible check_constants(const struct sdk_check *check, const struct schema_type *type)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct map seen = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; check->naming->constant && i < type->len && !failure; i++) {
        str *given = ARENA_NEW(&scratch, str), name = check->naming->constant(&scratch, type, i);
        *given = type->names[i];
        if (!given->len && type->values[i].kind == VALUE_STRING)
            *given = value_text(type->values[i]);
        failure = check_one(check, type->token, "value", *given, name, map_find(&seen, name));
        map_put(&seen, name, given);
    }
    map_release(&seen);
    return failure;
}

static fallible check_member(const struct sdk_check *check, str token)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!check->naming->member || sdk_is_identifier(check->naming->member(&scratch, token)))
        return NULL;
    return error_new(ERROR_INVALID,
                     "of '" STR_FMT "' no name can be made in %s; rename it in the schema",
                     STR_ARG(token), check->naming->language);
}

static fallible check_resource(const struct sdk_check *check,
                               const struct schema_resource *resource)
{
    if (!resource || resource->is_overlay)
        return NULL;
    if (!resource->is_provider)
        TRY(check_member(check, resource->token));
    TRY(check_methods(check, resource));
    TRY(check_properties(check, resource->token, resource->inputs));
    TRY(check_properties(check, resource->token, resource->outputs));
    return check_properties(check, resource->token, resource->state);
}

static fallible check_function(const struct sdk_check *check,
                               const struct schema_function *function)
{
    if (!function || function->is_overlay)
        return NULL;
    if (!schema_function_is_method(check->schema, function->token))
        TRY(check_member(check, function->token));
    TRY(check_properties(check, function->token, function->inputs));
    return check_properties(check, function->token, function->outputs);
}

static fallible check_type(const struct sdk_check *check, struct schema_type *type)
{
    const struct schema_properties *list =
        type && type->kind == TYPE_OBJECT ? schema_type_properties(type) : NULL;

    if (!type || type->is_overlay)
        return NULL;
    TRY(check_member(check, type->token));
    if (type->kind == TYPE_ENUM)
        return check_constants(check, type);
    return list ? check_properties(check, type->token, *list) : NULL;
}

fallible sdk_check_names(struct schema *schema, const struct sdk_naming *naming)
{
    const struct sdk_check check = { naming, schema };
    struct strs resources = schema_resource_tokens(schema);
    struct strs functions = schema_function_tokens(schema);
    struct strs types = schema_type_tokens(schema);

    TRY(check_properties(&check, STR("config"), schema_config(schema)));
    if (!schema->extension.is_given)
        TRY(check_resource(&check, schema_provider(schema)));
    for (size_t i = 0; i < resources.len; i++)
        TRY(check_resource(&check, schema_resource(schema, resources.items[i])));
    for (size_t i = 0; i < functions.len; i++)
        TRY(check_function(&check, schema_function(schema, functions.items[i])));
    for (size_t i = 0; i < types.len; i++)
        TRY(check_type(&check, schema_named_type(schema, types.items[i])));
    return NULL;
}
