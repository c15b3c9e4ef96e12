/* pysdk_classes.c — classes of arguments and results. */
#include "python/sdk/pysdk_parts.h"

/* --- orders --- */

struct pysdk_properties pysdk_as_listed(struct arena *arena, struct schema_properties properties)
{
    struct pysdk_properties all = {
        ARENA_ARRAY(arena, const struct schema_property *, properties.len), properties.len
    };

    for (size_t i = 0; i < properties.len; i++)
        all.items[i] = &properties.items[i];
    return all;
}

struct pysdk_properties pysdk_required_first(struct arena *arena,
                                             struct schema_properties properties)
{
    struct pysdk_properties all = {
        ARENA_ARRAY(arena, const struct schema_property *, properties.len), 0
    };

    for (int is_required = 1; is_required >= 0; is_required--)
        for (size_t i = 0; i < properties.len; i++)
            if (properties.items[i].is_required == is_required)
                all.items[all.len++] = &properties.items[i];
    return all;
}

static struct pysdk_place class_place(const struct schema_property *property,
                                      enum pysdk_shape shape)
{
    return (struct pysdk_place){
        .shape = shape,
        .is_optional = !property->is_required,
        .property = property,
    };
}

/* --- properties --- */

/* Results are dictionaries, too; a property may have the name of one of their methods. Nothing is
 * lost by that, but type checkers complain. */
static bool class_hides_method(str name)
{
    static const char *const methods[] = { "clear", "copy",    "get",        "items",  "keys",
                                           "pop",   "popitem", "setdefault", "update", "values" };

    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        if (str_equal(name, str_from(methods[i])))
            return true;
    return false;
}

static void class_put_getter(struct pysdk_file *file, const struct schema_property *property,
                             unsigned indent, str annotation, bool is_dictionary)
{
    str name = python_name(&file->scratch, property->name);
    int in = (int)indent;

    pysdk_put(file, "\n%*s@_builtins.property\n%*s@pulumi.getter", in, "", in, "");
    if (!str_equal(name, property->name))
        pysdk_put(file, "(name=" STR_FMT ")",
                  STR_ARG(pysdk_quoted(&file->scratch, property->name)));
    if (property->deprecation.len)
        pysdk_put(file, "\n%*s@_utilities.deprecated(" STR_FMT ")", in, "",
                  STR_ARG(pysdk_quoted(&file->scratch, property->deprecation)));
    pysdk_put(file, "\n%*sdef " STR_FMT "(self) -> " STR_FMT ":%s\n", in, "", STR_ARG(name),
              STR_ARG(annotation),
              is_dictionary && class_hides_method(name) ? "  # type: ignore[override]" : "");
    pysdk_put_doc(file, indent + 4, pysdk_doc(file->sdk, &file->scratch, property->description));
    pysdk_put(file, "%*sreturn pulumi.get(self, \"" STR_FMT "\")\n", in + 4, "", STR_ARG(name));
}

static void class_put_setter(struct pysdk_file *file, const struct schema_property *property,
                             unsigned indent, str annotation)
{
    str name = python_name(&file->scratch, property->name);
    int in = (int)indent;

    pysdk_put(file,
              "\n%*s@" STR_FMT ".setter\n%*sdef " STR_FMT "(self, value: " STR_FMT
              ") -> None:\n%*spulumi.set(self, \"" STR_FMT "\", value)\n",
              in, "", STR_ARG(name), in, "", STR_ARG(name), STR_ARG(annotation), in + 4, "",
              STR_ARG(name));
}

void pysdk_put_properties(struct pysdk_file *file, struct pysdk_properties properties,
                          unsigned indent, enum pysdk_shape shape, const char *wrap)
{
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = properties.items[i];
        str annotation = pysdk_annotation(file, property->type, class_place(property, shape));
        if (wrap)
            annotation =
                arena_concat(&file->scratch, str_from(wrap), STR("["), annotation, STR("]"));
        class_put_getter(file, property, indent, annotation, shape == SHAPE_RESULT && !wrap);
        if (shape != SHAPE_RESULT)
            class_put_setter(file, property, indent, annotation);
    }
}

