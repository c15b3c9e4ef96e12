/* schema_check_types.c — checks types, properties, and what they refer to. */
#include "schema/schema_checker.h"

#include "model/value_json.h"
#include "schema/schema_reader.h"

enum { DEEPEST_TYPE = 100 };

/* --- references --- */

/* Where a reference leads. */
struct referred {
    struct value schema;
    str package;
    bool is_own;       /* the package that is checked */
    bool has_stand_in; /* a simple type is named beside the reference, for where it leads nowhere */
};

/* Every package has a provider, whatever its schema says about it. */
static bool is_provider_of(const struct referred *to, str token)
{
    str before, name;

    return str_cut(token, STR("pulumi:providers:"), &before, &name) && !before.len
           && str_equal(name, to->package);
}

static void complain_of_dangling(struct checker *checker, str place, const struct referred *to,
                                 bool is_type, str token)
{
    if (!is_type || !to->is_own || checker->options->dangling == DANGLING_IS_ERROR)
        schema_complain(checker, place, "%s " STR_FMT " not found in package " STR_FMT,
                        is_type ? "type" : "resource type", STR_ARG(token), STR_ARG(to->package));
    else if (checker->options->dangling == DANGLING_IS_WARNING && !to->has_stand_in)
        schema_warn(checker, place,
                    "type " STR_FMT " not found in package " STR_FMT ": it may be any value",
                    STR_ARG(token), STR_ARG(to->package));
}

