/* pysdk_function.c — functions of a package and methods of its resources. */
#include "python/sdk/pysdk_parts.h"

/* A function while its file is made. */
struct function_file {
    struct pysdk_file file;
    const struct schema_function *function;
    struct pysdk_properties inputs;  /* in the order of the arguments */
    struct pysdk_properties outputs; /* of an object */
    str name;                        /* get_x */
    str result;                      /* GetXResult; empty if it gives no object */
};

/* Those that are listed as arguments are in that order, all others by name. */
static struct pysdk_properties function_inputs(struct arena *arena,
                                               const struct schema_function *function)
{
    struct pysdk_properties inputs = pysdk_as_listed(arena, function->inputs);

    if (function->arguments.len != inputs.len)
        return inputs;
    for (size_t i = 0; i < inputs.len; i++) {
        const struct schema_property *named =
            schema_property(function->inputs, function->arguments.items[i]);
        if (named)
            inputs.items[i] = named;
    }
    return inputs;
}

static struct schema_properties function_outputs(const struct schema_function *function)
{
    const struct schema_properties *named =
        function->object ? schema_type_properties(function->object) : NULL;
    return named ? *named : function->outputs;
}

/* What a function that gives no object gives. */
static str function_single(struct pysdk_file *file, const struct schema_type *type)
{
    str name = pysdk_runtime_type(file, type);

    if (type->kind == TYPE_ASSET)
        return STR("Union[pulumi.Asset, pulumi.Archive]");
    return name.len ? name : STR("_builtins.dict");
}

/* Every function has a parameter of this name already. */
static str function_parameter(struct pysdk_file *file, const struct schema_property *input)
{
    str name = python_name(&file->scratch, input->name);
    return str_equal(name, STR("opts")) ? STR("opts_") : name;
}

static void function_put_warning(struct pysdk_file *file, unsigned indent, str name, str why)
{
    if (why.len)
        pysdk_put(
            file, "%*spulumi.log.warn(" STR_FMT ")\n", (int)indent, "",
            STR_ARG(pysdk_quoted(
                &file->scratch, arena_concat(&file->scratch, name, STR(" is deprecated: "), why))));
}

static void function_put_doc(struct pysdk_file *file, unsigned indent,
                             const struct schema_function *function, struct pysdk_properties inputs)
{
    CLEANUP(strbuf_release) struct strbuf doc = { 0 };

    strbuf_add(&doc, pysdk_doc(file->sdk, &file->scratch, function->description));
    for (size_t i = 0; i < inputs.len; i++)
        pysdk_add_param(file->sdk, &doc, function_parameter(file, inputs.items[i]),
                        inputs.items[i]->description);
    pysdk_put_doc(file, indent, strbuf_str(&doc));
}

/* --- functions --- */

/* A result that can also be waited for. */
static void function_put_awaitable(struct function_file *it)
{
    pysdk_put(&it->file,
              "\n\nclass Awaitable" STR_FMT "(" STR_FMT "):\n    def __await__(self):\n"
              "        if False:\n            yield self\n        return " STR_FMT "(",
              STR_ARG(it->result), STR_ARG(it->result), STR_ARG(it->result));
    for (size_t i = 0; i < it->outputs.len; i++) {
        str name = python_name(&it->file.scratch, it->outputs.items[i]->name);
        pysdk_put(&it->file, "\n            " STR_FMT "=pulumi.get(self, \"" STR_FMT "\"),",
                  STR_ARG(name), STR_ARG(name));
    }
    pysdk_put(&it->file, it->outputs.len ? "\n        )\n" : ")\n");
}

