/* program.h — what a YAML program declares: configuration, variables, resources, outputs,
 * components. */
#pragma once

#include "model/resource_options.h"
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

/* The options of a resource: a member for each of model/resource_fields.def. Every one may be
 * NULL. */
struct resource_settings {
    struct expr *parent;
    struct expr *timeouts[4]; /* create, update, delete, read of custom_timeouts */
    union {
        struct {
#define OPTION(member, ...) struct expr *member;
#define REQUEST(member, ...) struct expr *member;
#include "model/resource_fields.def"
        };
        struct expr *rows[OPTION_COUNT]; /* the same, in the order of option_rows */
    };
};

/* Is this option any expression? Others are literals. */
bool settings_has_expression(const struct resource_settings *settings, size_t row);

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
