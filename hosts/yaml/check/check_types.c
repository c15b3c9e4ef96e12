/* check_types.c — what expressions will be. */
#include "yaml/check/checker.h"

#include "model/urn.h"
#include "yaml/syntax/syntax.h"

/* Large programs are made of small values, so a type that has nothing inside is made once. */
struct schema_type *checker_new_type(struct checker *checker, enum type_kind kind)
{
    struct schema_type **shared = kind <= TYPE_ARCHIVE ? &checker->simple[kind] : NULL;

    if (shared && *shared)
        return *shared;
    struct schema_type *type = ARENA_NEW(checker->arena, struct schema_type);
    type->kind = kind;
    if (shared)
        *shared = type;
    return type;
}

static struct schema_type *array_of(struct checker *checker, struct schema_type *element)
{
    struct schema_type *type = checker_new_type(checker, TYPE_ARRAY);

    type->element = element;
    return type;
}

static struct schema_type *object_of(struct checker *checker, struct schema_properties properties)
{
    struct schema_type *type = checker_new_type(checker, TYPE_OBJECT);

    type->properties = arena_copy_bytes(checker->arena, &properties, sizeof(properties));
    return type;
}

/* --- literals --- */

static struct schema_type *literal_type(struct checker *checker, struct value literal)
{
    switch ((int)literal.kind) {
    case VALUE_BOOL: return checker_new_type(checker, TYPE_BOOL);
    case VALUE_NUMBER: return checker_new_type(checker, TYPE_NUMBER);
    case VALUE_STRING: return checker_new_type(checker, TYPE_STRING);
    default: return checker_new_type(checker, TYPE_ANY);
    }
}

/* So many different ones are told apart in a list. */
enum { MOST_KINDS = 8 };

static struct schema_type *list_type(struct checker *checker, const struct expr *expr)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct schema_type **members = ARENA_ARRAY(checker->arena, struct schema_type *, MOST_KINDS);
    str *names = ARENA_ARRAY(&scratch, str, MOST_KINDS);
    size_t len = 0;

    for (size_t i = 0; i < expr->len; i++) {
        struct schema_type *type = checker_type_of(checker, expr->items[i]);
        bool is_new = len < MOST_KINDS;
        for (size_t k = 0; k < len; k++)
            is_new = is_new && members[k] != type;
        str name = is_new ? schema_type_text(&scratch, type) : STR("");
        for (size_t k = 0; is_new && k < len; k++)
            is_new = !str_equal(names[k], name);
        if (!is_new)
            continue;
        members[len] = type;
        names[len++] = name;
    }
    if (len <= 1)
        return array_of(checker, len ? members[0] : checker_new_type(checker, TYPE_ANY));
    struct schema_type *element = checker_new_type(checker, TYPE_UNION);
    element->members = members;
    element->len = len;
    return array_of(checker, element);
}

static struct schema_type *object_type(struct checker *checker, const struct expr *expr)
{
    struct schema_property *properties =
        ARENA_ARRAY(checker->arena, struct schema_property, expr->len + 1);
    size_t len = 0;

    for (size_t i = 0; i < expr->len; i++) {
        if (!expr_is_string(expr->pairs[i].key))
            return checker_new_type(checker, TYPE_ANY);
        properties[len++] = (struct schema_property){
            .name = expr_string(expr->pairs[i].key),
            .type = checker_type_of(checker, expr->pairs[i].value),
        };
    }
    return object_of(checker, (struct schema_properties){ properties, len });
}

struct schema_type *checker_properties_type(struct checker *checker, struct properties given)
{
    struct schema_property *properties =
        ARENA_ARRAY(checker->arena, struct schema_property, given.len + 1);

    for (size_t i = 0; i < given.len; i++)
        properties[i] =
            (struct schema_property){ .name = given.items[i].name,
                                      .type = checker_type_of(checker, given.items[i].value) };
    return object_of(checker, (struct schema_properties){ properties, given.len });
}

/* --- functions --- */

static struct schema_type *call_type(struct checker *checker, const struct expr *expr)
{
    struct schema_type *argument;