static void function_put_signature(struct function_file *it, bool is_plain)
{
    pysdk_put(&it->file, "\n\ndef " STR_FMT "%s(\n", STR_ARG(it->name), is_plain ? "" : "_output");
    for (size_t i = 0; i < it->inputs.len; i++) {
        const struct schema_property *input = it->inputs.items[i];
        struct pysdk_place place = {
            .shape = SHAPE_PLAIN,
            .is_optional = true,
            .takes_dicts = true,
            .may_promise = !is_plain,
        };
        pysdk_put(&it->file, "    " STR_FMT ": " STR_FMT " = None,\n",
                  STR_ARG(function_parameter(&it->file, input)),
                  STR_ARG(pysdk_annotation(&it->file, input->type, place)));
    }
    pysdk_put(&it->file, is_plain ? "    opts: Optional[pulumi.InvokeOptions] = None,\n"
                                  : "    opts: Optional[Union[pulumi.InvokeOptions, "
                                    "pulumi.InvokeOutputOptions]] = None,\n");
    if (!it->function->has_outputs)
        pysdk_put(&it->file, ") -> Awaitable[None]:\n");
    else if (it->result.len)
        pysdk_put(&it->file, ") -> %s" STR_FMT "%s:\n", is_plain ? "Awaitable" : "pulumi.Output[",
                  STR_ARG(it->result), is_plain ? "" : "]");
    else
        pysdk_put(&it->file, ") -> %s" STR_FMT "%s:\n", is_plain ? "" : "pulumi.Output[",
                  STR_ARG(function_single(&it->file, it->function->result)), is_plain ? "" : "]");
}

static void function_put_arguments(struct pysdk_file *file, unsigned indent, bool is_method,
                                   struct pysdk_properties inputs)
{
    int in = (int)indent;

    if (!is_method && !inputs.len) {
        pysdk_put(file, "%*s__args__: pulumi.Inputs = {}\n", in, "");
        return;
    }
    pysdk_put(file, "%*s__args__ = {\n", in, "");
    if (is_method)
        pysdk_put(file, "%*s\"__self__\": __self__,\n", in + 4, "");
    for (size_t i = 0; i < inputs.len; i++)
        pysdk_put(file, "%*s" STR_FMT ": " STR_FMT ",\n", in + 4, "",
                  STR_ARG(pysdk_quoted(&file->scratch, inputs.items[i]->name)),
                  STR_ARG(function_parameter(file, inputs.items[i])));
    pysdk_put(file, "%*s}\n", in, "");
}

/* The rest of a call to the runtime, one argument a line. */
static void function_put_call(struct pysdk_file *file, unsigned indent, str token,
                              const char *options, str type)
{
    int in = (int)indent + 4;

    pysdk_put(file, "(\n%*s" STR_FMT ",\n%*s__args__,\n%*s%s,\n", in, "",
              STR_ARG(pysdk_quoted(&file->scratch, token)), in, "", in, "", options);
    if (type.len)
        pysdk_put(file, "%*styp=" STR_FMT ",\n", in, "", STR_ARG(type));
    if (file->sdk->is_parameterized)
        pysdk_put(file, "%*spackage_ref=_utilities.get_package(),\n", in, "");
    pysdk_put(file, "%*s)", (int)indent, "");
}

/* The class of results is made anew, so that it can be waited for. */
static void function_put_return(struct function_file *it, bool is_plain)
{
    const char *source = is_plain && it->function->has_outputs ? ".value" : "";
    const char *variable = is_plain ? "__ret__" : "__output__";

    pysdk_put(&it->file, "%s\n", source);
    if (!it->result.len) {
        pysdk_put(&it->file, "    return %s\n", variable);
        return;
    }
    if (is_plain)
        pysdk_put(&it->file, "    return Awaitable" STR_FMT "(", STR_ARG(it->result));
    else
        pysdk_put(&it->file, "    return __output__.apply(lambda __ret__: " STR_FMT "(",
                  STR_ARG(it->result));
    for (size_t i = 0; i < it->outputs.len; i++) {
        str name = python_name(&it->file.scratch, it->outputs.items[i]->name);
        pysdk_put(&it->file, "\n        " STR_FMT "=pulumi.get(__ret__, \"" STR_FMT "\"),",
                  STR_ARG(name), STR_ARG(name));
    }
    pysdk_put(&it->file, "%s)%s\n", it->outputs.len ? "\n    " : "", is_plain ? "" : ")");
}

