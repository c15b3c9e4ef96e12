/* syntax_program.c — the declarations of a program. */
#include "yaml/syntax/syntax.h"

static bool program_complain(struct syntax *syntax, const struct yaml_node *node, const char *what,
                             const char *shape)
{
    diags_error(syntax->diags, node_range(syntax->source, node), "%s must be %s", what, shape);
    return false;
}

static const char *join_names(struct syntax *syntax, const char *name, str key)
{
    return arena_printf(syntax->arena, "%s." STR_FMT, name, STR_ARG(key)).ptr;
}

/* --- options --- */

void syntax_option_keys(struct option_keys *out)
{
    *out = (struct option_keys){ .names = { "parent" }, .rows = { SIZE_MAX }, .len = 1 };
    for (size_t row = 0; row < OPTION_COUNT; row++) {
        const char *name = option_yaml_key(&option_rows[row]);
        if (!name)
            continue;
        out->names[out->len] = name;
        out->rows[out->len++] = row;
    }
}

/* A provider is a resource here; whether to protect may depend on something. */
bool settings_has_expression(const struct resource_settings *settings, size_t row)
{
    struct expr *const *place = &settings->rows[row];

    switch (option_rows[row].kind) {
    case KIND_URN:
    case KIND_URNS:
    case KIND_VALUE:
    case KIND_ALIASES:
    case KIND_PAIRS:
    case KIND_BYTE_PAIRS: return true;
    case KIND_BOOL: return place == &settings->protect;
    case KIND_TEXT: return place == &settings->provider;
    case KIND_TEXTS:
    case KIND_FRAMES:
    case KIND_PROPERTIES:
    case KIND_DEPENDENCIES:
    case KIND_TIMEOUTS:
    case KIND_HOOKS:
    case FIELD_KINDS: break;
    }
    return false;
}

static struct expr *syntax_read_strings(struct syntax *syntax, const struct yaml_node *node,
                                        const char *what)
{
    struct expr *list = expr_new(syntax, EXPR_LIST, node);
    bool is_good = true;

    if (node->kind != YAML_SEQUENCE) {
        program_complain(syntax, node, what, "a list");
        return NULL;
    }
    list->len = node->len;
    list->items = ARENA_ARRAY(syntax->arena, struct expr *, node->len + 1);
    for (size_t i = 0; i < node->len; i++) {
        list->items[i] = syntax_string(syntax, node->items[i],
                                       arena_printf(syntax->arena, "%s[%zu]", what, i).ptr);
        is_good = is_good && list->items[i];
    }
    return is_good ? list : NULL;
}

static void syntax_read_timeouts(struct syntax *syntax, const struct yaml_node *node,
                                 struct expr **timeouts)
{
    static const char *const names[] = { "create", "update", "delete", "read", NULL };

    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, "customTimeouts", "an object");
        return;
    }
    for (size_t i = 0; i < node->len; i++) {
        int field = syntax_field(syntax, node->pairs[i].key, names, "customTimeouts");
        if (field >= 0)
            timeouts[field] = expr_read(syntax, node->pairs[i].value);
    }
}

static void read_option(struct syntax *syntax, const struct yaml_node *node, const char *name,
                        size_t row, struct resource_settings *settings)
{
    struct expr **place = row == SIZE_MAX ? &settings->parent : &settings->rows[row];

    if (row == SIZE_MAX || settings_has_expression(settings, row))
        *place = expr_read(syntax, node);
    else if (option_rows[row].kind == KIND_BOOL)
        *place = syntax_bool(syntax, node, name);
    else if (place == &settings->version)
        *place = syntax_version(syntax, node);
    else if (option_rows[row].kind == KIND_TEXT)
        *place = syntax_string(syntax, node, name);
    else if (option_rows[row].kind == KIND_TEXTS)
        *place = syntax_read_strings(syntax, node, name);
    else if (option_rows[row].kind == KIND_TIMEOUTS)
        syntax_read_timeouts(syntax, node, settings->timeouts);
    else
        BUG_IF(true); /* the list gives such an option no key in YAML */
}

