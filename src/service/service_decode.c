/* service_decode.c — the answers of the service as structs. */
#include "service/service_decode.h"

#include "base/json.h"
#include "base/vec.h"

#include <math.h>

#define LARGEST_NUMBER 9e15

/* --- pieces --- */

static fallible decode_number(struct json_reader *reader, void *member)
{
    enum json_kind kind;
    double number;

    TRY(json_peek(reader, &kind));
    TRY(json_read_number(reader, &number));
    if (kind == JSON_NULL)
        return NULL;
    if (!(number >= 0 && number <= LARGEST_NUMBER) || number != floor(number))
        return json_fail(reader, "expected a whole number");
    *(int64_t *)member = (int64_t)number;
    return NULL;
}

/* Lists outlive the answer that they are read from. */
static fallible decode_strs(struct json_reader *reader, void *member)
{
    struct strs *list = member;

    TRY(json_field_strs(reader, list));
    *list = strs_copy(reader->arena, *list);
    return NULL;
}

static fallible decode_pairs(struct json_reader *reader, void *member)
{
    struct pairs *list = member;

    TRY(json_field_pairs(reader, list));
    *list = pairs_copy(reader->arena, *list);
    return NULL;
}

/* Each element of a list: `read_one` adds it to what `context` is. */
static fallible decode_each(struct json_reader *reader, void *context,
                            fallible (*read_one)(struct json_reader *reader, void *context))
{
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(read_one(reader, context));
    }
}

/* The whole text is one object. */
static fallible decode_document(struct arena *arena, str text, const struct json_field *fields,
                                void *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    enum json_kind end; /* what follows is refused by looking at it */

    if (str_trim(text).len == 0)
        return error_new(ERROR_INVALID, "unmarshalling response object: the answer is empty");
    json_reader_init(&reader, arena, text);
    TRY(error_wrap(json_read_fields(&reader, fields, out), "unmarshalling response object"));
    return error_wrap(json_peek(&reader, &end), "unmarshalling response object");
}

static fallible unexpected_answer(void)
{
    return error_new(ERROR_INVALID, "unexpected response from server");
}

/* --- the user --- */

struct decoded_user {
    struct service_user user;
    struct str_list organizations;
};

static fallible decode_organization(struct json_reader *reader, void *organizations)
{
    static const struct json_field fields[] = { { "githubLogin", json_field_string, 0 }, { 0 } };
    struct str_list *into = organizations;
    str name = { 0 };

    TRY(json_read_fields(reader, fields, &name));
    if (!name.len)
        return unexpected_answer();
    vec_add(into, name);
    return NULL;
}

static fallible decode_organizations(struct json_reader *reader, void *organizations)
{
    return decode_each(reader, organizations, decode_organization);
}

static fallible decode_token_information(struct json_reader *reader, void *user)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct service_user, token_name, json_field_string),
        JSON_FIELD("organization", struct service_user, token_organization, json_field_string),
        JSON_FIELD("team", struct service_user, token_team, json_field_string),
        { 0 },
    };

    return json_read_fields(reader, fields, user);
}

fallible service_user_read(struct arena *arena, str text, struct service_user *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("githubLogin", struct decoded_user, user.name, json_field_string),
        JSON_FIELD("organizations", struct decoded_user, organizations, decode_organizations),
        JSON_FIELD("tokenInfo", struct decoded_user, user, decode_token_information),
        { 0 },
    };
    struct decoded_user decoded = { 0 };

    struct error *failure = decode_document(arena, text, fields, &decoded);
    *out = decoded.user;
    out->organizations =
        strs_copy(arena, (struct strs){ decoded.organizations.items, decoded.organizations.len });
    vec_release(&decoded.organizations);
    TRY(failure);
    return out->name.len ? NULL : unexpected_answer();
}

fallible service_default_organization_read(struct arena *arena, str text, str *out)
{
    static const struct json_field fields[] = {
        { "GitHubLogin", json_field_string, 0 },
        { "githubLogin", json_field_string, 0 },
        { "gitHubLogin", json_field_string, 0 },
        { 0 },
    };

    *out = STR("");
    return decode_document(arena, text, fields, out);
}

/* --- capabilities --- */

struct decoded_capability {
    str name;
    int64_t version;
    struct {
        int64_t cutoff;
        int64_t version;
    } configuration;
};

static fallible decode_configuration(struct json_reader *reader, void *configuration)
{
    static const struct json_field fields[] = {
        JSON_FIELD("checkpointCutoffSizeBytes", struct decoded_capability, configuration.cutoff,
                   decode_number),
        JSON_FIELD("version", struct decoded_capability, configuration.version, decode_number),
        { 0 },
    };

    return json_read_fields(
        reader, fields, (char *)configuration - offsetof(struct decoded_capability, configuration));
}

