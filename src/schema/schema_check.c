/* schema_check.c — walks a whole schema: its head, types, resources and functions. */
#include "schema/schema_checker.h"

#include "base/semver.h"
#include "base/strbuf.h"
#include "model/value_json.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>

#define NAME_PATTERN "^[a-zA-Z][-a-zA-Z0-9_]*$"
#define TOKEN_PATTERN "^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/]*$"
/* A method of a provider has the name of the package in its own, which may have hyphens. */
#define FUNCTION_TOKEN_PATTERN \
    "^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/-]*$"

void schema_complaints_release(struct schema_complaints *complaints)
{
    vec_release(complaints);
}

/* --- complaints --- */

static void add_complaint(struct checker *checker, bool is_warning, str place, const char *format,
                          va_list arguments)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_vprintf(&text, format, arguments);
    struct schema_complaint complaint = { is_warning, place,
                                          arena_copy(checker->arena, strbuf_str(&text)) };
    vec_add(checker->out, complaint);
    checker->out->error_count += !is_warning;
}

void schema_complain(struct checker *checker, str place, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_complaint(checker, false, place, format, arguments);
    va_end(arguments);
}

void schema_warn(struct checker *checker, str place, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_complaint(checker, true, place, format, arguments);
    va_end(arguments);
}

str place_below(struct checker *checker, str place, str key)
{
    return arena_concat(checker->arena, place, STR("/"), key);
}

str place_at(struct checker *checker, str place, size_t index)
{
    return arena_printf(checker->arena, STR_FMT "/%zu", STR_ARG(place), index);
}

/* --- asking --- */

struct value member_object(struct value object, str key)
{
    const struct value *found = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;
    return found && found->kind == VALUE_OBJECT ? *found : VALUE_EMPTY_OBJECT;
}

struct value member_list(struct value object, str key)
{
    const struct value *found = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;
    return found && found->kind == VALUE_ARRAY ? *found : (struct value){ .kind = VALUE_ARRAY };
}

static bool matches_pattern(struct checker *checker, const char *pattern, str text)
{
    regex_t regex;

    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool is_match = regexec(&regex, arena_cstr(checker->arena, text), 0, NULL, 0) == 0;
    regfree(&regex);
    return is_match;
}

/* --- the head --- */

static void check_schema_version(struct checker *checker, str place, str text)
{
    struct semver version;
    str bare = str_starts_with(text, STR("v")) ? str_slice(text, 1, text.len) : text;
    str major = bare, rest;
    bool has_parts = str_cut(bare, STR("."), &major, &rest);
    bool is_number = major.len > 0;

    if (semver_parse(bare, &version))
        return;
    for (size_t i = 0; i < major.len; i++)
        is_number = is_number && char_is_digit(major.ptr[i]);
    if (!is_number)
        schema_complain(checker, place,
                        "failed to parse semver: Invalid character(s) found in major number "
                        "\"" STR_FMT "\"",
                        STR_ARG(major));
    else
        schema_complain(checker, place, "failed to parse semver: %s: '" STR_FMT "'",
                        has_parts ? "not a semantic version" : "no minor and patch number",
                        STR_ARG(text));
}

static void check_parameterization(struct checker *checker, str key)
{
    str place = place_below(checker, STR("#"), key);
    const struct value *given = value_find(checker->root, key);
    struct value base = member_object(member_object(checker->root, key), STR("baseProvider"));
    str version = value_find_text(base, STR("version"));
    str at = place_below(checker, place, STR("baseProvider/version"));
    struct semver parsed;

    if (!given || given->kind == VALUE_NULL)
        return;
    if (!value_find_text(base, STR("name")).len)
        schema_complain(checker, place_below(checker, place, STR("baseProvider/name")),
                        "no name provided");
    if (!version.len)
        schema_complain(checker, at, "invalid version \"\": Version string empty");
    else if (!semver_parse_tolerant(version, &parsed))
        schema_complain(checker, at, "invalid version \"" STR_FMT "\": not a semantic version",
                        STR_ARG(version));
}

static void check_schema_head(struct checker *checker)
{
    const struct value *version = value_find(checker->root, STR("version"));

    checker->name = value_find_text(checker->root, STR("name"));
    if (!matches_pattern(checker, NAME_PATTERN, checker->name))
        schema_complain(checker, STR("#/name"), "does not match pattern '%s'", NAME_PATTERN);
    if (!checker->name.len)
        schema_complain(checker, STR("#/name"), "no name provided");
    if (version && version->kind == VALUE_STRING && version->len)
        check_schema_version(checker, STR("#/version"), value_text(*version));
    else if (version && version->kind != VALUE_STRING && version->kind != VALUE_NULL)
        schema_complain(checker, STR("#/version"), "must be a string");
    check_parameterization(checker, STR("parameterization"));
    check_parameterization(checker, STR("extensionParameterization"));
}

