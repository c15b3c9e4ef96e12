/* service_account.c — who a token belongs to, and tokens in exchange for other proofs. */
#include "service/service_account.h"

#include "base/json.h"

enum { TOKEN_SECONDS = 7200 };

fallible service_user(struct service *service, struct arena *arena, struct service_user *out)
{
    const struct service_call call = { .path = STR("/api/user") };
    struct service_answer answer;

    TRY(service_send(service, &call, arena, &answer));
    if (answer.code == 401 && !answer.organization.len)
        return error_new(ERROR_INVALID, STR_FMT,
                         STR_ARG(answer.message.len
                                     ? answer.message
                                     : STR("Unauthorized: the access token is not valid.")));
    if (!service_answer_is_good(&answer))
        return service_refusal(&answer);
    return service_user_read(arena, answer.body, out);
}

/* What older services do not know is empty. */
static fallible ask_if_known(struct service *service, const char *path, struct arena *arena,
                             str *body)
{
    const struct service_call call = { .path = str_from(path) };
    struct service_answer answer;

    *body = STR("{}");
    TRY(service_send(service, &call, arena, &answer));
    if (service_answer_is_good(&answer))
        *body = answer.body;
    else if (answer.code != 404)
        return service_refusal(&answer);
    return NULL;
}

fallible service_default_organization(struct service *service, struct arena *arena, str *out)
{
    str body;

    TRY(ask_if_known(service, "/api/user/organizations/default", arena, &body));
    return service_default_organization_read(arena, body, out);
}

fallible service_capabilities(struct service *service, struct arena *arena,
                              struct service_capabilities *out)
{
    str body;

    TRY(ask_if_known(service, "/api/capabilities", arena, &body));
    return service_capabilities_read(arena, body, out);
}

/* --- tokens in exchange --- */

static void add_form_field(struct strbuf *form, struct arena *arena, const char *name, str value)
{
    if (form->len)
        strbuf_add_char(form, '&');
    strbuf_add(form, str_from(name));
    strbuf_add_char(form, '=');
    strbuf_add(form, service_escape(arena, value));
}

static fallible ask_for_grant(struct service *service, str form, struct arena *arena,
                              struct service_grant *out)
{
    const struct service_call call = {
        .method = "POST",
        .path = STR("/api/oauth/token"),
        .body = form,
        .content_type = "application/x-www-form-urlencoded",
        .may_repeat = true,
        .is_anonymous = true,
    };
    struct service_answer answer;

    TRY(service_send(service, &call, arena, &answer));
    if (!service_answer_is_good(&answer))
        return error_new(ERROR_INVALID, "[%d] " STR_FMT, answer.code, STR_ARG(answer.message));
    return service_grant_read(arena, answer.body, out);
}

fallible service_exchange_proof(struct service *service, const struct service_proof *proof,
                                struct arena *arena, struct service_grant *out)
{
    CLEANUP(strbuf_release) struct strbuf form = { 0 };
    const char *kind = proof->team.len ? "team" : proof->user.len ? "personal" : "organization";
    str scope = proof->team.len   ? arena_concat(arena, STR("team:"), proof->team)
                : proof->user.len ? arena_concat(arena, STR("user:"), proof->user)
                                  : STR("");
    long long seconds = proof->seconds ? (long long)proof->seconds : TOKEN_SECONDS;

    add_form_field(&form, arena, "audience",
                   arena_concat(arena, STR("urn:pulumi:org:"), proof->organization));
    add_form_field(&form, arena, "expiration", arena_printf(arena, "%lld", seconds));
    add_form_field(&form, arena, "grant_type",
                   STR("urn:ietf:params:oauth:grant-type:token-exchange"));
    add_form_field(&form, arena, "requested_token_type",
                   arena_printf(arena, "urn:pulumi:token-type:access_token:%s", kind));
    add_form_field(&form, arena, "scope", scope);
    add_form_field(&form, arena, "subject_token", secret_reveal(proof->token));
    add_form_field(&form, arena, "subject_token_type",
                   STR("urn:ietf:params:oauth:token-type:id_token"));
    return error_wrap(ask_for_grant(service, strbuf_str(&form), arena, out),
                      "OIDC token exchange failed");
}

fallible service_refresh_token(struct service *service, struct secret refresh_token,
                               struct arena *arena, struct service_grant *out)
{
    CLEANUP(strbuf_release) struct strbuf form = { 0 };

    add_form_field(&form, arena, "grant_type", STR("refresh_token"));
    add_form_field(&form, arena, "refresh_token", secret_reveal(refresh_token));
    return error_wrap(ask_for_grant(service, strbuf_str(&form), arena, out),
                      "the access token has ended, and no new one was given");
}
