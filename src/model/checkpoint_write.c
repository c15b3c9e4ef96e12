/* checkpoint_write.c — a snapshot out, as a stack file or an exported deployment. */
#include "model/checkpoint_parts.h"

#include "model/resource_fields.h"

#include <stdlib.h>

const char *const feature_names[FEATURES] = {
    [FEATURE_BYTE_STRING] = "byteString",
    [FEATURE_EXTENSIONS] = "extensionParameterization",
    [FEATURE_HOOKS] = "hooks",
    [FEATURE_REFRESH_BEFORE_UPDATE] = "refreshBeforeUpdate",
    [FEATURE_REPLACE_WITH] = "replaceWith",
    [FEATURE_SNIPPETS] = "snippets-prototype",
    [FEATURE_TAINT] = "taint",
    [FEATURE_VIEWS] = "views",
};

/* --- features --- */

bool resource_has_byte_string(const struct resource *resource)
{
    return resource_contains(resource, value_contains_byte_string);
}

static bool has_hooks(const struct resource *resource)
{
    return !field_ops[KIND_HOOKS].is_empty(&resource->options.hooks);
}

/* What is sealed may be a byte string if there were any when it was read. */
static bool may_have_byte_string(const struct snapshot *snapshot, const struct resource *resource)
{
    return resource_has_byte_string(resource)
           || (snapshot->had_byte_strings && resource_contains(resource, value_contains_sealed));
}

static void note_features(const struct snapshot *snapshot, const struct resource *resource,
                          bool features[FEATURES])
{
    features[FEATURE_EXTENSIONS] |= resource->options.extension_ref.len > 0;
    features[FEATURE_HOOKS] |= has_hooks(resource);
    features[FEATURE_REFRESH_BEFORE_UPDATE] |= resource->refreshes_before_update;
    features[FEATURE_REPLACE_WITH] |= resource->options.replace_with.len > 0;
    features[FEATURE_SNIPPETS] |= resource->options.snippet_id.len > 0;
    features[FEATURE_TAINT] |= resource->is_tainted;
    features[FEATURE_VIEWS] |= resource->view_of.len > 0;
    if (!features[FEATURE_BYTE_STRING])
        features[FEATURE_BYTE_STRING] = may_have_byte_string(snapshot, resource);
}

static void find_features(const struct snapshot *snapshot, bool features[FEATURES])
{
    features[FEATURE_SNIPPETS] = snapshot->snippets.len > 0;
    for (size_t i = 0; i < snapshot->resource_count; i++)
        note_features(snapshot, snapshot->resources[i], features);
    for (size_t i = 0; i < snapshot->pending_count && !features[FEATURE_BYTE_STRING]; i++)
        features[FEATURE_BYTE_STRING] =
            may_have_byte_string(snapshot, snapshot->pending[i].resource);
}

void version_write(struct json_writer *writer, const struct snapshot *snapshot)
{
    bool features[FEATURES] = { false };
    bool has_any = false;

    find_features(snapshot, features);
    for (int i = 0; i < FEATURES; i++)
        has_any |= features[i];
    json_key(writer, STR("version"));
    json_integer(writer, has_any ? 4 : 3);
    if (!has_any)
        return;
    json_key(writer, STR("features"));
    json_begin_array(writer);
    for (int i = 0; i < FEATURES; i++)
        if (features[i])
            json_string(writer, str_from(feature_names[i]));
    json_end_array(writer);
}

/* --- raw JSON --- */

void token_write(struct json_writer *writer, const struct json_token *token)
{
    switch (token->kind) {
    case JSON_NULL: json_null(writer); return;
    case JSON_TRUE:
    case JSON_FALSE: json_bool(writer, token->kind == JSON_TRUE); return;
    case JSON_NUMBER: json_raw(writer, token->text); return;
    case JSON_STRING: json_string(writer, token->text); return;
    case JSON_KEY: json_key(writer, token->text); return;
    case JSON_OBJECT_BEGIN: json_begin_object(writer); return;
    case JSON_OBJECT_END: json_end_object(writer); return;
    case JSON_ARRAY_BEGIN: json_begin_array(writer); return;
    case JSON_ARRAY_END: json_end_array(writer); return;
    case JSON_END: return;
    }
}

fallible raw_copy(struct json_writer *writer, str json)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token token = { 0 };

    json_reader_init(&reader, &scratch, json);
    do {
        TRY(json_next(&reader, &token));
        token_write(writer, &token);
    } while (token.kind != JSON_END);
    return NULL;
}

void raw_write(struct json_writer *writer, str json)
{
    struct error *error = raw_copy(writer, json);
    BUG_IF(error);
}

/* --- the parts of a deployment --- */

static void checkpoint_write_text(struct json_writer *writer, str key, str text)
{
    json_key(writer, key);
    json_string(writer, text);
}

void secrets_provider_write(struct json_writer *writer, str type, str state)
{
    bool escapes_html = writer->escapes_html;

    json_begin_object(writer);
    checkpoint_write_text(writer, STR("type"), type);
    if (state.len) {
        json_key(writer, STR("state"));
        writer->escapes_html = true; /* as the reference has it here, and nowhere else */
        raw_write(writer, state);
        writer->escapes_html = escapes_html;
    }
    json_end_object(writer);
}

