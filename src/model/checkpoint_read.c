/* checkpoint_read.c — a stack file or an exported deployment in, token by token, without a tree in
 * between. */
#include "model/checkpoint_parts.h"

#include "base/vec.h"

#include <math.h>

/* --- raw JSON --- */

fallible raw_read(struct json_reader *reader, str *out)
{
    CLEANUP(strbuf_release) struct strbuf compact = { 0 };
    struct json_writer writer = { .out = &compact };
    str raw;

    TRY(json_skip(reader, &raw));
    struct error *error = raw_copy(&writer, raw);
    if (error) {
        error_free(error);
        return json_fail(reader, "a number is out of range");
    }
    if (str_equal(raw, STR("null")))
        *out = STR("");
    else
        *out = str_equal(strbuf_str(&compact), raw)
                   ? raw
                   : arena_copy(reader->arena, strbuf_str(&compact));
    return NULL;
}

/* --- small objects --- */

struct secrets_provider {
    str type;
    str state;
};

static fallible checkpoint_read_raw(struct json_reader *reader, void *member)
{
    return raw_read(reader, member);
}

fallible secrets_provider_read(struct json_reader *reader, str *type, str *state)
{
    static const struct json_field fields[] = {
        JSON_FIELD("type", struct secrets_provider, type, json_field_string),
        JSON_FIELD("state", struct secrets_provider, state, checkpoint_read_raw),
        { 0 },
    };
    struct secrets_provider provider = { *type, *state };

    TRY(json_read_fields(reader, fields, &provider));
    *type = provider.type;
    *state = provider.state;
    return NULL;
}

fallible extension_read(struct json_reader *reader, struct extension *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct extension, name, json_field_string),
        JSON_FIELD("version", struct extension, version, json_field_string),
        JSON_FIELD("value", struct extension, value, json_field_string),
        { 0 },
    };

    return json_read_fields(reader, fields, out);
}

static fallible read_manifest(struct json_reader *reader, struct snapshot *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("time", struct snapshot, time, json_field_string),
        JSON_FIELD("magic", struct snapshot, magic, json_field_string),
        JSON_FIELD("version", struct snapshot, version, json_field_string),
        { 0 },
    };

    return json_read_fields(reader, fields, out);
}

static fallible read_pending_kind(struct json_reader *reader, enum pending_kind *out)
{
    str name;

    TRY(json_read_string(reader, &name));
    for (int kind = 0; kind < PENDING_KINDS; kind++) {
        if (str_equal(name, str_from(pending_names[kind]))) {
            *out = (enum pending_kind)kind;
            return NULL;
        }
    }
    return json_fail(reader, "unknown type '" STR_FMT "' of a pending operation", STR_ARG(name));
}

struct pending_reader {
    struct pending_operation pending;
    int version;
    bool has_kind;
};

static fallible pending_read_member(struct json_reader *reader, str key, void *pending_)
{
    struct pending_reader *pending = pending_;

    if (str_equal(key, STR("resource")))
        return resource_read_version(reader, pending->version, &pending->pending.resource);
    if (!str_equal(key, STR("type")))
        return json_skip(reader, NULL);
    pending->has_kind = true;
    return read_pending_kind(reader, &pending->pending.kind);
}

fallible pending_read(struct json_reader *reader, int version, struct pending_operation *out)
{
    struct pending_reader pending = { .version = version };

    TRY(json_read_members(reader, pending_read_member, &pending));
    if (!pending.pending.resource || !pending.has_kind)
        return json_fail(reader, "a pending operation needs a resource and a type");
    *out = pending.pending;
    return NULL;
}

/* --- the deployment --- */

struct resource_list {
    VEC(struct resource *);
};
struct pending_list {
    VEC(struct pending_operation);
};
struct extension_list {
    VEC(struct extension);
};

static fallible checkpoint_read_resources(struct json_reader *reader, int version,
                                          struct snapshot *out)
{
    CLEANUP(vec_drop) struct resource_list list = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        struct resource *resource;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(resource_read_version(reader, version, &resource));
        vec_add(&list, resource);
    }
    out->resources = NULL;
    out->resource_count = list.len;
    if (list.len)
        out->resources =
            arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
    snapshot_number(out);
    return NULL;
}

static fallible read_pending(struct json_reader *reader, int version, struct snapshot *out)
{
    CLEANUP(vec_drop) struct pending_list list = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        struct pending_operation pending;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(pending_read(reader, version, &pending));
        vec_add(&list, pending);
    }
    out->pending = NULL;
    out->pending_count = list.len;
    if (list.len)
        out->pending = arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
    return NULL;
}

static fallible checkpoint_read_extension(struct json_reader *reader, str key, void *list)
{
    struct extension extension = { .ref = key };

    TRY(extension_read(reader, &extension));
    vec_add((struct extension_list *)list, extension);
    return NULL;
}

