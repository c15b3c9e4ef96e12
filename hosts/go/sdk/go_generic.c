/* go_generic.c — the form of types with generics: arguments are pulumix.Input[T], outputs
 * pulumix.Output[T], and objects are always behind pointers. */
#include "go/sdk/go_form.h"

str go_pulumix(struct go_file *file)
{
    go_import(file, "github.com/pulumi/pulumi/sdk/v3/go/pulumix");
    return STR("pulumix");
}

str go_arguments(struct go_file *file, str variable, struct schema_properties properties)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (!file->is_generic)
        return variable;
    go_put_list(&out, "$1.Arguments($2", (const str[]){ go_internal(file), variable }, 2);
    for (size_t i = 0; i < properties.len; i++)
        if (properties.items[i].is_secret && !properties.items[i].type->is_plain) {
            strbuf_add(&out, STR(", "));
            strbuf_add(&out, go_quoted(file->arena, properties.items[i].name));
        }
    strbuf_add_char(&out, ')');
    return arena_copy(file->arena, strbuf_str(&out));
}

/* --- types --- */

static bool is_collection(const struct schema_type *type)
{
    return type->kind == TYPE_ARRAY || type->kind == TYPE_MAP;
}

static str collection_of(struct go_file *file, const struct schema_type *type, str element)
{
    return arena_concat(file->arena, type->kind == TYPE_ARRAY ? STR("[]") : STR("map[string]"),
                        element);
}

/* What is in no list or map; `ending` is behind the name of an object. */
static str boxed_single(struct go_file *file, const struct schema_type *type, bool is_optional,
                        str ending)
{
    str plain = go_plain_text(file, type, false);

    if (type->kind == TYPE_RESOURCE || go_is_any(type) || str_equal(plain, STR("interface{}")))
        return plain;
    if (type->kind == TYPE_OBJECT)
        return arena_concat(file->arena, STR("*"), plain, ending);
    return arena_concat(file->arena, is_optional ? STR("*") : STR(""), plain);
}

str go_field_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    if (!file->is_generic)
        return go_plain_text(file, type, is_optional);
    if (is_collection(type) && type->element->kind == TYPE_OBJECT)
        return collection_of(file, type, boxed_single(file, type->element, false, STR("")));
    return go_element_text(file, type, is_optional);
}

str go_boxed_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    if (is_collection(type))
        return collection_of(file, type, go_boxed_text(file, type->element, false));
    return boxed_single(file, type, is_optional, STR("Args"));
}

str go_element_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    if (is_collection(type))
        return go_plain_text(file, type, false);
    return boxed_single(file, type, is_optional, STR(""));
}

bool go_has_generic_form(const struct go_file *file, const struct schema_type *type)
{
    const struct go_named *named =
        type->kind == TYPE_OBJECT ? go_find_named(file->sdk, type) : NULL;

    return named && named->module->generic_import.len && (named->uses & GO_OUTPUT);
}

/* GKindOutput[T, TOutput], whose getters are those of TOutput. */
static str output_with_getters(struct go_file *file, const char *kind,
                               const struct schema_type *type)
{
    str name = go_base_text(file, type);

    return arena_concat(file->arena, go_pulumix(file), STR(".G"), str_from(kind), STR("Output["),
                        name, STR(", "), name, STR("Output]"));
}

/* A resource in a list is a pointer, which has no getters; those of one alone are its own. */
str go_generic_output_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    struct arena *arena = file->arena;
    const char *kind = type->kind == TYPE_ARRAY ? "Array" : "Map";

    if (is_collection(type) && go_has_generic_form(file, type->element))
        return output_with_getters(file, kind, type->element);
    if (is_collection(type))
        return arena_concat(arena, go_pulumix(file), STR("."), str_from(kind), STR("Output["),
                            go_plain_text(file, type->element, false), STR("]"));
    const struct go_resource *resource =
        type->kind == TYPE_RESOURCE ? go_find_resource(file->sdk, type) : NULL;
    if (go_has_generic_form(file, type) || (resource && resource->module->generic_import.len))
        return output_with_getters(file, "Ptr", type);
    return arena_concat(arena, go_pulumix(file), STR(".Output["),
                        go_element_text(file, type, is_optional), STR("]"));
}