static void function_put_form(struct function_file *it, bool is_plain)
{
    const char *single = it->function->has_outputs && !it->result.len ? "_single" : "";

    function_put_signature(it, is_plain);
    function_put_doc(&it->file, 4, it->function, it->inputs);
    function_put_warning(&it->file, 4, it->name, it->function->deprecation);
    function_put_arguments(&it->file, 4, false, it->inputs);
    pysdk_put(&it->file,
              "    opts = pulumi.Invoke%sOptions.merge(_utilities.get_invoke_opts_defaults(), "
              "opts)\n    %s = pulumi.runtime.invoke%s%s",
              is_plain ? "" : "Output", is_plain ? "__ret__" : "__output__",
              is_plain ? "" : "_output", single);
    function_put_call(&it->file, 4, it->function->token, "opts=opts", it->result);
    function_put_return(it, is_plain);
}

static void function_put_names(struct function_file *it)
{
    pysdk_put(&it->file, "__all__ = [\n");
    if (it->result.len)
        pysdk_put(&it->file, "    \"" STR_FMT "\",\n    \"Awaitable" STR_FMT "\",\n",
                  STR_ARG(it->result), STR_ARG(it->result));
    if (it->function->has_plain)
        pysdk_put(&it->file, "    \"" STR_FMT "\",\n", STR_ARG(it->name));
    if (it->function->has_outputs)
        pysdk_put(&it->file, "    \"" STR_FMT "_output\",\n", STR_ARG(it->name));
    pysdk_put(&it->file, "]\n");
    if (it->function->deprecation.len)
        pysdk_put(&it->file, "\nwarnings.warn(" STR_FMT ", DeprecationWarning)\n",
                  STR_ARG(pysdk_quoted(&it->file.scratch, it->function->deprecation)));
}

fallible pysdk_write_function(struct pysdk *sdk, struct pysdk_module *module, str token)
{
    struct function_file it = { .function = schema_function(sdk->schema, token) };
    const struct schema_function *function = it.function;

    if (function->is_overlay)
        return NULL;
    pysdk_file_open(&it.file, sdk, module);
    it.name = python_member(sdk->arena, token);
    it.inputs = function_inputs(&it.file.scratch, function);
    it.outputs = pysdk_as_listed(&it.file.scratch, function_outputs(function));
    if (function->object)
        it.result = python_class_name(sdk->arena, schema_member(function->object->token));
    else if (function->has_outputs && !function->result)
        it.result = python_class_name(
            sdk->arena, arena_concat(sdk->arena, schema_member(token), STR("Result")));
    function_put_names(&it);
    if (it.result.len) {
        pysdk_put(&it.file, "\n\n");
        pysdk_put_result(&it.file, 0, it.result,
                         function->object ? function->object->description : STR(""), it.outputs);
        function_put_awaitable(&it);
    }
    if (function->has_plain)
        function_put_form(&it, true);
    if (function->has_outputs)
        function_put_form(&it, false);
    str name = pysdk_take_file(sdk, module, it.name, STR(""));
    vec_add(&module->exports, name);
    return pysdk_file_close(&it.file, arena_concat(sdk->arena, name, STR(".py")));
}

/* --- methods --- */

static struct pysdk_properties method_inputs(struct arena *arena,
                                             const struct schema_function *function)
{
    struct pysdk_properties inputs = pysdk_required_first(arena, function->inputs);
    size_t len = 0;

    for (size_t i = 0; i < inputs.len; i++)
        if (!str_equal(inputs.items[i]->name, STR("__self__")))
            inputs.items[len++] = inputs.items[i];
    inputs.len = len;
    return inputs;
}

/* A method that gives no object gives one with this property, which it takes out again. */
static struct pysdk_properties method_outputs(struct arena *arena,
                                              const struct schema_function *function)
{
    struct schema_property *single = ARENA_NEW(arena, struct schema_property);
    struct pysdk_properties outputs = pysdk_as_listed(arena, function_outputs(function));

    if (!function->result)
        return outputs;
    *single = (struct schema_property){
        .name = STR("res"),
        .type = function->result,
        .is_required = true,
    };
    outputs.items = ARENA_ARRAY(arena, const struct schema_property *, 1);
    outputs.items[0] = single;
    outputs.len = 1;
    return outputs;
}