/* --- tokens --- */

static bool is_own_package(const struct checker *checker, str package)
{
    struct value allowed = member_list(checker->root, STR("allowedPackageNames"));

    for (uint32_t i = 0; i < allowed.len; i++)
        if (allowed.items[i].kind == VALUE_STRING
            && str_equal(value_text(allowed.items[i]), package))
            return true;
    return str_equal(package, checker->name);
}

/* "pulumi:providers:NAME/METHOD" */
static bool is_provider_method(str package, str module)
{
    return str_equal(package, STR("pulumi")) && str_equal(module, STR("providers"));
}

static void check_token(struct checker *checker, str place, str token, bool is_function)
{
    const char *pattern = is_function ? FUNCTION_TOKEN_PATTERN : TOKEN_PATTERN;
    str package, rest, module, name;

    if (!matches_pattern(checker, pattern, token))
        schema_complain(checker, place, "does not match pattern '%s'", pattern);
    if (!str_cut(token, STR(":"), &package, &rest) || !str_cut(rest, STR(":"), &module, &name)
        || str_find_char(name, ':') != SIZE_MAX)
        schema_complain(checker, place, "invalid token '" STR_FMT "' (should have three parts)",
                        STR_ARG(token));
    else if (checker->name.len && !is_own_package(checker, package)
             && !(is_function && is_provider_method(package, module)))
        schema_complain(checker, place,
                        "invalid token '" STR_FMT "' (must have package name '" STR_FMT "')",
                        STR_ARG(token), STR_ARG(checker->name));
    else if ((!module.len || str_same_letters(module, STR("index")))
             && str_same_letters(name, STR("provider")))
        schema_complain(checker, place,
                        "invalid token '" STR_FMT
                        "' (provider is a reserved word for the root module)",
                        STR_ARG(token));
}

static str lower_case(struct arena *arena, str text)
{
    char *copy = arena_cstr(arena, text);

    for (size_t i = 0; i < text.len; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (str){ copy, text.len };
}

/* Some languages keep a file for each: file systems may not tell cases apart. */
static void check_cases(struct checker *checker, str section, struct value definitions)
{
    CLEANUP(map_release) struct map seen = { 0 }; /* in lower case → const struct member * */

    for (uint32_t i = 0; i < definitions.len; i++) {
        const struct member *member = &definitions.members[i];
        str lower = lower_case(checker->arena, member->key);
        const struct member *other = map_find(&seen, lower);
        str place = place_below(checker, section, member->key);
        map_put(&seen, lower, (void *)(uintptr_t)member);
        if (!other)
            continue;
        str first = place_below(checker, section, other->key);
        schema_complain(checker, first,
                        "multiple tokens map to " STR_FMT "\n\nother paths(s) are " STR_FMT,
                        STR_ARG(lower), STR_ARG(place));
        schema_complain(checker, place,
                        "multiple tokens map to " STR_FMT "\n\nother paths(s) are " STR_FMT,
                        STR_ARG(lower), STR_ARG(first));
    }
}

/* --- types --- */

static void check_enum(struct checker *checker, str place, struct value spec, str type)
{
    struct value values = member_list(spec, STR("enum"));

    if (!values.len)
        schema_complain(checker, place, "missing properties: 'enum'");
    for (uint32_t i = 0; i < values.len; i++) {
        const struct value *value =
            values.items[i].kind == VALUE_OBJECT ? value_find(values.items[i], STR("value")) : NULL;
        str at = place_below(
            checker, place_at(checker, place_below(checker, place, STR("enum")), i), STR("value"));
        if (!value || value->kind == VALUE_NULL)
            schema_complain(checker, at, "enums must have a value");
        else if (!constant_fits(*value, type))
            schema_complain(checker, at, "invalid constant of type %s for " STR_FMT " enum",
                            constant_name(*value), STR_ARG(type));
    }
}

static void check_type_definition(struct checker *checker, str place, struct value spec)
{
    if (spec.kind != VALUE_OBJECT) {
        schema_complain(checker, place, "must be an object");
        return;
    }
    str type = value_find_text(spec, STR("type"));
    if (str_equal(type, STR("object")))
        check_property_list(checker, place, spec, STR("properties"), STR("required"),
                            PROPERTIES_OF_TYPE, false);
    else if (str_equal(type, STR("string")) || str_equal(type, STR("boolean"))
             || str_equal(type, STR("integer")) || str_equal(type, STR("number")))
        check_enum(checker, place, spec, type);
    else
        schema_complain(checker, place_below(checker, place, STR("type")),
                        "unknown primitive type " STR_FMT, STR_ARG(type));
}

/* A way along required properties of objects; one that comes back can never be filled in. */
struct required_way {
    str tokens[64];
    size_t len;
};

static bool follow_required(struct checker *checker, struct required_way *way, struct map *done,
                            str token);

static bool follow_properties(struct checker *checker, struct required_way *way, struct map *done,
                              struct value type)
{
    struct value required = member_list(type, STR("required"));
    struct value properties = member_object(type, STR("properties"));

    for (uint32_t i = 0; i < required.len; i++) {
        struct value property = required.items[i].kind == VALUE_STRING
                                    ? member_object(properties, value_text(required.items[i]))
                                    : VALUE_EMPTY_OBJECT;
        str prefix, token, ref = value_find_text(property, STR("$ref"));
        if (str_cut(ref, STR("#/types/"), &prefix, &token) && !prefix.len
            && follow_required(checker, way, done, token))
            return true;
    }
    return false;
}

/* Says so once, and then nothing more of that way. */
static bool follow_required(struct checker *checker, struct required_way *way, struct map *done,
                            str token)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct value type = member_object(member_object(checker->root, STR("types")), token);
    size_t start = 0;

    while (start < way->len && !str_equal(way->tokens[start], token))
        start++;
    if (start < way->len) {
        for (size_t i = start; i < way->len; i++)
            strbuf_printf(&text, STR_FMT " -> ", STR_ARG(way->tokens[i]));
        strbuf_add(&text, token);
        schema_complain(checker, place_below(checker, STR("#/types"), token),
                        "object type has unsatisfiable required-property cycle: %s", text.ptr);
        return true;
    }
    if (map_has(done, token) || way->len == sizeof(way->tokens) / sizeof(way->tokens[0]))
        return false;
    map_put(done, token, checker);
    way->tokens[way->len++] = token;
    bool is_cycle = follow_properties(checker, way, done, type);
    way->len--;
    return is_cycle;
}

