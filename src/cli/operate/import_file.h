/* import_file.h — files that list resources to import: read by `import --file`, written by `preview
 * --import-file`. */
#pragma once

#include "base/pairs.h"
#include "cli/cli.h"
#include "engine/engine.h"

/* What is to be imported, and what programs call it. */
struct import_list {
    struct import_specs specs;
    const str *names;   /* of each: its variable in a program */
    struct pairs table; /* variable → URN of parents and providers that are there already */
};

/* Names of parents and providers become URNs, by the file's table or by the resources in it; all
 * mistakes are reported together. */
fallible import_file_read(struct arena *arena, str text, struct stack_ref stack, bool protect,
                          struct import_list *out);

/* "NAME=URN", or just a URN, whose name is then `what`. */
fallible import_spec_urn(str text, const char *what, struct pair *out);

/* What a preview would create, as the skeleton of such a file. */
struct crypter;
struct import_skeleton;
struct import_skeleton *import_skeleton_new(struct arena *arena);
void import_skeleton_release(struct import_skeleton *skeleton);
void import_skeleton_take(struct import_skeleton *skeleton, const struct event *event);
/* Secrets are sealed. */
fallible import_skeleton_text(struct import_skeleton *skeleton, struct crypter *crypter,
                              struct arena *arena, str *out);
