/* go_object.c — objects: the value, its arguments, and all forms of both. */
#include "go/sdk/go_parts.h"

#include "common/names.h"

static void put_getter_of(struct go_file *file, str name, const struct schema_property *property)
{
    struct arena *arena = file->arena;
    struct go_getter getter = {
        .receiver = arena_concat(arena, name, STR("Output")),
        .method = go_getter_name(arena, property->name, STR(""), false),
        .value = name,
        .field = go_field_name(arena, property->name, STR("")),
        .type = go_field_text(file, property->type, !property->is_required),
        .property = property,
    };

    go_put_getter(file, &getter);
}

/* What the pointer does not have may be left out, whatever the object says. */
static void put_pointer_getter(struct go_file *file, str name,
                               const struct schema_property *property)
{
    struct arena *arena = file->arena;
    str type = go_plain_text(file, property->type, true);
    bool is_value =
        property->is_required && type.ptr[0] == '*' && property->type->kind != TYPE_RESOURCE;

    go_put_comment(file, property->description, property->deprecation, "");
    go_put(file,
           "func (o $1PtrOutput) $2() $4 {\n"
           "\treturn o.ApplyT(func(v *$1) $3 {\n"
           "\t\tif v == nil {\n"
           "\t\t\treturn nil\n"
           "\t\t}\n"
           "\t\treturn $6v.$5\n"
           "\t}).($4)\n"
           "}\n\n",
           name, go_getter_name(arena, property->name, STR(""), true), type,
           go_output_text(file, property->type, true),
           go_field_name(arena, property->name, STR("")), is_value ? STR("&") : STR(""));
}

static bool is_taken_by_resource(const struct go_file *file, str name, const char *ending)
{
    return map_has(&file->module->names, arena_concat(file->arena, name, str_from(ending)));
}

void go_put_object_outputs(struct go_file *file, str name, struct schema_properties properties,
                           unsigned uses)
{
    if (uses & GO_OUTPUT) {
        go_put_output(file, name, name);
        if ((uses & GO_INPUT_PTR) && !file->is_generic)
            go_put_output_to_pointer(file, name, name);
        for (size_t i = 0; i < properties.len; i++)
            put_getter_of(file, name, &properties.items[i]);
    }
    if (file->is_generic)
        return;
    if (uses & GO_OUTPUT_PTR) {
        go_put_pointer_output(file, name);
        for (size_t i = 0; i < properties.len; i++)
            put_pointer_getter(file, name, &properties.items[i]);
    }
    if ((uses & GO_OUTPUT_ARRAY) && !is_taken_by_resource(file, name, "Array"))
        go_put_array_output(file, name, name);
    if ((uses & GO_OUTPUT_MAP) && !is_taken_by_resource(file, name, "Map"))
        go_put_map_output(file, name, name);
}

static void put_pointer_input(struct go_file *file, str name)
{
    struct arena *arena = file->arena;
    str pointer = arena_concat(arena, name, STR("Ptr"));
    str type = arena_concat(arena, name_camel(arena, name), STR("PtrType"));

    go_put_input_interface(file, pointer, arena_concat(arena, name, STR("Args{...} or nil")));
    go_put(file,
           "type $1 $2Args\n\n"
           "// $2Ptr makes an argument of a pointer, which may be nil.\n"
           "func $2Ptr(v *$2Args) $2PtrInput {\n"
           "\treturn (*$1)(v)\n"
           "}\n\n",
           type, name);
    go_put_input_methods(file, pointer, arena_concat(arena, STR("*"), type),
                         arena_concat(arena, STR("*"), name));
}

static fallible put_object_inputs(struct go_file *file, const struct go_named *object,
                                  struct schema_properties properties)
{
    struct arena *arena = file->arena;
    str name = object->name, args = arena_concat(arena, name, STR("Args"));
    str item = arena_concat(arena, name, STR("Input"));

    if (object->uses & GO_INPUT) {
        if (!file->is_generic)
            go_put_input_interface(file, name, arena_concat(arena, args, STR("{...}")));
        go_put_comment(file, object->type->description, STR(""), "");
        go_put(file, "type $1 struct {\n", args);
        go_put_argument_fields(file, properties, STR(""), true);
        go_put(file, "}\n\n", STR(""));
        TRY(go_put_defaults_method(file, args, properties, GO_ARGUMENT_FIELDS));
    }
    if (file->is_generic) {
        if (object->uses & GO_INPUT)
            go_put_generic_input_methods(file, name);
        return NULL;
    }
    if (object->uses & GO_INPUT) {
        go_put_input_methods(file, name, args, name);
        if (object->uses & GO_INPUT_PTR)
            go_put_pointer_methods(file, name, args);
    }
    if (object->uses & GO_INPUT_PTR)
        put_pointer_input(file, name);
    if ((object->uses & GO_INPUT_ARRAY) && !is_taken_by_resource(file, name, "Array"))
        go_put_array_input(file, name, item, name);
    if ((object->uses & GO_INPUT_MAP) && !is_taken_by_resource(file, name, "Map"))
        go_put_map_input(file, name, item, name);
    return NULL;
}

