/* service_environment.c — environments that the service evaluates. */
#include "service/service_environment.h"

#include "base/json.h"
#include "model/value_json.h"
#include "service/service_decode.h"

enum { ENVIRONMENT_MAX = 64 << 20, DEEPEST = 100, API_VERSION = 8 };

/* --- reading --- */

static fallible value_of(struct arena *arena, struct value plain, unsigned depth,
                         struct value *out);

static fallible items_of(struct arena *arena, struct value list, unsigned depth, struct value *out)
{
    struct value *items = ARENA_ARRAY(arena, struct value, list.len);

    for (size_t i = 0; i < list.len; i++)
        TRY(value_of(arena, list.items[i], depth + 1, &items[i]));
    *out = value_array(arena, items, list.len);
    return NULL;
}

static fallible members_of(struct arena *arena, struct value object, unsigned depth,
                           struct value *out)
{
    struct member *members = ARENA_ARRAY(arena, struct member, object.len);

    for (size_t i = 0; i < object.len; i++) {
        members[i].key = object.members[i].key;
        TRY(value_of(arena, object.members[i].value, depth + 1, &members[i].value));
    }
    *out = value_object(arena, members, object.len);
    return NULL;
}

static bool is_marked(struct value plain, const char *key)
{
    const struct value *mark = value_find(plain, str_from(key));

    return mark && mark->kind == VALUE_BOOL && mark->boolean;
}

/* {"value": …, "secret": …, "unknown": …}, and so all that is inside. */
static fallible value_of(struct arena *arena, struct value plain, unsigned depth, struct value *out)
{
    const struct value *inner = plain.kind == VALUE_OBJECT ? value_find(plain, STR("value")) : NULL;

    if (depth > DEEPEST)
        return error_new(ERROR_INVALID, "the environment is nested too deeply");
    if (plain.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "unexpected response from server");
    if (!inner || is_marked(plain, "unknown"))
        *out = value_string(STR("[unknown]"));
    else if (inner->kind == VALUE_ARRAY)
        TRY(items_of(arena, *inner, depth, out));
    else if (inner->kind == VALUE_OBJECT)
        TRY(members_of(arena, *inner, depth, out));
    else
        *out = *inner;
    if (is_marked(plain, "secret"))
        *out = value_secret(arena, *out);
    return NULL;
}

static fallible property_of(struct arena *arena, struct value properties, const char *key,
                            struct value *out)
{
    const struct value *property = value_find(properties, str_from(key));
    struct value found;

    *out = VALUE_EMPTY_OBJECT;
    if (!property)
        return NULL;
    TRY(value_of(arena, *property, 0, &found));
    if (found.kind == VALUE_SECRET)
        found = found.secret->element;
    if (found.kind == VALUE_OBJECT)
        *out = found;
    return NULL;
}

fallible service_environment_parse(struct arena *arena, str text, struct service_environment *out)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct value document;
    enum json_kind end; /* what follows is refused by looking at it */

    json_reader_init(&reader, arena, text);
    TRY(error_wrap(value_read_exact(&reader, &document), "unmarshalling response object"));
    TRY(error_wrap(json_peek(&reader, &end), "unmarshalling response object"));
    const struct value *properties =
        document.kind == VALUE_OBJECT ? value_find(document, STR("properties")) : NULL;
    struct value known =
        properties && properties->kind == VALUE_OBJECT ? *properties : VALUE_EMPTY_OBJECT;
    TRY(members_of(arena, known, 0, &out->all));
    TRY(property_of(arena, known, "pulumiConfig", &out->config));
    TRY(property_of(arena, known, "environmentVariables", &out->variables));
    TRY(property_of(arena, known, "policyConfig", &out->policies));
    return property_of(arena, known, "files", &out->files);
}

/* --- asking --- */

static str environments_path(struct arena *arena, str organization)
{
    return arena_concat(arena, STR("/api/esc/environments/"), service_escape(arena, organization));
}

static fallible open_environment(struct service *service, str base, str definition,
                                 struct arena *arena, str *body)
{
    const struct service_call open = {
        .method = "POST",
        .path = arena_concat(arena, base, STR("/open?duration=2h0m0s")),
        .body = definition,
        .api_version = API_VERSION,
    };
    str id;

    TRY(service_ask(service, &open, arena, body));
    TRY(service_text_read(arena, *body, "id", &id));
    const struct service_call read = {
        .path = arena_concat(arena, base, STR("/open/"), service_escape(arena, id)),
        .limit = ENVIRONMENT_MAX,
        .api_version = API_VERSION,
    };
    return service_ask(service, &read, arena, body);
}

fallible service_environment_read(struct service *service, str organization, str definition,
                                  enum environment_depth depth, struct arena *arena,
                                  struct service_environment *out)
{
    str base = arena_concat(arena, environments_path(arena, organization), STR("/yaml"));
    const struct service_call check = {
        .method = "POST",
        .path = arena_concat(arena, base, STR("/check?showSecrets=false")),
        .body = definition,
        .limit = ENVIRONMENT_MAX,
        .api_version = API_VERSION,
    };
    str body;

    if (depth == ENVIRONMENT_CHECKED)
        TRY(service_ask(service, &check, arena, &body));
    else
        TRY(open_environment(service, base, definition, arena, &body));
    return service_environment_parse(arena, body, out);
}

/* --- making --- */

/* A definition may be saved although something is wrong with it: the answer tells. */
static fallible environment_complaints(struct arena *arena, str body)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct value document;

    if (body.len == 0)
        return NULL;
    json_reader_init(&reader, arena, body);
    TRY(error_wrap(value_read_plain(&reader, &document), "unmarshalling response object"));
    const struct value *found =
        document.kind == VALUE_OBJECT ? value_find(document, STR("diagnostics")) : NULL;
    if (!found || found->kind != VALUE_ARRAY || found->len == 0)
        return NULL;
    const struct value *summary =
        found->items[0].kind == VALUE_OBJECT ? value_find(found->items[0], STR("summary")) : NULL;
    return error_new(ERROR_INVALID, STR_FMT,
                     STR_ARG(summary && summary->kind == VALUE_STRING
                                 ? value_text(*summary)
                                 : STR("the service complains about its definition")));
}

static fallible environment_define(struct service *service, struct arena *arena, str path,
                                   str definition)
{
    const struct service_call call = {
        .method = "PATCH",
        .path = path,
        .body = definition,
        .may_repeat = true,
        .api_version = API_VERSION,
    };
    str body;

    TRY(service_ask(service, &call, arena, &body));
    return environment_complaints(arena, body);
}

fallible service_environment_create(struct service *service, str organization, str project,
                                    str name, str definition)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf request = { 0 };
    struct json_writer writer = { .out = &request };
    str base = environments_path(&scratch, organization), body;

    json_begin_object(&writer);
    json_key(&writer, STR("project"));
    json_string(&writer, project);
    json_key(&writer, STR("name"));
    json_string(&writer, name);
    json_end_object(&writer);
    const struct service_call create = {
        .method = "POST",
        .path = base,
        .body = strbuf_str(&request),
        .api_version = API_VERSION,
    };
    TRY(service_ask(service, &create, &scratch, &body));
    return error_wrap(
        environment_define(service, &scratch,
                           arena_concat(&scratch, base, STR("/"), service_escape(&scratch, project),
                                        STR("/"), service_escape(&scratch, name)),
                           definition),
        "the environment '" STR_FMT "/" STR_FMT
        "' was made, but not what it brings (remove it before you try again)",
        STR_ARG(project), STR_ARG(name));
}
