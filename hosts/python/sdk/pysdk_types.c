/* pysdk_types.c — types of a schema as annotations, and what they import. */
#include "python/sdk/pysdk.h"

#include "base/json.h"

/* --- names --- */

/* In SDKs that were made for Terraform's providers all that functions give ends with Result, and
 * all arguments with Args. */
str pysdk_object_name(const struct pysdk *sdk, struct arena *arena, str token,
                      enum pysdk_shape shape)
{
    str name = python_class_name(arena, schema_member(token));

    if (shape == SHAPE_ARGUMENT || (sdk->is_bridged && shape == SHAPE_PLAIN))
        return arena_concat(arena, name, STR("Args"));
    if (sdk->is_bridged && (pysdk_shapes(sdk, token) & SHAPE_FUNCTION))
        return arena_concat(arena, name, STR("Result"));
    return name;
}

/* A class of a package whose types nobody has looked at. */
static str type_name_abroad(struct arena *arena, const struct schema_type *type,
                            enum pysdk_shape shape)
{
    str mode = schema_language_text(type->schema, STR("python"), STR("compatibility"));
    struct pysdk other = { .is_bridged = mode.len > 0 };

    return pysdk_object_name(&other, arena, type->token, shape);
}

str pysdk_resource_name(struct arena *arena, const struct schema_resource *resource)
{
    return resource->is_provider ? STR("Provider")
                                 : python_class_name(arena, schema_member(resource->token));
}

str pysdk_resource_file(const struct pysdk *sdk, str token)
{
    const str *place = map_find(&sdk->places, token);
    return place ? *place : python_member(sdk->arena, token);
}

/* --- where classes are --- */

/* Makes a file of the SDK known here; the name that stands for it. Files are imported, not names of
 * them: then files that need each other can be loaded in any order. */
static str type_neighbour(struct pysdk_file *file, const struct pysdk_module *module, str name)
{
    struct arena *arena = &file->scratch;
    bool is_here = module == file->module;
    str folder = str_starts_with(name, STR("_")) ? STR("") : STR("_");
    str alias = arena_concat(arena, folder, name);
    str from = STR(".");

    if (!is_here) {
        str path = module->path.len ? module->path : STR("root");
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        strbuf_add_char(&text, '_');
        for (size_t i = 0; i < path.len; i++)
            strbuf_add(&text, path.ptr[i] == '/' ? STR("__") : (str){ &path.ptr[i], 1 });
        strbuf_add(&text, alias);
        alias = arena_copy(arena, strbuf_str(&text));
        char *below = arena_cstr(arena, module->path);
        for (size_t i = 0; i < module->path.len; i++)
            below[i] = below[i] == '/' ? '.' : below[i];
        from = arena_concat(arena, pysdk_dots(arena, file->module), str_from(below));
    }
    str line =
        str_equal(alias, name)
            ? arena_concat(arena, STR("from "), from, STR(" import "), name)
            : arena_concat(arena, STR("from "), from, STR(" import "), name, STR(" as "), alias);
    map_put(&file->neighbours, line, file);
    return alias;
}

/* A class of another package: "pulumi_other.store.outputs.Rule". */
static str type_abroad(struct pysdk_file *file, const struct schema *schema, str token,
                       const char *folder, str class)
{
    struct arena *arena = &file->scratch;
    str package = python_package(arena, schema);
    str module = python_module(arena, schema, token);

    map_put(&file->packages, package, file);
    return arena_printf(arena, "\"" STR_FMT "." STR_FMT "%s%s" STR_FMT "\"", STR_ARG(package),
                        STR_ARG(module), module.len ? "." : "", folder, STR_ARG(class));
}

static str type_named(struct pysdk_file *file, const struct pysdk_module *module, str name,
                      str class)
{
    return arena_concat(&file->scratch, STR("\""), type_neighbour(file, module, name), STR("."),
                        class, STR("\""));
}

/* --- objects --- */

static bool type_abroad_has_dicts(const struct schema *schema)
{
    str kinds = schema_language_text(schema, STR("python"), STR("inputTypes"));
    return str_equal(kinds, STR("classes-and-dicts"));
}

static str type_object_class(struct pysdk_file *file, const struct schema_type *type,
                             enum pysdk_shape shape, bool is_dict)
{
    bool is_result = shape == SHAPE_RESULT;
    bool is_ours = type->schema == file->sdk->schema;
    str class = is_ours ? pysdk_object_name(file->sdk, &file->scratch, type->token, shape)
                        : type_name_abroad(&file->scratch, type, shape);

    if (is_dict && (is_ours || type_abroad_has_dicts(type->schema)))
        class = arena_concat(&file->scratch, class, STR("Dict"));
    if (!is_ours)
        return type_abroad(file, type->schema, type->token, is_result ? "outputs." : "", class);
    const struct pysdk_module *module = pysdk_module_of(file->sdk, type->token);
    if (module == file->module && file->kind == (is_result ? FILE_OUTPUTS : FILE_INPUTS))
        return arena_concat(&file->scratch, STR("\""), class, STR("\""));
    return type_named(file, module, is_result ? STR("outputs") : STR("_inputs"), class);
}

