/* resource_options.h — the options of resources as rows: what each is, and what it is called in the
 * messages that have it. */
#pragma once

#include "model/goal.h"
#include "model/resource_fields.h"

/* The messages that have options, in the order of the columns of resource_fields.def. */
enum option_wire {
    WIRE_REGISTER,  /* RegisterResourceRequest */
    WIRE_TRANSFORM, /* TransformResourceOptions */
    WIRE_CONSTRUCT, /* ConstructRequest */
    WIRE_READ,      /* ReadResourceRequest */
    WIRE_HOOK,      /* ResourceOptions */
    WIRE_POLICY,    /* AnalyzerResourceOptions */
    OPTION_WIRES,
};

enum {
    OPTION_COUNT = 0
#define OPTION(...) +1
#define REQUEST(...) +1
#include "model/resource_fields.def"
};

struct resource_option {
    const char *member;
    enum field_kind kind;
    bool is_inherited;                /* by children that do not set it; a boolean or text */
    size_t place;                     /* in struct requested_options */
    size_t size;                      /* there */
    size_t mark;                      /* in struct requested_options: whether it was given */
    size_t kept_place;                /* in struct resource_options; SIZE_MAX: it is not kept */
    const char *key;                  /* in the checkpoint; NULL: not there */
    const char *fields[OPTION_WIRES]; /* see option_field() */
    const char *yaml;                 /* see option_yaml_key() */
};

extern const struct resource_option option_rows[OPTION_COUNT];

/* The name of the field in that message; NULL: it is not there. */
const char *option_field(const struct resource_option *option, enum option_wire wire);
/* The key in a YAML program; NULL: it cannot be set there. */
const char *option_yaml_key(const struct resource_option *option);

/* What a child takes from its parent where it does not set the option itself. */
void options_inherit(struct requested_options *child, const struct requested_options *parent);
/* What children may inherit, as a copy in the arena; NULL if nothing is set. */
const struct requested_options *options_bequest(struct arena *arena,
                                                const struct requested_options *options);
