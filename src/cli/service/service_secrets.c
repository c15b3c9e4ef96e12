/* service_secrets.c — managers whose secrets the hosted service seals: their state, and with which
 * account they are asked. */
#include "cli/service/service_secrets.h"

#include "base/json.h"
#include "base/settings.h"
#include "cli/service/session.h"
#include "service/service_crypter.h"

struct service_secrets_state {
    str url;
    struct service_place place;
    bool is_insecure;
};

static void close_service_crypter(struct crypter *owned)
{
    service_crypter_close((struct service_crypter *)(void *)owned);
}

static struct secrets *manage(const struct service_session *session,
                              const struct service_place *place, str state)
{
    struct service_crypter *crypter =
        service_crypter_open(session->service, place, settings_bool("PULUMI_DISABLE_SECRET_CACHE"));

    return secrets_adopt(STR("service"), state, service_crypter_face(crypter),
                         close_service_crypter);
}

fallible service_secrets_new(struct cli *cli, struct stack_ref stack, struct secrets **out)
{
    CLEANUP(strbuf_release) struct strbuf state = { 0 };
    struct json_writer writer = { .out = &state };
    const struct service_place place = { stack.organization, stack.project, stack.name };

    json_begin_object(&writer);
    json_key(&writer, STR("url"));
    json_string(&writer, service_url(cli->session->service));
    json_key(&writer, STR("owner"));
    json_string(&writer, place.organization);
    json_key(&writer, STR("project"));
    json_string(&writer, place.project);
    json_key(&writer, STR("stack"));
    json_string(&writer, place.stack);
    if (service_is_insecure(cli->session->service)) {
        json_key(&writer, STR("insecure"));
        json_bool(&writer, true);
    }
    json_end_object(&writer);
    *out = manage(cli->session, &place, strbuf_str(&state));
    return NULL;
}

fallible service_secrets_open(struct cli *cli, str state, struct secrets **out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("url", struct service_secrets_state, url, json_field_string),
        JSON_FIELD("owner", struct service_secrets_state, place.organization, json_field_string),
        JSON_FIELD("project", struct service_secrets_state, place.project, json_field_string),
        JSON_FIELD("stack", struct service_secrets_state, place.stack, json_field_string),
        JSON_FIELD("insecure", struct service_secrets_state, is_insecure, json_field_bool),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct service_secrets_state parts = { 0 };
    struct service_session *session;

    json_reader_init(&reader, cli->arena, state);
    TRY(error_wrap(json_read_fields(&reader, fields, &parts), "unmarshalling state"));
    if (!url_is_service(parts.url) || !parts.place.organization.len || !parts.place.project.len
        || !parts.place.stack.len)
        return error_new(ERROR_INVALID,
                         "the state of the secrets provider 'service' does not name a stack");
    TRY(session_find(cli, parts.url, &session));
    *out = manage(session, &parts.place, state);
    return NULL;
}
