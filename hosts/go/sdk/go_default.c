/* go_default.c — values of properties that nobody set: those of the schema, of the environment, and
 * constants. */
#include "go/sdk/go_form.h"
#include "pcl/pcl_print.h"

bool go_has_default(const struct schema_property *property)
{
    return property->has_default || property->environment.len > 0;
}

static str number_text(struct arena *arena, double number, bool is_integer)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    pcl_put_number(&out, number);
    if (!is_integer && str_find_char(strbuf_str(&out), '.') == SIZE_MAX
        && str_find_char(strbuf_str(&out), 'e') == SIZE_MAX)
        strbuf_add(&out, STR(".0"));
    return arena_copy(arena, strbuf_str(&out));
}

static enum type_kind value_kind_of(const struct schema_type *type)
{
    return type->kind == TYPE_ENUM ? type->base : go_simple_kind(type);
}

fallible go_literal(struct arena *arena, struct value value, const struct schema_type *type,
                    str *out)
{
    if (value.kind == VALUE_BOOL)
        *out = value.boolean ? STR("true") : STR("false");
    else if (value.kind == VALUE_NUMBER)
        *out = number_text(arena, value.number, value_kind_of(type) != TYPE_NUMBER);
    else if (value.kind == VALUE_STRING)
        *out = go_quoted(arena, value_text(value));
    else
        return error_new(ERROR_INVALID, "a default or constant that is a list or an object cannot "
                                        "be written in Go");
    return NULL;
}

static str generic_value(struct go_file *file, const struct schema_property *property, str value)
{
    str maker = go_is_any(property->type) ? STR(".Val[any](")
                : property->is_required   ? STR(".Val(")
                                          : STR(".Ptr(");

    return arena_concat(file->arena, go_pulumix(file), maker, value, STR(")"));
}

/* A value as what a field takes; a pointer is made of it elsewhere. */
static str wrapped_value(struct go_file *file, const struct schema_property *property, str value,
                         bool is_argument)
{
    const struct schema_type *type = property->type;

    if (type->kind == TYPE_ENUM)
        value =
            arena_concat(file->arena, go_plain_text(file, type, false), STR("("), value, STR(")"));
    if (type->kind == TYPE_ENUM && !file->is_generic)
        return value;
    if (!is_argument || type->is_plain || type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        return value;
    if (file->is_generic)
        return generic_value(file, property, value);
    if (go_is_any(type))
        return arena_concat(file->arena, STR("pulumi.Any("), value, STR(")"));
    return arena_concat(file->arena, go_base_text(file, type),
                        property->is_required ? STR("(") : STR("Ptr("), value, STR(")"));
}

static bool is_pointer_field(const struct schema_property *property, bool is_argument)
{
    const struct schema_type *type = property->type;

    return !property->is_required && !go_is_nil_type(type) && !go_is_any(type)
           && (!is_argument || type->is_plain);
}

static void put_assignment(struct go_file *file, const struct schema_property *property, str object,
                           str value, bool is_argument)
{
    str field = go_field_name(file->arena, property->name, STR(""));

    if (property->type->kind == TYPE_ARRAY && (!is_argument || property->type->is_plain)) {
        go_put(file,
               "for _, item := range $3 {\n"
               "\t$1.$2 = append($1.$2, string(item.(pulumi.String)))\n"
               "}\n",
               object, field, value);
        return;
    }
    value = wrapped_value(file, property, value, is_argument);
    if (!is_pointer_field(property, is_argument)) {
        go_put(file, "$1.$2 = $3\n", object, field, value);
        return;
    }
    go_put(file, "value := $1\n", value);
    go_put(file, "$1.$2 = &value\n", object, field);
}

struct environment_kind {
    str type;
    str parser; /* empty: none is needed */
};

static const struct environment_kind *environment_kind(const struct schema_type *type)
{
    static const struct environment_kind kinds[] = {
        [TYPE_BOOL] = { STR_INIT("bool"), STR_INIT("ParseEnvBool") },
        [TYPE_INTEGER] = { STR_INIT("int"), STR_INIT("ParseEnvInt") },
        [TYPE_NUMBER] = { STR_INIT("float64"), STR_INIT("ParseEnvFloat") },
        [TYPE_STRING] = { STR_INIT("string"), STR_INIT("") },
        [TYPE_ARRAY] = { STR_INIT("pulumi.StringArray"), STR_INIT("ParseEnvStringArray") },
    };
    enum type_kind kind = value_kind_of(type);

    return &kinds[kind <= TYPE_ARRAY && kinds[kind].type.len ? kind : TYPE_STRING];
}

fallible go_environment_text(struct go_file *file, const struct schema_property *property, str *out,
                             str *type)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct environment_kind *kind = environment_kind(property->type);
    str value = STR("nil");

    *type = kind->type;
    if (property->has_default)
        TRY(go_literal(file->arena, property->preset, property->type, &value));
    go_put_list(&text,
                kind->parser.len ? "$1.GetEnvOrDefault($2, $1.$3" : "$1.GetEnvOrDefault($2, nil",
                (const str[]){ go_internal(file), value, kind->parser }, 3);
    for (size_t i = 0; i < property->environment.len; i++) {
        strbuf_add(&text, STR(", "));
        strbuf_add(&text, go_quoted(file->arena, property->environment.items[i]));
    }
    strbuf_add_char(&text, ')');
    *out = arena_copy(file->arena, strbuf_str(&text));
    return NULL;
}

