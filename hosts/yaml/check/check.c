/* check.c — finds what is wrong with a program before anything is registered. */
#include "yaml/check/check.h"

#include "base/settings.h"
#include "base/str_distance.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "yaml/check/checker.h"
#include "yaml/syntax/syntax.h"

/* --- keys that mean nothing --- */

static const char *const resource_keys[] = { "type",    "name", "defaultProvider", "properties",
                                             "options", "get",  "condition",       "metadata" };
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
enum { FAR = 4, MOST_SHOWN = 5 };

static bool has_key(const char *const *keys, size_t len, str key)
{
    for (size_t i = 0; i < len; i++)
        if (str_same_letters(str_from(keys[i]), key))
            return true;
    return false;
}

/* Where the key may have been meant to be. */
struct place {
    str name;
    str key;
    size_t distance;
};

static void nearest_consider(struct place *best, str place, str key, str wanted)
{
    size_t distance = str_distance(key, wanted, STR_LETTERS_EXACT, FAR);

    if (distance < best->distance)
        *best = (struct place){ place, key, distance };
}

static void complain_key(struct checker *checker, const struct resource_decl *decl, str type,
                         const struct schema_resource *resource, const struct yaml_node *key)
{
    struct place best = { .distance = FAR };
    struct option_keys options;
    str detail = STR("");

    syntax_option_keys(&options);
    for (size_t i = 0; resource && i < resource->inputs.len; i++)
        nearest_consider(&best, STR("properties"), resource->inputs.items[i].name, key->text);
    for (size_t i = 0; i < options.len; i++)
        nearest_consider(&best, STR("options"), str_from(options.names[i]), key->text);
    nearest_consider(&best, STR("get"), STR("id"), key->text);
    nearest_consider(&best, STR("get"), STR("state"), key->text);
    for (size_t i = 0; i < COUNT(resource_keys); i++)
        nearest_consider(&best, decl->key, str_from(resource_keys[i]), key->text);
    if (best.distance == 0)
        detail = arena_printf(checker->arena, "'" STR_FMT "' exists under " STR_FMT,
                              STR_ARG(key->text), STR_ARG(best.name));
    else if (best.distance < FAR)
        detail = arena_printf(checker->arena, "Did you mean '" STR_FMT "' under '" STR_FMT "'?",
                              STR_ARG(best.key), STR_ARG(best.name));
    diags_error(checker->diags, node_range(decl->range.source, key),
                "Resource " STR_FMT " has invalid key '" STR_FMT "'", STR_ARG(type),
                STR_ARG(key->text))
        ->detail = detail;
}

static void check_resource_keys(struct checker *checker, const struct resource_decl *decl, str type,
                                const struct schema_resource *resource)
{
    struct option_keys keys;
    str names[OPTION_COUNT + 1];

    syntax_option_keys(&keys);
    for (size_t i = 0; decl->body->kind == YAML_MAPPING && i < decl->body->len; i++)
        if (!has_key(resource_keys, COUNT(resource_keys), decl->body->pairs[i].key->text))
            complain_key(checker, decl, type, resource, decl->body->pairs[i].key);
    for (size_t i = 0; i < keys.len; i++)
        names[i] = str_from(keys.names[i]);
    const struct yaml_node *options = decl->options_node;
    for (size_t i = 0; options && options->kind == YAML_MAPPING && i < options->len; i++) {
        const struct yaml_node *key = options->pairs[i].key;
        if (has_key(keys.names, keys.len, key->text))
            continue;
        diags_error(checker->diags, node_range(decl->range.source, key),
                    STR_FMT " does not exist on resource options", STR_ARG(key->text))
            ->detail =
            arena_concat(checker->arena, STR("Existing fields are: "),
                         suggestion_list(checker->arena, names, keys.len, key->text, MOST_SHOWN));
    }
}

/* --- resources --- */

static void check_fits(struct checker *checker, const struct expr *expr, struct schema_type *to)
{
    if (!expr || checker->ignores_types)
        return;
    struct schema_type *from = checker_type_of(checker, expr);
    struct mismatch *mismatch = checker_mismatch(checker, expr, from, to);
    if (mismatch)
        checker_report(checker, expr->range, to, from, mismatch);
}

static bool has_properties(const struct resource_decl *decl)
{
    return decl->properties.len || decl->properties_expr;
}