static void syntax_read_options(struct syntax *syntax, const struct yaml_node *node,
                                struct resource_decl *out)
{
    struct option_keys keys;

    syntax_option_keys(&keys);
    out->options_node = node;
    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, "options", "an object");
        return;
    }
    for (size_t i = 0; i < node->len; i++) {
        int field = syntax_field(syntax, node->pairs[i].key, keys.names, "options");
        if (field >= 0)
            read_option(syntax, node->pairs[i].value, keys.names[field], keys.rows[field],
                        &out->options);
    }
}

/* --- maps of expressions --- */

static void syntax_read_properties(struct syntax *syntax, const struct yaml_node *node,
                                   const char *name, struct properties *out)
{
    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, name, "an object");
        return;
    }
    out->items = ARENA_ARRAY(syntax->arena, struct property, node->len + 1);
    for (size_t i = 0; i < node->len; i++) {
        struct expr *value = expr_read(syntax, node->pairs[i].value);
        if (!value)
            continue;
        out->items[out->len++] = (struct property){
            .name = node->pairs[i].key->text,
            .range = node_range(syntax->source, node->pairs[i].key),
            .value = value,
        };
    }
}

/* --- resources --- */

static void read_get(struct syntax *syntax, const struct yaml_node *node, struct resource_decl *out)
{
    static const char *const names[] = { "id", "state", NULL };

    out->get_node = node;
    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, "get", "an object");
        return;
    }
    for (size_t i = 0; i < node->len; i++) {
        int field = syntax_field(syntax, node->pairs[i].key, names, "get");
        if (field == 0)
            out->get_id = expr_read(syntax, node->pairs[i].value);
        else if (field == 1)
            syntax_read_properties(syntax, node->pairs[i].value, "state", &out->get_state);
    }
}

static void read_resource_field(struct syntax *syntax, int field, const struct yaml_node *node,
                                struct resource_decl *out)
{
    switch (field) {
    case 0: out->type = syntax_string(syntax, node, "type"); break;
    case 1: out->name = syntax_string(syntax, node, "name"); break;
    case 2: out->default_provider = syntax_bool(syntax, node, "defaultProvider"); break;
    case 3:
        out->properties_range = node_range(syntax->source, node);
        if (node->kind == YAML_MAPPING)
            syntax_read_properties(syntax, node, "properties", &out->properties);
        else
            out->properties_expr = expr_read(syntax, node);
        break;
    case 4: syntax_read_options(syntax, node, out); break;
    case 5: read_get(syntax, node, out); break;
    default: break;
    }
}

static void syntax_read_resource(struct syntax *syntax, const struct yaml_pair *pair,
                                 const char *name, struct resource_decl *out)
{
    static const char *const names[] = { "type", "name", "defaultProvider", "properties", "options",
                                         "get",  NULL };
    const struct yaml_node *body = pair->value;
    const char *label = join_names(syntax, name, pair->key->text);

    *out = (struct resource_decl){
        .key = pair->key->text,
        .range = node_range(syntax->source, pair->key),
        .body_range = node_range(syntax->source, body),
        .body = body,
    };
    if (body->kind != YAML_MAPPING) {
        program_complain(syntax, body, label, "an object");
        return;
    }
    for (size_t i = 0; i < body->len; i++)
        read_resource_field(syntax, syntax_field(syntax, body->pairs[i].key, names, label),
                            body->pairs[i].value, out);
}

static void syntax_read_resources(struct syntax *syntax, const struct yaml_node *node,
                                  struct program *out)
{
    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, "resources", "an object");
        return;
    }
    out->resources = ARENA_ARRAY(syntax->arena, struct resource_decl, node->len + 1);
    out->resource_count = node->len;
    for (size_t i = 0; i < node->len; i++)
        syntax_read_resource(syntax, &node->pairs[i], "resources", &out->resources[i]);
}

/* --- configuration --- */