/* "types/TOKEN" or "resources/TOKEN". */
static void check_reference_path(struct checker *checker, str place, const struct referred *to,
                                 str path, str ref)
{
    str section, token;

    if (!str_cut(path, STR("/"), &section, &token)
        || (!str_equal(section, STR("types")) && !str_equal(section, STR("resources")))) {
        schema_complain(checker, place, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
        return;
    }
    token = schema_decode_token(checker->arena, token);
    if (!value_has(member_object(to->schema, section), token) && !is_provider_of(to, token))
        complain_of_dangling(checker, place, to, str_equal(section, STR("types")), token);
}

/* The package of that name and version, as the schema says where it comes from. */
static struct schema_dependency check_find_dependency(const struct checker *checker, str package,
                                                      str version)
{
    struct value list = member_list(checker->root, STR("dependencies"));

    for (uint32_t i = 0; i < list.len; i++) {
        struct value parameter = member_object(list.items[i], STR("parameterization"));
        struct value named = parameter.len ? parameter : list.items[i];
        if (named.kind == VALUE_OBJECT && str_equal(value_find_text(named, STR("name")), package)
            && str_equal(value_find_text(named, STR("version")), version))
            return (struct schema_dependency){
                .name = value_find_text(list.items[i], STR("name")),
                .version = value_find_text(list.items[i], STR("version")),
                .download_url = value_find_text(list.items[i], STR("downloadURL")),
                .parameter_name = value_find_text(parameter, STR("name")),
                .parameter_version = value_find_text(parameter, STR("version")),
                .parameter_value = value_find_text(parameter, STR("value")),
            };
    }
    return (struct schema_dependency){ .name = package, .version = version };
}

static fallible load_other(struct checker *checker, str package, str version, struct value **out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str json, key = arena_concat(checker->arena, package, STR("@"), version);

    *out = map_find(&checker->others, key);
    if (*out)
        return NULL;
    if (!checker->options->others)
        return error_new(ERROR_NOT_FOUND, "other packages are not looked at here");
    const struct schema_dependency wanted = check_find_dependency(checker, package, version);
    TRY(checker->options->others->load(checker->options->others->context, &wanted, checker->arena,
                                       &json));
    *out = ARENA_NEW(checker->arena, struct value);
    json_reader_init(&reader, checker->arena, json);
    TRY(value_read_plain(&reader, *out));
    map_put(&checker->others, key, *out);
    return NULL;
}

/* "/PKG/vVERSION/schema.json#/types/TOKEN" */
static void check_other_reference(struct checker *checker, str place, str ref, str path)
{
    str package, version, rest;
    struct value *schema = NULL;

    if (!str_cut(str_slice(ref, 1, ref.len), STR("/"), &package, &rest)
        || !str_cut(rest, STR("/"), &version, &rest)) {
        schema_complain(checker, place, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
        return;
    }
    if (str_starts_with(version, STR("v")))
        version = str_slice(version, 1, version.len);
    struct error *failure = load_other(checker, package, version, &schema);
    if (failure) {
        schema_complain(checker, place, "resolving package " STR_FMT ": " STR_FMT, STR_ARG(ref),
                        STR_ARG(error_message(failure)));
        error_free(failure);
        return;
    }
    if (!str_equal(path, STR("provider")))
        check_reference_path(
            checker, place, &(struct referred){ .schema = *schema, .package = package }, path, ref);
}

static void check_type_reference(struct checker *checker, str place, str ref, bool has_stand_in)
{
    static const char *const own[] = { "Any", "Archive", "Asset", "Json" };
    str file, path;

    if (!str_cut(ref, STR("#/"), &file, &path)) {
        schema_complain(checker, place, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
        return;
    }
    if (str_equal(file, STR("pulumi.json"))) {
        for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
            if (str_equal(path, str_from(own[i])))
                return;
        schema_complain(checker, place, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
    } else if (str_starts_with(file, STR("/"))) {
        check_other_reference(checker, place, ref, path);
    } else if (file.len) {
        schema_complain(checker, place, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
    } else if (!str_equal(path, STR("provider"))) {
        check_reference_path(checker, place,
                             &(struct referred){ .schema = checker->root,
                                                 .package = checker->name,
                                                 .is_own = true,
                                                 .has_stand_in = has_stand_in },
                             path, ref);
    }
}

/* --- types --- */

static void check_type_at(struct checker *checker, str place, struct value spec, unsigned depth);

static void check_member_type(struct checker *checker, str place, struct value spec, str key,
                              unsigned depth)
{
    const struct value *member = value_find(spec, key);

    if (member)
        check_type_at(checker, place_below(checker, place, key), *member, depth + 1);
}

static void check_union(struct checker *checker, str place, struct value members, unsigned depth)
{
    str at = place_below(checker, place, STR("oneOf"));

    if (members.len < 2)
        schema_complain(checker, at, "oneOf should list at least two types");
    for (uint32_t i = 0; i < members.len; i++)
        check_type_at(checker, place_at(checker, at, i), members.items[i], depth + 1);
}

static bool is_primitive(str type)
{
    return str_equal(type, STR("boolean")) || str_equal(type, STR("integer"))
           || str_equal(type, STR("number")) || str_equal(type, STR("string"));
}

static void check_named_type(struct checker *checker, str place, struct value spec, str type,
                             unsigned depth)
{
    if (str_equal(type, STR("array")) && !value_has(spec, STR("items")))
        schema_complain(checker, place, "missing \"items\" property in array type spec");
    else if (str_equal(type, STR("array")))
        check_member_type(checker, place, spec, STR("items"), depth);
    else if (str_equal(type, STR("object")))
        check_member_type(checker, place, spec, STR("additionalProperties"), depth);
    else if (!is_primitive(type))
        schema_complain(checker, place_below(checker, place, STR("type")),
                        "unknown type kind " STR_FMT, STR_ARG(type));
}

static void check_type_at(struct checker *checker, str place, struct value spec, unsigned depth)
{
    if (spec.kind != VALUE_OBJECT || depth > DEEPEST_TYPE) {
        schema_complain(checker, place,
                        depth > DEEPEST_TYPE ? "types are nested too deeply" : "must be an object");
        return;
    }
    const struct value *ref = value_find(spec, STR("$ref"));
    const struct value *members = value_find(spec, STR("oneOf"));
    if (ref && ref->kind == VALUE_STRING && ref->len)
        check_type_reference(checker, place_below(checker, place, STR("$ref")), value_text(*ref),
                             value_find_text(spec, STR("type")).len > 0);
    else if (members && members->kind == VALUE_ARRAY)
        check_union(checker, place, *members, depth);
    else
        check_named_type(checker, place, spec, value_find_text(spec, STR("type")), depth);
}

void check_type_spec(struct checker *checker, str place, struct value spec)
{
    check_type_at(checker, place, spec, 0);
}

/* --- constants --- */

/* As the messages of binders call a type of an input. */
static str type_name(struct checker *checker, struct value spec, bool is_inside, unsigned depth)
{
    str type = value_find_text(spec, STR("type")), ref = value_find_text(spec, STR("$ref"));
    struct value items = member_object(spec, STR("items"));
    struct value values = member_object(spec, STR("additionalProperties"));
    str text = type, prefix;

    if (str_cut(ref, STR("#/types/"), &prefix, &text)
        || str_cut(ref, STR("#/resources/"), &prefix, &text))
        text = schema_decode_token(checker->arena, text);
    else if (value_has(spec, STR("oneOf")))
        text = STR("Union");
    else if (str_equal(type, STR("array")) && depth < DEEPEST_TYPE)
        text = arena_concat(checker->arena, STR("Array<"),
                            type_name(checker, items, true, depth + 1), STR(">"));
    else if (str_equal(type, STR("object")) && depth < DEEPEST_TYPE)
        text = arena_concat(checker->arena, STR("Map<"),
                            values.len ? type_name(checker, values, true, depth + 1)
                                       : STR("Input<string>"),
                            STR(">"));
    return is_inside ? arena_concat(checker->arena, STR("Input<"), text, STR(">")) : text;
}

/* A reference to an enum is as good as what its values are. */
static str constant_type(struct checker *checker, struct value spec)
{
    str prefix, token, ref = value_find_text(spec, STR("$ref"));
    struct value types = member_object(checker->root, STR("types"));

    if (!str_cut(ref, STR("#/types/"), &prefix, &token) || prefix.len)
        return value_has(spec, STR("oneOf")) ? STR("") : value_find_text(spec, STR("type"));
    struct value type = member_object(types, schema_decode_token(checker->arena, token));
    return value_has(type, STR("enum")) ? value_find_text(type, STR("type")) : STR("");
}

const char *constant_name(struct value value)
{
    static const char *const names[] = { [VALUE_BOOL] = "bool",
                                         [VALUE_NUMBER] = "float64",
                                         [VALUE_STRING] = "string",
                                         [VALUE_ARRAY] = "list",
                                         [VALUE_OBJECT] = "map" };
    return names[value.kind];
}

static bool is_whole(double number)
{
    return number >= INT32_MIN && number <= INT32_MAX && number == (double)(int32_t)number;
}

bool constant_fits(struct value value, str type)
{
    if (str_equal(type, STR("string")))
        return value.kind == VALUE_STRING;
    if (str_equal(type, STR("boolean")))
        return value.kind == VALUE_BOOL;
    return value.kind == VALUE_NUMBER
           && (!str_equal(type, STR("integer")) || is_whole(value.number));
}

static void check_constant(struct checker *checker, str place, struct value spec, const char *key,
                           const char *what)
{
    const struct value *constant = value_find(spec, str_from(key));
    str type = constant_type(checker, spec), at = place_below(checker, place, str_from(key));

    if (!constant || constant->kind == VALUE_NULL || value_has(spec, STR("oneOf")))
        return;
    if (!is_primitive(type))
        schema_complain(checker, at,
                        "type " STR_FMT " cannot have a constant value; only booleans, integers, "
                        "numbers and strings may have constant values",
                        STR_ARG(type_name(checker, spec, false, 0)));
    else if (!constant_fits(*constant, type))
        schema_complain(checker, at, "invalid constant of type %s for " STR_FMT " %s",
                        constant_name(*constant), STR_ARG(type), what);
}

/* --- properties --- */

static void check_property_name(struct checker *checker, str place, str outer, str name,
                                enum property_kind kind, bool is_component)
{
    if (str_equal(name, STR("pulumi")))
        schema_complain(checker, place, "pulumi is a reserved property name");
    if (kind == PROPERTIES_OF_PROVIDER && str_equal(name, STR("version")))
        schema_complain(checker, place_below(checker, outer, STR("properties/version")),
                        "version is a reserved provider input property name");
    if (kind == PROPERTIES_OUT && str_equal(name, STR("urn")))
        schema_warn(checker, place, "urn is a reserved property name");
    if (kind == PROPERTIES_OUT && !is_component && str_equal(name, STR("id")))
        schema_warn(checker, place, "id is a reserved property name for resources");
}

static void check_required_names(struct checker *checker, str place, struct value object,
                                 struct value properties, str key)
{
    struct value required = member_list(object, key);

    for (uint32_t i = 0; i < required.len; i++) {
        str name = required.items[i].kind == VALUE_STRING ? value_text(required.items[i]) : STR("");
        if (!value_has(properties, name))
            schema_complain(checker, place_at(checker, place_below(checker, place, key), i),
                            "unknown required property \"" STR_FMT "\"", STR_ARG(name));
    }
}

void check_property_list(struct checker *checker, str place, struct value object, str key,
                         str required, enum property_kind kind, bool is_component)
{
    struct value properties = member_object(object, key);
    str list = place_below(checker, place, key);

    for (uint32_t i = 0; i < properties.len; i++) {
        struct value spec = properties.members[i].value;
        str at = place_below(checker, list, properties.members[i].key);
        check_property_name(checker, at, place, properties.members[i].key, kind, is_component);
        check_type_spec(checker, at, spec);
        if (spec.kind != VALUE_OBJECT)
            continue;
        check_constant(checker, at, spec, "const", "constant");
        check_constant(checker, at, spec, "default", "default");
    }
    check_required_names(checker, place, object, properties, required);
}