static fallible decode_capability(struct json_reader *reader, void *capabilities)
{
    static const struct json_field fields[] = {
        JSON_FIELD("capability", struct decoded_capability, name, json_field_string),
        JSON_FIELD("version", struct decoded_capability, version, decode_number),
        JSON_FIELD("configuration", struct decoded_capability, configuration, decode_configuration),
        { 0 },
    };
    struct service_capabilities *out = capabilities;
    struct decoded_capability found = { 0 };

    TRY(json_read_fields(reader, fields, &found));
    if (str_equal(found.name, STR("batch-encrypt")))
        out->encrypts_batches = true;
    else if (str_equal(found.name, STR("deployment-schema-version")))
        out->schema_version = found.configuration.version;
    else if (str_equal(found.name, STR("delta-checkpoint-uploads"))
             || (str_equal(found.name, STR("delta-checkpoint-uploads-v2")) && found.version == 2)) {
        out->takes_deltas = true;
        out->delta_cutoff = found.configuration.cutoff;
    }
    return NULL;
}

static fallible decode_capabilities(struct json_reader *reader, void *capabilities)
{
    return decode_each(reader, capabilities, decode_capability);
}

fallible service_capabilities_read(struct arena *arena, str text, struct service_capabilities *out)
{
    static const struct json_field fields[] = { { "capabilities", decode_capabilities, 0 }, { 0 } };

    *out = (struct service_capabilities){ 0 };
    return decode_document(arena, text, fields, out);
}

/* --- stacks --- */

static fallible decode_operation(struct json_reader *reader, void *stack)
{
    static const struct json_field fields[] = {
        JSON_FIELD("kind", struct service_stack, busy_kind, json_field_string),
        JSON_FIELD("author", struct service_stack, busy_author, json_field_string),
        JSON_FIELD("started", struct service_stack, busy_since, decode_number),
        { 0 },
    };
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    ((struct service_stack *)stack)->is_busy = kind != JSON_NULL;
    return json_read_fields(reader, fields, stack);
}

fallible service_stack_read(struct arena *arena, str text, struct service_stack *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("orgName", struct service_stack, organization, json_field_string),
        JSON_FIELD("projectName", struct service_stack, project, json_field_string),
        JSON_FIELD("stackName", struct service_stack, name, json_field_string),
        JSON_FIELD("activeUpdate", struct service_stack, active_update, json_field_string),
        { "currentOperation", decode_operation, 0 },
        JSON_FIELD("tags", struct service_stack, tags, decode_pairs),
        JSON_FIELD("config", struct service_stack, config, json_field_raw),
        { 0 },
    };

    *out = (struct service_stack){ 0 };
    return decode_document(arena, text, fields, out);
}

struct decoded_page {
    str next;
    VEC(struct service_stack_line);
};

static fallible decode_stack_line(struct json_reader *reader, void *page_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("orgName", struct service_stack_line, organization, json_field_string),
        JSON_FIELD("projectName", struct service_stack_line, project, json_field_string),
        JSON_FIELD("stackName", struct service_stack_line, name, json_field_string),
        JSON_FIELD("lastUpdate", struct service_stack_line, last_update, decode_number),
        JSON_FIELD("resourceCount", struct service_stack_line, resource_count, decode_number),
        { 0 },
    };
    struct decoded_page *page = page_;
    struct service_stack_line line = { .last_update = SERVICE_NO_NUMBER,
                                       .resource_count = SERVICE_NO_NUMBER };

    TRY(json_read_fields(reader, fields, &line));
    if (!line.organization.len || !line.name.len)
        return unexpected_answer();
    vec_add(page, line);
    return NULL;
}

static fallible decode_stack_lines(struct json_reader *reader, void *page)
{
    return decode_each(reader, page, decode_stack_line);
}

fallible service_stack_page_read(struct arena *arena, str text, struct service_stack_page *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("continuationToken", struct decoded_page, next, json_field_string),
        { "stacks", decode_stack_lines, 0 },
        { 0 },
    };
    struct decoded_page page = { 0 };

    struct error *failure = decode_document(arena, text, fields, &page);
    *out = (struct service_stack_page){
        arena_copy_bytes(arena, page.items, page.len * sizeof(*page.items)),
        page.len,
        page.next,
    };
    vec_release(&page);
    return failure;
}

/* --- updates --- */

struct decoded_messages {
    VEC(struct service_message);
};
struct decoded_policies {
    VEC(struct service_policy);
};
struct decoded_created {
    str id;
    struct decoded_messages messages;
    struct decoded_policies policies;
};

static fallible decode_message(struct json_reader *reader, void *messages)
{
    static const struct json_field fields[] = {
        JSON_FIELD("severity", struct service_message, severity, json_field_string),
        JSON_FIELD("message", struct service_message, text, json_field_string),
        { 0 },
    };
    struct decoded_messages *into = messages;
    struct service_message message = { 0 };

    TRY(json_read_fields(reader, fields, &message));
    vec_add(into, message);
    return NULL;
}

