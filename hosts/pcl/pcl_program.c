/* pcl_program.c — binds blocks: which package, which resource of the schema, which order. */
#include "pcl/pcl_program.h"

#include "base/base64.h"
#include "base/strbuf.h"
#include "model/urn.h"

#include <math.h>

/* --- packages --- */

static str attribute_text(const struct pcl_body *body, const char *name)
{
    const struct pcl_expr *value = pcl_attribute(body, str_from(name));
    return value && value->kind == PCL_STRING ? value->text : STR("");
}

static fallible bind_package(struct arena *arena, const struct pcl_block *block,
                             struct pcl_package *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    const struct pcl_block *parameter = pcl_block(&block->body, STR("parameterization"));

    if (block->label_count != 1)
        return error_new(ERROR_INVALID, "line %zu: a package has one name", block->line);
    *out = (struct pcl_package){
        .name = block->labels[0],
        .plugin = attribute_text(&block->body, "baseProviderName"),
        .version = attribute_text(&block->body, "baseProviderVersion"),
        .download_url = attribute_text(&block->body, "baseProviderDownloadUrl"),
    };
    if (!out->plugin.len)
        out->plugin = out->name;
    if (!parameter)
        return NULL;
    out->parameter_name = attribute_text(&parameter->body, "name");
    out->parameter_version = attribute_text(&parameter->body, "version");
    if (!base64_decode(&bytes, attribute_text(&parameter->body, "value")))
        return error_new(ERROR_INVALID, "line %zu: the value of the parameterization is not base64",
                         parameter->line);
    out->parameter_value = arena_copy(arena, strbuf_str(&bytes));
    return NULL;
}

static str pcl_token_package(str token)
{
    return type_is_provider(token) ? type_provider_package(token) : type_package(token);
}

static struct pcl_package *find_or_add_package(struct pcl_package *packages, size_t *len, str name)
{
    for (size_t i = 0; i < *len; i++)
        if (str_equal(packages[i].name, name))
            return &packages[i];
    packages[*len] = (struct pcl_package){ .name = name, .plugin = name };
    return &packages[(*len)++];
}

/* Without one everything is as the program writes it. */
static void pcl_load_schema(struct arena *arena, const struct pcl_loader *loader,
                            struct pcl_package *package)
{
    str json;
    struct error *failure = loader->load(loader->context, package, arena, &json);

    if (!failure)
        failure = schema_read(arena, json, &package->schema);
    error_ignore(failure, "it is printed without one");
}

/* --- resources --- */

static bool is_reserved(str name, bool is_component)
{
    return str_equal(name, STR("__logicalName")) || (is_component && str_equal(name, STR("token")));
}

static void take_inputs(struct arena *arena, const struct pcl_body *body, struct pcl_resource *out)
{
    struct pcl_member *inputs = ARENA_ARRAY(arena, struct pcl_member, body->attribute_count + 1);

    for (size_t i = 0; i < body->attribute_count; i++)
        if (!is_reserved(body->attributes[i].key, out->is_component))
            inputs[out->input_count++] = body->attributes[i];
    out->inputs = inputs;
}

static fallible bind_resource(struct arena *arena, const struct pcl_block *block,
                              struct pcl_resource *out)
{
    const struct pcl_block *options = pcl_block(&block->body, STR("options"));
    bool is_component = str_equal(block->kind, STR("component"));

    if (block->label_count != (is_component ? 1 : 2))
        return error_new(ERROR_INVALID,
                         "line %zu: a resource has a name and a type, a component a name",
                         block->line);
    *out = (struct pcl_resource){ .variable = block->labels[0], .is_component = is_component };
    out->token = is_component ? attribute_text(&block->body, "token") : block->labels[1];
    out->name = attribute_text(&block->body, "__logicalName");
    if (!out->name.len)
        out->name = out->variable;
    if (!out->token.len)
        return error_new(ERROR_INVALID, "line %zu: the type of '" STR_FMT "' is missing",
                         block->line, STR_ARG(out->variable));
    if (options)
        out->options = options->body;
    if (options && pcl_attribute(&options->body, STR("range")))
        return error_new(ERROR_INVALID, "line %zu: ranges of resources are not supported here",
                         options->line);
    take_inputs(arena, &block->body, out);
    return NULL;
}

const struct pcl_resource *pcl_resource_of(const struct pcl_program *program, str variable)
{
    for (size_t i = 0; i < program->len; i++)
        if (str_equal(program->resources[i].variable, variable))
            return &program->resources[i];
    return NULL;
}

/* --- order --- */