static fallible read_extensions(struct json_reader *reader, struct snapshot *out)
{
    CLEANUP(vec_drop) struct extension_list list = { 0 };

    TRY(json_read_members(reader, checkpoint_read_extension, &list));
    out->extensions = NULL;
    out->extension_count = list.len;
    if (list.len)
        out->extensions =
            arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
    return NULL;
}

struct parts_reader {
    struct snapshot snapshot;
    int version;
};

static fallible read_part(struct json_reader *reader, str key, void *parts_)
{
    struct parts_reader *parts = parts_;
    struct snapshot *out = &parts->snapshot;
    int version = parts->version;

    if (str_equal(key, STR("manifest")))
        return error_wrap(read_manifest(reader, out), "manifest");
    if (str_equal(key, STR("resources")))
        return checkpoint_read_resources(reader, version, out);
    if (str_equal(key, STR("pending_operations")) && version >= 2)
        return error_wrap(read_pending(reader, version, out), "pending operation");
    if (version < 3)
        return json_skip(reader, NULL);
    if (str_equal(key, STR("secrets_providers")))
        return error_wrap(secrets_provider_read(reader, &out->secrets_type, &out->secrets_state),
                          "secrets provider");
    if (str_equal(key, STR("metadata")))
        return raw_read(reader, &out->metadata);
    if (str_equal(key, STR("snippets")))
        return raw_read(reader, &out->snippets);
    if (str_equal(key, STR("extensions")))
        return error_wrap(read_extensions(reader, out), "extensions");
    return json_skip(reader, NULL);
}

fallible deployment_parts_read(struct json_reader *reader, int version, struct snapshot *out)
{
    struct parts_reader parts = { { .metadata = STR("{}") }, version };
    struct snapshot *snapshot = &parts.snapshot;

    TRY(json_read_members(reader, read_part, &parts));
    if (str_equal(snapshot->snippets, STR("[]")))
        snapshot->snippets = STR("");
    if (snapshot->metadata.len == 0)
        snapshot->metadata = STR("{}");
    *out = *snapshot;
    return NULL;
}

/* --- the envelope --- */

enum { VERSION_UNSEEN = -1, VERSION_NEWEST = 4 };

/* What was found on the outside. */
struct envelope {
    int version;
    struct strs features;
    size_t body_at;    /* where the deployment or what is around it begins, if it had to be left for
                          later */
    bool has_body;     /* there is one */
    bool is_postponed; /* it came before the version */
    bool has_deployment; /* it has been read, and is not null */
    struct snapshot snapshot;
};

static fallible checkpoint_read_version(struct json_reader *reader, int *out)
{
    double number;

    TRY(json_read_number(reader, &number));
    if (number < 0 || number > 1000000 || number != floor(number))
        return json_fail(reader, "expected a version number");
    *out = (int)number;
    return NULL;
}

static bool feature_is_known(str feature)
{
    for (size_t i = 0; i < FEATURES; i++)
        if (str_equal(feature, str_from(feature_names[i])))
            return true;
    return false;
}

static struct strs find_unknown_features(struct arena *arena, const struct envelope *envelope)
{
    size_t len = 0;
    str *unknown = ARENA_ARRAY(arena, str, envelope->features.len);

    for (size_t i = 0; i < envelope->features.len && envelope->version >= VERSION_NEWEST; i++)
        if (!feature_is_known(envelope->features.items[i]))
            unknown[len++] = envelope->features.items[i];
    return (struct strs){ unknown, len };
}

static fallible checkpoint_read_deployment(struct json_reader *reader, struct envelope *envelope)
{
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    envelope->has_deployment = kind != JSON_NULL;
    if (kind == JSON_NULL)
        return json_skip(reader, NULL);
    int version = envelope->version < 1 ? 1 : envelope->version > 3 ? 3 : envelope->version;
    return deployment_parts_read(reader, version, &envelope->snapshot);
}

static fallible read_latest(struct json_reader *reader, void *envelope)
{
    return checkpoint_read_deployment(reader, envelope);
}

/* {"stack", "config", "latest"} */
static fallible checkpoint_read_inner(struct json_reader *reader, struct envelope *envelope)
{
    static const struct json_field fields[] = { { "latest", read_latest, 0 }, { 0 } };

    return json_read_fields(reader, fields, envelope);
}

typedef fallible read_body(struct json_reader *reader, struct envelope *envelope);

/* A format of envelope: where the body is, how it is read, and which versions it may have. */
struct format {
    str body_key;
    read_body *read;
    bool (*is_readable)(int version);
};

static fallible envelope_take_body(struct json_reader *reader, const struct format *format,
                                   struct envelope *envelope)
{
    str raw;