    switch (expr->builtin) {
    case BUILTIN_SPLIT: return array_of(checker, checker_new_type(checker, TYPE_STRING));
    case BUILTIN_LENGTH: return checker_new_type(checker, TYPE_NUMBER);
    case BUILTIN_SECRET:
    case BUILTIN_UNSECRET: return checker_type_of(checker, expr->items[0]);
    case BUILTIN_SELECT:
        argument = checker_type_of(checker, expr->items[1]);
        return argument->kind == TYPE_ARRAY ? argument->element
                                            : checker_new_type(checker, TYPE_ANY);
    case BUILTIN_SINGLE_OR_NONE:
    case BUILTIN_STACK_REFERENCE: return checker_new_type(checker, TYPE_ANY);
    case BUILTIN_STRING_ASSET:
    case BUILTIN_FILE_ASSET:
    case BUILTIN_REMOTE_ASSET: return checker_new_type(checker, TYPE_ASSET);
    case BUILTIN_ASSET_ARCHIVE:
    case BUILTIN_FILE_ARCHIVE:
    case BUILTIN_REMOTE_ARCHIVE: return checker_new_type(checker, TYPE_ARCHIVE);
    case BUILTIN_JOIN:
    case BUILTIN_TO_JSON:
    case BUILTIN_TO_BASE64:
    case BUILTIN_FROM_BASE64:
    case BUILTIN_READ_FILE:
    case BUILTIN_FILE_BASE64:
    case BUILTIN_FILE_BASE64_SHA256:
    case BUILTIN_SHA1:
    case BUILTIN_RESOURCE_NAME:
    case BUILTIN_RESOURCE_TYPE: return checker_new_type(checker, TYPE_STRING);
    }
    return checker_new_type(checker, TYPE_ANY);
}

/* What is wrong with the call itself is said where it is checked. */
static struct schema_type *invoke_type(struct checker *checker, const struct expr *expr)
{
    const struct invoke *invoke = expr->invoke;
    const struct schema_function *function = NULL;
    struct found_token found;

    error_ignore(schemas_function(checker->schemas, expr_string(invoke->token),
                                  expr_string(invoke->version),
                                  expr_string(invoke->plugin_download_url), &found, &function),
                 "said elsewhere");
    if (!function)
        return checker_new_type(checker, TYPE_ANY);
    if (function->result)
        return function->result;
    if (!invoke->result || expr_string(invoke->result).len == 0)
        return object_of(checker, function->outputs);
    const struct schema_property *property =
        schema_property(function->outputs, expr_string(invoke->result));
    return property ? property->type : checker_new_type(checker, TYPE_ANY);
}

/* Whoever looks into a value asks again for each value in it. */
static struct schema_type *composite_type(struct checker *checker, const struct expr *expr)
{
    str key = { (const char *)&expr, sizeof(const struct expr *) };
    struct schema_type *type = map_find(&checker->composites, key);

    if (type)
        return type;
    type = expr->kind == EXPR_LIST ? list_type(checker, expr) : object_type(checker, expr);
    map_put(&checker->composites, arena_copy(checker->arena, key), type);
    return type;
}

struct schema_type *checker_type_of(struct checker *checker, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_LITERAL: return literal_type(checker, expr->literal);
    case EXPR_TEXT: return checker_new_type(checker, TYPE_STRING);
    case EXPR_SYMBOL: return checker_access_type(checker, (struct range){ 0 }, expr->access);
    case EXPR_LIST:
    case EXPR_OBJECT: return composite_type(checker, expr);
    case EXPR_CALL: return call_type(checker, expr);
    case EXPR_INVOKE: return invoke_type(checker, expr);
    }
    return checker_new_type(checker, TYPE_ANY);
}

/* --- names --- */

