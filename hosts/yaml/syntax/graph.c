/* graph.c — what a program declares, by name, in the order in which it can be evaluated. */
#include "yaml/syntax/graph.h"

#include "base/strbuf.h"
#include "model/urn.h"

void graph_init(struct graph *graph, struct arena *arena, struct program *program, str project)
{
    *graph = (struct graph){ .arena = arena, .program = program, .project = project };
}

void graph_release(struct graph *graph)
{
    map_release(&graph->resources);
    map_release(&graph->config);
    map_release(&graph->variables);
    vec_release(graph);
}

struct node *graph_find(const struct graph *graph, str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct node *node = map_find(&graph->resources, name);
    str prefix = arena_concat(&scratch, graph->project, STR(":"));

    if (!node)
        node = map_find(&graph->config, name);
    if (!node)
        node = map_find(&graph->variables, name);
    if (!node && str_starts_with(name, prefix))
        node = map_find(&graph->config, str_slice(name, prefix.len, name.len));
    return node;
}

/* --- walking --- */

static void walk_invoke(const struct invoke *invoke, expr_visit *visit, void *context)
{
    struct expr *const all[] = { invoke->arguments, invoke->parent, invoke->provider,
                                 invoke->depends_on };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i])
            expr_walk(all[i], visit, context);
}

void expr_walk(struct expr *expr, expr_visit *visit, void *context)
{
    visit(context, expr);
    switch (expr->kind) {
    case EXPR_CALL:
        if (expr->builtin == BUILTIN_ASSET_ARCHIVE) {
            for (size_t i = 0; i < expr->len; i++)
                expr_walk(expr->pairs[i].value, visit, context);
            break;
        }
        /* fall through */
    case EXPR_LIST:
        for (size_t i = 0; i < expr->len; i++)
            expr_walk(expr->items[i], visit, context);
        break;
    case EXPR_OBJECT:
        for (size_t i = 0; i < expr->len; i++) {
            expr_walk(expr->pairs[i].key, visit, context);
            expr_walk(expr->pairs[i].value, visit, context);
        }
        break;
    case EXPR_INVOKE: walk_invoke(expr->invoke, visit, context); break;
    case EXPR_LITERAL:
    case EXPR_TEXT:
    case EXPR_SYMBOL: break;
    }
}

static void graph_walk_properties(struct properties properties, expr_visit *visit, void *context)
{
    for (size_t i = 0; i < properties.len; i++)
        expr_walk(properties.items[i].value, visit, context);
}

static void walk_given(struct expr *expr, expr_visit *visit, void *context)
{
    if (expr)
        expr_walk(expr, visit, context);
}

static void walk_options(const struct resource_settings *options, expr_visit *visit, void *context)
{
    /* The reference looks at these first, in this order; it decides what is registered first. */
    struct expr *const *const first[] = {
        &options->depends_on,       &options->parent,       &options->provider,
        &options->providers,        &options->aliases,      &options->protect,
        &options->replace_with,     &options->deleted_with, &options->replacement_trigger,
        &options->env_var_mappings, &options->timeouts[0],  &options->timeouts[1],
        &options->timeouts[2],      &options->timeouts[3],
    };
    const size_t count = sizeof(first) / sizeof(first[0]);

    for (size_t i = 0; i < count; i++)
        walk_given(*first[i], visit, context);
    for (size_t row = 0; row < OPTION_COUNT; row++) {
        size_t at = 0;
        while (at < count && first[at] != &options->rows[row])
            at++;
        if (at == count && settings_has_expression(options, row))
            walk_given(options->rows[row], visit, context);
    }
}

void resource_walk(const struct resource_decl *decl, expr_visit *visit, void *context)
{
    graph_walk_properties(decl->properties, visit, context);
    graph_walk_properties(decl->get_state, visit, context);
    walk_given(decl->properties_expr, visit, context);
    walk_given(decl->get_id, visit, context);
    walk_options(&decl->options, visit, context);
}