static void put_unset_check(struct go_file *file, const struct schema_property *property,
                            str object, bool is_argument)
{
    const struct schema_type *type = property->type;
    bool may_be_nil = !property->is_required || go_is_nil_type(type) || go_is_any(type)
                      || (is_argument && !type->is_plain);
    str field = go_field_name(file->arena, property->name, STR(""));

    if (may_be_nil)
        go_put(file, "\tif $1.$2 == nil {\n", object, field);
    else
        go_put(file, "\tif $3.IsZero($1.$2) {\n", object, field, go_internal(file));
}

/* Statements of a block, which each stand one tab further in than the block itself. */
static void put_indented(struct go_file *file, size_t from, const char *indent)
{
    CLEANUP(strbuf_release) struct strbuf lines = { 0 };
    str line, rest = str_slice(strbuf_str(&file->out), from, file->out.len);

    strbuf_add(&lines, rest);
    rest = strbuf_str(&lines);
    file->out.len = from;
    while (str_cut(rest, STR("\n"), &line, &rest))
        go_put_list(&file->out, "$1$2\n", (const str[]){ str_from(indent), line }, 2);
}

fallible go_put_default(struct go_file *file, const struct schema_property *property, str object,
                        bool is_argument)
{
    str value, type;

    put_unset_check(file, property, object, is_argument);
    if (property->environment.len) {
        TRY(go_environment_text(file, property, &value, &type));
        go_put(file, "\t\tif d := $1; d != nil {\n", value);
        size_t from = file->out.len;
        put_assignment(file, property, object,
                       arena_concat(file->arena, STR("d.("), type, STR(")")), is_argument);
        put_indented(file, from, "\t\t\t");
        go_put(file, "\t\t}\n", STR(""));
    } else {
        TRY(go_literal(file->arena, property->preset, property->type, &value));
        size_t from = file->out.len;
        put_assignment(file, property, object, value, is_argument);
        put_indented(file, from, "\t\t");
    }
    go_put(file, "\t}\n", STR(""));
    return NULL;
}

fallible go_put_constant(struct go_file *file, const struct schema_property *property, str object)
{
    str value;

    TRY(go_literal(file->arena, property->constant, property->type, &value));
    if (is_pointer_field(property, true))
        go_put(file, "\t{\n", STR(""));
    size_t from = file->out.len;
    put_assignment(file, property, object, value, true);
    put_indented(file, from, is_pointer_field(property, true) ? "\t\t" : "\t");
    if (is_pointer_field(property, true))
        go_put(file, "\t}\n", STR(""));
    return NULL;
}

/* --- objects --- */

bool go_has_defaults_method(const struct go_file *file, const struct schema_type *type)
{
    const struct go_named *named = type->kind == TYPE_OBJECT && type->schema == file->sdk->schema
                                       ? go_find_named(file->sdk, type)
                                       : NULL;

    return named && named->has_defaults && !file->sdk->settings.no_object_defaults;
}

bool go_need_defaults_method(const struct go_file *file, struct schema_properties properties)
{
    if (file->sdk->settings.no_object_defaults)
        return false;
    for (size_t i = 0; i < properties.len; i++)
        if (go_has_default(&properties.items[i])
            || go_has_defaults_method(file, properties.items[i].type))
            return true;
    return false;
}

static void put_inner_defaults(struct go_file *file, const struct schema_property *property,
                               enum go_fields fields)
{
    bool is_later = fields == GO_ARGUMENT_FIELDS && !property->type->is_plain;
    bool is_pointer = !property->is_required || (file->is_generic && fields != GO_VALUE_FIELDS);
    str field = go_field_name(file->arena, property->name, STR(""));

    if (is_later && file->is_generic)
        go_put(file, "\tfilled.$1 = $2.Filled(filled.$1)\n", field, go_internal(file));
    /* What is known only later has its defaults filled in when it is. */
    if (is_later)
        return;
    go_put(file,
           is_pointer ? "\tfilled.$1 = filled.$1.Defaults()\n"
                      : "\tfilled.$1 = *filled.$1.Defaults()\n",
           field);
}

fallible go_put_defaults_method(struct go_file *file, str name, struct schema_properties properties,
                                enum go_fields fields)
{
    bool is_argument = fields == GO_ARGUMENT_FIELDS;

    if (!go_need_defaults_method(file, properties))
        return NULL;
    go_put(file,
           "// Defaults gives a copy in which what was not set has its default.\n"
           "func (val *$1) Defaults() *$1 {\n"
           "\tif val == nil {\n"
           "\t\treturn nil\n"
           "\t}\n"
           "\tfilled := *val\n",
           name);
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = &properties.items[i];
        if (go_has_default(property))
            TRY(go_put_default(file, property, STR("filled"), is_argument));
        else if (go_has_defaults_method(file, property->type))
            put_inner_defaults(file, property, fields);
    }
    go_put(file, "\treturn &filled\n}\n\n", STR(""));
    return NULL;
}
