/* service_refusal.c — what the service says when it refuses a call, and what users are told. */
#include "service/service.h"

#include "base/exit_codes.h"
#include "base/json.h"
#include "base/program.h"

enum { LONGEST_MESSAGE = 2000 };

struct refusal_detail {
    str type;
    str attribute;
};

struct refusal_body {
    double code;
    str message;
    str organization;
};

/* --- reading --- */

static fallible refusal_details_read(struct json_reader *reader, void *organization)
{
    static const struct json_field fields[] = {
        JSON_FIELD("errorType", struct refusal_detail, type, json_field_string),
        JSON_FIELD("attribute", struct refusal_detail, attribute, json_field_string),
        { 0 },
    };
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct refusal_detail detail = { 0 };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, fields, &detail));
        if (str_equal(detail.type, STR("saml_reauth_required"))
            || str_equal(detail.type, STR("saml_login_required")))
            *(str *)organization = detail.attribute;
    }
}

static fallible refusal_body_read(struct arena *arena, str text, struct refusal_body *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("code", struct refusal_body, code, json_field_number),
        JSON_FIELD("message", struct refusal_body, message, json_field_string),
        JSON_FIELD("errors", struct refusal_body, organization, refusal_details_read),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, arena, text);
    return json_read_fields(&reader, fields, out);
}

/* What came from outside must not command the terminal. */
static str printable(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf clean = { 0 };

    for (size_t i = 0; i < text.len && clean.len < LONGEST_MESSAGE; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        strbuf_add_char(&clean, (c < ' ' && c != '\n' && c != '\t') || c == 127 ? ' ' : (char)c);
    }
    strbuf_reserve(&clean, 1);
    CLEANUP(strbuf_release) struct strbuf valid = { 0 };
    strbuf_add_utf8(&valid, strbuf_str(&clean));
    return arena_copy(arena, str_trim(strbuf_str(&valid)));
}

void service_refusal_read(struct arena *arena, int status, str body, struct service_answer *out)
{
    struct refusal_body refusal = { 0 };

    struct error *failure = refusal_body_read(arena, body, &refusal);
    bool is_ours = !failure && refusal.code >= 300 && refusal.code < 1000;
    error_ignore(failure, "then the text itself is the message");
    out->body = STR("");
    out->code = is_ours ? (int)refusal.code : status;
    out->organization = is_ours ? printable(arena, refusal.organization) : STR("");
    out->message = printable(arena, is_ours ? refusal.message : body);
}

/* --- telling --- */

bool service_answer_is_good(const struct service_answer *answer)
{
    return answer->code >= 200 && answer->code < 300;
}

static fallible login_required(const struct service_answer *answer)
{
    if (answer->organization.len)
        return error_new(ERROR_OTHER,
                         "the organization '" STR_FMT
                         "' requires a new single sign-on; sign in to it in the browser, then run "
                         "`%s login " STR_FMT "`",
                         STR_ARG(answer->organization), program_name(), STR_ARG(answer->shown_url));
    return error_new(ERROR_OTHER, "this command requires logging in; try running `%s login` first",
                     program_name());
}

fallible service_refusal(const struct service_answer *answer)
{
    switch (answer->code) {
    case 401: return error_with_exit_code(login_required(answer), EXIT_AUTHENTICATION);
    case 403:
        return error_with_exit_code(
            error_new(ERROR_OTHER, "[403] " STR_FMT, STR_ARG(answer->message)),
            EXIT_AUTHENTICATION);
    case 404: return error_new(ERROR_NOT_FOUND, "[404] " STR_FMT, STR_ARG(answer->message));
    case 429: return error_new(ERROR_OTHER, "pulumi service: request rate-limit exceeded");
    default: return error_new(ERROR_OTHER, "[%d] " STR_FMT, answer->code, STR_ARG(answer->message));
    }
}
