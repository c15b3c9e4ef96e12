/* service_deployment.c — operations that the service runs. */
#include "service/service_deployment.h"

#include "base/json.h"
#include "base/vec.h"
#include "service/service_decode.h"

enum { LOG_PAGE_MAX = 16 << 20 };

static str deployment_path(struct arena *arena, const struct service_deployment *deployment,
                           const char *rest)
{
    return arena_concat(arena, service_place_path(arena, &deployment->place), STR("/deployments/"),
                        service_escape(arena, deployment->id), str_from(rest));
}

fallible service_deployment_create(struct service *service, str request, struct arena *arena,
                                   struct service_deployment *inout)
{
    const struct service_call call = {
        .method = "POST",
        .path = arena_concat(arena, service_place_path(arena, &inout->place), STR("/deployments")),
        .body = request,
    };
    str body;

    TRY(error_wrap(service_ask(service, &call, arena, &body), "creating the deployment"));
    TRY(service_text_read(arena, body, "id", &inout->id));
    TRY(service_text_read(arena, body, "consoleUrl", &inout->page));
    return inout->id.len ? NULL : error_new(ERROR_INVALID, "unexpected response from server");
}

/* --- the log --- */

struct log_page {
    str next;
    VEC(str);
};
struct log_line {
    str header;
    str line;
};

static fallible log_read_lines(struct json_reader *reader, void *page_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("header", struct log_line, header, json_field_string),
        JSON_FIELD("line", struct log_line, line, json_field_string),
        { 0 },
    };
    struct log_page *page = page_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct log_line line = { 0 };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, fields, &line));
        if (line.header.len)
            vec_add(page, line.header);
        if (line.line.len)
            vec_add(page, line.line);
    }
}

fallible service_log_read(struct arena *arena, str text, struct service_log *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("nextToken", struct log_page, next, json_field_string),
        { "lines", log_read_lines, 0 },
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct log_page page = { 0 };

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &page);
    out->lines = strs_copy(arena, (struct strs){ page.items, page.len });
    out->next = page.next;
    vec_release(&page);
    return error_wrap(failure, "unmarshalling response object");
}

fallible service_deployment_log(struct service *service,
                                const struct service_deployment *deployment, str from,
                                struct arena *arena, struct service_log *out)
{
    str rest =
        from.len ? arena_concat(arena, STR("/logs?continuationToken="), service_escape(arena, from))
                 : STR("/logs");
    const struct service_call call = { .path = deployment_path(arena, deployment, rest.ptr),
                                       .limit = LOG_PAGE_MAX };
    str body;

    TRY(service_ask(service, &call, arena, &body));
    return service_log_read(arena, body, out);
}

fallible service_deployment_status(struct service *service,
                                   const struct service_deployment *deployment, struct arena *arena,
                                   str *out)
{
    const struct service_call call = { .path = deployment_path(arena, deployment, "") };
    str body;

    TRY(service_ask(service, &call, arena, &body));
    return service_text_read(arena, body, "status", out);
}
