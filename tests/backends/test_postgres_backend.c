/* test_postgres_backend.c — what stacks in PostgreSQL have beyond the claims of every backend: few
 * round trips, locks that end with their process, and nothing that is written without one. */
#include "backends/postgres_place.h"
#include "unit/backend_fixture.h"

#include "backend/backend_object.h"
#include "backend/store_postgres.h"
#include "fiber/fiber.h"

struct world {
    struct arena arena;
    str table;
    str url;
    struct pq_connection *sql;
    struct backend *backend;
    struct stack_ref stack;
    void (*claim)(struct world *world);
};

static struct backend *open_backend(struct world *world, const char *user)
{
    const struct backend_options options = {
        .url = world->url,
        .home = STR("/"),
        .user = str_from(user),
        .host = STR("h1"),
        .project = world->stack.project,
        .expected = world->stack.name,
    };
    struct backend *backend;

    assert_ok(backend_open(&options, &backend));
    return backend;
}

static void world_main(void *world_)
{
    struct world *world = world_;

    world->url = postgres_fresh_url(&world->arena, &world->table);
    world->sql = postgres_session(&world->arena, STR("state"));
    world->stack = (struct stack_ref){ .project = STR("p1"), .name = STR("dev") };
    world->backend = open_backend(world, "bob");
    world->claim(world);
    backend_close(world->backend);
    pq_close(world->sql);
}

static void world_run(void (*claim)(struct world *world))
{
    struct world world = { .claim = claim };

    assert_ok(scheduler_run(world_main, &world));
    arena_release(&world.arena);
}