static fallible decode_policy(struct json_reader *reader, void *policies)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct service_policy, name, json_field_string),
        JSON_FIELD("displayName", struct service_policy, display_name, json_field_string),
        JSON_FIELD("versionTag", struct service_policy, version_tag, json_field_string),
        JSON_FIELD("packLocation", struct service_policy, location, json_field_string),
        JSON_FIELD("version", struct service_policy, version, decode_number),
        JSON_FIELD("config", struct service_policy, config, json_field_raw),
        JSON_FIELD("environments", struct service_policy, environments, decode_strs),
        { 0 },
    };
    struct decoded_policies *into = policies;
    struct service_policy policy = { 0 };

    TRY(json_read_fields(reader, fields, &policy));
    vec_add(into, policy);
    return NULL;
}

static fallible decode_messages(struct json_reader *reader, void *messages)
{
    return decode_each(reader, messages, decode_message);
}

static fallible decode_policies(struct json_reader *reader, void *policies)
{
    return decode_each(reader, policies, decode_policy);
}

fallible service_created_read(struct arena *arena, str text, struct service_created *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("updateID", struct decoded_created, id, json_field_string),
        JSON_FIELD("messages", struct decoded_created, messages, decode_messages),
        JSON_FIELD("requiredPolicies", struct decoded_created, policies, decode_policies),
        { 0 },
    };
    struct decoded_created made = { 0 };
    struct decoded_messages *messages = &made.messages;
    struct decoded_policies *policies = &made.policies;

    struct error *failure = decode_document(arena, text, fields, &made);
    *out = (struct service_created){
        made.id,
        arena_copy_bytes(arena, messages->items, messages->len * sizeof(*messages->items)),
        messages->len,
        arena_copy_bytes(arena, policies->items, policies->len * sizeof(*policies->items)),
        policies->len,
    };
    vec_release(messages);
    vec_release(policies);
    TRY(failure);
    return out->id.len ? NULL : unexpected_answer();
}

fallible service_lease_read(struct arena *arena, str text, struct service_lease *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("token", struct service_lease, token, json_field_string),
        JSON_FIELD("tokenExpiration", struct service_lease, expiration, decode_number),
        JSON_FIELD("journalVersion", struct service_lease, journal_version, decode_number),
        { 0 },
    };

    *out = (struct service_lease){ .expiration = SERVICE_NO_NUMBER };
    TRY(decode_document(arena, text, fields, out));
    return out->token.len ? NULL : unexpected_answer();
}

fallible service_import_read(struct arena *arena, str text, str *update)
{
    TRY(service_text_read(arena, text, "updateId", update));
    return update->len ? NULL : unexpected_answer();
}

struct decoded_status {
    str status;
    str next;
    struct str_list texts;
};

static fallible decode_event_fields(struct json_reader *reader, void *text)
{
    static const struct json_field fields[] = { { "text", json_field_string, 0 }, { 0 } };

    return json_read_fields(reader, fields, text);
}

static fallible decode_status_event(struct json_reader *reader, void *texts)
{
    static const struct json_field fields[] = { { "fields", decode_event_fields, 0 }, { 0 } };
    struct str_list *into = texts;
    str text = { 0 };

    TRY(json_read_fields(reader, fields, &text));
    if (text.len)
        vec_add(into, text);
    return NULL;
}

static fallible decode_status_events(struct json_reader *reader, void *texts)
{
    return decode_each(reader, texts, decode_status_event);
}

fallible service_status_read(struct arena *arena, str text, struct service_status *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("status", struct decoded_status, status, json_field_string),
        JSON_FIELD("continuationToken", struct decoded_status, next, json_field_string),
        JSON_FIELD("events", struct decoded_status, texts, decode_status_events),
        { 0 },
    };
    struct decoded_status decoded = { 0 };

    struct error *failure = decode_document(arena, text, fields, &decoded);
    *out = (struct service_status){
        decoded.status,
        strs_copy(arena, (struct strs){ decoded.texts.items, decoded.texts.len }),
        decoded.next,
    };
    vec_release(&decoded.texts);
    return failure;
}

/* --- tokens and texts --- */

fallible service_grant_read(struct arena *arena, str text, struct service_grant *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("access_token", struct service_grant, access_token, json_field_string),
        JSON_FIELD("refresh_token", struct service_grant, refresh_token, json_field_string),
        JSON_FIELD("expires_in", struct service_grant, expires_in, decode_number),
        { 0 },
    };

    *out = (struct service_grant){ 0 };
    TRY(decode_document(arena, text, fields, out));
    return out->access_token.len ? NULL : unexpected_answer();
}

fallible service_text_read(struct arena *arena, str text, const char *key, str *out)
{
    const struct json_field fields[] = { { key, json_field_string, 0 }, { 0 } };

    *out = STR("");
    return decode_document(arena, text, fields, out);
}

fallible service_texts_read(struct arena *arena, str text, const char *key, struct strs *out)
{
    const struct json_field fields[] = { { key, decode_strs, 0 }, { 0 } };

    *out = (struct strs){ 0 };
    return decode_document(arena, text, fields, out);
}

fallible service_pairs_read(struct arena *arena, str text, const char *key, struct pairs *out)
{
    const struct json_field fields[] = { { key, decode_pairs, 0 }, { 0 } };

    *out = (struct pairs){ 0 };
    return decode_document(arena, text, fields, out);
}
