/* language_sdk.h — SDKs of packages: language hosts make, pack and link them. */
#pragma once

#include "base/strs.h"
#include "plugin/language.h"

struct sdk_order {
    str folder; /* where the SDK goes; it is made */
    str schema; /* JSON */
    bool is_local;
    struct pairs extra_files; /* path → content */
    str loader_address;       /* of whom the host asks for the schemas of other packages */
};

struct sdk_outcome {
    bool is_implemented; /* false: the host does not do that */
    struct strs warnings;
};

/* Writes code (or whatever the language has instead) for the package of a schema. What the host
 * finds wrong with the schema is the error, a line each. Blocks. */
fallible language_generate_package(struct language *language, const struct sdk_order *order,
                                   struct arena *arena, struct sdk_outcome *out);

/* Makes of an SDK what package managers install, below `destination`. *artifact is its path.
 * Blocks. */
fallible language_pack(struct language *language, str folder, str destination, struct arena *arena,
                       str *artifact);

struct linked_sdk {
    const struct package_ref *package;
    str path; /* from the root of the program */
};
/* Makes SDKs known to a program; *instructions says how it imports them. *is_implemented is false
 * if the host does not do that. Blocks. */
fallible language_link(struct language *language, const struct program_info *program,
                       const struct linked_sdk *sdks, size_t count, str loader_address,
                       struct arena *arena, str *instructions, bool *is_implemented);