void extension_write(struct json_writer *writer, const struct extension *extension)
{
    json_begin_object(writer);
    checkpoint_write_text(writer, STR("name"), extension->name);
    checkpoint_write_text(writer, STR("version"), extension->version);
    checkpoint_write_text(writer, STR("value"), extension->value);
    json_end_object(writer);
}

void pending_write(struct json_writer *writer, const struct pending_operation *pending,
                   enum secret_form form, unsigned skipped_flags)
{
    json_begin_object(writer);
    json_key(writer, STR("resource"));
    resource_write_without(writer, pending->resource, form, skipped_flags);
    checkpoint_write_text(writer, STR("type"), str_from(pending_names[pending->kind]));
    json_end_object(writer);
}

/* An empty text is no time: the reference would refuse the file. */
#define NO_TIME STR("0001-01-01T00:00:00Z")

static void checkpoint_write_manifest(struct json_writer *writer, const struct snapshot *snapshot)
{
    json_begin_object(writer);
    checkpoint_write_text(writer, STR("time"), snapshot->time.len ? snapshot->time : NO_TIME);
    checkpoint_write_text(writer, STR("magic"), snapshot->magic);
    checkpoint_write_text(writer, STR("version"), snapshot->version);
    json_end_object(writer);
}

static int compare_refs(const void *a, const void *b)
{
    return str_compare(((const struct extension *)a)->ref, ((const struct extension *)b)->ref);
}

static void write_extensions(struct json_writer *writer, const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    size_t count = snapshot->extension_count;
    struct extension *sorted =
        arena_copy_bytes(&scratch, snapshot->extensions, count * sizeof(*sorted));

    qsort(sorted, count, sizeof(*sorted), compare_refs);
    json_begin_object(writer);
    for (size_t i = 0; i < count; i++) {
        json_key(writer, sorted[i].ref);
        extension_write(writer, &sorted[i]);
    }
    json_end_object(writer);
}

static void write_resources(struct json_writer *writer, const struct snapshot *snapshot,
                            enum secret_form form)
{
    json_begin_array(writer);
    for (size_t i = 0; i < snapshot->resource_count; i++)
        resource_write_without(writer, snapshot->resources[i], form, FIELD_PASSING);
    json_end_array(writer);
}

static void write_pending(struct json_writer *writer, const struct snapshot *snapshot,
                          enum secret_form form)
{
    json_begin_array(writer);
    for (size_t i = 0; i < snapshot->pending_count; i++)
        pending_write(writer, &snapshot->pending[i], form, FIELD_PASSING);
    json_end_array(writer);
}

void deployment_parts_write(struct json_writer *writer, const struct snapshot *snapshot,
                            enum secret_form form)
{
    json_begin_object(writer);
    json_key(writer, STR("manifest"));
    checkpoint_write_manifest(writer, snapshot);
    if (snapshot->secrets_type.len) {
        json_key(writer, STR("secrets_providers"));
        secrets_provider_write(writer, snapshot->secrets_type, snapshot->secrets_state);
    }
    if (snapshot->resource_count) {
        json_key(writer, STR("resources"));
        write_resources(writer, snapshot, form);
    }
    if (snapshot->pending_count) {
        json_key(writer, STR("pending_operations"));
        write_pending(writer, snapshot, form);
    }
    json_key(writer, STR("metadata"));
    raw_write(writer, snapshot->metadata.len ? snapshot->metadata : STR("{}"));
    if (snapshot->snippets.len) {
        json_key(writer, STR("snippets"));
        raw_write(writer, snapshot->snippets);
    }
    if (snapshot->extension_count) {
        json_key(writer, STR("extensions"));
        write_extensions(writer, snapshot);
    }
    json_end_object(writer);
}

/* --- the envelopes --- */

static void write_version(struct json_writer *writer, int version)
{
    json_key(writer, STR("version"));
    json_integer(writer, version);
}

void checkpoint_write(struct json_writer *writer, str stack, const struct snapshot *snapshot)
{
    json_begin_object(writer);
    if (snapshot)
        version_write(writer, snapshot);
    else
        write_version(writer, 0);
    json_key(writer, STR("checkpoint"));
    json_begin_object(writer);
    checkpoint_write_text(writer, STR("stack"), stack);
    if (snapshot) {
        json_key(writer, STR("latest"));
        deployment_parts_write(writer, snapshot, SECRET_CIPHERTEXT);
    }
    json_end_object(writer);
    json_end_object(writer);
}

void deployment_write(struct json_writer *writer, const struct snapshot *snapshot,
                      enum secret_form form)
{
    json_begin_object(writer);
    if (snapshot)
        version_write(writer, snapshot);
    else
        write_version(writer, 3);
    json_key(writer, STR("deployment"));
    if (snapshot)
        deployment_parts_write(writer, snapshot, form);
    else
        json_null(writer);
    json_end_object(writer);
}
