/* eval_options.c — the options of a resource. */
#include "yaml/eval/registration.h"

#include "model/signatures.h"
#include "model/urn.h"
#include "yaml/eval/wire.h"

static bool fail(struct registration *reg, const struct expr *expr, const char *text)
{
    return task_fail(reg->task, expr->range, "%s", text);
}

/* --- options that name resources --- */

static bool find_resource(struct task *task, struct range range, struct value value,
                          struct registered **out)
{
    if (value.kind != VALUE_REFERENCE)
        return task_fail(task, range, "expected resource, got %s", value_kind_text(value));
    *out = map_find(&task->evaluator->by_urn, value.reference->urn);
    return *out || eval_get_resource(task, range, value.reference, out);
}

bool eval_resource_option(struct task *task, const struct expr *expr, struct registered **out)
{
    struct value value;

    if (!eval_expr(task, expr, &value))
        return false;
    if (output_has(value))
        return task_fail(task, expr->range, "resource cannot be an output");
    return find_resource(task, expr->range, value, out);
}

bool eval_resource_list(struct task *task, const struct expr *expr, const char *option,
                        struct strs *urns, struct registered ***out)
{
    struct arena *arena = task->evaluator->arena;
    struct value value;

    if (!eval_expr(task, expr, &value))
        return false;
    if (output_has(value))
        return task_fail(task, expr->range,
                         "resource option %s value must be a list of resource, not an output",
                         option);
    if (value.kind != VALUE_ARRAY)
        return task_fail(task, expr->range, "resource option %s value must be a list of resources",
                         option);
    struct registered **resources = ARENA_ARRAY(arena, struct registered *, value.len + 1);
    str *names = ARENA_ARRAY(arena, str, value.len + 1);
    for (uint32_t i = 0; i < value.len; i++) {
        if (!find_resource(task, expr->range, value.items[i], &resources[i]))
            return false;
        names[i] = resources[i]->urn;
    }
    *urns = (struct strs){ names, value.len };
    if (out)
        *out = resources;
    return true;
}

str registered_provider(struct arena *arena, const struct registered *resource)
{
    return provider_ref_format(arena, resource->urn,
                               resource->id.kind == VALUE_STRING ? value_text(resource->id)
                                                                 : UNKNOWN_STRING_TEXT);
}

/* --- providers --- */

static bool not_a_provider(struct registration *reg, const struct expr *expr,
                           const struct registered *given)
{
    return task_fail(reg->task, expr->range,
                     "resource passed as Provider was not a provider resource '" STR_FMT "'",
                     STR_ARG(given->name));
}

static void add_provider(struct registration *reg, struct registered *provider)
{
    struct registered_providers *all = &reg->own_providers;
    struct registered **items = ARENA_ARRAY(reg->arena, struct registered *, all->len + 1);
    size_t len = 0;

    for (size_t i = 0; i < all->len; i++)
        if (!str_equal(all->items[i]->type, provider->type))
            items[len++] = all->items[i];
    items[len++] = provider;
    *all = (struct registered_providers){ items, len };
}

static bool put_providers(struct registration *reg)
{
    const struct resource_settings *options = &reg->decl->options;
    struct registered **listed = NULL;
    struct registered *given = NULL;
    struct strs urns = { 0 };

    reg->own_providers = reg->parent ? reg->parent->providers : reg->task->evaluator->providers;
    if (options->providers
        && !eval_resource_list(reg->task, options->providers, "providers", &urns, &listed))
        return false;
    for (size_t i = 0; i < urns.len; i++) {
        if (!listed[i]->is_provider)
            return not_a_provider(reg, options->providers, listed[i]);
        add_provider(reg, listed[i]);
    }
    if (options->provider && !eval_resource_option(reg->task, options->provider, &given))
        return false;
    if (given && !given->is_provider)
        return not_a_provider(reg, options->provider, given);
    if (given)
        add_provider(reg, given);
    return true;
}

