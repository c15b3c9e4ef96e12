/* pq_connect.c — from a URL to a session: what libpq and the server are told, and what a refusal
 * means. */
#include "pq/pq_connection.h"

#include "base/fs.h"
#include "base/memory.h"
#include "base/program.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fiber/offload.h"

#include <fcntl.h>
#include <unistd.h>

enum { STALL_MS = 60000 };

struct pq_words {
    VEC(const char *);
};

/* What is being put together, and the session that comes of it. */
struct pq_attempt {
    struct arena arena;
    const struct pq_library *library;
    struct pq_words keywords;
    struct pq_words values;
    void *session;
};

static void pq_attempt_release(struct pq_attempt *attempt)
{
    vec_release(&attempt->keywords);
    vec_release(&attempt->values);
    arena_release(&attempt->arena);
}

/* --- parameters --- */

static void pq_attempt_add(struct pq_attempt *attempt, const char *keyword, str value)
{
    vec_add(&attempt->keywords, keyword);
    vec_add(&attempt->values, arena_cstr(&attempt->arena, value));
}

static bool pq_attempt_has(const struct pq_attempt *attempt, const char *keyword)
{
    for (size_t i = 0; i < attempt->keywords.len; i++)
        if (strcmp(attempt->keywords.items[i], keyword) == 0)
            return true;
    return false;
}

static void pq_attempt_default(struct pq_attempt *attempt, const char *keyword, const char *value)
{
    if (!pq_attempt_has(attempt, keyword))
        pq_attempt_add(attempt, keyword, str_from(value));
}

static bool pq_knows(const struct pq_conninfo *known, str name)
{
    for (; known && known->keyword; known++)
        if (str_equal(name, str_from(known->keyword)))
            return true;
    return false;
}

/* "-c name=value", where the value's blanks are escaped. */
static void pq_add_setting(struct strbuf *options, const struct pair *parameter)
{
    strbuf_printf(options, "%s-c " STR_FMT "=", options->len ? " " : "", STR_ARG(parameter->key));
    for (size_t i = 0; i < parameter->value.len; i++) {
        char c = parameter->value.ptr[i];
        if (c == '\\' || c == ' ')
            strbuf_add_char(options, '\\');
        strbuf_add_char(options, c);
    }
}

/* The reference's driver has parameters of its own that change nothing here. */
static bool pq_is_of_other_driver(str name)
{
    return str_equal(name, STR("binary_parameters"))
           || str_equal(name, STR("disable_prepared_binary_result"));
}

static bool pq_is_setting_name(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!((name.ptr[i] | 0x20) >= 'a' && (name.ptr[i] | 0x20) <= 'z')
            && !char_is_digit(name.ptr[i]) && name.ptr[i] != '_' && name.ptr[i] != '.')
            return false;
    return name.len > 0;
}

static fallible pq_sort_parameters(struct pq_attempt *attempt, struct pairs parameters,
                                   const struct pq_conninfo *known)
{
    CLEANUP(strbuf_release) struct strbuf options = { 0 };

    for (size_t i = 0; i < parameters.len; i++) {
        const struct pair *parameter = &parameters.items[i];
        bool is_on = false;
        if (str_equal(parameter->key, STR("options")))
            strbuf_printf(&options, "%s" STR_FMT, options.len ? " " : "",
                          STR_ARG(parameter->value));
        else if (pq_knows(known, parameter->key))
            pq_attempt_add(attempt, arena_cstr(&attempt->arena, parameter->key), parameter->value);
        else if (str_equal(parameter->key, STR("sslinline"))) {
            if (str_to_bool(parameter->value, &is_on) && is_on)
                return error_new(ERROR_INVALID,
                                 "the parameter sslinline is not supported: write the certificate "
                                 "and its key to files, and name these by sslcert and sslkey");
        } else if (!pq_is_setting_name(parameter->key))
            return error_new(ERROR_INVALID, "unknown query parameter \"" STR_FMT "\"",
                             STR_ARG(parameter->key));
        else if (!pq_is_of_other_driver(parameter->key))
            pq_add_setting(&options, parameter);
    }
    if (options.len > 0)
        pq_attempt_add(attempt, "options", strbuf_str(&options));
    return NULL;
}