/* --- the constructor --- */

static void class_put_parameters(struct pysdk_file *file, struct pysdk_properties properties,
                                 enum pysdk_shape shape)
{
    pysdk_put(file, "    def __init__(\n        __self__,\n        *,\n");
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = properties.items[i];
        struct pysdk_place place = class_place(property, shape);
        bool has_default = pysdk_default(&file->scratch, property).len > 0;
        place.is_optional |= has_default;
        pysdk_put(file, "        " STR_FMT ": " STR_FMT "%s,\n",
                  STR_ARG(python_name(&file->scratch, property->name)),
                  STR_ARG(pysdk_annotation(file, property->type, place)),
                  place.is_optional ? " = None" : "");
    }
    pysdk_put(file, "    ):\n");
}

static void class_put_init_doc(struct pysdk_file *file, const struct pysdk_class *what,
                               struct pysdk_properties properties)
{
    CLEANUP(strbuf_release) struct strbuf doc = { 0 };

    strbuf_add(&doc, pysdk_doc(file->sdk, &file->scratch, what->doc));
    for (size_t i = 0; i < properties.len; i++)
        pysdk_add_param(file->sdk, &doc, python_name(&file->scratch, properties.items[i]->name),
                        properties.items[i]->description);
    pysdk_put_doc(file, 8, strbuf_str(&doc));
}

static void class_put_assignment(struct pysdk_file *file, const struct schema_property *property,
                                 enum pysdk_shape shape)
{
    struct arena *arena = &file->scratch;
    str name = python_name(arena, property->name);
    str otherwise = pysdk_default(arena, property);
    str value = property->has_constant ? pysdk_literal(arena, property->constant) : name;

    if (property->deprecation.len && shape != SHAPE_RESULT)
        pysdk_put(
            file,
            "        if " STR_FMT " is not None:\n            _utilities.warn_deprecated(\"" STR_FMT
            "\", " STR_FMT ")\n",
            STR_ARG(name), STR_ARG(name), STR_ARG(pysdk_quoted(arena, property->deprecation)));
    if (otherwise.len)
        pysdk_put(file, "        if " STR_FMT " is None:\n            " STR_FMT " = " STR_FMT "\n",
                  STR_ARG(name), STR_ARG(name), STR_ARG(otherwise));
    if (property->is_required)
        pysdk_put(file, "        pulumi.set(__self__, \"" STR_FMT "\", " STR_FMT ")\n",
                  STR_ARG(name), STR_ARG(value));
    else
        pysdk_put(file,
                  "        if " STR_FMT " is not None:\n            pulumi.set(__self__, \"" STR_FMT
                  "\", " STR_FMT ")\n",
                  STR_ARG(name), STR_ARG(name), STR_ARG(value));
}

static void class_put_constructor(struct pysdk_file *file, const struct pysdk_class *what,
                                  struct pysdk_properties properties)
{
    if (properties.len)
        class_put_parameters(file, properties, what->shape);
    else
        pysdk_put(file, "    def __init__(__self__):\n");
    class_put_init_doc(file, what, properties);
    for (size_t i = 0; i < properties.len; i++)
        class_put_assignment(file, properties.items[i], what->shape);
    if (!properties.len)
        pysdk_put(file, "        pass\n");
}

/* --- keys of results --- */

/* A result is a dictionary too, with keys in Python's spelling. Who asks for a key as the schema
 * spells it is told the other. */
static void class_put_warnings(struct pysdk_file *file, const struct pysdk_class *what,
                               struct pysdk_properties properties)
{
    size_t count = 0;