static void check_types(struct checker *checker)
{
    CLEANUP(map_release) struct map done = { 0 };
    struct value types = member_object(checker->root, STR("types"));

    for (uint32_t i = 0; i < types.len; i++) {
        str place = place_below(checker, STR("#/types"), types.members[i].key);
        struct required_way way = { .len = 0 };
        check_token(checker, place, types.members[i].key, false);
        check_type_definition(checker, place, types.members[i].value);
        follow_required(checker, &way, &done, types.members[i].key);
    }
}

/* --- resources and functions --- */

/* "RESOURCE/METHOD" */
static bool is_method_token(str token, str resource)
{
    str before, name;

    return str_cut_last(token, STR("/"), &before, &name) && str_equal(before, resource);
}

/* A method of the resource with the token `owner`. */
static void check_method(struct checker *checker, str place, str owner, str name, str token)
{
    const struct value *function =
        value_find(member_object(checker->root, STR("functions")), token);

    if (!function) {
        schema_complain(checker, place, "unknown function " STR_FMT, STR_ARG(token));
        return;
    }
    struct value inputs = member_object(member_object(*function, STR("inputs")), STR("properties"));
    if (map_has(&checker->methods, token))
        schema_complain(checker, place, "function " STR_FMT " is already a method", STR_ARG(token));
    else if (!is_method_token(token, owner))
        schema_complain(checker, place,
                        "invalid function token format " STR_FMT ": expected " STR_FMT "/" STR_FMT,
                        STR_ARG(token), STR_ARG(owner), STR_ARG(name));
    else if (!value_has(inputs, STR("__self__")))
        schema_complain(checker, place, "function " STR_FMT " has no __self__ parameter",
                        STR_ARG(token));
    map_put(&checker->methods, token, checker);
}

static void check_methods(struct checker *checker, str place, str owner, struct value resource)
{
    struct value methods = member_object(resource, STR("methods"));

    for (uint32_t i = 0; i < methods.len; i++) {
        str name = methods.members[i].key;
        str at = place_below(checker, place_below(checker, place, STR("methods")), name);
        check_method(checker, at, owner, name, value_find_text(methods, name));
        if (value_has(member_object(resource, STR("properties")), name))
            schema_complain(checker, at, STR_FMT " already has a property named " STR_FMT,
                            STR_ARG(owner), STR_ARG(name));
    }
}

static void check_schema_resource(struct checker *checker, str place, str token,
                                  struct value resource)
{
    bool is_provider = str_equal(place, STR("#/provider"));
    const struct value *component = value_find(resource, STR("isComponent"));
    bool is_component = component && component->kind == VALUE_BOOL && component->boolean;
    struct value state = member_object(resource, STR("stateInputs"));
    str state_place = place_below(checker, place, STR("stateInputs"));
    str list_place = place_below(checker, place, STR("listInputs"));

