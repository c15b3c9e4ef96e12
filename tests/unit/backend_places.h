/* backend_places.h — the places at which every claim about backends is tried. */
#pragma once

#include "unit/backend_fixture.h"

#include "base/fault.h"
#include "base/settings.h"
#include "base/uuid.h"
#include "loopback/blob_server.h"
#include "unit/service_fixture.h"

struct suite {
    struct arena arena;
    const struct suite_place *place;
    str url;
    struct backend *backend;
    struct stack_ref stack;
    struct blob_server server; /* of the kind that needs one */
    struct service_fixture service;
    str folder;
    void (*claim)(struct suite *suite);
};

/* A kind of backend, and how a test gets an empty store of it. */
struct suite_place {
    const char *name;
    void (*set_up)(struct suite *suite); /* sets `url` */
    void (*tear_down)(struct suite *suite);
    /* From now on what writes a checkpoint (or else a record) fails; or it is all well again. NULL:
     * nobody can make it fail. */
    void (*break_writes)(struct suite *suite, bool of_checkpoints);
    void (*mend)(struct suite *suite);
};

static inline struct backend *suite_open(struct suite *suite)
{
    const struct backend_options options = {
        .url = suite->url,
        .home = STR("/"),
        .user = STR("bob"),
        .host = STR("h1"),
        .service = suite->service.service,
        .organization = STR("acme"),
    };
    struct backend *backend;

    assert_ok(backend_open(&options, &backend));
    return backend;
}

/* --- places --- */

static inline void file_set_up(struct suite *suite)
{
    char name[] = "/tmp/culumi-suite-XXXXXX";

    assert_non_null(mkdtemp(name));
    suite->folder = arena_copy(&suite->arena, str_from(name));
    suite->url = arena_concat(&suite->arena, STR("file://"), suite->folder);
}

static inline void file_tear_down(struct suite *suite)
{
    assert_ok(fs_remove_tree(suite->folder));
}

static inline void file_break_writes(struct suite *suite, bool of_checkpoints)
{
    (void)suite;
    fault_arm(STR(""), of_checkpoints ? STR("fs.write:1") : STR("journal.write:1"));
}

static inline void file_mend(struct suite *suite)
{
    (void)suite;
    fault_arm(STR(""), STR(""));
}

static inline void loopback_set_up(struct suite *suite)
{
    blob_server_open(&suite->server);
    suite->url = arena_printf(&suite->arena, "loopback://127.0.0.1:%u/some/place",
                              listener_port(suite->server.listener));
}

static inline void loopback_tear_down(struct suite *suite)
{
    blob_server_close(&suite->server);
}

static inline void loopback_break_writes(struct suite *suite, bool of_checkpoints)
{
    (void)of_checkpoints;
    suite->server.fault = BLOB_REFUSES;
    suite->server.fault_count = SIZE_MAX;
    suite->server.faults_only_writes = true;
}

static inline void loopback_mend(struct suite *suite)
{
    suite->server.fault = BLOB_GOOD;
}

#include "unit/backend_places_cloud.h"
#include "unit/backend_suite_service.h"

/* A real server: CULUMI_SUITE_URL is a store of its own, with %s where a prefix may stand. */
static inline void server_set_up(struct suite *suite)
{
    str before, after, url = settings_text("CULUMI_SUITE_URL");

    assert_true(str_cut(url, STR("%s"), &before, &after));
    suite->url = arena_concat(&suite->arena, before, uuid_new(&suite->arena), after);
}

static inline void server_tear_down(struct suite *suite)
{
    (void)suite;
}

static const struct suite_place suite_places[] = {
    { "file", file_set_up, file_tear_down, file_break_writes, file_mend },
    { "loopback", loopback_set_up, loopback_tear_down, loopback_break_writes, loopback_mend },
    { "s3", s3_set_up, loopback_tear_down, loopback_break_writes, loopback_mend },
    { "gs", gs_set_up, loopback_tear_down, loopback_break_writes, loopback_mend },
    { "azblob", azblob_set_up, loopback_tear_down, loopback_break_writes, loopback_mend },
    { "service", service_set_up, service_tear_down, service_break_writes, service_mend },
    { "service journal", service_journal_set_up, service_tear_down, service_break_writes,
      service_mend },
    { "server", server_set_up, server_tear_down, NULL, NULL },
};