static fallible put_go_object(struct go_file *file, const struct go_named *object)
{
    const struct schema_properties *known = schema_type_properties(object->type);
    struct schema_properties properties = known ? *known : (struct schema_properties){ 0 };

    if (object->type->is_overlay)
        return NULL;
    go_put_comment(file, object->type->description, STR(""), "");
    go_put(file, "type $1 struct {\n", object->name);
    go_put_object_fields(file, properties);
    go_put(file, "}\n\n", STR(""));
    TRY(go_put_defaults_method(file, object->name, properties, GO_OBJECT_FIELDS));
    TRY(put_object_inputs(file, object, properties));
    go_put_object_outputs(file, object->name, properties, object->uses);
    return NULL;
}

/* --- lists of lists --- */

static void put_nested(struct go_file *file, const struct go_nested *nested)
{
    str item = arena_concat(file->arena, nested->base, STR("Input"));

    if (nested->uses & GO_INPUT_ARRAY)
        go_put_array_input(file, nested->base, item, nested->element);
    if (nested->uses & GO_OUTPUT_ARRAY)
        go_put_array_output(file, nested->base, nested->element);
    if (nested->uses & GO_INPUT_MAP)
        go_put_map_input(file, nested->base, item, nested->element);
    if (nested->uses & GO_OUTPUT_MAP)
        go_put_map_output(file, nested->base, nested->element);
}

/* --- registration --- */

struct form_name {
    unsigned use;
    const char *ending;
    const char *instance; /* what is behind the name in an instance of the input */
};

static const struct form_name form_names[] = {
    { GO_INPUT, "", "Args{}" },
    { GO_INPUT_PTR, "Ptr", "Args{}" },
    { GO_INPUT_ARRAY, "Array", "Array{}" },
    { GO_INPUT_MAP, "Map", "Map{}" },
};
enum { FORM_COUNT = sizeof(form_names) / sizeof(form_names[0]) };

static bool has_own_form(const struct go_file *file, str name, const struct form_name *form)
{
    return form->use < GO_INPUT_ARRAY || !is_taken_by_resource(file, name, form->ending);
}

static void register_forms(struct go_file *file, str name, unsigned uses, size_t first)
{
    struct arena *arena = file->arena;

    for (size_t i = first; i < FORM_COUNT && !file->is_generic; i++)
        if ((uses & form_names[i].use) && has_own_form(file, name, &form_names[i]))
            go_put_registration(file, arena_concat(arena, name, str_from(form_names[i].ending)),
                                arena_concat(arena, name, str_from(form_names[i].instance)));
    for (size_t i = first; i < (file->is_generic ? 1 : FORM_COUNT); i++)
        if ((uses & form_names[i].use << GO_OUTPUT_SHIFT)
            && has_own_form(file, name, &form_names[i]))
            go_put_output_registration(file,
                                       arena_concat(arena, name, str_from(form_names[i].ending)));
}

fallible go_put_objects(struct go_file *file, size_t first, size_t end)
{
    const struct go_module *module = file->module;
    size_t nested = first == 0 && !file->is_generic ? module->nested.len : 0;
    unsigned uses = 0;

    for (size_t i = first; i < end; i++) {
        TRY(put_go_object(file, module->objects.items[i]));
        uses |= module->objects.items[i]->uses;
    }
    for (size_t i = 0; i < nested; i++) {
        put_nested(file, module->nested.items[i]);
        uses |= module->nested.items[i]->uses;
    }
    if (!(uses & (file->is_generic ? GO_OUTPUT : ~0u)))
        return NULL;
    go_put(file, "func init() {\n", STR(""));
    for (size_t i = first; i < end; i++)
        if (!module->objects.items[i]->type->is_overlay)
            register_forms(file, module->objects.items[i]->name, module->objects.items[i]->uses, 0);
    for (size_t i = 0; i < nested; i++)
        register_forms(file, module->nested.items[i]->base, module->nested.items[i]->uses, 2);
    go_put(file, "}\n", STR(""));
    return NULL;
}
