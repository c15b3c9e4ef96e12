/* cloud_token.c — tokens and their ends. */
#include "cloud/cloud_token.h"

#include "base/clock.h"
#include "fiber/sync.h"

/* A token is not used in its last minutes: a request may take some, and clocks differ. */
enum { MARGIN_S = 240 };

static bool cloud_token_is_good(const struct cloud_token *token)
{
    int64_t margin = (int64_t)MARGIN_S * NS_PER_S;

    return token->text.hidden_len > 0
           && (token->expires == 0 || clock_now() < token->expires - margin);
}

static void cloud_token_forget(struct cloud_token *token)
{
    secret_clear(&token->text);
    arena_release(&token->arena);
    token->expires = 0;
}

void cloud_token_refused(struct cloud_token *token, struct secret text)
{
    if (secret_equal(token->text, text))
        cloud_token_forget(token);
}

void cloud_token_release(struct cloud_token *token)
{
    cloud_token_forget(token);
}

static fallible cloud_token_renew(struct cloud_token *token, cloud_token_fetch *fetch,
                                  void *context)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct cloud_token_grant grant = { 0 };

    TRY(fetch(context, &scratch, &grant));
    cloud_token_forget(token);
    token->text = secret_hide(arena_copy(&token->arena, grant.text));
    token->expires = grant.expires;
    struct secret copy = secret_hide(grant.text);
    secret_clear(&copy);
    return NULL;
}

fallible cloud_token_get(struct cloud_token *token, cloud_token_fetch *fetch, void *context,
                         struct arena *arena, struct secret *out)
{
    struct error *failure = NULL;

    while (token->fetching)
        TRY(latch_wait(token->fetching));
    if (!cloud_token_is_good(token)) {
        struct latch latch = { 0 };
        token->fetching = &latch;
        failure = cloud_token_renew(token, fetch, context);
        token->fetching = NULL;
        latch_open(&latch);
    }
    TRY(failure);
    *out = secret_hide(arena_copy(arena, secret_reveal(token->text)));
    return NULL;
}

/* --- answers --- */

struct token_answer {
    str text, expires_in, expires_on, expires_at;
};

/* A number, or one in quotes. */
static bool token_seconds(str raw, int64_t *out)
{
    uint64_t number;

    if (raw.len >= 2 && raw.ptr[0] == '"')
        raw = str_slice(raw, 1, raw.len - 1);
    if (!str_to_u64(raw, &number) || number > INT64_MAX / NS_PER_S)
        return false;
    *out = (int64_t)number * NS_PER_S;
    return true;
}

static fallible token_answer_finish(const struct token_answer *answer,
                                    struct cloud_token_grant *out)
{
    int64_t duration, time;

    if (answer->text.len == 0)
        return error_new(ERROR_INVALID, "the answer has no token");
    for (size_t i = 0; i < answer->text.len; i++)
        if (answer->text.ptr[i] <= ' ' || answer->text.ptr[i] >= 0x7f)
            return error_new(ERROR_INVALID, "the token has characters that no token has");
    *out = (struct cloud_token_grant){ .text = answer->text };
    if (token_seconds(answer->expires_on, &time)
        || (answer->expires_at.len > 0 && clock_parse(answer->expires_at, &time)))
        out->expires = time;
    else if (token_seconds(answer->expires_in, &duration) && duration < INT64_MAX - clock_now())
        out->expires = clock_now() + duration;
    return NULL;
}

static const struct json_field token_fields[] = {
    JSON_FIELD("access_token", struct token_answer, text, json_field_string),
    JSON_FIELD("accessToken", struct token_answer, text, json_field_string),
    JSON_FIELD("token", struct token_answer, text, json_field_string),
    JSON_FIELD("expires_in", struct token_answer, expires_in, json_field_raw),
    JSON_FIELD("expires_on", struct token_answer, expires_on, json_field_raw),
    JSON_FIELD("expireTime", struct token_answer, expires_at, json_field_string),
    JSON_FIELD("expiresOn", struct token_answer, expires_at, json_field_string),
    { 0 },
};

fallible cloud_token_ask(struct http_client *http, const struct cloud_call *call,
                         struct arena *arena, struct cloud_token_grant *out)
{
    struct token_answer answer = { 0 };

    TRY(cloud_call_json(http, call, arena, token_fields, &answer));
    return error_wrap(token_answer_finish(&answer, out), "%s", call->who);
}

fallible cloud_token_parse(struct arena *arena, str json, struct cloud_token_grant *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct token_answer answer = { 0 };

    json_reader_init(&reader, arena, json);
    TRY(json_read_fields(&reader, token_fields, &answer));
    return token_answer_finish(&answer, out);
}