static str type_object(struct pysdk_file *file, const struct schema_type *type,
                       struct pysdk_place place)
{
    str class = type_object_class(file, type, place.shape, place.is_dict);

    if (place.is_dict || !place.takes_dicts)
        return class;
    if (type->schema == file->sdk->schema && file->sdk->uses_dicts)
        return arena_concat(&file->scratch, STR("Union["), class, STR(", "),
                            type_object_class(file, type, place.shape, true), STR("]"));
    return arena_concat(&file->scratch, STR("pulumi.InputType["), class, STR("]"));
}

static str type_enum(struct pysdk_file *file, const struct schema_type *type)
{
    str class = python_class_name(&file->scratch, schema_member(type->token));

    if (type->schema != file->sdk->schema)
        return type_abroad(file, type->schema, type->token, "", class);
    return type_named(file, pysdk_module_of(file->sdk, type->token), STR("_enums"), class);
}

static str type_resource(struct pysdk_file *file, const struct schema_type *type)
{
    static const struct schema_resource none = { 0 };
    struct schema *schema = (struct schema *)type->schema;
    const struct schema_resource *resource = schema_resource(schema, type->token);
    str class = resource ? pysdk_resource_name(&file->scratch, resource)
                         : python_class_name(&file->scratch, schema_member(type->token));

    if (!resource)
        resource = &none;
    if (type->schema != file->sdk->schema)
        return type_abroad(file, type->schema, resource->is_provider ? STR("") : type->token, "",
                           class);
    if (file->kind == FILE_MEMBER && str_equal(file->token, type->token))
        return arena_concat(&file->scratch, STR("\""), class, STR("\""));
    return type_named(file, pysdk_module_of(file->sdk, type->token),
                      pysdk_resource_file(file->sdk, type->token), class);
}

/* --- annotations --- */

static str type_bare(struct pysdk_file *file, const struct schema_type *type,
                     struct pysdk_place place);

/* Inside another type: what is no promise as a whole may have parts that are. */
static str type_inner(struct pysdk_file *file, const struct schema_type *type,
                      struct pysdk_place place)
{
    str bare = type_bare(file, type, place);

    if (place.shape != SHAPE_ARGUMENT || type->is_plain || str_equal(bare, STR("Any")))
        return bare;
    return arena_concat(&file->scratch, STR("pulumi.Input["), bare, STR("]"));
}

static bool type_is_listed(const str *texts, size_t len, str text)
{
    for (size_t i = 0; i < len; i++)
        if (str_equal(texts[i], text))
            return true;
    return false;
}

/* A union of arguments is that of its members, each once. Of a promise it is a promise as a
 * whole. */
static str type_union(struct pysdk_file *file, const struct schema_type *type,
                      struct pysdk_place place)
{
    bool is_promise = place.shape == SHAPE_ARGUMENT && !type->is_plain;
    str *texts = ARENA_ARRAY(&file->scratch, str, type->len);
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t len = 0;

    for (size_t i = 0; i < type->len; i++) {
        str text = is_promise ? type_bare(file, type->members[i], place)
                              : type_inner(file, type->members[i], place);
        if (!type_is_listed(texts, len, text))
            texts[len++] = text;
    }
    if (len == 1)
        return texts[0];
    for (size_t i = 0; i < len; i++) {
        strbuf_add(&out, i ? STR(", ") : STR("Union["));
        strbuf_add(&out, texts[i]);
    }
    strbuf_add_char(&out, ']');
    return arena_copy(&file->scratch, strbuf_str(&out));
}

const char *pysdk_simple_type(enum type_kind kind)
{
    static const char *const names[] = {
        [TYPE_BOOL] = "bool",
        [TYPE_INTEGER] = "int",
        [TYPE_NUMBER] = "float",
        [TYPE_STRING] = "str",
    };

    return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : NULL;
}

static str type_of_base(struct pysdk_file *file, enum type_kind kind)
{
    const char *name = pysdk_simple_type(kind);
    return name ? arena_printf(&file->scratch, "_builtins.%s", name) : STR("Any");
}

/* A result is what an enum's values are, or what the schema names beside the union. */
static str type_union_result(struct pysdk_file *file, const struct schema_type *type,
                             struct pysdk_place place)
{
    for (size_t i = 0; i < type->len; i++)
        if (type->members[i]->kind == TYPE_ENUM)
            return type_of_base(file, type->members[i]->base);
    return type->preset ? type_bare(file, type->preset, place) : STR("Any");
}