    for (size_t i = 0; i < properties.len; i++) {
        str key = properties.items[i]->name;
        str name = python_name(&file->scratch, key);
        if (str_equal(name, key))
            continue;
        if (!count++)
            pysdk_put(file, "    __spelling = {\n");
        pysdk_put(file, "        " STR_FMT ": \"" STR_FMT "\",\n",
                  STR_ARG(pysdk_quoted(&file->scratch, key)), STR_ARG(name));
    }
    if (!count)
        return;
    pysdk_put(file,
              "    }\n\n"
              "    def __getitem__(self, key: _builtins.str) -> Any:\n"
              "        _utilities.warn_spelling(\"" STR_FMT "\", self.__spelling, key)\n"
              "        return super().__getitem__(key)\n\n"
              "    def get(self, key: _builtins.str, default=None) -> Any:\n"
              "        _utilities.warn_spelling(\"" STR_FMT "\", self.__spelling, key)\n"
              "        return super().get(key, default)\n\n",
              STR_ARG(what->name), STR_ARG(what->name));
}

/* --- whole classes --- */

void pysdk_put_class(struct pysdk_file *file, const struct pysdk_class *what)
{
    bool is_result = what->shape == SHAPE_RESULT;
    struct pysdk_properties properties = pysdk_required_first(&file->scratch, what->properties);

    pysdk_put(file, "\n\n@pulumi.%s_type\nclass " STR_FMT "%s:\n", is_result ? "output" : "input",
              STR_ARG(what->name), is_result ? "(dict)" : "");
    if (is_result) {
        size_t before = file->body.len;
        pysdk_put_doc(file, 4, pysdk_doc(file->sdk, &file->scratch, what->doc));
        if (file->body.len > before)
            pysdk_put(file, "\n");
    }
    if (what->warns)
        class_put_warnings(file, what, properties);
    class_put_constructor(file, what, properties);
    pysdk_put_properties(file, properties, 4, what->shape, NULL);
}

void pysdk_put_dict(struct pysdk_file *file, const struct pysdk_class *what)
{
    struct pysdk_properties properties = pysdk_required_first(&file->scratch, what->properties);
    str doc = pysdk_doc(file->sdk, &file->scratch, what->doc);

    pysdk_put(file, "\n\nclass " STR_FMT "Dict(TypedDict):\n", STR_ARG(what->name));
    pysdk_put_doc(file, 4, doc);
    if (doc.len && properties.len)
        pysdk_put(file, "\n");
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = properties.items[i];
        struct pysdk_place place = class_place(property, what->shape);
        place.is_dict = true;
        pysdk_put(file, "    " STR_FMT ": " STR_FMT "\n",
                  STR_ARG(python_name(&file->scratch, property->name)),
                  STR_ARG(pysdk_annotation(file, property->type, place)));
        pysdk_put_doc(file, 4, pysdk_doc(file->sdk, &file->scratch, property->description));
    }
    if (!properties.len)
        pysdk_put(file, "    pass\n");
}

static void class_put_check(struct pysdk_file *file, int indent,
                            const struct schema_property *property)
{
    str name = python_name(&file->scratch, property->name);
    str type = pysdk_runtime_type(file, property->type);

    if (type.len)
        pysdk_put(file, "%*s_utilities.check_type(\"" STR_FMT "\", " STR_FMT ", " STR_FMT ")\n",
                  indent, "", STR_ARG(name), STR_ARG(name), STR_ARG(type));
    pysdk_put(file, "%*spulumi.set(__self__, \"" STR_FMT "\", " STR_FMT ")\n", indent, "",
              STR_ARG(name), STR_ARG(name));
}

void pysdk_put_result(struct pysdk_file *file, unsigned indent, str name, str doc,
                      struct pysdk_properties properties)
{
    int in = (int)indent;
    str text = pysdk_doc(file->sdk, &file->scratch, doc);

    pysdk_put(file, "%*s@pulumi.output_type\n%*sclass " STR_FMT ":\n", in, "", in, "",
              STR_ARG(name));
    pysdk_put_doc(file, indent + 4, text);
    if (text.len)
        pysdk_put(file, "\n");
    pysdk_put(file, "%*sdef __init__(__self__", in + 4, "");
    for (size_t i = 0; i < properties.len; i++)
        pysdk_put(file, ", " STR_FMT "=None",
                  STR_ARG(python_name(&file->scratch, properties.items[i]->name)));
    pysdk_put(file, "):\n");
    for (size_t i = 0; i < properties.len; i++)
        class_put_check(file, in + 8, properties.items[i]);
    if (!properties.len)
        pysdk_put(file, "%*spass\n", in + 8, "");
    pysdk_put_properties(file, properties, indent + 4, SHAPE_RESULT, NULL);
}