#define CLAIM(name)                                \
    static void name##_claim(struct world *world); \
    static void name(void **state)                 \
    {                                              \
        (void)state;                               \
        world_run(name##_claim);                   \
    }                                              \
    static void name##_claim(struct world *world)

static struct pq_rows execute(struct world *world, const char *format)
{
    str before, after;

    assert_true(str_cut(str_from(format), STR("TABLE"), &before, &after));
    return postgres_execute(&world->arena, world->sql,
                            arena_concat(&world->arena, before, world->table, after).ptr);
}

static void create(struct world *world, size_t resources)
{
    struct snapshot snapshot = sample_snapshot(&world->arena, resources);
    assert_ok(backend_create_stack(world->backend, world->stack, &snapshot));
}

static size_t count_resources(struct world *world)
{
    struct backend *other = open_backend(world, "eve");
    struct snapshot snapshot;
    bool has_deployment;

    assert_ok(backend_load(other, world->stack, &world->arena, &snapshot, &has_deployment));
    backend_close(other);
    return snapshot.resource_count;
}

static size_t round_trips(const struct backend *backend)
{
    return postgres_round_trips(((const struct object_backend *)backend)->store);
}

static struct history_entry entry(void)
{
    return (struct history_entry){ .kind = STR("update"),
                                   .result = STR("succeeded"),
                                   .message = STR("") };
}

/* --- cost --- */

struct writers {
    struct world *world;
    struct journal *journal;
    struct work_group group;
    int next;
};

static void append_one(void *writers_)
{
    struct writers *writers = writers_;

    assert_ok(journal_append(writers->journal,
                             sample_record(&writers->world->arena, ++writers->next), true));
    work_group_done(&writers->group);
}

CLAIM(an_operation_takes_few_round_trips)
{
    struct snapshot snapshot = sample_snapshot(&world->arena, 3), loaded;
    struct writers writers = { .world = world };
    struct history_entry done = entry();
    struct backend_lock *lock;
    bool exists, has_deployment;

    create(world, 1);
    struct backend *backend = open_backend(world, "bob");
    assert_ok(backend_stack_exists(backend, world->stack, &exists));
    assert_ok(backend_load(backend, world->stack, &world->arena, &loaded, &has_deployment));
    assert_int_equal(round_trips(backend), 1); /* to open a stack */

    size_t before = round_trips(backend);
    assert_ok(backend_lock(backend, world->stack, &lock));
    assert_ok(backend_load(backend, world->stack, &world->arena, &loaded, &has_deployment));
    assert_ok(journal_open(backend, world->stack, &writers.journal));
    assert_int_equal(round_trips(backend) - before, 1); /* to have it for oneself */

    before = round_trips(backend);
    assert_ok(journal_append(writers.journal, sample_record(&world->arena, 50), true));
    assert_int_equal(round_trips(backend) - before, 2); /* the beginning, then the record */
    before = round_trips(backend);
    work_group_add(&writers.group, 20);
    for (int i = 0; i < 20; i++)
        fiber_spawn(append_one, &writers);
    work_group_wait_uncancelable(&writers.group);
    /* The first goes out at once, all others together; none waits for another. */
    assert_int_equal(round_trips(backend) - before, 1);

    before = round_trips(backend);
    assert_ok(journal_fold(writers.journal, &snapshot));
    journal_close(writers.journal);
    assert_ok(backend_add_history(backend, world->stack, &done));
    assert_ok(backend_unlock(lock));
    assert_int_equal(round_trips(backend) - before, 3); /* to end: checkpoint, history, lock */
    backend_close(backend);
    assert_int_equal(execute(world, "SELECT key FROM TABLE WHERE key LIKE '%/journals/%'").count,
                     0);
    assert_int_equal(execute(world, "SELECT key FROM TABLE WHERE key LIKE '%/locks/%'").count, 0);
}

CLAIM(a_listing_of_many_stacks_takes_few_round_trips)
{
    struct stack_summaries stacks;

    for (int i = 0; i < 30; i++) {
        world->stack.name = arena_printf(&world->arena, "s%02d", i);
        create(world, 2);
    }
    size_t before = round_trips(world->backend);
    assert_ok(backend_list_stacks(world->backend, &world->arena, STR(""), &stacks));
    assert_in_range(round_trips(world->backend) - before, 1, 6);
    assert_int_equal(stacks.len, 30);
    assert_int_equal(stacks.items[29].resource_count, 2);
}

/* --- locks --- */

/* What `cancel` of the reference does. */
static void remove_locks(struct world *world)
{
    execute(world, "DELETE FROM TABLE WHERE key LIKE '%/locks/%'");
}

/* Changes with every write. */
#define EVERYTHING "SELECT string_agg(key || ' ' || xmin, ',' ORDER BY key) FROM TABLE"

CLAIM(who_has_no_lock_any_more_writes_nothing)
{
    struct snapshot late = sample_snapshot(&world->arena, 40);
    struct history_entry done = entry();
    struct backend_lock *lock;
    struct journal *journal;

    create(world, 1);
    assert_ok(backend_lock(world->backend, world->stack, &lock));
    assert_ok(journal_open(world->backend, world->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&world->arena, 1), true));
    remove_locks(world);
    struct pq_rows before = execute(world, EVERYTHING);
    assert_fails(journal_append(journal, sample_record(&world->arena, 2), true), ERROR_OTHER,
                 "another process has taken over the stack 'dev'");
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    journal_close(journal);
    assert_fails(backend_save(world->backend, world->stack, &late), ERROR_OTHER, "another process");
    assert_fails(backend_add_history(world->backend, world->stack, &done), ERROR_OTHER,
                 "another process");
    assert_ok(backend_unlock(lock));
    struct pq_rows after = execute(world, EVERYTHING);
    assert_str_equal(pq_cell(&after, 0, 0), pq_cell(&before, 0, 0));
    /* What was recorded while it had the lock is known. */
    assert_int_equal(count_resources(world), 2);
}

CLAIM(the_lock_of_a_session_that_ended_is_no_lock)
{
    struct backend *dead = open_backend(world, "eve");
    struct backend_lock *lock, *left;
    struct journal *journal;

    create(world, 1);
    assert_ok(backend_lock(dead, world->stack, &left));
    assert_ok(journal_open(dead, world->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&world->arena, 1), true));
    assert_fails(backend_lock(world->backend, world->stack, &lock), ERROR_OTHER, "eve@h1");
    /* As if its machine were gone: the lock object stays, the session does not. */
    execute(world, "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = "
                   "'advisory' AND pid <> pg_backend_pid() AND 'TABLE' <> ''");
    assert_ok(backend_lock(world->backend, world->stack, &lock));
    assert_int_equal(count_resources(world), 2);
    /* It was not gone after all: it finds that it has no lock, and its journal does not grow. */
    assert_fails(journal_append(journal, sample_record(&world->arena, 2), true), ERROR_OTHER,
                 "another process");
    journal_close(journal);
    assert_ok(backend_unlock(left));
    assert_ok(backend_unlock(lock));
    backend_close(dead);
    assert_int_equal(count_resources(world), 2);
}

