/* credentials.c — credentials.json: which backends the user is logged in to, and which is
 * current. */
#include "project/workspace.h"

#include "base/fs.h"
#include "base/json.h"
#include "model/value_json.h"

#include <stdlib.h>

enum { MAX_FILE_SIZE = 16 << 20 };

#define NEVER STR("0001-01-01T00:00:00Z")

static fallible credentials_file(struct arena *arena, const struct workspace *workspace, str *out)
{
    str directory = workspace->credentials_path;

    if (directory.len == 0)
        TRY(workspace_home(arena, workspace, &directory));
    *out = fs_path_join(arena, directory, STR("credentials.json"));
    return NULL;
}

/* --- reading --- */

static struct value object_at(struct value document, const char *key)
{
    const struct value *found = value_find(document, str_from(key));
    return found && found->kind == VALUE_OBJECT ? *found : VALUE_EMPTY_OBJECT;
}

static str json_of(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    value_write(&writer, value, SECRET_BARE);
    return arena_copy(arena, strbuf_str(&text));
}

static struct account account_of(struct arena *arena, str url, str token, struct value value)
{
    const struct value *insecure = value_find(value, STR("insecure"));
    str own_token = value_find_text(value, STR("accessToken"));

    return (struct account){
        .url = url,
        .access_token = own_token.len ? own_token : token,
        .username = value_find_text(value, STR("username")),
        .last_validated = value_find_text(value, STR("lastValidatedAt")),
        .is_insecure = insecure && insecure->kind == VALUE_BOOL && insecure->boolean,
        .json = json_of(arena, value),
    };
}

/* An account is known by its token, its entry or both. */
static void read_accounts(struct arena *arena, struct value document, struct credentials *out)
{
    struct value tokens = object_at(document, "accessTokens"),
                 accounts = object_at(document, "accounts");
    struct value urls = value_merge(arena, tokens, accounts);

    out->accounts = ARENA_ARRAY(arena, struct account, urls.len);
    for (uint32_t i = 0; i < urls.len; i++) {
        str url = urls.members[i].key;
        const struct value *entry = value_find(accounts, url);
        struct value fields = entry && entry->kind == VALUE_OBJECT ? *entry : VALUE_EMPTY_OBJECT;
        out->accounts[out->len++] = account_of(arena, url, value_find_text(tokens, url), fields);
    }
}

/* null is read as an empty object. */
static fallible read_credentials(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    enum json_kind end; /* what follows is refused by looking at it */

    json_reader_init(&reader, arena, text);
    TRY(value_read_plain(&reader, out));
    TRY(json_peek(&reader, &end));
    if (out->kind != VALUE_OBJECT && out->kind != VALUE_NULL)
        return error_new(ERROR_INVALID, "expected an object");
    return NULL;
}

fallible credentials_load(struct arena *arena, const struct workspace *workspace,
                          struct credentials *out)
{
    struct value document;
    str path, text;

    *out = (struct credentials){ .current = STR("") };
    TRY(credentials_file(arena, workspace, &path));
    struct error *failure = fs_read(arena, path, MAX_FILE_SIZE, &text);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "then there is no login");
        return NULL;
    }
    TRY(error_wrap(failure, "reading credentials"));
    if (str_trim(text).len == 0)
        return NULL;
    TRY(error_wrap(read_credentials(arena, text, &document),
                   "failed to read Pulumi credentials file '" STR_FMT "'", STR_ARG(path)));
    out->current = value_find_text(document, STR("current"));
    read_accounts(arena, document, out);
    return NULL;
}

const struct account *credentials_find(const struct credentials *credentials, str url)
{
    for (size_t i = 0; i < credentials->len; i++)
        if (str_equal(credentials->accounts[i].url, url))
            return &credentials->accounts[i];
    return NULL;
}

/* --- changing --- */

void credentials_login(struct arena *arena, struct credentials *credentials, struct account account)
{
    struct account *accounts = ARENA_ARRAY(arena, struct account, credentials->len + 1);
    size_t len = 0;

    for (size_t i = 0; i < credentials->len; i++)
        if (!str_equal(credentials->accounts[i].url, account.url))
            accounts[len++] = credentials->accounts[i];
    accounts[len++] = account;
    credentials->accounts = accounts;
    credentials->len = len;
    credentials->current = account.url;
}

void credentials_logout(struct credentials *credentials, str url)
{
    size_t kept = 0;

    for (size_t i = 0; i < credentials->len; i++)
        if (!str_equal(credentials->accounts[i].url, url))
            credentials->accounts[kept++] = credentials->accounts[i];
    credentials->len = kept;
    if (str_equal(credentials->current, url))
        credentials->current = STR("");
}

