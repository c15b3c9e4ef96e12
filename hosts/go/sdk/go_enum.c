/* go_enum.c — enums: their constants, and inputs and outputs that are also those of their values.
 */
#include "go/sdk/go_parts.h"

#include "common/names.h"

/* Names of one enum, all its templates share them: $1 the enum, $2 the simple form of its values
 * (pulumi.String), $3 its word (String), $4 the type of values, $5 the enum with a small letter. */
#define ENUM_WORDS words->name, words->form, words->word, words->value, words->camel

struct enum_words {
    str name;
    str form;
    str word;
    str value;
    str camel;
};

static struct enum_words enum_words(struct go_file *file, const struct go_named *named)
{
    struct schema_type simple = { .kind = named->type->base };
    struct enum_words words = {
        .name = named->name,
        .form = go_base_text(file, &simple),
        .value = go_plain_text(file, &simple, false),
        .camel = name_camel(file->arena, named->name),
    };

    words.word = str_slice(words.form, sizeof("pulumi.") - 1, words.form.len);
    return words;
}

/* --- inputs --- */

/* A constant is an argument of its own type, of the type of its values, and of both pointers. */
static void put_value_inputs(struct go_file *file, const struct enum_words *words)
{
    go_put_conversions(file, words->name, words->name, words->name);
    go_put_pointer_methods(file, words->name, words->name);
    go_put(file,
           "func (i $1) To$3Output() $2Output {\n"
           "\treturn i.To$3OutputWithContext(context.Background())\n"
           "}\n\n"
           "func (i $1) To$3OutputWithContext(ctx context.Context) $2Output {\n"
           "\treturn pulumi.ToOutputWithContext(ctx, $2(i)).($2Output)\n"
           "}\n\n"
           "func (i $1) To$3PtrOutput() $2PtrOutput {\n"
           "\treturn i.To$3PtrOutputWithContext(context.Background())\n"
           "}\n\n"
           "func (i $1) To$3PtrOutputWithContext(ctx context.Context) $2PtrOutput {\n"
           "\treturn i.To$3OutputWithContext(ctx).To$3PtrOutputWithContext(ctx)\n"
           "}\n\n",
           ENUM_WORDS);
}

static void put_enum_pointer(struct go_file *file, const struct enum_words *words)
{
    struct arena *arena = file->arena;
    str pointer = arena_concat(arena, words->name, STR("Ptr"));

    go_put_input_interface(file, pointer, arena_concat(arena, STR("a "), words->name));
    go_put(file,
           "type $5Ptr $4\n\n"
           "// $1Ptr makes an argument of a value that may also be none of the constants.\n"
           "func $1Ptr(v $4) $1PtrInput {\n"
           "\treturn (*$5Ptr)(&v)\n"
           "}\n\n",
           ENUM_WORDS);
    go_put_input_methods(file, pointer, arena_concat(arena, STR("*"), words->camel, STR("Ptr")),
                         arena_concat(arena, STR("*"), words->name));
}

static void put_enum_inputs(struct go_file *file, const struct enum_words *words)
{
    go_put_input_interface(file, words->name,
                           arena_concat(file->arena, STR("one of the constants of "), words->name));
    put_value_inputs(file, words);
    put_enum_pointer(file, words);
}

/* --- outputs --- */