CLAIM(a_lock_that_was_broken_does_not_speak_for_the_next)
{
    struct backend *first = open_backend(world, "ann"), *second = open_backend(world, "eve");
    struct backend_lock *lock, *others;
    size_t count;

    create(world, 1);
    assert_ok(backend_lock(first, world->stack, &lock));
    assert_ok(backend_break_locks(second, world->stack, &count));
    assert_ok(backend_lock(second, world->stack, &others));
    assert_ok(backend_unlock(lock));
    backend_close(first);
    assert_fails(backend_lock(world->backend, world->stack, &lock), ERROR_OTHER, "eve@h1");
    assert_ok(backend_unlock(others));
    backend_close(second);
}

CLAIM(locks_of_the_reference_are_honoured)
{
    struct backend_lock *lock;

    create(world, 1);
    execute(world, "INSERT INTO TABLE (key, data) VALUES "
                   "('state/.pulumi/locks/organization/p1/dev/6f2c2b9e.json', '{\"data\":"
                   "\"eyJwaWQiOjEyLCJ1c2VybmFtZSI6ImFubiIsImhvc3RuYW1lIjoiZmFyIiwidGltZXN0YW1wIjoi"
                   "MjAyNi0xMS0xN1QwNTo0Njo0MVoifQ==\"}')");
    assert_fails(backend_lock(world->backend, world->stack, &lock), ERROR_OTHER,
                 "created by ann@far (pid 12) at 2026-11-17T05:46:41Z");
    remove_locks(world);
    assert_ok(backend_lock(world->backend, world->stack, &lock));
    struct pq_rows rows =
        execute(world, "SELECT convert_from(decode(data->>'data', 'base64'), 'UTF8')::json->>"
                       "'username' FROM TABLE WHERE key LIKE 'state/.pulumi/locks/organization/p1/"
                       "dev/%.json'");
    assert_int_equal(rows.count, 1);
    assert_str_equal(pq_cell(&rows, 0, 0), STR("bob"));
    assert_ok(backend_unlock(lock));
}

/* --- what the reference sees in between --- */

CLAIM(the_checkpoint_stays_the_last_whole_one_until_the_end)
{
    struct backend_lock *lock;
    struct journal *journal;

    create(world, 1);
    struct pq_rows before =
        execute(world, "SELECT data FROM TABLE WHERE key LIKE '%/stacks/p1/dev.json'");
    assert_ok(backend_lock(world->backend, world->stack, &lock));
    assert_ok(journal_open(world->backend, world->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&world->arena, 1), true));
    journal_close(journal);
    assert_ok(backend_unlock(lock));
    struct pq_rows after =
        execute(world, "SELECT data FROM TABLE WHERE key LIKE '%/stacks/p1/dev.json'");
    assert_str_equal(pq_cell(&after, 0, 0), pq_cell(&before, 0, 0));
    /* Nothing that it would take for a stack. */
    assert_int_equal(execute(world, "SELECT key FROM TABLE WHERE key LIKE '%/stacks/%'").count, 2);
    assert_int_equal(count_resources(world), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operation_takes_few_round_trips),
        cmocka_unit_test(a_listing_of_many_stacks_takes_few_round_trips),
        cmocka_unit_test(who_has_no_lock_any_more_writes_nothing),
        cmocka_unit_test(the_lock_of_a_session_that_ended_is_no_lock),
        cmocka_unit_test(a_lock_that_was_broken_does_not_speak_for_the_next),
        cmocka_unit_test(locks_of_the_reference_are_honoured),
        cmocka_unit_test(the_checkpoint_stays_the_last_whole_one_until_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
