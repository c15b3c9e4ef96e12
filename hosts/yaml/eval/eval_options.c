/* eval_options.c — the options of a resource. */
#include "yaml/eval/registration.h"

#include "model/signatures.h"
#include "model/urn.h"
#include "proto/message.h"
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
static void put_provider_fields(struct registration *reg)
{
    Pb__RegisterResourceRequest *request = &reg->request;
    str package = type_package(reg->type);

    request->provider = message_cstr(reg->arena, STR(""));
    for (size_t i = 0; i < reg->own_providers.len; i++) {
        const struct registered *provider = reg->own_providers.items[i];
        if (str_equal(type_provider_package(provider->type), package))
            request->provider = message_cstr(reg->arena, registered_provider(reg->arena, provider));
    }
    if (!reg->schema || !reg->schema->is_component)
        return;
    request->providers = ARENA_ARRAY(reg->arena, Pb__StringEntry *, reg->own_providers.len + 1);
    for (size_t i = 0; i < reg->own_providers.len; i++) {
        Pb__StringEntry *entry = ARENA_NEW(reg->arena, Pb__StringEntry);
        pb__string_entry__init(entry);
        entry->key =
            message_cstr(reg->arena, type_provider_package(reg->own_providers.items[i]->type));
        entry->value =
            message_cstr(reg->arena, registered_provider(reg->arena, reg->own_providers.items[i]));
        request->providers[request->n_providers++] = entry;
    }
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

static bool alias_text(struct registration *reg, const struct expr *expr, char **out)
{
    struct value value;
    struct taint taint = { 0 };

    if (!eval_plain(reg->task, expr, &value, &taint))
        return false;
    if (value.kind != VALUE_STRING)
        return task_fail(reg->task, expr->range, "unable to convert %s into string",
                         value_kind_text(value));
    *out = message_cstr(reg->arena, value_text(value));
    return true;
}

static bool alias_parent(struct registration *reg, const struct expr *expr, Pb__Alias__Spec *spec)
{
    struct value value;
    struct taint taint = { 0 };

    if (!eval_plain(reg->task, expr, &value, &taint))
        return false;
    if (value.kind != VALUE_REFERENCE && value.kind != VALUE_STRING)
        return task_fail(reg->task, expr->range, "expected a resource or string, found %s",
                         value_kind_text(value));
    spec->parent_case = PB__ALIAS__SPEC__PARENT_PARENT_URN;
    spec->parent_urn = message_cstr(reg->arena, value.kind == VALUE_STRING ? value_text(value)
                                                                           : value.reference->urn);
    return true;
}

static bool alias_field(struct registration *reg, str key, const struct expr *expr,
                        Pb__Alias *alias, Pb__Alias__Spec *spec)
{
    struct value value;

    if (str_equal(key, STR("urn"))) {
        alias->alias_case = PB__ALIAS__ALIAS_URN;
        return alias_text(reg, expr, &alias->urn);
    }
    if (str_equal(key, STR("name")))
        return alias_text(reg, expr, &spec->name);
    if (str_equal(key, STR("type")))
        return alias_text(reg, expr, &spec->type);
    if (str_equal(key, STR("stack")))
        return alias_text(reg, expr, &spec->stack);
    if (str_equal(key, STR("project")))
        return alias_text(reg, expr, &spec->project);
    if (str_equal(key, STR("parent")))
        return alias_parent(reg, expr, spec);
    if (!str_equal(key, STR("noParent")))
        return true;
    if (!eval_expr(reg->task, expr, &value))
        return false;
    if (value.kind == VALUE_BOOL && value.boolean) {
        spec->parent_case = PB__ALIAS__SPEC__PARENT_NO_PARENT;
        spec->no_parent = true;
    }
    return true;
}

static Pb__Alias *new_alias(struct registration *reg, Pb__Alias__Spec **spec)
{
    Pb__Alias *alias = ARENA_NEW(reg->arena, Pb__Alias);

    *spec = ARENA_NEW(reg->arena, Pb__Alias__Spec);
    pb__alias__init(alias);
    pb__alias__spec__init(*spec);
    return alias;
}

static void add_alias(struct registration *reg, Pb__Alias *alias, Pb__Alias__Spec *spec)
{
    if (alias->alias_case != PB__ALIAS__ALIAS_URN) {
        alias->alias_case = PB__ALIAS__ALIAS_SPEC;
        alias->spec = spec;
    }
    reg->request.aliases[reg->request.n_aliases++] = alias;
}

static bool put_alias(struct registration *reg, const struct expr *expr)
{
    Pb__Alias__Spec *spec;
    Pb__Alias *alias = new_alias(reg, &spec);

    if (expr->kind != EXPR_OBJECT) {
        alias->alias_case = PB__ALIAS__ALIAS_URN;
        if (!alias_text(reg, expr, &alias->urn))
            return false;
    }
    for (size_t i = 0; expr->kind == EXPR_OBJECT && i < expr->len; i++)
        if (!alias_field(reg, expr_string(expr->pairs[i].key), expr->pairs[i].value, alias, spec))
            return false;
    add_alias(reg, alias, spec);
    return true;
}

/* A resource of a component had no prefix in its name once; so that it is found again, unless a
 * sibling is called like that. */
static void put_component_alias(struct registration *reg)
{
    struct evaluator *evaluator = reg->task->evaluator;
    const struct program *program = evaluator->graph->program;
    str plain = str_slice(reg->name, evaluator->component_name.len + 1, reg->name.len);
    Pb__Alias__Spec *spec;
    Pb__Alias *alias = new_alias(reg, &spec);

    for (size_t i = 0; i < program->resource_count; i++) {
        const struct resource_decl *sibling = &program->resources[i];
        str name = expr_string(sibling->name).len ? expr_string(sibling->name) : sibling->key;
        if (sibling != reg->decl && str_equal(name, reg->name))
            return;
    }
    alias->alias_case = PB__ALIAS__ALIAS_URN;
    alias->urn = message_cstr(reg->arena, urn_make(reg->arena, urn_stack_of(evaluator->parent),
                                                   urn_project_of(evaluator->parent),
                                                   evaluator->parent, reg->type, plain));
    add_alias(reg, alias, spec);
}

static bool put_aliases(struct registration *reg)
{
    const struct expr *list = reg->decl->options.aliases;
    size_t given = list && list->kind == EXPR_LIST ? list->len : 0;
    size_t known = reg->schema ? reg->schema->alias_count : 0;

    reg->request.aliases = ARENA_ARRAY(reg->arena, Pb__Alias *, given + known + 2);
    for (size_t i = 0; i < given; i++)
        if (!put_alias(reg, list->items[i]))
            return false;
    if (reg->task->evaluator->component_name.len)
        put_component_alias(reg);
    for (size_t i = 0; i < known; i++) {
        Pb__Alias__Spec *spec;
        Pb__Alias *alias = new_alias(reg, &spec);
        spec->type = message_cstr(reg->arena, reg->schema->alias_types[i]);
        add_alias(reg, alias, spec);
    }
    return true;
}

/* --- the rest --- */

static bool put_timeouts(struct registration *reg)
{
    static const char *const names[] = { "create", "update", "delete", "read" };
    struct expr *const *given = reg->decl->options.timeouts;
    Pb__CustomTimeouts *timeouts = ARENA_NEW(reg->arena, Pb__CustomTimeouts);
    pb__custom_timeouts__init(timeouts);
    char **const places[] = { &timeouts->create, &timeouts->update, &timeouts->delete_,
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
        *places[i] = message_cstr(reg->arena, value_text(value));
        reg->request.custom_timeouts = timeouts;
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
    message_put(&reg->request, protect, value.boolean);
    return true;
}

static bool put_mappings(struct registration *reg)
{
    const struct expr *expr = reg->decl->options.env_var_mappings;
    Pb__RegisterResourceRequest *request = &reg->request;
    struct value value;

    if (!expr)
        return true;
    if (!eval_expr(reg->task, expr, &value))
        return false;
    if (value.kind != VALUE_OBJECT)
        return fail(reg, expr, "envVarMappings must be an object with string values");
    request->env_var_mappings = ARENA_ARRAY(reg->arena, Pb__StringEntry *, value.len + 1);
    for (uint32_t i = 0; i < value.len; i++) {
        Pb__StringEntry *entry = ARENA_NEW(reg->arena, Pb__StringEntry);
        if (value.members[i].value.kind != VALUE_STRING)
            return task_fail(reg->task, expr->range,
                             "envVarMappings value for key \"" STR_FMT "\" must be a string",
                             STR_ARG(value.members[i].key));
        pb__string_entry__init(entry);
        entry->key = message_cstr(reg->arena, value.members[i].key);
        entry->value = message_cstr(reg->arena, value_text(value.members[i].value));
        request->env_var_mappings[request->n_env_var_mappings++] = entry;
    }
    return true;
}

/* A resource that is replaced with what its trigger is made of depends on that, too. */
static bool put_trigger(struct registration *reg)
{
    const struct expr *expr = reg->decl->options.replacement_trigger;
    struct taint taint = { 0 };
    struct value value;
    str bytes;

    if (!expr)
        return true;
    if (!eval_expr(reg->task, expr, &value))
        return false;
    output_dependencies(reg->arena, value, &taint);
    reg->depends_on =
        strs_union(reg->arena, reg->depends_on, (struct strs){ taint.dependencies, taint.len });
    struct error *failure = engine_marshal_value(&reg->task->evaluator->engine, reg->arena, value,
                                                 ENGINE_VALUES, &bytes);
    if (failure)
        return task_broken(reg->task, failure);
    message_put_bytes(&reg->request, replacement_trigger, bytes);
    return true;
}

static bool put_related(struct registration *reg)
{
    const struct resource_settings *options = &reg->decl->options;
    struct registered *resource;
    struct strs urns;

    if (options->depends_on
        && !eval_resource_list(reg->task, options->depends_on, "dependsOn", &reg->depends_on, NULL))
        return false;
    if (options->replace_with) {
        if (!eval_resource_list(reg->task, options->replace_with, "replaceWith", &urns, NULL))
            return false;
        message_put_strs(reg->arena, &reg->request, replace_with, urns);
    }
    if (options->deleted_with) {
        if (!eval_resource_option(reg->task, options->deleted_with, &resource))
            return false;
        reg->request.deleted_with = message_cstr(reg->arena, resource->urn);
    }
    return true;
}

/* What is in both lists is there twice: such lists are kept in the state as they are sent. */
static struct strs literals_then(struct arena *arena, struct strs given, struct strs schema)
{
    str *items = ARENA_ARRAY(arena, str, given.len + schema.len + 1);

    for (size_t i = 0; i < given.len + schema.len; i++)
        items[i] = i < given.len ? given.items[i] : schema.items[i - given.len];
    return (struct strs){ items, given.len + schema.len };
}

static void put_literals(struct registration *reg)
{
    const struct resource_settings *options = &reg->decl->options;
    Pb__RegisterResourceRequest *request = &reg->request;

    struct strs hidden = literals(reg->arena, options->additional_secret_outputs);
    struct strs replacing = literals(reg->arena, options->replace_on_changes);

    if (reg->schema) {
        hidden = literals_then(reg->arena, hidden, secret_outputs(reg->arena, reg->schema));
        replacing =
            literals_then(reg->arena, replacing, schema_replace_paths(reg->arena, reg->schema));
    }
    message_put_strs(reg->arena, request, additional_secret_outputs, hidden);
    message_put_strs(reg->arena, request, replace_on_changes, replacing);
    message_put_strs(reg->arena, request, ignore_changes,
                     literals(reg->arena, options->ignore_changes));
    message_put_strs(reg->arena, request, hide_diffs, literals(reg->arena, options->hide_diffs));
    request->version = message_cstr(reg->arena, expr_string(options->version));
    request->plugin_download_url =
        message_cstr(reg->arena, expr_string(options->plugin_download_url));
    request->import_id = message_cstr(reg->arena, expr_string(options->import));
    if (options->delete_before_replace) {
        request->delete_before_replace = options->delete_before_replace->literal.boolean;
        request->delete_before_replace_defined = true;
    }
    if (options->retain_on_delete)
        message_put(request, retain_on_delete, options->retain_on_delete->literal.boolean);
}

bool registration_options(struct registration *reg)
{
    const struct expr *parent = reg->decl->options.parent;

    if (parent && !eval_resource_option(reg->task, parent, &reg->parent))
        return false;
    if (!put_providers(reg) || !put_aliases(reg) || !put_timeouts(reg) || !put_related(reg)
        || !put_protect(reg) || !put_trigger(reg) || !put_mappings(reg))
        return false;
    put_literals(reg);
    put_provider_fields(reg);
    reg->request.parent =
        message_cstr(reg->arena, reg->parent ? reg->parent->urn : reg->task->evaluator->parent);
    return true;
}