static void read_config_body(struct syntax *syntax, const struct yaml_node *node, const char *label,
                             struct config_decl *out)
{
    static const char *const names[] = {
        "type", "name", "secret", "default", "value", "items", NULL
    };

    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, label, "an object");
        return;
    }
    for (size_t i = 0; i < node->len; i++) {
        const struct yaml_node *value = node->pairs[i].value;
        switch (syntax_field(syntax, node->pairs[i].key, names, label)) {
        case 0: out->type = syntax_string(syntax, value, "type"); break;
        case 1: out->name = syntax_string(syntax, value, "name"); break;
        case 2: out->secret = syntax_bool(syntax, value, "secret"); break;
        case 3: out->default_value = expr_read(syntax, value); break;
        case 4: out->value = expr_read(syntax, value); break;
        case 5:
            out->items = ARENA_NEW(syntax->arena, struct config_decl);
            read_config_body(syntax, value, "items", out->items);
            break;
        default: break;
        }
    }
}

static bool program_has_config(const struct program *program, str key)
{
    for (size_t i = 0; i < program->config_count; i++)
        if (str_equal(program->config[i].key, key))
            return true;
    return false;
}

/* Adds to what is there; the first of equal keys wins. */
static void syntax_read_config(struct syntax *syntax, const struct yaml_node *node,
                               const char *name, struct program *out)
{
    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, name, "an object");
        return;
    }
    struct config_decl *all =
        ARENA_ARRAY(syntax->arena, struct config_decl, out->config_count + node->len + 1);
    if (out->config_count)
        memcpy(all, out->config, out->config_count * sizeof(*all));
    out->config = all;
    for (size_t i = 0; i < node->len; i++) {
        struct config_decl *decl = &all[out->config_count];
        const struct yaml_pair *pair = &node->pairs[i];
        if (program_has_config(out, pair->key->text))
            continue;
        decl->key = pair->key->text;
        decl->range = node_range(syntax->source, pair->key);
        if (pair->value->kind == YAML_MAPPING)
            read_config_body(syntax, pair->value, join_names(syntax, name, decl->key), decl);
        else
            decl->value = expr_read(syntax, pair->value);
        out->config_count++;
    }
}

/* --- the whole --- */

static void read_pulumi(struct syntax *syntax, const struct yaml_node *node, struct program *out)
{
    static const char *const names[] = { "requiredVersion", NULL };

    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, "pulumi", "an object");
        return;
    }
    for (size_t i = 0; i < node->len; i++)
        if (syntax_field(syntax, node->pairs[i].key, names, "pulumi") == 0)
            out->required_version = expr_read(syntax, node->pairs[i].value);
}

static void read_component(struct syntax *syntax, const struct yaml_pair *pair,
                           struct component_decl *out)
{
    static const char *const names[] = { "name",      "description", "pulumi",  "inputs",
                                         "variables", "resources",   "outputs", NULL };
    struct program *body = ARENA_NEW(syntax->arena, struct program);
    const char *label = join_names(syntax, "components", pair->key->text);

    *out = (struct component_decl){ pair->key->text, node_range(syntax->source, pair->key), body };
    body->source = syntax->source;
    if (pair->value->kind != YAML_MAPPING) {
        program_complain(syntax, pair->value, label, "an object");
        return;
    }
    for (size_t i = 0; i < pair->value->len; i++) {
        const struct yaml_node *value = pair->value->pairs[i].value;
        switch (syntax_field(syntax, pair->value->pairs[i].key, names, label)) {
        case 0: body->name = syntax_string(syntax, value, "name"); break;
        case 1: body->description = syntax_string(syntax, value, "description"); break;
        case 2: read_pulumi(syntax, value, body); break;
        case 3: syntax_read_config(syntax, value, "inputs", body); break;
        case 4: syntax_read_properties(syntax, value, "variables", &body->variables); break;
        case 5: syntax_read_resources(syntax, value, body); break;
        case 6: syntax_read_properties(syntax, value, "outputs", &body->outputs); break;
        default: break;
        }
    }
}