/* --- files of them --- */

/* Where both kinds of arguments have one name, the one that takes promises is for both. */
static bool class_is_made(const struct pysdk *sdk, str token, enum pysdk_shape shape)
{
    unsigned shapes = pysdk_shapes(sdk, token);
    bool is_second = sdk->is_bridged && shape == SHAPE_PLAIN && (shapes & SHAPE_ARGUMENT);

    return (shapes & shape) && !is_second;
}

static void class_put_shape(struct pysdk_file *file, str token, enum pysdk_shape shape)
{
    struct schema_type *type = schema_named_type(file->sdk->schema, token);
    const struct schema_properties *properties = schema_type_properties(type);
    unsigned shapes = pysdk_shapes(file->sdk, token);
    struct pysdk_class what = {
        .name = pysdk_object_name(file->sdk, &file->scratch, token, shape),
        .doc = type->description,
        .properties = properties ? *properties : (struct schema_properties){ 0 },
        .shape = shape,
        .warns = shape == SHAPE_RESULT && (shapes & SHAPE_STATE),
    };

    if (!class_is_made(file->sdk, token, shape))
        return;
    if (shape != SHAPE_RESULT && file->sdk->uses_dicts)
        pysdk_put_dict(file, &what);
    pysdk_put_class(file, &what);
}

/* The names come first, so that `import *` gives just them. */
static void class_put_names(struct pysdk_file *file, enum pysdk_shape shape)
{
    bool has_dict = shape != SHAPE_RESULT && file->sdk->uses_dicts;

    for (size_t i = 0; i < file->module->objects.len; i++) {
        str token = file->module->objects.items[i];
        str name = pysdk_object_name(file->sdk, &file->scratch, token, shape);
        if (!class_is_made(file->sdk, token, shape))
            continue;
        pysdk_put(file, "    \"" STR_FMT "\",\n", STR_ARG(name));
        if (has_dict)
            pysdk_put(file, "    \"" STR_FMT "Dict\",\n", STR_ARG(name));
    }
}

static bool class_has_shape(struct pysdk *sdk, const struct pysdk_module *module, unsigned shapes)
{
    for (size_t i = 0; i < module->objects.len; i++)
        if (pysdk_shapes(sdk, module->objects.items[i]) & shapes)
            return true;
    return false;
}

static fallible class_write_file(struct pysdk *sdk, struct pysdk_module *module, bool is_inputs)
{
    static const enum pysdk_shape inputs[] = { SHAPE_ARGUMENT, SHAPE_PLAIN };
    static const enum pysdk_shape outputs[] = { SHAPE_RESULT };
    const enum pysdk_shape *shapes = is_inputs ? inputs : outputs;
    size_t count = is_inputs ? 2 : 1;
    struct pysdk_file file;

    pysdk_file_open(&file, sdk, module);
    file.kind = is_inputs ? FILE_INPUTS : FILE_OUTPUTS;
    pysdk_put(&file, "__all__ = [\n");
    for (size_t k = 0; k < count; k++)
        class_put_names(&file, shapes[k]);
    pysdk_put(&file, "]\n");
    for (size_t i = 0; i < module->objects.len; i++)
        for (size_t k = 0; k < count; k++)
            class_put_shape(&file, module->objects.items[i], shapes[k]);
    return pysdk_file_close(&file, is_inputs ? STR("_inputs.py") : STR("outputs.py"));
}

fallible pysdk_write_types(struct pysdk *sdk, struct pysdk_module *module)
{
    if (class_has_shape(sdk, module, SHAPE_ARGUMENT | SHAPE_PLAIN))
        TRY(class_write_file(sdk, module, true));
    if (class_has_shape(sdk, module, SHAPE_RESULT))
        TRY(class_write_file(sdk, module, false));
    return NULL;
}