static void method_put_signature(struct pysdk_file *file, str name, struct pysdk_properties inputs,
                                 str result)
{
    if (inputs.len)
        pysdk_put(file, "\n    def " STR_FMT "(\n        __self__,\n        *,\n", STR_ARG(name));
    else
        pysdk_put(file, "\n    def " STR_FMT "(__self__", STR_ARG(name));
    for (size_t i = 0; i < inputs.len; i++) {
        const struct schema_property *input = inputs.items[i];
        struct pysdk_place place = { .shape = SHAPE_ARGUMENT, .is_optional = !input->is_required };
        pysdk_put(file, "        " STR_FMT ": " STR_FMT "%s,\n",
                  STR_ARG(function_parameter(file, input)),
                  STR_ARG(pysdk_annotation(file, input->type, place)),
                  input->is_required ? "" : " = None");
    }
    pysdk_put(file, "%s) -> " STR_FMT ":\n", inputs.len ? "    " : "", STR_ARG(result));
}

struct method {
    const struct schema_function *function;
    str name;
    str class; /* of the result, below that of the resource; empty: it gives nothing */
    str place; /* Resource.Result */
    struct pysdk_properties outputs;
    bool is_lifted;
};

static str method_result(struct pysdk_file *file, const struct method *method)
{
    struct arena *arena = &file->scratch;

    if (!method->class.len)
        return STR("None");
    if (method->is_lifted)
        return arena_concat(arena, STR("pulumi.Output["),
                            function_single(file, method->outputs.items[0]->type), STR("]"));
    if (method->function->gives_plain && method->function->result)
        return function_single(file, method->function->result);
    if (method->function->gives_plain)
        return arena_concat(arena, STR("\""), method->place, STR("\""));
    return arena_concat(arena, STR("pulumi.Output[\""), method->place, STR("\"]"));
}

static void method_put_call(struct pysdk_file *file, const struct method *method)
{
    bool is_plain = method->function->gives_plain;
    str single = STR("");

    if (method->is_lifted || (is_plain && method->function->result))
        single = arena_concat(&file->scratch, STR("."),
                              python_name(&file->scratch, method->outputs.items[0]->name));
    pysdk_put(file, "        %s%s", method->class.len ? "return " : "",
              is_plain ? "_utilities.call_plain" : "pulumi.runtime.call");
    function_put_call(file, 8, method->function->token, "res=__self__", method->place);
    pysdk_put(file, STR_FMT "\n", STR_ARG(single));
}

static void method_put(struct pysdk_file *file, const struct schema_resource *resource, str name,
                       const struct schema_function *function)
{
    struct arena *arena = &file->scratch;
    struct pysdk_properties inputs = method_inputs(arena, function);
    struct method method = { .function = function, .name = python_name(arena, name) };
    bool has_class = function->has_outputs && (!function->result || function->gives_plain);

    method.outputs = method_outputs(arena, function);
    if (has_class) {
        method.class = arena_concat(arena, python_class_name(arena, name), STR("Result"));
        method.place =
            arena_concat(arena, pysdk_resource_name(arena, resource), STR("."), method.class);
        method.is_lifted = file->sdk->lifts && !function->result && method.outputs.len == 1;
        pysdk_put(file, "\n");
        pysdk_put_result(file, 4, method.class, STR(""), method.outputs);
    }
    method_put_signature(file, method.name, inputs, method_result(file, &method));
    function_put_doc(file, 8, function, inputs);
    function_put_warning(file, 8, method.name, function->deprecation);
    function_put_arguments(file, 8, true, inputs);
    method_put_call(file, &method);
}

void pysdk_put_methods(struct pysdk_file *file, const struct schema_resource *resource)
{
    for (size_t i = 0; i < resource->methods.len; i++) {
        const struct schema_function *function =
            schema_function(file->sdk->schema, resource->methods.items[i].value);
        if (function)
            method_put(file, resource, resource->methods.items[i].key, function);
    }
}
