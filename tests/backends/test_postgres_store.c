/* test_postgres_store.c — objects as rows of a table, on the server that
 * tests/backends/with-postgres has started. */
#include "backends/postgres_place.h"

#include "backend/object_lock_ops.h"
#include "backend/store_postgres.h"
#include "base/settings.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"

#include <signal.h>

/* A database of its own for each claim; `sql` is a second session that looks and interferes. */
struct world {
    struct arena arena;
    str database;
    str url;
    struct object_store *store;
    struct pq_connection *sql;
    void (*claim)(struct world *world);
};

/* --- helpers --- */

static str server(struct world *world, const char *user)
{
    return arena_printf(&world->arena, "postgres://%s@127.0.0.1:" STR_FMT, user,
                        STR_ARG(settings_text("TEST_POSTGRES_PORT")));
}

static struct pq_rows execute(struct world *world, struct pq_connection *connection,
                              const char *text)
{
    return postgres_execute(&world->arena, connection, text);
}

static struct error *open_store(str url, struct object_store **out)
{
    const struct object_store_options options = { .url = url, .home = STR("/") };
    return object_store_postgres.open(&options, out);
}

static struct object_store *another(struct world *world)
{
    struct object_store *store;
    assert_ok(open_store(world->url, &store));
    return store;
}

static void world_main(void *world_)
{
    struct world *world = world_;
    struct pq_connection *maker = postgres_session(&world->arena, STR("postgres"));
    static int number;

    world->database = arena_printf(&world->arena, "claim%d", ++number);
    execute(world, maker,
            arena_printf(&world->arena, "CREATE DATABASE %s", world->database.ptr).ptr);
    pq_close(maker);
    world->url = arena_concat(&world->arena, server(world, "culumi"), STR("/"), world->database,
                              STR("?sslmode=disable"));
    world->sql = postgres_session(&world->arena, world->database);
    assert_ok(open_store(world->url, &world->store));
    world->claim(world);
    object_store_postgres.close(world->store);
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

static struct object_put_result put_if(struct world *world, const char *key, str bytes,
                                       struct object_condition condition)
{
    struct object_put_result result;

    assert_ok(world->store->ops->put(world->store, &world->arena, str_from(key), bytes, condition,
                                     &result));
    return result;
}

static struct object_put_result put(struct world *world, const char *key, const char *bytes)
{
    return put_if(world, key, str_from(bytes), (struct object_condition){ 0 });
}

static struct object get(struct world *world, const char *key)
{
    struct object object;

    assert_ok(world->store->ops->get(world->store, &world->arena, str_from(key), &object));
    return object;
}

static struct object_list list(struct world *world, const char *prefix, bool is_flat)
{
    struct object_list found;

    assert_ok(
        world->store->ops->list(world->store, &world->arena, str_from(prefix), is_flat, &found));
    return found;
}

/* --- objects --- */

CLAIM(an_object_comes_back_with_every_byte)
{
    char bytes[1000];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)i;
    assert_false(get(world, "a").exists);
    put_if(world, "a", (str){ bytes, sizeof(bytes) }, (struct object_condition){ 0 });
    assert_str_equal(get(world, "a").bytes, ((str){ bytes, sizeof(bytes) }));
    put(world, "a", "");
    assert_true(get(world, "a").exists);
    assert_int_equal(get(world, "a").bytes.len, 0);
}

CLAIM(rows_are_those_of_the_reference)
{
    put(world, ".pulumi/meta.yaml", "version: 1\n");
    struct pq_rows rows = execute(world, world->sql, "SELECT key, data FROM pulumi_state");
    assert_int_equal(rows.count, 1);
    assert_str_equal(pq_cell(&rows, 0, 0),
                     arena_concat(&world->arena, world->database, STR("/.pulumi/meta.yaml")));
    assert_str_equal(pq_cell(&rows, 0, 1), STR("{\"data\":\"dmVyc2lvbjogMQo=\"}"));
    rows = execute(world, world->sql,
                   "SELECT indexdef FROM pg_indexes WHERE indexname = "
                   "'pulumi_state_key_prefix_idx'");
    assert_int_equal(rows.count, 1);
    execute(world, world->sql,
            "UPDATE pulumi_state SET data = '{ \"data\": \"eA==\", \"more\": 1 }'");
    assert_str_equal(get(world, ".pulumi/meta.yaml").bytes, STR("x"));
}