struct pcl_sorter {
    struct pcl_program *program;
    size_t *order;
    size_t len;
    char *marks; /* 1: on the way, 2: done */
};

static void sort_resource(struct pcl_sorter *sorter, size_t index);

static void sort_name(struct pcl_sorter *sorter, str name)
{
    for (size_t i = 0; i < sorter->program->len; i++) {
        if (!str_equal(sorter->program->resources[i].variable, name))
            continue;
        sorter->program->resources[i].is_used = true;
        sort_resource(sorter, i);
    }
}

static void sort_references(struct pcl_sorter *sorter, const struct pcl_expr *expr)
{
    if (expr->kind == PCL_REFERENCE)
        sort_name(sorter, expr->text);
    for (size_t i = 0; expr->kind != PCL_REFERENCE && i < expr->len; i++)
        sort_references(sorter, expr->kind == PCL_OBJECT ? expr->members[i].value : expr->items[i]);
}

bool pcl_option_is_text(str name)
{
    return str_equal(name, STR("import")) || str_equal(name, STR("version"));
}

/* What is named in ignoreChanges are properties. */
static bool names_properties(str option)
{
    return str_equal(option, STR("ignoreChanges"));
}

static void sort_resource(struct pcl_sorter *sorter, size_t index)
{
    const struct pcl_resource *resource = &sorter->program->resources[index];

    if (sorter->marks[index])
        return;
    sorter->marks[index] = 1;
    for (size_t i = 0; i < resource->input_count; i++)
        sort_references(sorter, resource->inputs[i].value);
    for (size_t i = 0; i < resource->options.attribute_count; i++) {
        const struct pcl_member *option = &resource->options.attributes[i];
        if (option->value->kind == PCL_STRING && !pcl_option_is_text(option->key))
            sort_name(sorter, option->value->text); /* a variable that is no identifier */
        else if (!names_properties(option->key))
            sort_references(sorter, option->value);
    }
    sorter->marks[index] = 2;
    sorter->order[sorter->len++] = index;
}

static void sort_program(struct pcl_program *program)
{
    struct pcl_sorter sorter = {
        .program = program,
        .order = ARENA_ARRAY(program->arena, size_t, program->len + 1),
        .marks = ARENA_ARRAY(program->arena, char, program->len + 1),
    };

    for (size_t i = 0; i < program->len; i++)
        sort_resource(&sorter, i);
    program->order = sorter.order;
}

/* --- all --- */

static fallible bind_blocks(struct arena *arena, const struct pcl_body *body,
                            struct pcl_package *packages, struct pcl_program *out)
{
    for (size_t i = 0; i < body->block_count; i++) {
        const struct pcl_block *block = &body->blocks[i];
        if (str_equal(block->kind, STR("package")))
            TRY(bind_package(arena, block, &packages[out->package_count++]));
        else if (str_equal(block->kind, STR("resource"))
                 || (str_equal(block->kind, STR("component")) && block->label_count == 1))
            TRY(bind_resource(arena, block, &out->resources[out->len++]));
        else
            return error_new(ERROR_INVALID, "line %zu: '" STR_FMT "' is not supported here",
                             block->line, STR_ARG(block->kind));
    }
    return NULL;
}

fallible pcl_program_read(struct arena *arena, str text, const struct pcl_loader *loader,
                          struct pcl_program *out)
{
    struct pcl_body body;

    TRY(pcl_read(arena, text, &body));
    if (body.attribute_count)
        return error_new(ERROR_INVALID, "line %zu: local variables are not supported here",
                         body.attributes[0].value->line);
    struct pcl_package *packages = ARENA_ARRAY(arena, struct pcl_package, 2 * body.block_count + 1);
    *out = (struct pcl_program){
        .arena = arena,
        .resources = ARENA_ARRAY(arena, struct pcl_resource, body.block_count + 1),
        .packages = packages,
    };
    TRY(bind_blocks(arena, &body, packages, out));
    for (size_t i = 0; i < out->len; i++)
        if (!out->resources[i].is_component)
            out->resources[i].package = find_or_add_package(
                packages, &out->package_count, pcl_token_package(out->resources[i].token));
    for (size_t i = 0; i < out->package_count; i++)
        pcl_load_schema(arena, loader, &packages[i]);
    for (size_t i = 0; i < out->len; i++) {
        struct pcl_resource *resource = &out->resources[i];
        if (resource->package && resource->package->schema)
            resource->schema = schema_resource(resource->package->schema, resource->token);
    }
    sort_program(out);
    return NULL;
}

void pcl_program_release(struct pcl_program *program)
{
    for (size_t i = 0; i < program->package_count; i++)
        if (program->packages[i].schema)
            schema_release(program->packages[i].schema);
}