/* --- what is not in the URL --- */

/* The certificates that the system trusts, or SSL_CERT_FILE: libpq knows only a file of its own. */
static void pq_choose_roots(struct pq_attempt *attempt)
{
    static const char *const bundles[] = { "/etc/ssl/certs/ca-certificates.crt",
                                           "/etc/pki/tls/certs/ca-bundle.crt" };
    str mode = settings_text("PGSSLMODE"), given = settings_text("SSL_CERT_FILE");
    str home = settings_text("HOME");

    for (size_t i = 0; i < attempt->keywords.len; i++)
        if (strcmp(attempt->keywords.items[i], "sslmode") == 0)
            mode = str_from(attempt->values.items[i]);
    if (!str_starts_with(mode, STR("verify-")) || pq_attempt_has(attempt, "sslrootcert")
        || settings_has("PGSSLROOTCERT")
        || fs_exists(arena_concat(&attempt->arena, home, STR("/.postgresql/root.crt"))))
        return;
    for (size_t i = 0; given.len == 0 && i < sizeof(bundles) / sizeof(*bundles); i++)
        if (fs_exists(str_from(bundles[i])))
            given = str_from(bundles[i]);
    if (given.len > 0)
        pq_attempt_add(attempt, "sslrootcert", given);
}

/* The reference's driver insists on TLS unless the URL says otherwise. A service file may have its
 * own opinion. A server that does not answer is given up some time. */
static void pq_add_defaults(struct pq_attempt *attempt)
{
    bool has_service = pq_attempt_has(attempt, "service") || settings_has("PGSERVICE");

    if (!settings_has("PGSSLMODE") && !has_service)
        pq_attempt_default(attempt, "sslmode", "require");
    if (!settings_has("PGCONNECT_TIMEOUT") && !has_service)
        pq_attempt_default(attempt, "connect_timeout", "30");
    pq_attempt_default(attempt, "keepalives_idle", "30");
    pq_attempt_default(attempt, "keepalives_interval", "10");
    pq_attempt_default(attempt, "keepalives_count", "3");
    pq_attempt_default(attempt, "tcp_user_timeout", "60000");
    pq_attempt_default(attempt, "fallback_application_name", program_name());
    pq_attempt_add(attempt, "client_encoding", STR("UTF8"));
    pq_choose_roots(attempt);
}

/* The network is given that long by tcp_user_timeout; a server that has stopped reading behind a
 * proxy or a socket of this machine, too. */
static uint64_t pq_stall_ms(const struct pq_attempt *attempt)
{
    uint64_t milliseconds = 0;

    for (size_t i = 0; i < attempt->keywords.len; i++)
        if (strcmp(attempt->keywords.items[i], "tcp_user_timeout") == 0
            && !str_to_u64(str_from(attempt->values.items[i]), &milliseconds))
            milliseconds = 0;
    return milliseconds > 0 ? milliseconds : STALL_MS;
}

/* --- refusals --- */

static bool pq_says(str text, const char *phrase)
{
    return str_find(text, str_from(phrase)) != SIZE_MAX;
}

/* libpq gives no number for what went wrong before a session exists, only English text. What is not
 * recognised gets no advice. */
static const char *pq_advice(str text, bool needs_password)
{
    if (needs_password || pq_says(text, "password authentication failed")
        || pq_says(text, "no password supplied"))
        return "the password comes from the URL, from PGPASSWORD or from ~/.pgpass: see that one "
               "of them has the right one; `login` does not keep it";
    if (pq_says(text, "does not support SSL"))
        return "without TLS the state travels as plain text: add sslmode=disable to the URL if "
               "that is what you want";
    if (pq_says(text, "certificate verify failed") || pq_says(text, "root certificate file"))
        return "name the file of the authority that signed the server's certificate by "
               "sslrootcert in the URL or by SSL_CERT_FILE";
    if (pq_says(text, "does not exist"))
        return "create the database and the user first; only the table is made by itself";
    if (pq_says(text, "pg_hba.conf") || pq_says(text, "authentication failed"))
        return "the server does not let this user in from this machine: see its pg_hba.conf";
    if (pq_says(text, "invalid connection option") || pq_says(text, "invalid sslmode value")
        || pq_says(text, "unrecognized configuration parameter"))
        return "see the parameters of the URL";
    return NULL;
}