CLAIM(a_write_obeys_its_condition)
{
    const struct object_condition absent = { .is_absent = true };
    struct object_put_result first = put_if(world, "k", STR("1"), absent);

    assert_true(first.is_met);
    assert_false(put_if(world, "k", STR("2"), absent).is_met);
    struct object_put_result second =
        put_if(world, "k", STR("1"), (struct object_condition){ .version = first.version });
    assert_true(second.is_met);
    assert_false(str_equal(first.version, second.version));
    assert_str_equal(get(world, "k").version, second.version);
    assert_false(
        put_if(world, "k", STR("3"), (struct object_condition){ .version = first.version }).is_met);
    assert_false(
        put_if(world, "none", STR("3"), (struct object_condition){ .version = first.version })
            .is_met);
    assert_str_equal(get(world, "k").bytes, STR("1"));
}

CLAIM(a_listing_takes_names_as_they_are)
{
    put(world, "d_v/a", "1");
    put(world, "dev/a", "2");
    put(world, "d%/a", "3");
    put(world, "d\\v/a", "4");
    put(world, "d_v/b/c", "5");
    assert_int_equal(list(world, "d_v/", false).len, 2);
    assert_int_equal(list(world, "d_v/", true).len, 1);
    assert_int_equal(list(world, "d%", false).len, 1);
    assert_int_equal(list(world, "d\\", false).len, 1);
    struct object_list all = list(world, "", false);
    assert_int_equal(all.len, 5);
    assert_str_equal(all.items[0].key, STR("d%/a"));
    assert_str_equal(all.items[1].key, STR("d\\v/a"));
    assert_str_equal(all.items[4].key, STR("dev/a"));
    assert_str_equal(all.items[4].version, get(world, "dev/a").version);
    assert_true(all.items[0].modified > 1000000000000000000);
}

CLAIM(contents_come_with_a_listing)
{
    struct object_list found;
    struct object *contents;

    put(world, "j/1", "one");
    put(world, "j/2", "");
    put(world, "k/1", "other");
    size_t before = postgres_round_trips(world->store);
    assert_ok(
        world->store->ops->get_all(world->store, &world->arena, STR("j/"), &found, &contents));
    assert_int_equal(postgres_round_trips(world->store) - before, 1);
    assert_int_equal(found.len, 2);
    assert_str_equal(contents[0].bytes, STR("one"));
    assert_int_equal(found.items[0].size, 3);
    assert_int_equal(contents[1].bytes.len, 0);
}

CLAIM(objects_are_copied_and_removed_on_the_server)
{
    const str keys[] = { STR("a"), STR("q\"\\,{}"), STR("missing") };
    bool is_found;

    put(world, "a", "1");
    put(world, "q\"\\,{}", "2");
    put(world, "kept", "3");
    assert_ok(world->store->ops->copy(world->store, STR("a"), STR("b"), &is_found));
    assert_true(is_found);
    assert_ok(world->store->ops->copy(world->store, STR("kept"), STR("b"), &is_found));
    assert_str_equal(get(world, "b").bytes, STR("3"));
    assert_ok(world->store->ops->copy(world->store, STR("missing"), STR("b"), &is_found));
    assert_false(is_found);
    assert_ok(world->store->ops->remove(world->store, STR("b")));
    assert_ok(world->store->ops->remove(world->store, STR("b")));
    assert_ok(world->store->ops->remove_all(world->store, (struct strs){ keys, 3 }));
    assert_ok(world->store->ops->remove_all(world->store, (struct strs){ 0 }));
    assert_int_equal(list(world, "", false).len, 1);
}

CLAIM(a_large_object_comes_back_whole)
{
    size_t len = 30 << 20;
    char *bytes = arena_alloc(&world->arena, len);

    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i * 7 + i / 4096);
    put_if(world, "large", (str){ bytes, len }, (struct object_condition){ 0 });
    assert_str_equal(get(world, "large").bytes, ((str){ bytes, len }));
}

