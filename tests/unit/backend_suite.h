/* backend_suite.h — what every backend has to do, whatever its URL: the places that are tried, and
 * helpers for the claims. */
#pragma once

#include "unit/backend_fixture.h"

#include "base/fault.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "loopback/blob_server.h"

struct suite {
    struct arena arena;
    const struct suite_place *place;
    str url;
    struct backend *backend;
    struct stack_ref stack;
    struct blob_server server; /* of the kind that needs one */
    str folder;
    void (*claim)(struct suite *suite);
};

/* A kind of backend, and how a test gets an empty store of it. */
struct suite_place {
    const char *name;
    void (*set_up)(struct suite *suite); /* sets `url` */
    void (*tear_down)(struct suite *suite);
    /* From now on what writes a checkpoint (or else a record) fails; or it is all well again. */
    void (*break_writes)(struct suite *suite, bool of_checkpoints);
    void (*mend)(struct suite *suite);
};

static inline struct backend *suite_open(struct suite *suite)
{
    const struct backend_options options = {
        .url = suite->url, .home = STR("/"), .user = STR("bob"), .host = STR("h1")
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

static inline void s3_set_up(struct suite *suite)
{
    assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "suite-key", 1), 0);
    assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "suite-secret", 1), 0);
    blob_server_open(&suite->server);
    suite->server.is_s3 = true;
    suite->url = arena_printf(&suite->arena,
                              "s3://bucket/some/place?region=here&endpoint=http://127.0.0.1:%u",
                              listener_port(suite->server.listener));
}

static const struct suite_place suite_places[] = {
    { "file", file_set_up, file_tear_down, file_break_writes, file_mend },
    { "loopback", loopback_set_up, loopback_tear_down, loopback_break_writes, loopback_mend },
    { "s3", s3_set_up, loopback_tear_down, loopback_break_writes, loopback_mend },
};

/* --- running a claim --- */

static inline void suite_main(void *suite_)
{
    struct suite *suite = suite_;

    suite->place->set_up(suite);
    suite->stack = (struct stack_ref){ STR("p1"), STR("dev") };
    suite->backend = suite_open(suite);
    suite->claim(suite);
    backend_close(suite->backend);
    suite->place->tear_down(suite);
}

static inline void suite_run(void **state, void (*claim)(struct suite *suite))
{
    struct suite suite = { .place = *state, .claim = claim };

    assert_ok(scheduler_run(suite_main, &suite));
    arena_release(&suite.arena);
}

#define CLAIM(name)                                \
    static void name##_claim(struct suite *suite); \
    static void name(void **state)                 \
    {                                              \
        suite_run(state, name##_claim);            \
    }                                              \
    static void name##_claim(struct suite *suite)

/* --- helpers --- */

static inline void suite_create(struct suite *suite, size_t resources)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, resources);
    assert_ok(backend_create_stack(suite->backend, suite->stack, &snapshot));
}

/* Of the stack as another process sees it. */
static inline size_t suite_count(struct suite *suite)
{
    struct backend *other = suite_open(suite);
    struct snapshot snapshot;
    bool has_deployment;

    assert_ok(backend_load(other, suite->stack, &suite->arena, &snapshot, &has_deployment));
    backend_close(other);
    return snapshot.resource_count;
}
