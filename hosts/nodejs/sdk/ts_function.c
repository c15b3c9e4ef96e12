/* ts_function.c — the file of a function: both of its forms, its arguments, its result. */
#include "nodejs/sdk/ts_function.h"
#include "schema/schema_package.h"

#include "common/names.h"
#include "nodejs/nodejs.h"
#include "nodejs/sdk/ts_resource.h"

bool ts_has_plain_form(const struct schema_function *function)
{
    return function->has_plain;
}

bool ts_has_output_form(const struct schema_function *function)
{
    return function->has_outputs || !function->has_plain;
}

bool ts_has_result_interface(const struct schema_function *function)
{
    return function->has_outputs && !function->result && !function->object;
}

static bool ts_has_args_interface(const struct schema_function *function)
{
    return function->has_inputs && !function->arguments.len;
}

/* What the names of its interfaces begin with. */
static str ts_function_title(struct arena *arena, const struct schema_function *function)
{
    return name_title(arena, name_camel(arena, ts_type_name(arena, function->token)));
}

struct strs ts_function_interfaces(struct arena *arena, const struct schema_function *function)
{
    str title = ts_function_title(arena, function);
    str *names = ARENA_ARRAY(arena, str, 3);
    bool has_args = ts_has_args_interface(function);
    size_t len = 0;

    if (has_args)
        names[len++] = arena_concat(arena, title, STR("Args"));
    if (ts_has_result_interface(function))
        names[len++] = arena_concat(arena, title, STR("Result"));
    if (has_args && function->inputs.len && ts_has_output_form(function))
        names[len++] = arena_concat(arena, title, STR("OutputArgs"));
    return (struct strs){ names, len };
}

struct strs ts_function_forms(struct arena *arena, const struct schema_function *function)
{
    str name = ts_function_name(arena, function->token);
    str *names = ARENA_ARRAY(arena, str, 2);
    size_t len = 0;

    if (ts_has_plain_form(function))
        names[len++] = name;
    if (ts_has_output_form(function))
        names[len++] = arena_concat(arena, name, STR("Output"));
    return (struct strs){ names, len };
}

/* --- one form --- */

static str ts_function_result(struct ts_file *file, const struct schema_function *function)
{
    if (!function->has_outputs)
        return STR("void");
    if (function->object)
        return ts_type(file, function->object, TS_RESULT, false);
    if (function->result)
        return ts_type(file, function->result, TS_RESULT, false);
    str title = ts_function_title(&file->arena, function);
    return arena_concat(&file->arena, title, STR("Result"));
}

/* An argument of its own must not be called as the options are. */
static str ts_parameter(struct arena *arena, const struct schema_property *input)
{
    str name = node_identifier(arena, input->name);

    return str_equal(name, STR("opts")) ? STR("opts_") : name;
}

/* Arguments of their own. What is promised is promised whole. */
static void ts_parameters(struct ts_file *file, struct schema_properties inputs, bool is_output)
{
    for (size_t i = 0; i < inputs.len; i++) {
        const struct schema_property *input = &inputs.items[i];
        str type = ts_type(file, input->type, TS_PLAIN, is_output && !input->is_required);
        bool is_any = str_starts_with(type, STR("any"));
        ts_put(file, STR_FMT "%s: ", STR_ARG(ts_parameter(&file->arena, input)),
               input->is_required ? "" : "?");
        if (is_output && !is_any)
            ts_put(file, "pulumi.Input<" STR_FMT ">, ", STR_ARG(type));
        else
            ts_put(file, STR_FMT ", ", STR_ARG(type));
    }
}

static void ts_signature(struct ts_file *file, const struct schema_function *function,
                         struct schema_properties inputs, bool is_output)
{
    struct arena *arena = &file->arena;
    str name = ts_function_name(arena, function->token);
    bool has_args = ts_has_args_interface(function) && !(is_output && !inputs.len);

