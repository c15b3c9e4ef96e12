/* checkpoint_parts.h — private to the files that read and write state as JSON: the parts they
 * share. */
#pragma once

#include "model/checkpoint.h"

/* What a reader must know to understand a deployment of version 4. In the order of their names. */
enum feature {
    FEATURE_BYTE_STRING,
    FEATURE_EXTENSIONS,
    FEATURE_HOOKS,
    FEATURE_REFRESH_BEFORE_UPDATE,
    FEATURE_REPLACE_WITH,
    FEATURE_SNIPPETS,
    FEATURE_TAINT,
    FEATURE_VIEWS,
    FEATURES,
};
extern const char *const feature_names[FEATURES];

/* Fields that a version did not have yet are not read; what was implied then is filled in. */
fallible resource_read_version(struct json_reader *reader, int version, struct resource **out);
/* Leaves out the fields that have one of these enum field_flags. */
void resource_write_without(struct json_writer *writer, const struct resource *resource,
                            enum secret_form form, unsigned skipped_flags);

/* {"resource", "type"} */
fallible pending_read(struct json_reader *reader, int version, struct pending_operation *out);
void pending_write(struct json_writer *writer, const struct pending_operation *pending,
                   enum secret_form form, unsigned skipped_flags);

/* {"type", "state"} */
fallible secrets_provider_read(struct json_reader *reader, str *type, str *state);
void secrets_provider_write(struct json_writer *writer, str type, str state);

/* {"name", "version", "value"} */
fallible extension_read(struct json_reader *reader, struct extension *out);
void extension_write(struct json_writer *writer, const struct extension *extension);

/* The value that `reader` is at, compact, or nothing if it is null. */
fallible raw_read(struct json_reader *reader, str *out);
/* A token of some reader, as it is. */
void token_write(struct json_writer *writer, const struct json_token *token);
/* JSON text, in the layout of the writer; the second is for what raw_read gave or we made. */
fallible raw_copy(struct json_writer *writer, str json);
void raw_write(struct json_writer *writer, str json);

/* Of a deployment of that version. */
fallible deployment_parts_read(struct json_reader *reader, int version, struct snapshot *out);

/* "version" and, if the snapshot uses any, "features". */
void version_write(struct json_writer *writer, const struct snapshot *snapshot);
bool resource_has_byte_string(const struct resource *resource);