static void put_enum_outputs(struct go_file *file, const struct enum_words *words)
{
    go_put_output(file, words->name, words->name);
    go_put_output_to_pointer(file, words->name, words->name);
    go_put(file,
           "func (o $1Output) To$3Output() $2Output {\n"
           "\treturn o.To$3OutputWithContext(context.Background())\n"
           "}\n\n"
           "func (o $1Output) To$3OutputWithContext(ctx context.Context) $2Output {\n"
           "\treturn o.ApplyTWithContext(ctx, func(_ context.Context, v $1) $4 {\n"
           "\t\treturn $4(v)\n"
           "\t}).($2Output)\n"
           "}\n\n"
           "func (o $1Output) To$3PtrOutput() $2PtrOutput {\n"
           "\treturn o.To$3PtrOutputWithContext(context.Background())\n"
           "}\n\n"
           "func (o $1Output) To$3PtrOutputWithContext(ctx context.Context) $2PtrOutput {\n"
           "\treturn o.To$1PtrOutputWithContext(ctx).To$3PtrOutputWithContext(ctx)\n"
           "}\n\n",
           ENUM_WORDS);
    go_put_pointer_output(file, words->name);
    go_put(file,
           "func (o $1PtrOutput) To$3PtrOutput() $2PtrOutput {\n"
           "\treturn o.To$3PtrOutputWithContext(context.Background())\n"
           "}\n\n"
           "func (o $1PtrOutput) To$3PtrOutputWithContext(ctx context.Context) $2PtrOutput {\n"
           "\treturn o.ApplyTWithContext(ctx, func(_ context.Context, v *$1) *$4 {\n"
           "\t\treturn (*$4)(v)\n"
           "\t}).($2PtrOutput)\n"
           "}\n\n",
           ENUM_WORDS);
}

static fallible put_enum(struct go_file *file, const struct go_named *named)
{
    struct enum_words words = enum_words(file, named);
    str name = named->name;

    go_put_comment(file, named->type->description, STR(""), "");
    go_put(file, "type $1 $2\n\n", name, words.value);
    TRY(go_put_constants(file, named));
    if (file->is_generic)
        return NULL;
    if (named->uses & GO_INPUT)
        put_enum_inputs(file, &words);
    if (named->uses & GO_OUTPUT)
        put_enum_outputs(file, &words);
    if (named->uses & GO_INPUT_ARRAY)
        go_put_array_input(file, name, name, name);
    if (named->uses & GO_INPUT_MAP)
        go_put_map_input(file, name, name, name);
    if (named->uses & GO_OUTPUT_ARRAY)
        go_put_array_output(file, name, name);
    if (named->uses & GO_OUTPUT_MAP)
        go_put_map_output(file, name, name);
    return NULL;
}

/* --- registration --- */

static fallible register_enum_inputs(struct go_file *file, const struct go_named *named)
{
    struct arena *arena = file->arena;
    str value;

    TRY(go_literal(arena, named->type->values[0], named->type, &value));
    str instance = arena_concat(arena, named->name, STR("("), value, STR(")"));
    str array = arena_concat(arena, named->name, STR("Array"));
    str map = arena_concat(arena, named->name, STR("Map"));
    if (named->uses & GO_INPUT) {
        go_put_registration(file, named->name, instance);
        go_put_registration(file, arena_concat(arena, named->name, STR("Ptr")), instance);
    }
    if (named->uses & GO_INPUT_ARRAY)
        go_put_registration(file, array, arena_concat(arena, array, STR("{}")));
    if (named->uses & GO_INPUT_MAP)
        go_put_registration(file, map, arena_concat(arena, map, STR("{}")));
    return NULL;
}

static void register_enum_outputs(struct go_file *file, const struct go_named *named)
{
    struct arena *arena = file->arena;

    if (named->uses & GO_OUTPUT) {
        go_put_output_registration(file, named->name);
        go_put_output_registration(file, arena_concat(arena, named->name, STR("Ptr")));
    }
    if (named->uses & GO_OUTPUT_ARRAY)
        go_put_output_registration(file, arena_concat(arena, named->name, STR("Array")));
    if (named->uses & GO_OUTPUT_MAP)
        go_put_output_registration(file, arena_concat(arena, named->name, STR("Map")));
}

fallible go_put_enums(struct go_file *file)
{
    const struct go_module *module = file->module;
    unsigned uses = 0;

    for (size_t i = 0; i < module->enums.len; i++) {
        TRY(put_enum(file, module->enums.items[i]));
        uses |= module->enums.items[i]->uses;
    }
    if (!uses || file->is_generic)
        return NULL;
    go_put(file, "func init() {\n", STR(""));
    for (size_t i = 0; i < module->enums.len; i++)
        TRY(register_enum_inputs(file, module->enums.items[i]));
    for (size_t i = 0; i < module->enums.len; i++)
        register_enum_outputs(file, module->enums.items[i]);
    go_put(file, "}\n", STR(""));
    return NULL;
}
