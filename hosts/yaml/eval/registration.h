/* registration.h — one resource on its way to the engine; shared by the files that put the request
 * together. */
#pragma once

#include "model/resource_options.h"
#include "yaml/eval/eval.h"

struct registration {
    struct task *task;
    struct arena *arena;
    const struct resource_decl *decl;
    str type; /* in full */
    str package_ref;
    str name;
    const struct schema_resource *schema;      /* NULL: none */
    struct registered *parent;                 /* NULL: the stack or component */
    struct registered_providers own_providers; /* by this resource's options and its parent */
    str parent_urn;
    struct requested_options options;
};

/* Fills in the options. False: one of them is wrong, or something it needs failed. Blocks. */
bool registration_options(struct registration *reg);

/* Inputs as they go to the engine, and which resources each depends on. */
bool registration_inputs(struct registration *reg, struct value inputs, bool keeps_outputs,
                         str *bytes, struct strs *dependencies,
                         struct property_dependencies *by_property);