void program_walk(const struct program *program, expr_visit *visit, void *context)
{
    for (size_t i = 0; i < program->resource_count; i++)
        resource_walk(&program->resources[i], visit, context);
    graph_walk_properties(program->variables, visit, context);
    graph_walk_properties(program->outputs, visit, context);
}

/* --- default providers --- */

static const struct resource_decl *find_default_provider(const struct program *program, str package)
{
    const struct resource_decl *found = NULL;

    for (size_t i = 0; i < program->resource_count; i++) {
        const struct resource_decl *decl = &program->resources[i];
        if (decl->default_provider && decl->default_provider->literal.boolean
            && str_equal(type_provider_package(expr_string(decl->type)), package))
            found = decl;
    }
    return found;
}

static struct expr *symbol_for(struct arena *arena, const struct resource_decl *decl)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);
    struct access *access = ARENA_NEW(arena, struct access);
    const struct access_step step = { .kind = ACCESS_NAME, .name = decl->key };

    access->steps = arena_copy_bytes(arena, &step, sizeof(step));
    access->len = 1;
    *expr = (struct expr){ .kind = EXPR_SYMBOL, .range = decl->range, .access = access };
    return expr;
}

static void complain_conflict(struct diags *diags, struct range range, const char *what, str name)
{
    diags_error(diags, range, "%s", what)->detail = arena_printf(
        diags->arena, "Try removing this option on resource \"" STR_FMT "\"", STR_ARG(name));
}

/* Where a provider, a version and a download URL are written. */
struct provider_place {
    str name;
    struct range range;
    struct expr **provider;
    struct expr **version;
    struct expr *url;
};

static void set_provider(struct graph *graph, struct provider_place place, str package,
                         struct diags *diags)
{
    const struct resource_decl *given = find_default_provider(graph->program, package);

    if (!given || *place.provider)
        return;
    if (*place.version
        && !str_equal(expr_string(*place.version), expr_string(given->options.version)))
        complain_conflict(diags, place.range, "Version conflicts with the default provider version",
                          place.name);
    if (place.url
        && !str_equal(expr_string(place.url), expr_string(given->options.plugin_download_url)))
        complain_conflict(diags, place.range,
                          "PluginDownloadURL conflicts with the default provider URL", place.name);
    *place.provider = symbol_for(graph->arena, given);
    *place.version = given->options.version;
}

static str token_package(str token)
{
    str package = token, rest;

    str_cut(token, STR(":"), &package, &rest);
    return package;
}

void graph_set_default_providers(struct graph *graph, struct diags *diags)
{
    struct program *program = graph->program;

    for (size_t i = 0; i < program->resource_count; i++) {
        struct resource_decl *decl = &program->resources[i];
        bool is_provider = type_is_provider(expr_string(decl->type));
        if (!is_provider && decl->default_provider)
            diags_error(diags, decl->default_provider->range,
                        "cannot set defaultProvider on non-provider resource");
        if (!is_provider)
            set_provider(graph,
                         (struct provider_place){ decl->key, decl->range, &decl->options.provider,
                                                  &decl->options.version,
                                                  decl->options.plugin_download_url },
                         token_package(expr_string(decl->type)), diags);
    }
    for (size_t i = 0; i < program->variables.len; i++) {
        struct property *variable = &program->variables.items[i];
        if (variable->value->kind != EXPR_INVOKE)
            continue;
        struct invoke *invoke = variable->value->invoke;
        set_provider(graph,
                     (struct provider_place){ variable->name, variable->range, &invoke->provider,
                                              &invoke->version, invoke->plugin_download_url },
                     token_package(expr_string(invoke->token)), diags);
    }
}

/* --- collecting --- */

static const char *node_kind_name(enum node_kind kind)
{
    static const char *const names[] = { "config", "pulumi", "resource", "variable" };
    return names[kind];
}