/* What can be asked of a resource: its outputs, its id and its URN. */
static const struct schema_properties *resource_properties(struct checker *checker,
                                                           const struct schema_resource *resource)
{
    struct schema_properties *out = ARENA_NEW(checker->arena, struct schema_properties);
    struct schema_property *properties =
        ARENA_ARRAY(checker->arena, struct schema_property, resource->outputs.len + 3);
    size_t len = 0;

    for (size_t i = 0; i < resource->outputs.len; i++)
        properties[len++] = resource->outputs.items[i];
    if (!resource->is_component && !schema_property(resource->outputs, STR("id")))
        properties[len++] =
            (struct schema_property){ .name = STR("id"),
                                      .type = checker_new_type(checker, TYPE_STRING) };
    properties[len++] = (struct schema_property){ .name = STR("urn"),
                                                  .type = checker_new_type(checker, TYPE_STRING) };
    *out = (struct schema_properties){ properties, len };
    return out;
}

static struct schema_type *resource_type(struct checker *checker, const struct resource_decl *decl)
{
    const struct schema_resource *resource = NULL;
    struct found_token found;

    if (!decl->type)
        return checker_new_type(checker, TYPE_ANY);
    error_ignore(schemas_resource(
                     checker->schemas, expr_string(decl->type), expr_string(decl->options.version),
                     expr_string(decl->options.plugin_download_url), &found, &resource),
                 "said elsewhere");
    if (!resource)
        return checker_new_type(checker, TYPE_ANY);
    struct schema_type *type = checker_new_type(checker, TYPE_RESOURCE);
    type->properties = resource_properties(checker, resource);
    type->token = found.full;
    return type;
}

/* Of what was given, else of the default. Nothing is said of lists, nor of what is secret. */
static struct schema_type *config_type(struct checker *checker, const struct node *node)
{
    const struct expr *preset = node->config ? node->config->default_value : NULL;
    enum value_kind kind = node->external.kind;

    if (node->config && node->config->name)
        return checker_new_type(checker, TYPE_ANY);
    if (!node->is_external)
        return preset ? checker_type_of(checker, preset) : checker_new_type(checker, TYPE_ANY);
    if (kind == VALUE_STRING || kind == VALUE_NUMBER || kind == VALUE_BOOL)
        return literal_type(checker, node->external);
    if (kind != VALUE_OBJECT)
        return checker_new_type(checker, TYPE_ANY);
    struct schema_type *map = checker_new_type(checker, TYPE_MAP);
    map->element = checker_new_type(checker, TYPE_ANY);
    return map;
}

/* What `${pulumi}` has. */
static struct schema_type *pulumi_type(struct checker *checker)
{
    static const char *const names[] = { "cwd", "organization", "project", "rootDirectory",
                                         "stack" };
    const size_t len = sizeof(names) / sizeof(names[0]);
    struct schema_property *properties = ARENA_ARRAY(checker->arena, struct schema_property, len);

    for (size_t i = 0; i < len; i++)
        properties[i] = (struct schema_property){
            .name = str_from(names[i]),
            .type = checker_new_type(checker, TYPE_STRING),
        };
    return object_of(checker, (struct schema_properties){ properties, len });
}

/* Types that are asked for twice are remembered; a cycle of variables was refused before. */
static struct schema_type *root_type(struct checker *checker, str name)
{
    struct schema_type *type = map_find(&checker->types, name);
    const struct node *node = graph_find(checker->graph, name);

    if (type)
        return type;
    if (node && node->kind == NODE_RESOURCE)
        type = resource_type(checker, node->resource);
    else if (node && node->kind == NODE_CONFIG)
        type = config_type(checker, node);
    else if (node && node->kind == NODE_VARIABLE)
        type = checker_type_of(checker, node->variable->value);
    else if (!node && str_equal(name, PULUMI_NAME))
        type = pulumi_type(checker);
    else
        type = checker_new_type(checker, TYPE_ANY);
    map_put(&checker->types, name, type);
    return type;
}

void checker_learn_types(struct checker *checker)
{
    for (size_t i = 0; i < checker->graph->len; i++)
        root_type(checker, checker->graph->items[i]->name);
}

struct step_place {
    struct checker *checker;
    struct range range;
    str name; /* of what has been reached */
};