    envelope->has_body = true;
    if (envelope->version != VERSION_UNSEEN && format->is_readable(envelope->version))
        return format->read(reader, envelope);
    TRY(json_skip(reader, &raw));
    envelope->is_postponed = true;
    envelope->body_at = (size_t)(raw.ptr - reader->input.ptr);
    return NULL;
}

/* Goes back to a body that came before the version. Places in messages stay those of the whole
 * text. */
static fallible read_postponed(struct json_reader *outer, const struct format *format,
                               struct envelope *envelope)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    if (!envelope->is_postponed || !format->is_readable(envelope->version))
        return NULL;
    json_reader_init(&reader, outer->arena, outer->input);
    reader.at = envelope->body_at;
    return format->read(&reader, envelope);
}

struct envelope_reader {
    const struct format *format;
    struct envelope *envelope;
};

static fallible envelope_read_member(struct json_reader *reader, str key, void *context_)
{
    const struct envelope_reader *context = context_;
    struct envelope *envelope = context->envelope;

    if (str_equal(key, STR("version")))
        return checkpoint_read_version(reader, &envelope->version);
    if (str_equal(key, STR("features")))
        return json_field_strs(reader, &envelope->features);
    if (str_equal(key, context->format->body_key))
        return envelope_take_body(reader, context->format, envelope);
    return json_skip(reader, NULL);
}

static fallible read_envelope(struct json_reader *reader, const struct format *format,
                              struct envelope *envelope)
{
    struct envelope_reader context = { format, envelope };
    struct json_token token;

    TRY(json_read_members(reader, envelope_read_member, &context));
    TRY(json_next(reader, &token));
    if (envelope->version == VERSION_UNSEEN)
        envelope->version = 0;
    return NULL;
}

static bool version_is_current(int version)
{
    return version >= 1 && version <= VERSION_NEWEST;
}

/* The features may come after the body; what they say is kept whatever the order. */
static void envelope_deliver(const struct envelope *envelope, struct snapshot *out,
                             bool *has_deployment)
{
    *has_deployment = envelope->has_deployment;
    *out = envelope->snapshot;
    out->had_byte_strings =
        strs_has(envelope->features, str_from(feature_names[FEATURE_BYTE_STRING]));
}

static fallible fail_unknown_features(struct strs unknown)
{
    CLEANUP(strbuf_release) struct strbuf list = { 0 };

    for (size_t i = 0; i < unknown.len; i++) {
        strbuf_add(&list, i ? STR(", ") : STR(""));
        strbuf_add(&list, unknown.items[i]);
    }
    return error_new(ERROR_INVALID,
                     "this stack's deployment needs support for the following features: " STR_FMT,
                     STR_ARG(strbuf_str(&list)));
}

/* Before there were versions the file was what is inside the envelope now. */
static fallible read_unversioned(struct arena *arena, str text, struct envelope *envelope)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    json_reader_init(&reader, arena, text);
    return checkpoint_read_inner(&reader, envelope);
}

fallible checkpoint_read(struct arena *arena, str text, struct snapshot *out, bool *has_deployment)
{
    const struct format format = { STR("checkpoint"), checkpoint_read_inner, version_is_current };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct envelope envelope = { .version = VERSION_UNSEEN };

    json_reader_init(&reader, arena, text);
    TRY(read_envelope(&reader, &format, &envelope));
    if (envelope.version > VERSION_NEWEST)
        return error_new(ERROR_INVALID, "unsupported checkpoint version %d", envelope.version);
    struct strs unknown = find_unknown_features(arena, &envelope);
    if (unknown.len)
        return fail_unknown_features(unknown);
    if (envelope.version == 0)
        TRY(read_unversioned(arena, text, &envelope));
    else if (!envelope.has_body)
        return error_new(ERROR_INVALID, "there is no 'checkpoint' in the file");
    TRY(read_postponed(&reader, &format, &envelope));
    envelope_deliver(&envelope, out, has_deployment);
    return NULL;
}

fallible deployment_read(struct arena *arena, str text, struct snapshot *out, bool *has_deployment,
                         int *version, struct strs *unknown_features)
{
    const struct format format = { STR("deployment"), checkpoint_read_deployment,
                                   version_is_current };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct envelope envelope = { .version = VERSION_UNSEEN };

    json_reader_init(&reader, arena, text);
    TRY(read_envelope(&reader, &format, &envelope));
    struct strs unknown = find_unknown_features(arena, &envelope);
    if (version_is_current(envelope.version) && unknown.len == 0) {
        if (!envelope.has_body)
            return error_new(ERROR_INVALID, "unexpected end of JSON input");
        TRY(read_postponed(&reader, &format, &envelope));
    } else {
        envelope = (struct envelope){ .version = envelope.version };
    }
    envelope_deliver(&envelope, out, has_deployment);
    *version = envelope.version;
    *unknown_features = unknown;
    return NULL;
}