static void check_get(struct checker *checker, const struct resource_decl *decl)
{
    bool is_read = decl->get_id || decl->get_state.len;

    if (is_read && has_properties(decl))
        diags_error(checker->diags, decl->range,
                    "Resource fields properties and get are mutually exclusive")
            ->detail = STR("Properties describe a resource that this program manages.\n"
                           "Get describes one that is managed elsewhere.");
    else if (decl->get_state.len && !decl->get_id)
        diags_error(checker->diags, decl->range, "a resource that is read needs get.id");
}

static void check_values(struct checker *checker, const struct resource_decl *decl,
                         const struct schema_resource *resource)
{
    struct schema_type to = { .kind = TYPE_OBJECT,
                              .token = resource->token,
                              .properties = &resource->inputs };
    struct schema_type *from = decl->properties_expr
                                   ? checker_type_of(checker, decl->properties_expr)
                                   : checker_properties_type(checker, decl->properties);
    struct mismatch *mismatch = NULL;
    struct range range = decl->properties_range.line ? decl->properties_range : decl->body_range;

    if (decl->properties_expr) {
        mismatch = checker_mismatch(checker, decl->properties_expr, from, &to);
    } else if (!decl->get_id && decl->properties_range.line) {
        mismatch =
            checker_object_mismatch(checker, decl->properties, range, &to, resource->inputs, true);
    }
    if (mismatch)
        checker_report(checker, range, &to, from, mismatch);
    to.properties = &resource->outputs;
    mismatch = decl->get_state.len ? checker_object_mismatch(
                   checker, decl->get_state, decl->body_range, &to, resource->outputs, false)
                                   : NULL;
    if (mismatch)
        checker_report(checker, decl->body_range, &to,
                       checker_properties_type(checker, decl->get_state), mismatch);
}

static struct schema_type *new_list(struct checker *checker, struct schema_type *element)
{
    struct schema_type *list = checker_new_type(checker, TYPE_ARRAY);

    list->element = element;
    return list;
}

/* A URN, or what makes one. */
static struct schema_type *alias_type(struct checker *checker)
{
    static const char *const names[] = { "name",  "noParent", "parent", "project",
                                         "stack", "type",     "urn" };
    struct schema_type *text = checker_new_type(checker, TYPE_STRING),
                       *object = checker_new_type(checker, TYPE_OBJECT);
    struct schema_type *either = checker_new_type(checker, TYPE_UNION);
    struct schema_type **members = ARENA_ARRAY(checker->arena, struct schema_type *, 2);
    struct schema_property *properties =
        ARENA_ARRAY(checker->arena, struct schema_property, COUNT(names));

    for (size_t i = 0; i < COUNT(names); i++)
        properties[i] = (struct schema_property){ .name = str_from(names[i]), .type = text };
    properties[1].type = checker_new_type(checker, TYPE_BOOL);
    object->properties =
        arena_copy_bytes(checker->arena, &(struct schema_properties){ properties, COUNT(names) },
                         sizeof(struct schema_properties));
    members[0] = text;
    members[1] = object;
    either->members = members;
    either->len = 2;
    return either;
}

static void check_options(struct checker *checker, const struct resource_decl *decl)
{
    struct schema_type *text = checker_new_type(checker, TYPE_STRING),
                       *map = checker_new_type(checker, TYPE_MAP);

    map->element = text;
    check_fits(checker, decl->get_id, text);
    check_fits(checker, decl->options.env_var_mappings, map);
    if (decl->options.aliases)
        check_fits(checker, decl->options.aliases, new_list(checker, alias_type(checker)));
}

static void check_resource(struct checker *checker, const struct resource_decl *decl)
{
    const struct schema_resource *resource = NULL;
    struct found_token found;

    if (!decl->type) {
        diags_error(checker->diags, decl->body_range,
                    "Required field 'type' is missing on resource \"" STR_FMT "\"",
                    STR_ARG(decl->key));
        return;
    }
    struct error *failure = schemas_resource(
        checker->schemas, expr_string(decl->type), expr_string(decl->options.version),
        expr_string(decl->options.plugin_download_url), &found, &resource);
    if (failure) {
        diags_error(checker->diags, decl->type->range,
                    "error resolving type of resource " STR_FMT ": " STR_FMT, STR_ARG(decl->key),
                    STR_ARG(error_message(failure)));
        error_free(failure);
        return;
    }
    check_get(checker, decl);
    if (resource && !checker->ignores_types)
        check_values(checker, decl, resource);
    check_resource_keys(checker, decl, found.full, resource);
    check_options(checker, decl);
}

/* --- expressions --- */