    ts_begin(file);
    ts_put(file, "export function " STR_FMT "%s(", STR_ARG(name), is_output ? "Output" : "");
    if (function->arguments.len)
        ts_parameters(file, inputs, is_output);
    else if (has_args)
        ts_put(file, "args%s: " STR_FMT "%s, ", ts_all_optional(inputs) ? "?" : "",
               STR_ARG(ts_function_title(arena, function)), is_output ? "OutputArgs" : "Args");
    ts_put(file, "opts?: pulumi.%s): %s<" STR_FMT "> {\n",
           is_output ? "InvokeOutputOptions" : "InvokeOptions",
           is_output ? "pulumi.Output" : "Promise", STR_ARG(ts_function_result(file, function)));
}

static str ts_function_argument(struct ts_file *file, const struct schema_function *function,
                                const struct schema_property *input, bool is_output)
{
    str argument = function->arguments.len ? ts_parameter(&file->arena, input)
                                           : ts_member(&file->arena, "args", input->name);

    if (!ts_has_defaults(file->sdk, input->type))
        return argument;
    return ts_defaults_call(file, input, is_output ? TS_ARGS : TS_PLAIN, argument, false);
}

static void ts_form(struct ts_file *file, const struct schema_function *function, bool is_output)
{
    struct arena *arena = &file->arena;
    struct schema_properties inputs = schema_parameters(arena, function);
    bool has_args = ts_has_args_interface(function) && !(is_output && !inputs.len);
    bool is_single = function->has_outputs && function->result;

    ts_doc_with_examples(file, function->description, function->deprecation);
    ts_signature(file, function, inputs, is_output);
    file->indent++;
    ts_warn_deprecated(file, ts_function_name(arena, function->token), function->deprecation);
    if (has_args && ts_all_optional(inputs))
        ts_line(file, "args = args ?? {};");
    ts_line(file, "opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});");
    ts_open(file, "return pulumi.runtime.%s%s(" STR_FMT ", {",
            is_single ? "invokeSingle" : "invoke", is_output ? "Output" : "",
            STR_ARG(ts_quoted(arena, function->token)));
    for (size_t i = 0; i < inputs.len; i++)
        ts_line(file, STR_FMT ": " STR_FMT ",", STR_ARG(ts_quoted(arena, inputs.items[i].name)),
                STR_ARG(ts_function_argument(file, function, &inputs.items[i], is_output)));
    ts_close(file, file->sdk->has_package ? "}, opts, utilities.getPackage());" : "}, opts);");
    ts_close(file, "}");
}

/* --- the file --- */

static void ts_function_types(struct ts_file *file, const struct schema_function *function)
{
    struct strs names = ts_function_interfaces(&file->arena, function);

    for (size_t i = 0; i < names.len; i++) {
        bool is_result = str_ends_with(names.items[i], STR("Result"))
                         && (i > 0 || !ts_has_args_interface(function));
        bool is_output = i > 0 && !is_result;
        ts_blank(file);
        if (is_result)
            ts_interface(file, names.items[i], function->outputs, TS_RESULT, true);
        else
            ts_interface(file, names.items[i], function->inputs, is_output ? TS_ARGS : TS_PLAIN,
                         false);
    }
}

fallible ts_write_function(struct ts_sdk *sdk, const struct ts_module *module,
                           const struct schema_function *function)
{
    CLEANUP(ts_file_release) struct ts_file file;

    ts_file_init(&file, sdk, module->folder);
    file.uses_pulumi = true;
    file.uses_utilities = true;
    if (ts_has_plain_form(function))
        ts_form(&file, function, false);
    if (ts_has_plain_form(function) && ts_has_output_form(function))
        ts_blank(&file);
    if (ts_has_output_form(function))
        ts_form(&file, function, true);
    ts_function_types(&file, function);
    return ts_file_write(&file, ts_function_file(sdk, &file.arena, module, function));
}