/* A custom resource has one provider, that of its package; a component is given all of them. */
static void put_provider_options(struct registration *reg)
{
    struct requested_options *options = &reg->options;
    str package = type_package(reg->type);
    struct pair *pairs = ARENA_ARRAY(reg->arena, struct pair, reg->own_providers.len);

    for (size_t i = 0; i < reg->own_providers.len; i++) {
        const struct registered *provider = reg->own_providers.items[i];
        pairs[i] = (struct pair){ type_provider_package(provider->type),
                                  registered_provider(reg->arena, provider) };
        if (str_equal(pairs[i].key, package))
            options->provider = pairs[i].value;
    }
    if (reg->schema && reg->schema->is_component)
        options->providers = (struct pairs){ pairs, reg->own_providers.len };
}

/* --- lists of names --- */

static struct strs literals(struct arena *arena, const struct expr *list)
{
    str *items = ARENA_ARRAY(arena, str, (list ? list->len : 0) + 1);

    for (size_t i = 0; list && i < list->len; i++)
        items[i] = expr_string(list->items[i]);
    return (struct strs){ items, list ? list->len : 0 };
}

static struct strs secret_outputs(struct arena *arena, const struct schema_resource *schema)
{
    str *items = ARENA_ARRAY(arena, str, schema->outputs.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < schema->outputs.len; i++)
        if (schema->outputs.items[i].is_secret)
            items[len++] = schema->outputs.items[i].name;
    return (struct strs){ items, len };
}

/* --- aliases --- */

static bool alias_text(struct registration *reg, const struct expr *expr, str *out)
{
    struct value value;
    struct taint taint = { 0 };

    if (!eval_plain(reg->task, expr, &value, &taint))
        return false;
    if (value.kind != VALUE_STRING)
        return task_fail(reg->task, expr->range, "unable to convert %s into string",
                         value_kind_text(value));
    *out = value_text(value);
    return true;
}

static bool alias_parent(struct registration *reg, const struct expr *expr, struct alias *alias)
{
    struct value value;
    struct taint taint = { 0 };

    if (!eval_plain(reg->task, expr, &value, &taint))
        return false;
    if (value.kind != VALUE_REFERENCE && value.kind != VALUE_STRING)
        return task_fail(reg->task, expr->range, "expected a resource or string, found %s",
                         value_kind_text(value));
    alias->parent = value.kind == VALUE_STRING ? value_text(value) : value.reference->urn;
    return true;
}

static bool alias_no_parent(struct registration *reg, const struct expr *expr, struct alias *alias)
{
    struct value value;

    if (!eval_expr(reg->task, expr, &value))
        return false;
    if (value.kind == VALUE_BOOL && value.boolean)
        alias->gives_no_parent = alias->has_no_parent = true;
    return true;
}

static bool alias_field(struct registration *reg, str key, const struct expr *expr,
                        struct alias *alias)
{
    if (str_equal(key, STR("urn"))) {
        alias->is_spec = false;
        return alias_text(reg, expr, &alias->urn);
    }
    if (str_equal(key, STR("name")))
        return alias_text(reg, expr, &alias->name);
    if (str_equal(key, STR("type")))
        return alias_text(reg, expr, &alias->type);
    if (str_equal(key, STR("stack")))
        return alias_text(reg, expr, &alias->stack);
    if (str_equal(key, STR("project")))
        return alias_text(reg, expr, &alias->project);
    if (str_equal(key, STR("parent")))
        return alias_parent(reg, expr, alias);
    return str_equal(key, STR("noParent")) ? alias_no_parent(reg, expr, alias) : true;
}

static bool put_alias(struct registration *reg, const struct expr *expr, struct alias *out)
{
    if (expr->kind != EXPR_OBJECT)
        return alias_text(reg, expr, &out->urn);
    out->is_spec = true;
    for (size_t i = 0; i < expr->len; i++)
        if (!alias_field(reg, expr_string(expr->pairs[i].key), expr->pairs[i].value, out))
            return false;
    if (out->parent.len && out->has_no_parent)
        return fail(reg, expr,
                    "alias can specify Parent, ParentURN or NoParent but not more then one");
    return true;
}

/* A resource of a component had no prefix in its name once; so that it is found again, unless a
 * sibling is called like that. */