static void check_arguments(struct checker *checker, const struct invoke *invoke,
                            const struct schema_function *function)
{
    str *names = ARENA_ARRAY(checker->arena, str, function->inputs.len + 1);

    for (size_t i = 0; i < function->inputs.len; i++)
        names[i] = function->inputs.items[i].name;
    for (size_t i = 0; invoke->arguments && i < invoke->arguments->len; i++) {
        const struct expr *key = invoke->arguments->pairs[i].key;
        if (!expr_is_string(key) || schema_property(function->inputs, expr_string(key)))
            continue;
        diags_warn(checker->diags, key->range, STR_FMT " does not exist on Invoke " STR_FMT,
                   STR_ARG(expr_string(key)), STR_ARG(function->token))
            ->detail = arena_concat(checker->arena, STR("Existing fields are: "),
                                    suggestion_list(checker->arena, names, function->inputs.len,
                                                    expr_string(key), MOST_SHOWN));
    }
}

static void check_result(struct checker *checker, const struct invoke *invoke,
                         const struct schema_function *function)
{
    str wanted = expr_string(invoke->result);
    str *names = ARENA_ARRAY(checker->arena, str, function->outputs.len + 1);

    if (wanted.len == 0)
        return;
    if (function->result) {
        diags_error(checker->diags, invoke->result->range,
                    "fn::invoke has a non-object return value")
            ->detail = arena_printf(checker->arena,
                                    "cannot specify property '" STR_FMT "' for function " STR_FMT,
                                    STR_ARG(wanted), STR_ARG(function->token));
        return;
    }
    for (size_t i = 0; i < function->outputs.len; i++)
        names[i] = function->outputs.items[i].name;
    if (!schema_property(function->outputs, wanted))
        diags_error(checker->diags, invoke->result->range, STR_FMT " does not exist on " STR_FMT,
                    STR_ARG(wanted), STR_ARG(expr_string(invoke->token)))
            ->detail = arena_concat(
            checker->arena, STR("Existing properties are: "),
            suggestion_list(checker->arena, names, function->outputs.len, wanted, MOST_SHOWN));
}

static void check_invoke(struct checker *checker, const struct expr *expr)
{
    const struct invoke *invoke = expr->invoke;
    const struct schema_function *function = NULL;
    struct found_token found;
    struct error *failure =
        schemas_function(checker->schemas, expr_string(invoke->token), expr_string(invoke->version),
                         expr_string(invoke->plugin_download_url), &found, &function);

    if (failure) {
        diags_error(checker->diags, expr->range, STR_FMT, STR_ARG(error_message(failure)));
        error_free(failure);
    }
    if (!function)
        return;
    check_arguments(checker, invoke, function);
    check_result(checker, invoke, function);
}

static void check_call(struct checker *checker, const struct expr *expr)
{
    struct schema_type *text = checker_new_type(checker, TYPE_STRING);

    if (expr->builtin == BUILTIN_JOIN || expr->builtin == BUILTIN_SPLIT)
        check_fits(checker, expr->items[0], text);
    if (expr->builtin == BUILTIN_SPLIT)
        check_fits(checker, expr->items[1], text);
    if (expr->builtin != BUILTIN_SELECT)
        return;
    check_fits(checker, expr->items[0], checker_new_type(checker, TYPE_INTEGER));
    check_fits(checker, expr->items[1], new_list(checker, checker_new_type(checker, TYPE_ANY)));
}

static void check_expr(void *checker_, struct expr *expr)
{
    struct checker *checker = checker_;

    if (expr->kind == EXPR_CALL)
        check_call(checker, expr);

    if (expr->kind == EXPR_INVOKE)
        check_invoke(checker, expr);
    if (expr->kind == EXPR_SYMBOL)
        checker_access_type(checker, expr->range, expr->access);
    for (size_t i = 0; expr->kind == EXPR_TEXT && i < expr->len; i++)
        if (expr->parts[i].access)
            checker_access_type(checker, expr->range, expr->parts[i].access);
}

void check_program(struct arena *arena, struct graph *graph, struct schemas *schemas,
                   struct diags *diags)
{
    struct checker checker = { .arena = arena, .graph = graph, .schemas = schemas, .diags = diags };

    checker.ignores_types = settings_bool("PULUMI_DEBUG_YAML_DISABLE_TYPE_CHECKING");
    checker_learn_types(&checker);
    for (size_t i = 0; i < graph->program->resource_count; i++)
        check_resource(&checker, &graph->program->resources[i]);
    program_walk(graph->program, check_expr, &checker);
    map_release(&checker.types);
    map_release(&checker.composites);
    map_release(&checker.verdicts);
}
