/* import_program.h — the program that declares what was imported, in PCL: the language that every
 * language host reads. */
#pragma once

#include "base/map.h"
#include "base/pairs.h"
#include "base/vec.h"
#include "model/package_ref.h"
#include "model/snapshot.h"
#include "schema/schema.h"

/* A resource that was imported: its variable in the program is made from `name`. */
struct import_name {
    str name;
    str urn;
};

struct import_program {
    struct arena *arena;
    const struct snapshot *snapshot;
    const struct import_name *imports; /* in the order of the list */
    size_t import_count;
    struct pairs table; /* variable → URN of what the program has already */
    void *context;
    /* NULL if the package has none: its resources are then printed as the state has them. Blocks.
     */
    fallible (*find_schema)(void *context, const struct package_ref *package, struct schema **out);
    /* What the program lacks, for the user; NULL: nobody wants to know. */
    void (*note)(void *context, str text);
};

/* Empty if the state has none of them. Blocks. */
fallible import_program_write(const struct import_program *program, str *out);
