/* go_form.c — inputs, outputs, pointers, lists and maps of a type. */
#include "go/sdk/go_form.h"

static void use_forms(struct go_file *file)
{
    go_import(file, "context");
    go_import(file, "reflect");
    go_import(file, "github.com/pulumi/pulumi/sdk/v3/go/pulumi");
}

void go_put_element_type(struct go_file *file, str receiver, str element)
{
    go_import(file, "reflect");
    go_put(file,
           "func ($1) ElementType() reflect.Type {\n"
           "\treturn reflect.TypeOf((*$2)(nil)).Elem()\n"
           "}\n\n",
           receiver, element);
}

/* --- inputs --- */

void go_put_input_interface(struct go_file *file, str name, str takes)
{
    use_forms(file);
    go_put(file,
           "// $1Input is an argument: $2, or a $1Output that is known later.\n"
           "type $1Input interface {\n"
           "\tpulumi.Input\n\n"
           "\tTo$1Output() $1Output\n"
           "\tTo$1OutputWithContext(context.Context) $1Output\n"
           "}\n\n",
           name, takes);
}

/* Where a package has both forms, inputs and outputs of the usual one are also of the other. */
static void put_form_bridge(struct go_file *file, str receiver, str element, str state)
{
    if (file->sdk->settings.generics)
        go_put_output_state(file, receiver, STR("ctx context.Context"), element, state);
}

void go_put_input_methods(struct go_file *file, str name, str receiver, str element)
{
    struct arena *arena = file->arena;

    go_put_conversions(file, name, receiver, element);
    put_form_bridge(
        file, arena_concat(arena, STR("i "), receiver), element,
        arena_concat(arena, STR("i.To"), name, STR("OutputWithContext(ctx).OutputState")));
}

void go_put_conversions(struct go_file *file, str name, str receiver, str element)
{
    use_forms(file);
    go_put_element_type(file, receiver, element);
    go_put(file,
           "func (i $2) To$1Output() $1Output {\n"
           "\treturn i.To$1OutputWithContext(context.Background())\n"
           "}\n\n"
           "func (i $2) To$1OutputWithContext(ctx context.Context) $1Output {\n"
           "\treturn pulumi.ToOutputWithContext(ctx, i).($1Output)\n"
           "}\n\n",
           name, receiver);
}

void go_put_pointer_methods(struct go_file *file, str name, str receiver)
{
    go_put(file,
           "func (i $2) To$1PtrOutput() $1PtrOutput {\n"
           "\treturn i.To$1PtrOutputWithContext(context.Background())\n"
           "}\n\n"
           "func (i $2) To$1PtrOutputWithContext(ctx context.Context) $1PtrOutput {\n"
           "\treturn i.To$1OutputWithContext(ctx).To$1PtrOutputWithContext(ctx)\n"
           "}\n\n",
           name, receiver);
}

static void put_collection_input(struct go_file *file, str name, str kind, str item, str element)
{
    go_put_input_interface(file, name, arena_concat(file->arena, STR("a "), name));
    go_put(file, "type $1 $2$3\n\n", name, kind, item);
    go_put_input_methods(file, name, name, arena_concat(file->arena, kind, element));
}

void go_put_array_input(struct go_file *file, str name, str item, str element)
{
    put_collection_input(file, arena_concat(file->arena, name, STR("Array")), STR("[]"), item,
                         element);
}

void go_put_map_input(struct go_file *file, str name, str item, str element)
{
    put_collection_input(file, arena_concat(file->arena, name, STR("Map")), STR("map[string]"),
                         item, element);
}

/* --- outputs --- */

void go_put_output(struct go_file *file, str name, str element)
{
    use_forms(file);
    go_put(file, "type $1Output struct{ *pulumi.OutputState }\n\n", name);
    go_put_element_type(file, arena_concat(file->arena, name, STR("Output")), element);
    go_put(file,
           "func (o $1Output) To$1Output() $1Output {\n"
           "\treturn o\n"
           "}\n\n"
           "func (o $1Output) To$1OutputWithContext(ctx context.Context) $1Output {\n"
           "\treturn o\n"
           "}\n\n",
           name);
    put_form_bridge(file, arena_concat(file->arena, STR("o "), name, STR("Output")), element,
                    STR("o.OutputState"));
}

void go_put_output_to_pointer(struct go_file *file, str name, str element)
{
    go_put(file,
           "func (o $1Output) To$1PtrOutput() $1PtrOutput {\n"
           "\treturn o.To$1PtrOutputWithContext(context.Background())\n"
           "}\n\n"
           "func (o $1Output) To$1PtrOutputWithContext(ctx context.Context) $1PtrOutput {\n"
           "\treturn o.ApplyTWithContext(ctx, func(_ context.Context, v $2) *$2 {\n"
           "\t\treturn &v\n"
           "\t}).($1PtrOutput)\n"
           "}\n\n",
           name, element);
}

