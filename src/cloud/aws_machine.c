/* aws_machine.c — credentials that a program, a container or a machine hands out. */
#include "cloud/aws_sources.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/settings.h"
#include "fiber/process.h"
#include "fiber/process_output.h"
#include "http/http.h"

#include <sys/wait.h>

enum {
    ANSWER_MAX = 1 << 20,
    PROCESS_MS = 60 * 1000,
    NEAR_MS = 1000, /* the machine answers at once, or it is none of AWS */
    NEAR_WHOLE_MS = 5000,
    NEAR_ATTEMPTS = 2,
};

/* --- JSON --- */

struct aws_json {
    str access_key;
    str secret_key;
    str token;
    str session_token;
    str expiration;
    str code;
    str message;
};

fallible aws_credentials_parse(struct arena *arena, str text, struct aws_credentials *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("AccessKeyId", struct aws_json, access_key, json_field_string),
        JSON_FIELD("SecretAccessKey", struct aws_json, secret_key, json_field_string),
        JSON_FIELD("Token", struct aws_json, token, json_field_string),
        JSON_FIELD("SessionToken", struct aws_json, session_token, json_field_string),
        JSON_FIELD("Expiration", struct aws_json, expiration, json_field_string),
        JSON_FIELD("Code", struct aws_json, code, json_field_string),
        JSON_FIELD("Message", struct aws_json, message, json_field_string),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct aws_json json = { 0 };

    *out = (struct aws_credentials){ 0 };
    json_reader_init(&reader, arena, text);
    /* The message of the reader would show a part of the text. */
    struct error *failure = json_read_fields(&reader, fields, &json);
    if (failure || json.access_key.len == 0 || json.secret_key.len == 0) {
        error_free(failure);
        return error_new(ERROR_INVALID, "the answer holds no credentials%s" STR_FMT,
                         json.code.len ? ": " : "", STR_ARG(json.code));
    }
    out->access_key = json.access_key;
    out->secret_key = secret_hide(json.secret_key);
    out->session_token = secret_hide(json.session_token.len ? json.session_token : json.token);
    if (!clock_parse(json.expiration, &out->expires))
        out->expires = 0;
    return NULL;
}

/* --- a program --- */

static fallible aws_process_answer(const struct aws_source *source, struct process *owned,
                                   struct aws_credentials *out)
{
    CLEANUP(process_output_release) struct process_output text = { .limit = ANSWER_MAX };
    CLEANUP(process_output_release) struct process_output errors = { .limit = ANSWER_MAX };
    int status = 0;

    TRY(process_collect(owned, PROCESS_MS, &text, &errors, &status));
    if (text.is_cut)
        return error_new(ERROR_INVALID, "it prints more than credentials");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_new(ERROR_INVALID, "it failed with exit code %d",
                         WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return aws_credentials_parse(source->arena, arena_copy(source->arena, strbuf_str(&text.text)),
                                 out);
}

fallible aws_run_process(const struct aws_source *source, str command, struct aws_credentials *out)
{
    const char *argv[] = { "sh", "-c", arena_cstr(source->arena, command), NULL };
    const struct process_options options = { .path = "/bin/sh", .argv = argv };
    struct process *process;

    TRY(error_wrap(process_open(&options, &process), "credential_process"));
    return error_wrap(aws_process_answer(source, process, out),
                      "credential_process of the profile");
}

/* --- near servers --- */

struct aws_question {
    str method;
    str url;
    str header; /* "Name: value", or empty */
};

static fallible aws_ask_near(const struct aws_source *source, struct aws_question question,
                             struct http_response *response)
{
    const struct http_request request = {
        .method = question.method,
        .url = question.url,
        .headers = &question.header,
        .header_count = question.header.len > 0,
        .retry = { .attempts = NEAR_ATTEMPTS, .first_wait_ms = 100 },
        .connect_ms = NEAR_MS,
        .whole_ms = NEAR_WHOLE_MS,
    };

    TRY(http_send(source->http, &request, source->arena, response));
    if (http_response_is_good(response))
        return NULL;
    return error_new(ERROR_INVALID, "HTTP status %d", response->status);
}

static fallible aws_container_header(struct arena *arena, str *out)
{
    str file = settings_text("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    str token = settings_text("AWS_CONTAINER_AUTHORIZATION_TOKEN");

    *out = STR("");
    if (file.len > 0)
        TRY(error_wrap(fs_read(arena, file, ANSWER_MAX, &token),
                       "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"));
    token = str_trim(token);
    if (token.len > 0)
        *out = arena_concat(arena, STR("Authorization: "), token);
    return NULL;
}

fallible aws_ask_container(const struct aws_source *source, bool *is_there,
                           struct aws_credentials *out)
{
    struct arena *arena = source->arena;
    str relative = settings_text("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    struct aws_question question = { .url = settings_text("AWS_CONTAINER_CREDENTIALS_FULL_URI") };
    struct http_response response;

    if (relative.len > 0)
        question.url = arena_concat(arena, STR("http://169.254.170.2"), relative);
    *is_there = question.url.len > 0;
    if (!*is_there)
        return NULL;
    TRY(aws_container_header(arena, &question.header));
    TRY(error_wrap(aws_ask_near(source, question, &response), "credentials of the container"));
    return error_wrap(aws_credentials_parse(arena, response.body, out),
                      "credentials of the container");
}

/* IMDSv2: a token first, then the name of the role, then its credentials. */
static fallible aws_ask_imds(const struct aws_source *source, str origin,
                             struct aws_credentials *out)
{
    struct arena *arena = source->arena;
    str folder = arena_concat(arena, origin, STR("/latest/meta-data/iam/security-credentials/"));
    struct http_response response;

    TRY(aws_ask_near(source,
                     (struct aws_question){ STR("PUT"),
                                            arena_concat(arena, origin, STR("/latest/api/token")),
                                            STR("X-Aws-Ec2-Metadata-Token-Ttl-Seconds: 300") },
                     &response));
    str header = arena_concat(arena, STR("X-Aws-Ec2-Metadata-Token: "), str_trim(response.body));
    TRY(aws_ask_near(source, (struct aws_question){ STR("GET"), folder, header }, &response));
    str role = str_trim(response.body), line;
    str_cut(role, STR("\n"), &role, &line);
    if (role.len == 0)
        return error_new(ERROR_INVALID, "the machine has no role");
    TRY(aws_ask_near(
        source,
        (struct aws_question){ STR("GET"), arena_concat(arena, folder, str_trim(role)), header },
        &response));
    return aws_credentials_parse(arena, response.body, out);
}

fallible aws_ask_machine(const struct aws_source *source, struct aws_credentials *out)
{
    str origin = settings_text("AWS_EC2_METADATA_SERVICE_ENDPOINT");

    if (settings_bool("AWS_EC2_METADATA_DISABLED"))
        return error_new(ERROR_INVALID, "the machine was not asked: AWS_EC2_METADATA_DISABLED");
    if (origin.len == 0)
        origin = STR("http://169.254.169.254");
    if (str_ends_with(origin, STR("/")))
        origin = str_slice(origin, 0, origin.len - 1);
    return error_wrap(aws_ask_imds(source, origin, out), "the machine's metadata service (IMDS)");
}