static str type_simple(struct pysdk_file *file, const struct schema_type *type,
                       struct pysdk_place place)
{
    if (!place.property || !place.property->has_constant || type->kind == TYPE_NUMBER)
        return type_of_base(file, type->kind);
    return arena_concat(&file->scratch, STR("Literal["),
                        pysdk_literal(&file->scratch, place.property->constant), STR("]"));
}

static str type_bare(struct pysdk_file *file, const struct schema_type *type,
                     struct pysdk_place place)
{
    struct arena *arena = &file->scratch;

    switch (type->kind) {
    case TYPE_ANY: return STR("Any");
    case TYPE_BOOL:
    case TYPE_INTEGER:
    case TYPE_NUMBER:
    case TYPE_STRING: return type_simple(file, type, place);
    case TYPE_ASSET: return STR("Union[pulumi.Asset, pulumi.Archive]");
    case TYPE_ARCHIVE: return STR("pulumi.Archive");
    case TYPE_ARRAY:
        return arena_concat(arena, STR("Sequence["), type_inner(file, type->element, place),
                            STR("]"));
    case TYPE_MAP:
        return arena_concat(arena, STR("Mapping[_builtins.str, "),
                            type_inner(file, type->element, place), STR("]"));
    case TYPE_UNION:
        return place.shape == SHAPE_RESULT ? type_union_result(file, type, place)
                                           : type_union(file, type, place);
    case TYPE_OBJECT: return type_object(file, type, place);
    case TYPE_ENUM: return type_enum(file, type);
    case TYPE_RESOURCE: return type_resource(file, type);
    }
    return STR("Any");
}

str pysdk_annotation(struct pysdk_file *file, const struct schema_type *type,
                     struct pysdk_place place)
{
    struct arena *arena = &file->scratch;
    bool is_promise = place.may_promise || (place.shape == SHAPE_ARGUMENT && !type->is_plain);
    str text = type_bare(file, type, place);
    bool is_any = str_equal(text, STR("Any"));

    if (place.is_optional && (!place.is_dict || (is_promise && !is_any)))
        text = arena_concat(arena, STR("Optional["), text, STR("]"));
    if (is_promise && !is_any)
        text = arena_concat(arena, STR("pulumi.Input["), text, STR("]"));
    if (place.is_optional && place.is_dict)
        text = arena_concat(arena, STR("NotRequired["), text, STR("]"));
    return text;
}

/* --- at run time --- */

str pysdk_runtime_type(struct pysdk_file *file, const struct schema_type *type)
{
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INTEGER:
    case TYPE_NUMBER:
    case TYPE_STRING: return type_of_base(file, type->kind);
    case TYPE_ENUM: return type_of_base(file, type->base);
    case TYPE_ASSET: return STR("(pulumi.Asset, pulumi.Archive)");
    case TYPE_ARCHIVE: return STR("pulumi.Archive");
    case TYPE_ARRAY: return STR("_builtins.list");
    case TYPE_MAP:
    case TYPE_OBJECT: return STR("_builtins.dict");
    case TYPE_RESOURCE: {
        str name = type_resource(file, type);
        return str_slice(name, 1, name.len - 1);
    }
    case TYPE_ANY:
    case TYPE_UNION: break;
    }
    return STR("");
}

bool pysdk_is_text(const struct schema_type *type)
{
    return type->kind == TYPE_STRING || (type->kind == TYPE_ENUM && type->base == TYPE_STRING);
}

/* --- values --- */

str pysdk_quoted(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    json_format_string(&out, text, false);
    return arena_copy(arena, strbuf_str(&out));
}

str pysdk_literal(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (value.kind == VALUE_BOOL)
        return value.boolean ? STR("True") : STR("False");
    if (value.kind == VALUE_STRING)
        return pysdk_quoted(arena, value_text(value));
    if (value.kind != VALUE_NUMBER)
        return STR("None");
    json_format_number(&out, value.number);
    return arena_copy(arena, strbuf_str(&out));
}

str pysdk_default(struct arena *arena, const struct schema_property *property)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool has_value = property->has_default && property->preset.kind != VALUE_NULL;

    if (property->environment.len) {
        const char *type = pysdk_simple_type(property->type->kind);
        bool is_text = !type || property->type->kind == TYPE_STRING;
        strbuf_printf(&out, "_utilities.get_env%s%s(", is_text ? "" : "_", is_text ? "" : type);
        for (size_t i = 0; i < property->environment.len; i++) {
            strbuf_add(&out, i ? STR(", ") : STR(""));
            strbuf_add(&out, pysdk_quoted(arena, property->environment.items[i]));
        }
        strbuf_add(&out, has_value ? STR(", default=") : STR(""));
    }
    if (has_value)
        strbuf_add(&out, pysdk_literal(arena, property->preset));
    if (property->environment.len)
        strbuf_add_char(&out, ')');
    return arena_copy(arena, strbuf_str(&out));
}