void go_put_pointer_output(struct go_file *file, str name)
{
    go_put_output(file, arena_concat(file->arena, name, STR("Ptr")),
                  arena_concat(file->arena, STR("*"), name));
    go_put(file,
           "// Elem gives the value, or that of an empty $1 where there is none.\n"
           "func (o $1PtrOutput) Elem() $1Output {\n"
           "\treturn o.ApplyT(func(v *$1) (value $1) {\n"
           "\t\tif v != nil {\n"
           "\t\t\tvalue = *v\n"
           "\t\t}\n"
           "\t\treturn value\n"
           "\t}).($1Output)\n"
           "}\n\n",
           name);
}

void go_put_array_output(struct go_file *file, str name, str element)
{
    struct arena *arena = file->arena;

    go_put_output(file, arena_concat(arena, name, STR("Array")),
                  arena_concat(arena, STR("[]"), element));
    go_put(file,
           "func (o $1ArrayOutput) Index(i pulumi.IntInput) $1Output {\n"
           "\treturn pulumi.All(o, i).ApplyT(func(both []interface{}) $2 {\n"
           "\t\treturn both[0].([]$2)[both[1].(int)]\n"
           "\t}).($1Output)\n"
           "}\n\n",
           name, element);
}

void go_put_map_output(struct go_file *file, str name, str element)
{
    struct arena *arena = file->arena;

    go_put_output(file, arena_concat(arena, name, STR("Map")),
                  arena_concat(arena, STR("map[string]"), element));
    go_put(file,
           "func (o $1MapOutput) MapIndex(k pulumi.StringInput) $1Output {\n"
           "\treturn pulumi.All(o, k).ApplyT(func(both []interface{}) $2 {\n"
           "\t\treturn both[0].(map[string]$2)[both[1].(string)]\n"
           "\t}).($1Output)\n"
           "}\n\n",
           name, element);
}

/* gofmt keeps a short function in one line and breaks a long one. */
void go_put_function_literal(struct go_file *file, str head, str result)
{
    enum { SHORT = 90 };
    bool is_short = head.len + result.len + sizeof("return ") <= SHORT;

    go_put(file, is_short ? "$1 { return $2 }" : "$1 {\n\t\treturn $2\n\t}", head, result);
}

void go_put_getter(struct go_file *file, const struct go_getter *getter)
{
    struct arena *arena = file->arena;
    const struct schema_property *property = getter->property;
    str output = go_output_text(file, property->type, !property->is_required);

    go_put_comment(file, property->description, property->deprecation, "");
    go_put(file, "func (o $1) $2() $3 {\n", getter->receiver, getter->method, output);
    if (file->is_generic) {
        go_put_generic_getter(file, getter, output);
        go_put(file, "}\n\n", STR(""));
        return;
    }
    go_put(file, "\treturn o.ApplyT(", STR(""));
    go_put_function_literal(
        file, arena_concat(arena, STR("func(v "), getter->value, STR(") "), getter->type),
        arena_concat(arena, STR("v."), getter->field));
    go_put(file, ").($1)\n}\n\n", output);
}

/* --- registration --- */

void go_put_registration(struct go_file *file, str name, str instance)
{
    if (!file->sdk->settings.no_registrations)
        go_put(file, "\tpulumi.RegisterInputType(reflect.TypeOf((*$1Input)(nil)).Elem(), $2)\n",
               name, instance);
}

void go_put_output_registration(struct go_file *file, str name)
{
    go_put(file, "\tpulumi.RegisterOutputType($1Output{})\n", name);
}

/* --- fields --- */

typedef str go_type_text(struct go_file *file, const struct schema_type *type, bool is_optional);

static void put_fields(struct go_file *file, struct schema_properties properties, str resource,
                       go_type_text *text, bool has_tags)
{
    struct go_struct_field *fields =
        ARENA_ARRAY(file->arena, struct go_struct_field, properties.len + 1);

    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = &properties.items[i];
        fields[i] = (struct go_struct_field){
            .name = go_field_name(file->arena, property->name, resource),
            .type = text(file, property->type, !property->is_required),
            .tag = has_tags ? property->name : STR(""),
            .description = property->description,
            .deprecation = property->deprecation,
        };
    }
    go_put_struct_fields(file, fields, properties.len);
}

void go_put_value_fields(struct go_file *file, struct schema_properties properties, str resource)
{
    put_fields(file, properties, resource, go_plain_text, true);
}

void go_put_object_fields(struct go_file *file, struct schema_properties properties)
{
    put_fields(file, properties, STR(""), go_field_text, true);
}

/* Resources take plain values as they are; objects have them behind pointers. */
static str resource_argument_text(struct go_file *file, const struct schema_type *type,
                                  bool is_optional)
{
    return file->is_generic && type->is_plain ? go_plain_text(file, type, is_optional)
                                              : go_argument_text(file, type, is_optional);
}

void go_put_argument_fields(struct go_file *file, struct schema_properties properties, str resource,
                            bool has_tags)
{
    put_fields(file, properties, resource, has_tags ? go_argument_text : resource_argument_text,
               has_tags);
}
