/* checkpoint.h — a snapshot as the JSON of stack files and of `stack export`. */
#pragma once

#include "base/json.h"
#include "model/snapshot.h"
#include "model/value_json.h"

/* A stack file: {"version", "features", "checkpoint": {"stack", "latest"}}. Versions 0 to 4 are
 * read; *has_deployment is false for a stack that never had one. Text that is needed later is a
 * slice of `text` or in the arena. Errors in a text name the line, the column and the
 * resource. */
fallible checkpoint_read(struct arena *arena, str text, struct snapshot *out, bool *has_deployment);
/* Sealed secrets are required. Version 3, or 4 with the features in use. `stack` is the fully
 * qualified name. NULL snapshot: none yet. */
void checkpoint_write(struct json_writer *writer, str stack, const struct snapshot *snapshot);

/* `stack export`: {"version", "features", "deployment"}. A version that is not 1 to 4 or features
 * that are not known are returned in the last two and are no error, but then nothing is read. */
fallible deployment_read(struct arena *arena, str text, struct snapshot *out, bool *has_deployment,
                         int *version, struct strs *unknown_features);
/* NULL snapshot: {"version":3,"deployment":null}. */
void deployment_write(struct json_writer *writer, const struct snapshot *snapshot,
                      enum secret_form form);

/* The deployment alone, without its envelope. */
void deployment_parts_write(struct json_writer *writer, const struct snapshot *snapshot,
                            enum secret_form form);

/* One resource object, as in the list, with its aliases. Used by the journal and by JSON
 * displays. */
void resource_write(struct json_writer *writer, const struct resource *resource,
                    enum secret_form form);
fallible resource_read(struct json_reader *reader, struct resource **out);