static struct map *map_of(struct graph *graph, enum node_kind kind)
{
    return kind == NODE_CONFIG     ? &graph->config
           : kind == NODE_RESOURCE ? &graph->resources
                                   : &graph->variables;
}

/* NULL, with a diagnostic, if the name is taken. */
static struct node *graph_add(struct graph *graph, enum node_kind kind, str name,
                              struct range range, struct diags *diags)
{
    static const enum node_kind kinds[] = { NODE_CONFIG, NODE_RESOURCE, NODE_VARIABLE };

    if (str_equal(name, PULUMI_NAME)) {
        diags_error(diags, range, "%s pulumi uses the reserved name pulumi", node_kind_name(kind));
        return NULL;
    }
    for (size_t i = 0; i < 3; i++) {
        const struct node *other = map_find(map_of(graph, kinds[i]), name);
        if (!other || (other->is_external && !other->config))
            continue;
        if (other->kind == kind)
            diags_error(diags, range, "found duplicate %s " STR_FMT, node_kind_name(kind),
                        STR_ARG(name));
        else
            diags_error(diags, range, "%s " STR_FMT " cannot have the same name as %s " STR_FMT,
                        node_kind_name(kind), STR_ARG(name), node_kind_name(other->kind),
                        STR_ARG(name));
        return NULL;
    }
    struct node *node = ARENA_NEW(graph->arena, struct node);
    *node = (struct node){ .kind = kind, .name = name, .range = range };
    map_put(map_of(graph, kind), name, node);
    return node;
}

/* A value that was given wins over what the program declares; it is known by its name and with its
 * project. */
static void add_external(struct graph *graph, const struct config_value *given)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str prefix = arena_concat(&scratch, graph->project, STR(":"));
    str name = str_starts_with(given->key, prefix)
                   ? str_slice(given->key, prefix.len, given->key.len)
                   : given->key;
    struct node *node = map_find(&graph->config, name);

    if (!node) {
        node = ARENA_NEW(graph->arena, struct node);
        *node = (struct node){ .kind = NODE_CONFIG, .name = name };
        map_put(&graph->config, name, node);
    }
    node->is_external = true;
    node->external = given->value;
}

static void collect_config(struct graph *graph, const struct config_value *config,
                           size_t config_len, struct diags *diags)
{
    const struct map_entry *entry;

    for (size_t i = 0; i < graph->program->config_count; i++) {
        const struct config_decl *decl = &graph->program->config[i];
        struct node *node = graph_add(graph, NODE_CONFIG, decl->key, decl->range, diags);
        if (node)
            node->config = decl;
    }
    for (size_t i = 0; i < config_len; i++)
        add_external(graph, &config[i]);
    for (size_t i = 0; map_next(&graph->config, &i, &entry);) {
        struct node *node = entry->value;
        node->mark = SORTED;
        vec_add(graph, node);
    }
}

static void graph_collect(struct graph *graph, struct diags *diags)
{
    struct program *program = graph->program;

    if (program->required_version) {
        graph->pulumi = ARENA_NEW(graph->arena, struct node);
        *graph->pulumi = (struct node){ .kind = NODE_PULUMI,
                                        .name = PULUMI_NAME,
                                        .range = program->required_version->range };
    }
    for (size_t i = 0; i < program->resource_count; i++) {
        struct node *node = graph_add(graph, NODE_RESOURCE, program->resources[i].key,
                                      program->resources[i].range, diags);
        if (node)
            node->resource = &program->resources[i];
    }
    for (size_t i = 0; i < program->variables.len; i++) {
        struct node *node = graph_add(graph, NODE_VARIABLE, program->variables.items[i].name,
                                      program->variables.items[i].range, diags);
        if (node)
            node->variable = &program->variables.items[i];
    }
}

/* --- sorting --- */

struct root {
    str name;
    struct range range;
};
struct roots {
    VEC(struct root);
};