    check_property_list(checker, place, resource, STR("inputProperties"), STR("requiredInputs"),
                        is_provider ? PROPERTIES_OF_PROVIDER : PROPERTIES_IN, is_component);
    check_property_list(checker, place, resource, STR("properties"), STR("required"),
                        PROPERTIES_OUT, is_component || is_provider);
    if (value_has(member_object(state, STR("properties")), STR("id")))
        schema_complain(checker, place_below(checker, state_place, STR("properties/id")),
                        "id is a reserved property name for stateInputs");
    check_property_list(checker, state_place, state, STR("properties"), STR("required"),
                        PROPERTIES_OF_TYPE, false);
    check_property_list(checker, list_place, member_object(resource, STR("listInputs")),
                        STR("properties"), STR("required"), PROPERTIES_OF_TYPE, false);
    check_methods(checker, place, token, resource);
}

static void check_schema_resources(struct checker *checker)
{
    struct value resources = member_object(checker->root, STR("resources"));
    struct value provider = member_object(checker->root, STR("provider"));

    check_schema_resource(checker, STR("#/provider"),
                          arena_concat(checker->arena, STR("pulumi:providers:"), checker->name),
                          provider);
    check_cases(checker, STR("#/resources"), resources);
    for (uint32_t i = 0; i < resources.len; i++) {
        str place = place_below(checker, STR("#/resources"), resources.members[i].key);
        check_token(checker, place, resources.members[i].key, false);
        if (resources.members[i].value.kind != VALUE_OBJECT)
            schema_complain(checker, place, "must be an object");
        else
            check_schema_resource(checker, place, resources.members[i].key,
                                  resources.members[i].value);
    }
}

static bool list_has(struct value list, str text)
{
    for (uint32_t i = 0; i < list.len; i++)
        if (list.items[i].kind == VALUE_STRING && str_equal(value_text(list.items[i]), text))
            return true;
    return false;
}

static void check_argument_order(struct checker *checker, struct value function)
{
    struct value order = member_list(function, STR("multiArgumentInputs"));
    struct value properties =
        member_object(member_object(function, STR("inputs")), STR("properties"));

    for (uint32_t i = 0; i < order.len; i++)
        if (order.items[i].kind != VALUE_STRING
            || !value_has(properties, value_text(order.items[i])))
            schema_complain(
                checker, STR(""),
                "multiArgumentInputs[%u] refers to non-existent property \"" STR_FMT "\"", i,
                STR_ARG(order.items[i].kind == VALUE_STRING ? value_text(order.items[i])
                                                            : STR("")));
    for (uint32_t i = 0; order.len && i < properties.len; i++)
        if (!list_has(order, properties.members[i].key))
            schema_complain(checker, STR(""),
                            "Property \"" STR_FMT "\" not specified by multiArgumentInputs\n\n"
                            "If multiArgumentInputs is given, all properties must be specified",
                            STR_ARG(properties.members[i].key));
}

static void check_function(struct checker *checker, str place, struct value function)
{
    const struct value *result = value_find(function, STR("outputs"));
    str at = place_below(checker, place, STR("outputs"));

    check_property_list(checker, place_below(checker, place, STR("inputs")),
                        member_object(function, STR("inputs")), STR("properties"), STR("required"),
                        PROPERTIES_OF_TYPE, false);
    check_argument_order(checker, function);
    if (!result || result->kind != VALUE_OBJECT || !result->len)
        return;
    if (value_has(*result, STR("properties")) || value_has(*result, STR("required")))
        check_property_list(checker, at, *result, STR("properties"), STR("required"),
                            PROPERTIES_OF_TYPE, false);
    else
        check_type_spec(checker, at, *result);
}

static void check_functions(struct checker *checker)
{
    struct value functions = member_object(checker->root, STR("functions"));

    check_cases(checker, STR("#/functions"), functions);
    for (uint32_t i = 0; i < functions.len; i++) {
        str place = place_below(checker, STR("#/functions"), functions.members[i].key);
        check_token(checker, place, functions.members[i].key, true);
        if (functions.members[i].value.kind != VALUE_OBJECT)
            schema_complain(checker, place, "must be an object");
        else
            check_function(checker, place, functions.members[i].value);
    }
}

/* --- all --- */

fallible schema_check_json(struct arena *arena, str json,
                           const struct schema_check_options *options,
                           struct schema_complaints *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct checker checker = { .arena = arena, .options = options, .out = out };

    json_reader_init(&reader, arena, json);
    TRY(value_read_plain(&reader, &checker.root));
    if (checker.root.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "a schema is a JSON object");
    check_schema_head(&checker);
    check_property_list(&checker, STR("#/config"), member_object(checker.root, STR("config")),
                        STR("variables"), STR("defaults"), PROPERTIES_OF_TYPE, false);
    check_types(&checker);
    check_schema_resources(&checker);
    check_functions(&checker);
    map_release(&checker.others);
    map_release(&checker.methods);
    return NULL;
}