/* --- writing --- */

static void write_member(struct json_writer *writer, const char *key, str text)
{
    if (text.len == 0)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

/* The known members from the account, the others as they were read. */
static fallible write_account(struct json_writer *writer, const struct account *account)
{
    static const str known[] = { STR_INIT("accessToken"), STR_INIT("username"),
                                 STR_INIT("lastValidatedAt"), STR_INIT("insecure") };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value rest = VALUE_EMPTY_OBJECT;

    if (account->json.len) {
        json_reader_init(&reader, &scratch, account->json);
        TRY(value_read_plain(&reader, &rest));
    }
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        rest = value_without(&scratch, rest, known[i]);
    json_begin_object(writer);
    write_member(writer, "accessToken", account->access_token);
    write_member(writer, "username", account->username);
    for (uint32_t i = 0; i < rest.len; i++) {
        json_key(writer, rest.members[i].key);
        value_write(writer, rest.members[i].value, SECRET_BARE);
    }
    write_member(writer, "lastValidatedAt",
                 account->last_validated.len ? account->last_validated : NEVER);
    if (account->is_insecure) {
        json_key(writer, STR("insecure"));
        json_bool(writer, true);
    }
    json_end_object(writer);
    return NULL;
}

static int compare_accounts(const void *a, const void *b)
{
    return str_compare(((const struct account *)a)->url, ((const struct account *)b)->url);
}

static fallible credentials_write_document(struct json_writer *writer,
                                           const struct credentials *credentials)
{
    json_begin_object(writer);
    write_member(writer, "current", credentials->current);
    json_key(writer, STR("accessTokens"));
    json_begin_object(writer);
    for (size_t i = 0; i < credentials->len; i++) {
        json_key(writer, credentials->accounts[i].url);
        json_string(writer, credentials->accounts[i].access_token);
    }
    json_end_object(writer);
    json_key(writer, STR("accounts"));
    json_begin_object(writer);
    for (size_t i = 0; i < credentials->len; i++) {
        json_key(writer, credentials->accounts[i].url);
        TRY(write_account(writer, &credentials->accounts[i]));
    }
    json_end_object(writer);
    json_end_object(writer);
    return NULL;
}

static fallible write_locked(str path, const struct credentials *credentials)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4, .escapes_html = true };

    if (credentials->len == 0)
        return fs_remove_if_present(path);
    TRY(credentials_write_document(&writer, credentials));
    return fs_replace(path, strbuf_str(&text), 0600);
}

static fallible credentials_lock(struct arena *scratch, const struct workspace *workspace,
                                 struct credentials *credentials)
{
    str path;

    TRY(credentials_file(scratch, workspace, &path));
    TRY(fs_make_directory(fs_path_directory(path), 0700));
    TRY(fs_lock(arena_concat(scratch, path, STR(".lock")), &credentials->lock));
    credentials->is_locked = true;
    return NULL;
}

static void credentials_unlock(struct credentials *credentials)
{
    if (credentials->is_locked)
        fs_unlock(credentials->lock);
    credentials->is_locked = false;
}

fallible credentials_edit(struct arena *arena, const struct workspace *workspace,
                          struct credentials *out)
{
    struct credentials locked = { 0 };

    TRY(credentials_lock(arena, workspace, &locked));
    struct error *failure = credentials_load(arena, workspace, out);
    if (failure) {
        credentials_unlock(&locked);
        return failure;
    }
    out->lock = locked.lock;
    out->is_locked = true;
    return NULL;
}

static fallible credentials_write(struct arena *scratch, const struct workspace *workspace,
                                  const struct credentials *credentials)
{
    struct credentials sorted = *credentials;
    str path;

    TRY(credentials_file(scratch, workspace, &path));
    sorted.accounts = arena_copy_bytes(scratch, credentials->accounts,
                                       credentials->len * sizeof(*credentials->accounts));
    if (sorted.len)
        qsort(sorted.accounts, sorted.len, sizeof(*sorted.accounts), compare_accounts);
    return write_locked(path, &sorted);
}

fallible credentials_save(const struct workspace *workspace, struct credentials *credentials)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!credentials->is_locked)
        TRY(credentials_lock(&scratch, workspace, credentials));
    struct error *failure = credentials_write(&scratch, workspace, credentials);
    credentials_unlock(credentials);
    return failure;
}