static void add_roots(void *roots_, struct expr *expr)
{
    struct roots *roots = roots_;

    if (expr->kind == EXPR_SYMBOL)
        vec_add(roots, ((struct root){ access_root(expr->access), expr->range }));
    for (size_t i = 0; expr->kind == EXPR_TEXT && i < expr->len; i++)
        if (expr->parts[i].access)
            vec_add(roots, ((struct root){ access_root(expr->parts[i].access), expr->range }));
}

/* The search goes as deep as the longest chain of dependencies. */
enum { MAX_CHAIN = 5000 };

struct sorter {
    struct graph *graph;
    struct diags *diags;
    struct diags *missing;
    VEC(struct node *); /* entered and not left: the path to where we are */
};

static void complain_cycle(struct sorter *sorter, struct node *node, struct range range)
{
    CLEANUP(strbuf_release) struct strbuf path = { 0 };
    bool is_inside = false;

    for (size_t i = 0; i < sorter->len; i++) {
        is_inside = is_inside || sorter->items[i] == node;
        if (is_inside)
            strbuf_printf(&path, STR_FMT " -> ", STR_ARG(sorter->items[i]->name));
    }
    strbuf_add(&path, node->name);
    diags_error(sorter->diags, range,
                "circular dependency of %s '" STR_FMT "' transitively on itself",
                node_kind_name(node->kind), STR_ARG(node->name))
        ->detail = arena_copy(sorter->graph->arena, strbuf_str(&path));
}

static bool sorter_enter(struct sorter *sorter, struct node *node, struct range range);

static bool enter_roots(struct sorter *sorter, const struct roots *roots)
{
    for (size_t i = 0; i < roots->len; i++) {
        if (str_equal(roots->items[i].name, PULUMI_NAME))
            continue;
        struct node *other = graph_find(sorter->graph, roots->items[i].name);
        if (!other) {
            diags_error(sorter->missing, roots->items[i].range,
                        "resource, variable, or config value \"" STR_FMT "\" not found",
                        STR_ARG(roots->items[i].name));
            continue;
        }
        if (!sorter_enter(sorter, other, roots->items[i].range))
            return false;
    }
    return true;
}

static bool sorter_enter(struct sorter *sorter, struct node *node, struct range range)
{
    CLEANUP(vec_drop) struct roots roots = { 0 };

    if (node->mark == SORTED)
        return true;
    if (node->mark == ENTERED) {
        complain_cycle(sorter, node, range);
        return false;
    }
    if (sorter->len >= MAX_CHAIN) {
        diags_error(sorter->diags, range,
                    "more than %d declarations depend on each other in one chain", MAX_CHAIN);
        return false;
    }
    node->mark = ENTERED;
    vec_add(sorter, node);
    if (node->kind == NODE_PULUMI)
        expr_walk(sorter->graph->program->required_version, add_roots, &roots);
    else if (node->kind == NODE_RESOURCE)
        resource_walk(node->resource, add_roots, &roots);
    else if (node->kind == NODE_VARIABLE)
        expr_walk(node->variable->value, add_roots, &roots);
    if (!enter_roots(sorter, &roots))
        return false;
    sorter->len--;
    node->mark = SORTED;
    vec_add(sorter->graph, node);
    return true;
}

static void sort_map(struct sorter *sorter, const struct map *nodes)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(nodes, &i, &entry);) {
        struct node *node = entry->value;
        if (!sorter_enter(sorter, node, node->range))
            return;
    }
}

void graph_build(struct graph *graph, const struct config_value *config, size_t config_len,
                 struct diags *diags, struct diags *missing)
{
    struct sorter sorter = { .graph = graph, .diags = diags, .missing = missing };

    collect_config(graph, config, config_len, diags);
    graph_collect(graph, diags);
    if (diags->errors)
        return;
    if (!graph->pulumi || sorter_enter(&sorter, graph->pulumi, graph->pulumi->range)) {
        sort_map(&sorter, &graph->resources);
        if (!diags->errors)
            sort_map(&sorter, &graph->variables);
    }
    vec_release(&sorter);
}
