/* organization.c — whose stacks names without an organisation mean, and where that is written
 * down. */
#include "base/fs.h"
#include "base/json.h"
#include "base/settings.h"
#include "cli/service/session.h"
#include "model/value_json.h"

enum { CONFIG_MAX = 1 << 20 };

/* config.json: {"backends":{URL:{"defaultOrg":NAME}}} */

static fallible read_choices(const struct service_session *session, str *path, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct cli *cli = session->cli;
    str text;

    *out = VALUE_EMPTY_OBJECT;
    TRY(workspace_path(cli->arena, &cli->workspace, STR("config.json"), path));
    struct error *failure = fs_read(cli->arena, *path, CONFIG_MAX, &text);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "nothing was chosen then");
        return NULL;
    }
    TRY(failure);
    if (!str_trim(text).len)
        return NULL;
    json_reader_init(&reader, cli->arena, text);
    TRY(error_wrap(value_read_plain(&reader, out), "'" STR_FMT "'", STR_ARG(*path)));
    if (out->kind != VALUE_OBJECT)
        *out = VALUE_EMPTY_OBJECT;
    return NULL;
}

static struct value member_object(struct value object, str key)
{
    const struct value *found = value_find(object, key);

    return found && found->kind == VALUE_OBJECT ? *found : VALUE_EMPTY_OBJECT;
}

fallible session_chosen_organization(const struct service_session *session, str *out)
{
    struct value document;
    str path;

    TRY(read_choices(session, &path, &document));
    struct value backends = member_object(document, STR("backends"));
    *out = value_find_text(member_object(backends, session->account.url), STR("defaultOrg"));
    return NULL;
}

static fallible change_choice(const struct service_session *session, str name)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4 };
    struct arena *arena = session->cli->arena;
    struct value document;
    str path;

    TRY(read_choices(session, &path, &document));
    struct value backends = member_object(document, STR("backends"));
    const struct member choice = { STR("defaultOrg"), value_string(name) };
    struct value own = value_merge(arena, member_object(backends, session->account.url),
                                   value_object(arena, &choice, 1));
    const struct member backend = { session->account.url, own };
    const struct member all = { STR("backends"),
                                value_merge(arena, backends, value_object(arena, &backend, 1)) };
    value_write(&writer, value_merge(arena, document, value_object(arena, &all, 1)), SECRET_BARE);
    return fs_replace(path, strbuf_str(&text), 0600);
}

/* Others may choose for another backend at the same time. */
fallible session_choose_organization(const struct service_session *session, str name)
{
    struct cli *cli = session->cli;
    str home;

    TRY(workspace_home(cli->arena, &cli->workspace, &home));
    TRY(fs_make_directory(home, 0700));
    int lock = fs_lock_folder(home);
    struct error *failure = change_choice(session, name);
    fs_unlock(lock);
    return failure;
}

fallible session_organization(struct service_session *session, str *out)
{
    struct arena *arena = session->cli->arena;

    *out = settings_text("PULUMI_DEFAULT_ORG");
    if (!out->len)
        TRY(session_chosen_organization(session, out));
    if (!out->len)
        TRY(service_default_organization(session->service, arena, out));
    if (!out->len)
        *out = session->account.username;
    return NULL;
}
