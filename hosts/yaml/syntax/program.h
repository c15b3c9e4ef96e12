/* program.h — what a YAML program declares: configuration, variables, resources, outputs,
 * components. */
#pragma once

#include "yaml/syntax/expr.h"

struct property {
    str name;
    struct range range; /* of the name */
    struct expr *value;
};
struct properties {
    struct property *items;
    size_t len;
};

struct config_decl {
    str key;
    struct range range;
    struct expr *type;
    struct expr *name;
    struct expr *secret;
    struct expr *default_value;
    struct expr *value;
    struct config_decl *items;
};

/* Every member may be NULL. */
struct resource_settings {
    struct expr *additional_secret_outputs; /* lists of literal strings: these, … */
    struct expr *ignore_changes;
    struct expr *replace_on_changes;
    struct expr *hide_diffs;
    struct expr *aliases;
    struct expr *timeouts[4];           /* create, update, delete, read */
    struct expr *delete_before_replace; /* literals */
    struct expr *retain_on_delete;
    struct expr *import;
    struct expr *version;
    struct expr *plugin_download_url;
    struct expr *depends_on; /* anything */
    struct expr *parent;
    struct expr *protect;
    struct expr *provider;
    struct expr *providers;
    struct expr *replace_with;
    struct expr *deleted_with;
    struct expr *replacement_trigger;
    struct expr *env_var_mappings;
};

struct resource_decl {
    str key;
    struct range range;      /* of the key */
    struct range body_range; /* of what is under it */
    const struct yaml_node *body;
    struct expr *type; /* NULL: missing, which is an error */
    struct expr *name;
    struct expr *default_provider;
    struct properties properties;
    struct expr *properties_expr; /* instead of properties */
    struct range properties_range;
    struct resource_settings options;
    const struct yaml_node *options_node;
    const struct yaml_node *get_node; /* NULL: not to be read */
    struct expr *get_id;
    struct properties get_state;
};

struct program;

struct component_decl {
    str name;
    struct range range;
    struct program *body; /* its config are the inputs */
};

struct program {
    const struct source *source;
    struct expr *name; /* each may be NULL */
    struct expr *namespace;
    struct expr *description;
    struct expr *version;
    struct expr *required_version;
    struct config_decl *config;
    size_t config_count;
    struct properties variables;
    struct resource_decl *resources;
    size_t resource_count;
    struct properties outputs;
    struct component_decl *components;
    size_t component_count;
};