static struct schema_type *step_complain(struct step_place *at, str summary, str detail)
{
    if (at->range.line)
        diags_add(at->checker->diags, DIAG_ERROR, at->range, summary, detail);
    return checker_new_type(at->checker, TYPE_ANY);
}

/* NULL: nothing is known of the resource. A declaration comes with its properties, an output that
 * refers to a resource of its package only with the token. */
static const struct schema_properties *referenced_properties(struct checker *checker,
                                                             struct schema_type *type)
{
    struct schema *schema = (struct schema *)(uintptr_t)type->schema;

    if (type->properties || !schema)
        return type->properties;
    const struct schema_resource *resource = schema_resource(schema, type->token);
    if (resource)
        type->properties = resource_properties(checker, resource);
    return type->properties;
}

static struct schema_type *named_step(struct step_place *at, struct schema_type *type,
                                      const struct access_step *step)
{
    struct arena *arena = at->checker->arena;
    const struct schema_properties *properties = type->kind == TYPE_RESOURCE
                                                     ? referenced_properties(at->checker, type)
                                                     : schema_type_properties(type);

    if (type->kind == TYPE_MAP)
        return type->element;
    if (type->kind == TYPE_RESOURCE && !properties)
        return checker_new_type(at->checker, TYPE_ANY);
    if (!properties)
        return step_complain(
            at,
            arena_printf(arena, "cannot access a property on '" STR_FMT "' (type " STR_FMT ")",
                         STR_ARG(at->name), STR_ARG(schema_type_text(arena, type))),
            STR("Property access is only allowed on Resources and Objects"));
    const struct schema_property *property = schema_property(*properties, step->name);
    if (property)
        return property->type;
    str *names = ARENA_ARRAY(arena, str, properties->len + 1);
    for (size_t i = 0; i < properties->len; i++)
        names[i] = properties->items[i].name;
    str list = suggestion_list(arena, names, properties->len, step->name, 5);
    return step_complain(at,
                         arena_printf(arena, STR_FMT " does not exist on " STR_FMT,
                                      STR_ARG(step->name), STR_ARG(at->name)),
                         properties->len
                             ? arena_concat(arena, STR("Existing properties are: "), list)
                             : arena_concat(arena, at->name, STR(" has no properties")));
}

static struct schema_type *indexed_step(struct step_place *at, struct schema_type *type,
                                        const struct access_step *step)
{
    struct arena *arena = at->checker->arena;
    const char *via = "";
    str detail = STR("Index property access is only allowed on Maps and Lists");

    if (type->kind == TYPE_ARRAY && step->kind == ACCESS_INDEX)
        return type->element;
    if (type->kind == TYPE_MAP && step->kind == ACCESS_KEY)
        return type->element;
    if ((type->kind == TYPE_OBJECT || type->kind == TYPE_RESOURCE) && step->kind == ACCESS_KEY)
        return named_step(at, type, step);
    if (type->kind == TYPE_ARRAY)
        via = " via string", detail = STR("Index via string is only allowed on Maps");
    else if (type->kind == TYPE_MAP)
        via = " via number", detail = STR("Index via number is only allowed on Arrays");
    return step_complain(at,
                         arena_printf(arena, "Cannot index%s into '" STR_FMT "' (type " STR_FMT ")",
                                      via, STR_ARG(at->name),
                                      STR_ARG(schema_type_text(arena, type))),
                         detail);
}

struct schema_type *checker_access_type(struct checker *checker, struct range range,
                                        const struct access *access)
{
    struct step_place at = { checker, range, access_root(access) };
    struct schema_type *type = root_type(checker, at.name);

    for (size_t i = 1; i < access->len; i++) {
        const struct access part = { access->steps, i };
        if (type->kind == TYPE_ANY || type->kind == TYPE_UNION)
            return checker_new_type(checker, TYPE_ANY);
        at.name = access_format(checker->arena, &part);
        type = access->steps[i].kind == ACCESS_NAME ? named_step(&at, type, &access->steps[i])
                                                    : indexed_step(&at, type, &access->steps[i]);
    }
    return type;
}