/* --- conversions --- */

void go_put_to_output(struct go_file *file, const struct go_to_output *method)
{
    go_put(file,
           "func ($1) ToOutput($2) $3.Output[$4] {\n"
           "\treturn $5\n"
           "}\n\n",
           method->receiver, method->parameter, go_pulumix(file), method->element, method->value);
}

void go_put_output_state(struct go_file *file, str receiver, str parameter, str element, str state)
{
    struct go_to_output method = {
        .receiver = receiver,
        .parameter = parameter,
        .element = element,
        .value = arena_concat(file->arena, go_pulumix(file), STR(".Output["), element,
                              STR("]{OutputState: "), state, STR("}")),
    };

    go_put_to_output(file, &method);
}

void go_put_generic_input_methods(struct go_file *file, str name)
{
    struct arena *arena = file->arena;
    str args = arena_concat(arena, name, STR("Args"));
    struct go_to_output method = {
        .receiver = arena_concat(arena, STR("i *"), args),
        .parameter = STR("ctx context.Context"),
        .element = arena_concat(arena, STR("*"), args),
        .value = arena_concat(arena, go_pulumix(file), STR(".Val(i)")),
    };

    go_put_element_type(file, args, name);
    go_put(file,
           "func (i $1Args) To$1Output() $1Output {\n"
           "\treturn i.To$1OutputWithContext(context.Background())\n"
           "}\n\n"
           "func (i $1Args) To$1OutputWithContext(ctx context.Context) $1Output {\n"
           "\treturn $2.GPtrOutput[$1, $1Output]($3.Plain[$1](ctx, i)).Elem()\n"
           "}\n\n",
           name, go_pulumix(file), go_internal(file));
    go_put_to_output(file, &method);
}

/* --- getters --- */

/* What a field has, as the value that the output is of. */
static str field_as(struct go_file *file, const struct go_getter *getter, str element)
{
    struct arena *arena = file->arena;
    const struct schema_type *type = getter->property->type;
    str field = arena_concat(arena, STR("v."), getter->field);

    if (str_equal(getter->type, element))
        return field;
    if (type->kind == TYPE_OBJECT)
        return arena_concat(arena, STR("&"), field);
    return arena_concat(arena, go_internal(file),
                        type->kind == TYPE_ARRAY ? STR(".Values(")
                        : type->kind == TYPE_MAP ? STR(".MapValues(")
                                                 : STR(".Pointer("),
                        field, STR(")"));
}

/* A resource has outputs; it is not copied, since it has locks. */
static void put_generic_call(struct go_file *file, const struct go_getter *getter, str output,
                             str element)
{
    struct arena *arena = file->arena;
    str field = arena_concat(arena, STR("v."), getter->field);

    if (getter->is_resource) {
        go_put(file, "$1.Property[$2, $3](o, ", go_internal(file), getter->value, element);
        go_put_function_literal(
            file, arena_concat(arena, STR("func(v *"), getter->value, STR(") "), output), field);
    } else {
        go_put(file, "$1.Apply[$2](o, ", go_pulumix(file), getter->value);
        go_put_function_literal(
            file, arena_concat(arena, STR("func(v "), getter->value, STR(") "), element),
            field_as(file, getter, element));
    }
    strbuf_add_char(&file->out, ')');
}

void go_put_generic_getter(struct go_file *file, const struct go_getter *getter, str output)
{
    const struct schema_property *property = getter->property;
    bool is_simple = str_starts_with(output, STR("pulumix.Output["));

    go_put(file, is_simple ? "\treturn " : "\treturn $1(", output);
    put_generic_call(file, getter, output,
                     go_element_text(file, property->type, !property->is_required));
    go_put(file, is_simple ? "\n" : ")\n", STR(""));
}
