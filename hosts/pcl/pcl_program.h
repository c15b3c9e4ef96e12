/* pcl_program.h — a program of PCL with what the schemas of its packages say: what printers of
 * languages work on. */
#pragma once

#include "pcl/pcl.h"
#include "schema/schema.h"

/* A plugin, and how it is parameterized to be the package. */
struct pcl_package {
    str name; /* as in tokens */
    str plugin;
    str version;
    str download_url;
    str parameter_name; /* empty: it is not parameterized */
    str parameter_version;
    str parameter_value;   /* bytes */
    struct schema *schema; /* NULL: there is none */
};

struct pcl_resource {
    str variable;
    str name; /* of the resource itself */
    str token;
    bool is_component; /* local: it has no package */
    const struct pcl_package *package;
    const struct schema_resource *schema; /* NULL: unknown */
    const struct pcl_member *inputs;
    size_t input_count;
    struct pcl_body options;
    bool is_used; /* another one refers to it */
};

struct pcl_program {
    struct arena *arena;
    struct pcl_resource *resources; /* as they stand */
    const size_t *order;            /* each behind those that it refers to */
    size_t len;
    const struct pcl_package *packages;
    size_t package_count;
};

/* Gets the text of a schema; an error means that there is none. Blocks. */
struct pcl_loader {
    void *context;
    fallible (*load)(void *context, const struct pcl_package *package, struct arena *arena,
                     str *json);
};

/* Reads the text and binds it. What it has beside resources, components and packages is refused.
 * Blocks. */
fallible pcl_program_read(struct arena *arena, str text, const struct pcl_loader *loader,
                          struct pcl_program *out);
void pcl_program_release(struct pcl_program *program);

/* The type of an input; NULL: unknown. */
const struct schema_type *pcl_input_type(const struct pcl_resource *resource, str name);
/* NULL: not set. */
const struct pcl_expr *pcl_option(const struct pcl_resource *resource, const char *name);
/* Its strings are texts; those of all other options are variables that are no identifiers. */
bool pcl_option_is_text(str name);
/* The resource of that variable; NULL: it is none of the program. */
const struct pcl_resource *pcl_resource_of(const struct pcl_program *program, str variable);

/* What the members of an object or the items of a list are, if the type says so. */
const struct schema_type *pcl_member_type(const struct schema_type *type, str key);
const struct schema_type *pcl_item_type(const struct schema_type *type);
/* The member of a union that the expression is; other types are themselves. NULL: unknown. */
const struct schema_type *pcl_actual_type(const struct pcl_expr *expr,
                                          const struct schema_type *type);
/* The place of a literal among the values of an enum; SIZE_MAX: it is none of them. */
size_t pcl_enum_index(const struct pcl_expr *expr, const struct schema_type *type);
