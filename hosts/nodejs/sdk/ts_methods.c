/* ts_methods.c — methods of resources, and the types of their arguments and results. */
#include "nodejs/sdk/ts_resource.h"

#include "common/names.h"

/* A method with its function. */
struct ts_method {
    str name;  /* as the schema has it */
    str title; /* begin of the names of its types */
    const struct schema_function *function;
    struct schema_properties args; /* without the resource itself */
    bool gives_object;
    bool is_lifted; /* its only result is given bare */
};

/* False: there is no such function, or this language cannot call it: it gives a promise of
 * something that is no object. */
static bool ts_method_read(struct ts_sdk *sdk, struct arena *arena, const struct pair *entry,
                           struct ts_method *out)
{
    const struct schema_function *function = schema_function(sdk->schema, entry->value);

    if (!function)
        return false;
    *out = (struct ts_method){ .name = entry->key, .function = function };
    out->title = name_title(arena, entry->key);
    out->args = ts_without_self(arena, function->inputs);
    out->gives_object = function->has_outputs && !function->result;
    out->is_lifted = sdk->lifts_single && out->gives_object && !function->gives_plain
                     && function->outputs.len == 1;
    return true;
}

static bool ts_method_is_callable(const struct ts_method *method)
{
    return method->gives_object || !method->function->has_outputs || method->function->gives_plain;
}

/* --- the method --- */

static str ts_method_result(struct ts_file *file, const struct ts_method *method, str class)
{
    struct arena *arena = &file->arena;
    const struct schema_function *function = method->function;
    str object = arena_concat(arena, class, STR("."), method->title, STR("Result"));

    if (!function->has_outputs)
        return STR("void");
    if (function->gives_plain)
        return arena_concat(
            arena, STR("Promise<"),
            method->gives_object ? object : ts_type(file, function->result, TS_RESULT, false),
            STR(">"));
    if (method->is_lifted)
        object = ts_type(file, function->outputs.items[0].type, TS_RESULT,
                         !function->outputs.items[0].is_required);
    return arena_concat(arena, STR("pulumi.Output<"), object, STR(">"));
}

static void ts_method_arguments(struct ts_file *file, const struct ts_method *method)
{
    const struct schema_properties *inputs = &method->function->inputs;

    file->indent++;
    for (size_t i = 0; i < inputs->len; i++) {
        str name = inputs->items[i].name;
        bool is_self = str_equal(name, STR("__self__"));
        ts_line(file, STR_FMT ": " STR_FMT ",", STR_ARG(ts_quoted(&file->arena, name)),
                STR_ARG(is_self ? STR("this") : ts_member(&file->arena, "args", name)));
    }
    file->indent--;
}

static void ts_method_call(struct ts_file *file, const struct ts_method *method, str class)
{
    const struct schema_function *function = method->function;
    const char *package = file->sdk->has_package ? ", utilities.getPackage()" : "";
    const char *callee = function->gives_plain ? "utilities.callAsync" : "pulumi.runtime.call";

    ts_begin(file);
    if (method->is_lifted)
        ts_put(file,
               "const result: pulumi.Output<" STR_FMT "." STR_FMT "Result> = ", STR_ARG(class),
               STR_ARG(method->title));
    else if (function->has_outputs)
        ts_put(file, "return ");
    ts_put(file, "%s(" STR_FMT ", {\n", callee, STR_ARG(ts_quoted(&file->arena, function->token)));
    ts_method_arguments(file, method);
    ts_begin(file);
    ts_put(file, "}, this");
    if (function->gives_plain)
        ts_put(file, method->gives_object ? ", {}" : ", { property: \"res\" }");
    ts_put(file, "%s);\n", package);
    if (method->is_lifted)
        ts_line(file, "return " STR_FMT ";",
                STR_ARG(ts_member(&file->arena, "result", function->outputs.items[0].name)));
}

static void ts_method(struct ts_file *file, const struct ts_method *method, str class)
{
    struct arena *arena = &file->arena;
    str name = name_camel(arena, method->name);
    bool is_optional = ts_all_optional(method->args);

    ts_blank(file);
    ts_doc_with_examples(file, method->function->description, method->function->deprecation);
    ts_begin(file);
    ts_put(file, STR_FMT "(", STR_ARG(ts_key(arena, name)));
    if (method->args.len)
        ts_put(file, "args%s: " STR_FMT "." STR_FMT "Args", is_optional ? "?" : "", STR_ARG(class),
               STR_ARG(method->title));
    ts_put(file, "): " STR_FMT " {\n", STR_ARG(ts_method_result(file, method, class)));
    file->indent++;
    ts_warn_deprecated(file, arena_concat(arena, class, STR("."), name),
                       method->function->deprecation);
    if (method->args.len && is_optional)
        ts_line(file, "args = args ?? {};");
    ts_method_call(file, method, class);
    ts_close(file, "}");
}

void ts_methods(struct ts_file *file, const struct schema_resource *resource, str class)
{
    struct ts_method method;

    for (size_t i = 0; i < resource->methods.len; i++)
        if (ts_method_read(file->sdk, &file->arena, &resource->methods.items[i], &method)
            && ts_method_is_callable(&method))
            ts_method(file, &method, class);
}

/* --- its types --- */

static void ts_method_interfaces(struct ts_file *file, const struct ts_method *method, str class,
                                 bool *has_some)
{
    struct arena *arena = &file->arena;

    if (method->args.len) {
        if (*has_some)
            ts_blank(file);
        ts_doc(file,
               arena_concat(arena, STR("What "), class, STR("."), method->name, STR(" is given.")),
               STR(""));
        ts_interface(file, arena_concat(arena, method->title, STR("Args")), method->args, TS_ARGS,
                     false);
        *has_some = true;
    }
    if (method->gives_object) {
        if (*has_some)
            ts_blank(file);
        ts_doc(file,
               arena_concat(arena, STR("What "), class, STR("."), method->name, STR(" gives.")),
               STR(""));
        ts_interface(file, arena_concat(arena, method->title, STR("Result")),
                     method->function->outputs, TS_RESULT, true);
        *has_some = true;
    }
}

bool ts_has_method_types(struct ts_sdk *sdk, const struct schema_resource *resource)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct ts_method method;

    for (size_t i = 0; i < resource->methods.len; i++)
        if (ts_method_read(sdk, &scratch, &resource->methods.items[i], &method)
            && (method.args.len || method.gives_object))
            return true;
    return false;
}

void ts_method_types(struct ts_file *file, const struct schema_resource *resource, str class)
{
    struct ts_method method;
    bool has_some = false;

    if (!ts_has_method_types(file->sdk, resource))
        return;
    ts_blank(file);
    ts_open(file, "export namespace " STR_FMT " {", STR_ARG(class));
    for (size_t i = 0; i < resource->methods.len; i++)
        if (ts_method_read(file->sdk, &file->arena, &resource->methods.items[i], &method))
            ts_method_interfaces(file, &method, class, &has_some);
    ts_close(file, "}");
}