static void read_components(struct syntax *syntax, const struct yaml_node *node,
                            struct program *out)
{
    if (node->kind != YAML_MAPPING) {
        program_complain(syntax, node, "components", "an object");
        return;
    }
    out->components = ARENA_ARRAY(syntax->arena, struct component_decl, node->len + 1);
    out->component_count = node->len;
    for (size_t i = 0; i < node->len; i++)
        read_component(syntax, &node->pairs[i], &out->components[i]);
}

static void read_field(struct syntax *syntax, int field, const struct yaml_node *node,
                       struct program *out)
{
    switch (field) {
    case 0: out->name = syntax_string(syntax, node, "name"); break;
    case 1: out->namespace = syntax_string(syntax, node, "namespace"); break;
    case 2: out->description = syntax_string(syntax, node, "description"); break;
    case 3: out->version = syntax_string(syntax, node, "version"); break;
    case 4: read_pulumi(syntax, node, out); break;
    case 5: syntax_read_config(syntax, node, "config", out); break;
    case 7: syntax_read_properties(syntax, node, "variables", &out->variables); break;
    case 8: syntax_read_resources(syntax, node, out); break;
    case 9: syntax_read_properties(syntax, node, "outputs", &out->outputs); break;
    case 10: read_components(syntax, node, out); break;
    default: break;
    }
}

/* Aliases are not part of this language, and keys are text. */
static void check_tree(struct syntax *syntax, const struct yaml_node *node)
{
    if (node->is_alias) {
        diags_error(syntax->diags, node_range(syntax->source, node),
                    "alias nodes are not supported");
        return;
    }
    for (size_t i = 0; node->kind == YAML_SEQUENCE && i < node->len; i++)
        check_tree(syntax, node->items[i]);
    for (size_t i = 0; node->kind == YAML_MAPPING && i < node->len; i++) {
        const struct yaml_pair *pair = &node->pairs[i];
        enum yaml_type type = yaml_resolve(pair->key).type;
        if (pair->is_merged)
            diags_error(syntax->diags, node_range(syntax->source, node),
                        "alias nodes are not supported");
        else if (pair->key->kind != YAML_SCALAR || (type != YAML_STRING && type != YAML_TIMESTAMP))
            diags_error(syntax->diags, node_range(syntax->source, pair->key),
                        "mapping keys must be strings");
        check_tree(syntax, pair->value);
    }
}

static void read_root(struct syntax *syntax, const struct yaml_node *root, struct program *out)
{
    static const char *const names[] = { "name",      "namespace", "description",   "version",
                                         "pulumi",    "config",    "configuration", "variables",
                                         "resources", "outputs",   "components",    NULL };
    const struct yaml_node *configuration = NULL;

    for (size_t i = 0; i < root->len; i++) {
        int field = syntax_field(syntax, root->pairs[i].key, names, NULL);
        if (field == 6)
            configuration = root->pairs[i].value;
        read_field(syntax, field, root->pairs[i].value, out);
    }
    if (!configuration)
        return;
    syntax_read_config(syntax, configuration, "configuration",
                       out); /* after `config`, which wins */
    diags_warn(syntax->diags, (struct range){ 0 },
               "Pulumi.yaml: root-level `configuration` field is deprecated; please use `config` "
               "instead.");
}

struct program *program_read(struct arena *arena, const struct source *source, struct diags *diags)
{
    struct syntax syntax = { arena, source, diags };
    struct program *program = ARENA_NEW(arena, struct program);
    struct yaml_node *root = NULL;
    struct error *failure = yaml_read(arena, source->text, &root);

    program->source = source;
    if (failure) {
        diags_error(diags, (struct range){ 0 }, STR_FMT ": " STR_FMT, STR_ARG(source->name),
                    STR_ARG(error_message(failure)));
        error_free(failure);
        return program;
    }
    if (root->kind != YAML_MAPPING) {
        diags_error(diags, (struct range){ 0 }, "Top level of '" STR_FMT "' must be an object",
                    STR_ARG(source->name));
        return program;
    }
    check_tree(&syntax, root);
    if (diags->errors == 0)
        read_root(&syntax, root, program);
    return program;
}