const struct pcl_expr *pcl_option(const struct pcl_resource *resource, const char *name)
{
    return pcl_attribute(&resource->options, str_from(name));
}

/* --- types --- */

const struct schema_type *pcl_input_type(const struct pcl_resource *resource, str name)
{
    const struct schema_property *property =
        resource->schema ? schema_property(resource->schema->inputs, name) : NULL;
    return property ? property->type : NULL;
}

const struct schema_type *pcl_member_type(const struct schema_type *type, str key)
{
    if (!type || type->kind != TYPE_OBJECT)
        return type && type->kind == TYPE_MAP ? type->element : NULL;
    const struct schema_properties *properties =
        schema_type_properties((struct schema_type *)(uintptr_t)type);
    const struct schema_property *property = properties ? schema_property(*properties, key) : NULL;
    return property ? property->type : NULL;
}

const struct schema_type *pcl_item_type(const struct schema_type *type)
{
    return type && type->kind == TYPE_ARRAY ? type->element : NULL;
}

static bool is_call_of(const struct pcl_expr *expr, const char *suffix)
{
    return expr->kind == PCL_CALL && str_ends_with(expr->text, str_from(suffix));
}

static bool expr_fits(const struct pcl_expr *expr, const struct schema_type *type);

static bool object_expr_fits(const struct pcl_expr *expr, const struct schema_type *type)
{
    if (expr->kind != PCL_OBJECT)
        return false;
    for (size_t i = 0; i < expr->len; i++) {
        const struct schema_type *wanted = pcl_member_type(type, expr->members[i].key);
        if (!wanted || !expr_fits(expr->members[i].value, wanted))
            return false;
    }
    return true;
}

static bool items_expr_fit(const struct pcl_expr *expr, const struct schema_type *element)
{
    for (size_t i = 0; i < expr->len; i++)
        if (!expr_fits(expr->items[i], element))
            return false;
    return true;
}

static bool expr_fits(const struct pcl_expr *expr, const struct schema_type *type)
{
    if (expr->kind == PCL_CALL && str_equal(expr->text, STR("secret")) && expr->len == 1)
        return expr_fits(expr->items[0], type);
    switch (type->kind) {
    case TYPE_ANY: return true;
    case TYPE_BOOL: return expr->kind == PCL_BOOL;
    case TYPE_INTEGER: return expr->kind == PCL_NUMBER && floor(expr->number) == expr->number;
    case TYPE_NUMBER: return expr->kind == PCL_NUMBER;
    case TYPE_STRING: return expr->kind == PCL_STRING || expr->kind == PCL_REFERENCE;
    case TYPE_ASSET: return is_call_of(expr, "Asset");
    case TYPE_ARCHIVE: return is_call_of(expr, "Archive");
    case TYPE_ARRAY: return expr->kind == PCL_LIST && items_expr_fit(expr, type->element);
    case TYPE_MAP:
    case TYPE_OBJECT: return object_expr_fits(expr, type);
    case TYPE_UNION: return pcl_actual_type(expr, type) != NULL;
    case TYPE_ENUM:
        return type->base == TYPE_STRING ? expr->kind == PCL_STRING : expr->kind == PCL_NUMBER;
    case TYPE_RESOURCE: return expr->kind == PCL_REFERENCE;
    }
    return false;
}

const struct schema_type *pcl_actual_type(const struct pcl_expr *expr,
                                          const struct schema_type *type)
{
    if (!type || type->kind != TYPE_UNION)
        return type;
    const struct pcl_expr *said =
        type->discriminator.len ? pcl_find(expr, type->discriminator) : NULL;
    const str *token =
        said && said->kind == PCL_STRING ? pairs_find(type->mapping, said->text) : NULL;
    for (size_t i = 0; i < type->len && token; i++)
        if (str_equal(type->members[i]->token, *token))
            return type->members[i];
    for (size_t i = 0; i < type->len; i++)
        if (expr_fits(expr, type->members[i]))
            return type->members[i];
    return NULL;
}

size_t pcl_enum_index(const struct pcl_expr *expr, const struct schema_type *type)
{
    for (size_t i = 0; type && type->kind == TYPE_ENUM && i < type->len; i++) {
        struct value value = type->values[i];
        if (expr->kind == PCL_STRING && value.kind == VALUE_STRING
            && str_equal(value_text(value), expr->text))
            return i;
        if (expr->kind == PCL_NUMBER && value.kind == VALUE_NUMBER && !(value.number < expr->number)
            && !(value.number > expr->number))
            return i;
    }
    return SIZE_MAX;
}