static bool pq_may_pass(str text)
{
    return pq_says(text, "Connection refused") || pq_says(text, "timeout")
           || pq_says(text, "timed out") || pq_says(text, "starting up")
           || pq_says(text, "shutting down") || pq_says(text, "too many clients")
           || pq_says(text, "closed the connection") || pq_says(text, "reset by peer")
           || pq_says(text, "unreachable") || pq_says(text, "No such file or directory")
           || pq_says(text, "Temporary failure");
}

static fallible pq_refusal(const struct pq_library *library, void *session)
{
    str text = str_trim(str_from(library->errorMessage(session)));
    const char *advice = pq_advice(text, library->connectionNeedsPassword(session));
    bool may_pass = !advice && pq_may_pass(text);

    if (may_pass)
        advice = "is the server running, and is that its address?";
    return error_new(may_pass ? ERROR_OTHER : ERROR_INVALID, STR_FMT "%s%s%s", STR_ARG(text),
                     advice ? " (" : "", advice ? advice : "", advice ? ")" : "");
}

/* --- connecting --- */

/* On a helper thread: looking up names, TLS and the proof of the password take their time. */
static void pq_attempt_run(void *attempt_)
{
    struct pq_attempt *attempt = attempt_;

    attempt->session =
        attempt->library->connectdbParams(attempt->keywords.items, attempt->values.items, 0);
}

static void pq_notice(void *context, const char *text)
{
    (void)context; /* libpq would print it */
    (void)text;
}

static fallible pq_prepare(struct pq_connection *connection)
{
    const struct pq_library *library = &connection->library;
    void *session = connection->session;

    if (library->status(session) != CONNECTION_GOOD)
        return pq_refusal(library, session);
    library->setNoticeProcessor(session, pq_notice, NULL);
    if (library->setnonblocking(session, 1) != 0 || !library->enterPipelineMode(session))
        return error_new(ERROR_OTHER, "%s", library->errorMessage(session));
    int fd = fcntl(library->socket(session), F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return error_os("use the connection");
    return stream_from_fd(fd, &connection->socket);
}

static fallible pq_establish(struct pq_connection *connection, const struct pq_url *url)
{
    CLEANUP(pq_attempt_release) struct pq_attempt attempt = { .library = &connection->library };

    TRY(pq_library_load(&connection->library));
    struct pq_conninfo *known = connection->library.conndefaults();
    struct error *failure = pq_sort_parameters(&attempt, url->parameters, known);
    connection->library.conninfoFree(known);
    TRY(failure);
    pq_add_defaults(&attempt);
    connection->stall_ms = pq_stall_ms(&attempt);
    vec_add(&attempt.keywords, NULL);
    vec_add(&attempt.values, NULL);
    offload(pq_attempt_run, &attempt);
    connection->session = attempt.session;
    if (!connection->session)
        memory_exhausted(0);
    return pq_prepare(connection);
}

fallible pq_connect(const struct pq_url *url, str shown, struct pq_connection **out)
{
    struct pq_connection *connection = memory_zalloc(sizeof(*connection));

    connection->sending.available = 1;
    struct error *failure = pq_establish(connection, url);
    if (failure) {
        pq_close(connection);
        return error_wrap(failure, "cannot connect to '" STR_FMT "'", STR_ARG(shown));
    }
    connection->shown = arena_copy(&connection->arena, shown);
    *out = connection;
    return NULL;
}

void pq_close(struct pq_connection *owned)
{
    if (!owned)
        return;
    BUG_IF(owned->first && !owned->is_lost && owned->first->batch);
    while (owned->first)
        pq_pop(owned);
    stream_close(owned->socket);
    if (owned->session)
        owned->library.finish(owned->session);
    arena_release(&owned->arena);
    free(owned);
}