static bool find_component_alias(struct registration *reg, struct alias *out)
{
    struct evaluator *evaluator = reg->task->evaluator;
    const struct program *program = evaluator->graph->program;
    str plain = str_slice(reg->name, evaluator->component_name.len + 1, reg->name.len);

    for (size_t i = 0; i < program->resource_count; i++) {
        const struct resource_decl *sibling = &program->resources[i];
        str name = expr_string(sibling->name).len ? expr_string(sibling->name) : sibling->key;
        if (sibling != reg->decl && str_equal(name, reg->name))
            return false;
    }
    out->urn = urn_make(reg->arena, urn_stack_of(evaluator->parent),
                        urn_project_of(evaluator->parent), evaluator->parent, reg->type, plain);
    return true;
}

static bool put_aliases(struct registration *reg)
{
    const struct expr *list = reg->decl->options.aliases;
    size_t given = list && list->kind == EXPR_LIST ? list->len : 0;
    size_t known = reg->schema ? reg->schema->alias_count : 0, len = 0;
    struct alias *aliases = ARENA_ARRAY(reg->arena, struct alias, given + known + 1);

    for (size_t i = 0; i < given; i++)
        if (!put_alias(reg, list->items[i], &aliases[len++]))
            return false;
    if (reg->task->evaluator->component_name.len && find_component_alias(reg, &aliases[len]))
        len++;
    for (size_t i = 0; i < known; i++)
        aliases[len++] = (struct alias){ .is_spec = true, .type = reg->schema->alias_types[i] };
    reg->options.aliases = (struct aliases){ aliases, len };
    return true;
}

/* --- timeouts and protection --- */

static bool put_timeouts(struct registration *reg)
{
    static const char *const names[] = { "create", "update", "delete", "read" };
    struct expr *const *given = reg->decl->options.timeouts;
    struct requested_timeouts *timeouts = &reg->options.custom_timeouts;
    str *const places[] = { &timeouts->create, &timeouts->update, &timeouts->delete,
                            &timeouts->read };

    for (size_t i = 0; i < 4; i++) {
        struct value value;
        if (!given[i])
            continue;
        if (!eval_expr(reg->task, given[i], &value))
            return false;
        if (value.kind != VALUE_STRING)
            return task_fail(reg->task, given[i]->range,
                             "customTimeouts.%s must be a string, got %s", names[i],
                             value_kind_text(value));
        *places[i] = value_text(value);
        reg->options.given.custom_timeouts = true;
    }
    return true;
}

static bool put_protect(struct registration *reg)
{
    const struct expr *expr = reg->decl->options.protect;
    struct value value;

    if (!expr)
        return true;
    if (!eval_expr(reg->task, expr, &value))
        return reg->task->is_poisoned
                   ? false
                   : fail(reg, expr, "couldn't evaluate the 'protect' resource option");
    if (output_has(value))
        return fail(reg, expr, "protect must be not be an output");
    if (value.kind != VALUE_BOOL)
        return fail(reg, expr, "protect must be a boolean value");
    reg->options.protect = value.boolean;
    reg->options.given.protect = true;
    return true;
}

/* --- all others, by their kind --- */

/* A resource depends on what the value is made of, too: a trigger that replaces it, say. */
static bool put_value(struct registration *reg, const struct expr *expr,
                      struct requested_value *out)
{
    struct taint taint = { 0 };
    struct value value;

    if (!eval_expr(reg->task, expr, &value))
        return false;
    output_dependencies(reg->arena, value, &taint);
    reg->options.depends_on = strs_union(reg->arena, reg->options.depends_on,
                                         (struct strs){ taint.dependencies, taint.len });
    struct error *failure = engine_marshal_value(&reg->task->evaluator->engine, reg->arena, value,
                                                 ENGINE_VALUES, &out->encoded);
    return !failure || task_broken(reg->task, failure);
}

static bool put_resource_urn(struct registration *reg, const struct expr *expr, str *out)
{
    struct registered *resource;

    if (!eval_resource_option(reg->task, expr, &resource))
        return false;
    *out = resource->urn;
    return true;
}

static bool put_pairs(struct registration *reg, const struct expr *expr, const char *option,
                      struct pairs *out)
{
    struct value value;