/* --- many at once --- */

struct crowd {
    struct world *world;
    struct work_group group;
    int next;
};

static void write_and_read(void *crowd_)
{
    struct crowd *crowd = crowd_;
    const char *key = arena_printf(&crowd->world->arena, "crowd/%02d", crowd->next++).ptr;

    put(crowd->world, key, key);
    assert_str_equal(get(crowd->world, key).bytes, str_from(key));
    work_group_done(&crowd->group);
}

CLAIM(answers_of_many_fibers_find_their_way)
{
    struct crowd crowd = { .world = world };

    work_group_add(&crowd.group, 50);
    for (int i = 0; i < 50; i++)
        fiber_spawn(write_and_read, &crowd);
    work_group_wait_uncancelable(&crowd.group);
    assert_int_equal(list(world, "crowd/", true).len, 50);
}

struct reader {
    struct world *world;
    struct latch done;
};

static void read_until_canceled(void *reader_)
{
    struct reader *reader = reader_;
    struct object object;

    assert_fails(reader->world->store->ops->get(reader->world->store, &reader->world->arena,
                                                STR("a"), &object),
                 ERROR_CANCELED, "");
    latch_open(&reader->done);
}

CLAIM(a_read_that_is_canceled_leaves_the_connection_to_the_others)
{
    struct cancel *scope = cancel_open(NULL);
    struct reader reader = { .world = world };

    put(world, "a", "1");
    execute(world, world->sql, "BEGIN");
    execute(world, world->sql, "LOCK TABLE pulumi_state IN ACCESS EXCLUSIVE MODE");
    fiber_spawn_in(scope, read_until_canceled, &reader);
    fiber_yield();
    cancel_fire(scope);
    latch_wait_uncancelable(&reader.done);
    execute(world, world->sql, "COMMIT");
    assert_str_equal(get(world, "a").bytes, STR("1"));
    fiber_yield();
    cancel_close(scope);
}

/* --- failures --- */

static void cut_others(struct world *world)
{
    execute(world, world->sql,
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()");
}

CLAIM(a_connection_that_was_cut_is_made_anew)
{
    const struct object_condition absent = { .is_absent = true };

    put(world, "a", "1");
    cut_others(world);
    assert_str_equal(get(world, "a").bytes, STR("1"));
    cut_others(world);
    assert_true(put_if(world, "b", STR("2"), absent).is_met);
    cut_others(world);
    assert_false(put_if(world, "b", STR("3"), absent).is_met);
    cut_others(world);
    assert_int_equal(list(world, "", false).len, 2);
}

/* Over a socket of this machine: no timeout of the network ends what stands still there. */
static struct pq_connection *near_session(struct world *world, const char *parameters)
{
    str url = arena_printf(&world->arena,
                           "postgres://culumi@/postgres?sslmode=disable&host=" STR_FMT
                           "&port=" STR_FMT "%s",
                           STR_ARG(settings_text("TEST_POSTGRES_SOCKET")),
                           STR_ARG(settings_text("TEST_POSTGRES_PORT")), parameters);
    struct pq_connection *connection;
    struct pq_url parsed;

    assert_ok(pq_url_parse(&world->arena, url, &parsed));
    assert_ok(pq_connect(&parsed, STR("near"), &connection));
    return connection;
}

/* More than sockets hold. */
static struct error *send_much(struct world *world, struct pq_connection *connection)
{
    size_t len = (size_t)20 << 20;
    char *bytes = arena_alloc(&world->arena, len + 1);
    str value = { memset(bytes, 'x', len), len };
    struct pq_statement statement = { .text = "SELECT length($1)",
                                      .values = &value,
                                      .value_count = 1 };
    char state[PQ_STATE_SIZE];

    bytes[len] = '\0';
    TRY(pq_run(connection, &world->arena, &statement, 1, state));
    assert_str_equal(pq_cell(&statement.rows, 0, 0), STR("20971520"));
    return NULL;
}

CLAIM(a_server_that_takes_nothing_is_given_up)
{
    struct pq_connection *connection = near_session(world, "&tcp_user_timeout=300");
    struct pq_rows rows = execute(world, connection, "SELECT pg_backend_pid()");
    uint64_t pid;

    assert_true(str_to_u64(pq_cell(&rows, 0, 0), &pid));
    assert_int_equal(kill((pid_t)pid, SIGSTOP), 0);
    struct error *failure = send_much(world, connection);
    assert_int_equal(kill((pid_t)pid, SIGCONT), 0);
    assert_true(error_is_lost(failure));
    assert_fails(failure, ERROR_OTHER, "the server takes nothing of what is sent to it");
    assert_true(pq_is_lost(connection));
    pq_close(connection);
}

struct asker {
    struct world *world;
    struct pq_connection *connection;
    struct latch done;
};

static void ask_for_much_until_canceled(void *asker_)
{
    struct asker *asker = asker_;
    struct pq_statement statement = { .text = "SELECT repeat('x', 20000000) FROM pg_sleep(0.1)" };
    char state[PQ_STATE_SIZE];

    assert_fails(pq_run(asker->connection, &asker->world->arena, &statement, 1, state),
                 ERROR_CANCELED, "");
    latch_open(&asker->done);
}

/* The server wants to be rid of an answer first, and nobody waits for it any more. */
CLAIM(who_sends_much_takes_what_others_have_left)
{
    struct cancel *scope = cancel_open(NULL);
    struct asker asker = { .world = world, .connection = near_session(world, "") };

    fiber_spawn_in(scope, ask_for_much_until_canceled, &asker);
    fiber_yield();
    cancel_fire(scope);
    latch_wait_uncancelable(&asker.done);
    assert_ok(send_much(world, asker.connection));
    pq_close(asker.connection);
    fiber_yield();
    cancel_close(scope);
}

static bool remove_left(struct object_store *store, const char *key, const char *bytes)
{
    bool was_left;

    assert_ok(store->ops->locks->remove_left(store, str_from(key), str_from(bytes), &was_left));
    return was_left;
}

static void take_lock(struct object_store *store, const char *key, const char *bytes, bool was_cut)
{
    bool is_late;

    assert_ok(store->ops->locks->put(store, str_from(key), str_from(bytes), &is_late));
    assert_int_equal(is_late, was_cut);
}

CLAIM(a_lock_lives_as_long_as_its_session)
{
    struct object_store *other = another(world);

    take_lock(world->store, "l/1", "me", false);
    assert_str_equal(get(world, "l/1").bytes, STR("me"));
    assert_false(remove_left(other, "l/1", "me"));
    /* After a cut it is held again. */
    cut_others(world);
    assert_false(get(world, "x").exists);
    assert_false(remove_left(other, "l/1", "me"));
    assert_str_equal(get(world, "l/1").bytes, STR("me"));
    assert_ok(world->store->ops->locks->remove(world->store, STR("l/1")));
    assert_false(get(world, "l/1").exists);
    assert_false(remove_left(other, "l/1", "me"));
    take_lock(other, "l/2", "other", false);
    assert_false(remove_left(world->store, "l/2", "other"));
    other->ops->close(other);
    /* The server notices the end of a session a moment later. */
    while (!remove_left(world->store, "l/2", "other"))
        fiber_yield();
    assert_false(get(world, "l/2").exists);
}

/* Who has read a lock looks at its session later. */
CLAIM(a_lock_that_was_taken_again_is_not_the_one_that_was_read)
{
    put(world, "l/1", "the second time");
    assert_false(remove_left(world->store, "l/1", "the first time"));
    assert_true(get(world, "l/1").exists);
    assert_true(remove_left(world->store, "l/1", "the second time"));
    assert_false(get(world, "l/1").exists);
}

/* In a transaction that is not at its end, as it may be at any moment. */
CLAIM(who_looks_at_a_lock_does_not_keep_its_owner_from_taking_it)
{
    struct object_store *other = another(world);
    struct postgres_store *looker = (struct postgres_store *)other;
    struct pq_rows none;

    assert_ok(postgres_query(looker, &world->arena, "BEGIN", NULL, 0, &none, NULL));
    assert_false(remove_left(other, "l/1", "me"));
    take_lock(world->store, "l/1", "me", false);
    assert_ok(postgres_query(looker, &world->arena, "ROLLBACK", NULL, 0, &none, NULL));
    assert_false(remove_left(other, "l/1", "me"));
    other->ops->close(other);
}

CLAIM(a_lock_that_was_sent_again_says_so)
{
    struct object_store *other = another(world);

    assert_false(get(world, "x").exists);
    cut_others(world);
    take_lock(world->store, "l/1", "me", true);
    assert_false(remove_left(other, "l/1", "me"));
    other->ops->close(other);
}

CLAIM(nothing_is_written_without_the_guard)
{
    struct object_condition guarded = { .guard = STR("lock") };
    struct object_put_result first;

    assert_false(put_if(world, "k", STR("1"), guarded).is_met);
    assert_false(get(world, "k").exists);
    put(world, "lock", "me");
    first = put_if(world, "k", STR("1"), guarded);
    assert_true(first.is_met);
    assert_true(put_if(world, "n", STR("1"),
                       (struct object_condition){ .is_absent = true, .guard = STR("lock") })
                    .is_met);
    guarded.version = first.version;
    assert_true(put_if(world, "k", STR("2"), guarded).is_met);
    assert_false(put_if(world, "k", STR("3"), guarded).is_met);
    guarded.version = get(world, "k").version;
    assert_ok(world->store->ops->remove(world->store, STR("lock")));
    assert_false(put_if(world, "k", STR("3"), guarded).is_met);
    assert_false(put_if(world, "m", STR("1"),
                        (struct object_condition){ .is_absent = true, .guard = STR("lock") })
                     .is_met);
    assert_str_equal(get(world, "k").bytes, STR("2"));
}

/* The connection is refused, or the first thing that is asked for. */
static void assert_refused(struct world *world, const char *url, const char *phrase)
{
    struct object_store *store;
    struct object object;
    struct error *failure = open_store(str_from(url), &store);

    if (!failure) {
        failure = store->ops->get(store, &world->arena, STR("k"), &object);
        store->ops->close(store);
    }
    assert_non_null(failure);
    if (str_find(error_message(failure), str_from(phrase)) == SIZE_MAX
        || str_find(error_message(failure), STR("s3cret")) != SIZE_MAX)
        fail_msg("%s", error_message(failure).ptr);
    error_free(failure);
}

static const char *at(struct world *world, const char *user, const char *rest)
{
    return arena_concat(&world->arena, server(world, user), STR("/"), world->database,
                        str_from(rest))
        .ptr;
}

CLAIM(what_cannot_be_opened_is_explained_without_the_password)
{
    assert_refused(world, at(world, "guarded:s3cret", "?sslmode=disable"),
                   "password authentication failed for user \"guarded\" (the password comes from");
    assert_refused(world, at(world, "guarded:s3cret", "?sslmode=disable"),
                   "cannot connect to 'postgres://guarded@127.0.0.1:");
    assert_refused(world, at(world, "guarded", "?sslmode=disable"), "PGPASSWORD");
    assert_refused(world, at(world, "culumi", "?password=s3cret"), "add sslmode=disable");
    assert_refused(world, "postgres://culumi:s3cret@127.0.0.1:1/db?sslmode=disable",
                   "is the server running");
    assert_refused(world, at(world, "culumi:s3cret", "_missing?sslmode=disable"),
                   "create the database");
    assert_refused(world, at(world, "nobody:s3cret", "?sslmode=disable"), "does not exist");
    assert_refused(world, at(world, "culumi:s3cret", "?sslmode=disable&no_such_thing=1"),
                   "unrecognized configuration parameter \"no_such_thing\"");
    assert_refused(world, at(world, "culumi:s3cret", "?sslmode=disable&a-b=1"),
                   "unknown query parameter \"a-b\"");
    assert_refused(world, at(world, "culumi:s3cret", "?sslmode=disable&table=a%20b"),
                   "'a b' is no name for a table");
    assert_refused(world, at(world, "culumi:s3cret/", "?sslmode=disable"), "%2F");
    assert_refused(world, at(world, "guarded:s3cret%2F%3F", "?sslmode=disable&table=fresh"),
                   "cannot make the table 'fresh'");
    execute(world, world->sql, "CREATE TABLE accounts (key integer, data json)");
    assert_refused(world, at(world, "culumi:s3cret", "?sslmode=disable&table=accounts"),
                   "table 'accounts' of 'postgres://culumi@");
    execute(world, world->sql, "SELECT key FROM accounts");
}

CLAIM(a_table_of_any_schema_and_case_can_be_used)
{
    struct object_store *store;
    struct object_put_result result;

    execute(world, world->sql, "CREATE SCHEMA team");
    assert_ok(
        open_store(str_from(at(world, "culumi", "?sslmode=disable&table=team.Order")), &store));
    assert_ok(store->ops->put(store, &world->arena, STR("k"), STR("1"),
                              (struct object_condition){ 0 }, &result));
    store->ops->close(store);
    assert_int_equal(execute(world, world->sql, "SELECT key FROM team.\"order\"").count, 1);
    /* What the reference's users do: a search path, as a setting of the session. */
    assert_ok(open_store(
        str_from(at(world, "culumi", "?sslmode=disable&table=ORDER&search_path=team,public")),
        &store));
    struct object object;
    assert_ok(store->ops->get(store, &world->arena, STR("k"), &object));
    assert_true(object.exists);
    store->ops->close(store);
}

CLAIM(who_may_only_read_can_read)
{
    struct object_store *store;
    struct object_put_result result;
    struct object object;

    put(world, "k", "1");
    execute(world, world->sql, "GRANT SELECT ON pulumi_state TO reader");
    assert_ok(open_store(str_from(at(world, "reader", "?sslmode=disable")), &store));
    assert_ok(store->ops->get(store, &world->arena, STR("k"), &object));
    assert_true(object.exists);
    assert_fails(store->ops->put(store, &world->arena, STR("k"), STR("2"),
                                 (struct object_condition){ 0 }, &result),
                 ERROR_INVALID, "permission denied for table pulumi_state");
    store->ops->close(store);
}

CLAIM(a_row_that_holds_something_else_is_named)
{
    struct object object;

    put(world, "k", "1");
    execute(world, world->sql, "UPDATE pulumi_state SET data = '{\"data\":\"###\"}'");
    assert_fails(world->store->ops->get(world->store, &world->arena, STR("k"), &object),
                 ERROR_INVALID, "/k' of table 'pulumi_state'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_comes_back_with_every_byte),
        cmocka_unit_test(rows_are_those_of_the_reference),
        cmocka_unit_test(a_write_obeys_its_condition),
        cmocka_unit_test(a_listing_takes_names_as_they_are),
        cmocka_unit_test(contents_come_with_a_listing),
        cmocka_unit_test(objects_are_copied_and_removed_on_the_server),
        cmocka_unit_test(a_large_object_comes_back_whole),
        cmocka_unit_test(answers_of_many_fibers_find_their_way),
        cmocka_unit_test(a_read_that_is_canceled_leaves_the_connection_to_the_others),
        cmocka_unit_test(a_connection_that_was_cut_is_made_anew),
        cmocka_unit_test(a_server_that_takes_nothing_is_given_up),
        cmocka_unit_test(who_sends_much_takes_what_others_have_left),
        cmocka_unit_test(a_lock_lives_as_long_as_its_session),
        cmocka_unit_test(a_lock_that_was_taken_again_is_not_the_one_that_was_read),
        cmocka_unit_test(who_looks_at_a_lock_does_not_keep_its_owner_from_taking_it),
        cmocka_unit_test(a_lock_that_was_sent_again_says_so),
        cmocka_unit_test(nothing_is_written_without_the_guard),
        cmocka_unit_test(what_cannot_be_opened_is_explained_without_the_password),
        cmocka_unit_test(a_table_of_any_schema_and_case_can_be_used),
        cmocka_unit_test(who_may_only_read_can_read),
        cmocka_unit_test(a_row_that_holds_something_else_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