    if (!eval_expr(reg->task, expr, &value))
        return false;
    if (value.kind != VALUE_OBJECT)
        return task_fail(reg->task, expr->range, "%s must be an object with string values", option);
    struct pair *pairs = ARENA_ARRAY(reg->arena, struct pair, value.len);
    for (uint32_t i = 0; i < value.len; i++) {
        if (value.members[i].value.kind != VALUE_STRING)
            return task_fail(reg->task, expr->range,
                             "%s value for key \"" STR_FMT "\" must be a string", option,
                             STR_ARG(value.members[i].key));
        pairs[i] = (struct pair){ value.members[i].key, value_text(value.members[i].value) };
    }
    *out = (struct pairs){ pairs, value.len };
    return true;
}

static bool put_kind(struct registration *reg, enum field_kind kind)
{
    struct requested_options *options = &reg->options;

    for (size_t row = 0; row < OPTION_COUNT; row++) {
        const struct resource_option *option = &option_rows[row];
        const struct expr *expr = reg->decl->options.rows[row];
        void *place = (char *)options + option->place;
        bool is_good = true;
        if (option->kind != kind || !expr || place == &options->providers) /* resources here */
            continue;
        if (kind == KIND_PAIRS)
            is_good = put_pairs(reg, expr, option_yaml_key(option), place);
        else if (kind == KIND_URNS)
            is_good = eval_resource_list(reg->task, expr, option_yaml_key(option), place, NULL);
        else if (kind == KIND_URN)
            is_good = put_resource_urn(reg, expr, place);
        else if (kind == KIND_VALUE)
            is_good = put_value(reg, expr, place);
        if (!is_good)
            return false;
    }
    return true;
}

/* Options that are literals. */
static void put_literals(struct registration *reg)
{
    struct requested_options *options = &reg->options;

    for (size_t row = 0; row < OPTION_COUNT; row++) {
        const struct resource_option *option = &option_rows[row];
        const struct expr *expr = reg->decl->options.rows[row];
        void *place = (char *)options + option->place;
        if (!expr || settings_has_expression(&reg->decl->options, row))
            continue;
        if (option->kind == KIND_TEXTS)
            *(struct strs *)place = literals(reg->arena, expr);
        else if (option->kind == KIND_TEXT)
            *(str *)place = expr_string(expr);
        else if (option->kind == KIND_BOOL) {
            *(bool *)place = expr->literal.boolean;
            *((bool *)options + option->mark) = true;
        }
    }
}

/* What is in both lists is there twice: such lists are kept in the state as they are sent. */
static struct strs literals_then(struct arena *arena, struct strs given, struct strs schema)
{
    str *items = ARENA_ARRAY(arena, str, given.len + schema.len + 1);

    for (size_t i = 0; i < given.len + schema.len; i++)
        items[i] = i < given.len ? given.items[i] : schema.items[i - given.len];
    return (struct strs){ items, given.len + schema.len };
}

/* What the schema says of outputs and properties is added. */
static void add_schema(struct registration *reg)
{
    struct requested_options *options = &reg->options;

    if (!reg->schema)
        return;
    options->additional_secret_outputs = literals_then(
        reg->arena, options->additional_secret_outputs, secret_outputs(reg->arena, reg->schema));
    options->replace_on_changes = literals_then(reg->arena, options->replace_on_changes,
                                                schema_replace_paths(reg->arena, reg->schema));
}

bool registration_options(struct registration *reg)
{
    const struct expr *parent = reg->decl->options.parent;

    if (parent && !eval_resource_option(reg->task, parent, &reg->parent))
        return false;
    if (!put_providers(reg) || !put_aliases(reg) || !put_timeouts(reg) || !put_kind(reg, KIND_URNS)
        || !put_kind(reg, KIND_URN) || !put_protect(reg) || !put_kind(reg, KIND_VALUE)
        || !put_kind(reg, KIND_PAIRS))
        return false;
    put_literals(reg);
    add_schema(reg);
    put_provider_options(reg);
    reg->parent_urn = reg->parent ? reg->parent->urn : reg->task->evaluator->parent;
    return true;
}
