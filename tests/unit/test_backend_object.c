/* test_backend_object.c — what only the backend over stores of objects has: stores that ignore
 * conditions, layouts of old, journals that are not on top, and how few requests it takes. */
#include "unit/backend_cut_off.h"
#include "unit/backend_suite.h"

#include "backend/backend_object_ops.h"
#include "backend/diy_checkpoint.h"

static const struct suite_place *const s3_place = &suite_places[2];
static const struct suite_place *const gs_place = &suite_places[3];
static const struct suite_place *const azblob_place = &suite_places[4];

static struct blob *find_blob(struct suite *suite, const char *part)
{
    for (size_t i = 0; i < suite->server.blobs.len; i++)
        if (strstr(suite->server.blobs.items[i].key, part))
            return &suite->server.blobs.items[i];
    return NULL;
}

/* The one whose key ends so. */
static struct blob *find_blob_named(struct suite *suite, const char *end)
{
    for (size_t i = 0; i < suite->server.blobs.len; i++)
        if (str_ends_with(str_from(suite->server.blobs.items[i].key), str_from(end)))
            return &suite->server.blobs.items[i];
    return NULL;
}

static struct backend *open_compressing(struct suite *suite)
{
    const struct backend_options options = {
        .url = suite->url,
        .home = STR("/"),
        .user = STR("bob"),
        .host = STR("h1"),
        .diy = { .compresses_gzip = true },
    };
    struct backend *backend;

    assert_ok(backend_open(&options, &backend));
    return backend;
}

static struct journal *begin(struct suite *suite, struct backend *backend)
{
    struct journal *journal;

    assert_ok(journal_open(backend, suite->stack, &journal));
    return journal;
}

static struct error *add(struct suite *suite, struct journal *journal, int number)
{
    return journal_append(journal, sample_record(&suite->arena, number), true);
}

/* --- stores that ignore conditions --- */

CLAIM(where_conditions_are_ignored_a_broken_lock_is_noticed)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend_lock *lock;
    size_t count;

    suite->server.ignores_conditions = true;
    struct backend *first = suite_open(suite), *other = suite_open(suite);
    suite_create(suite, 1);
    assert_ok(backend_lock(first, suite->stack, &lock));
    struct journal *journal = begin(suite, first);
    assert_ok(add(suite, journal, 1));
    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_int_equal(count, 1);
    assert_fails(add(suite, journal, 2), ERROR_OTHER, "another process");
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    journal_close(journal);
    assert_int_equal(suite_count(suite), 2);
    backend_close(first);
    backend_close(other);
}

/* --- a lock that is broken before anything was recorded --- */

CLAIM(who_lost_its_lock_before_its_first_record_begins_nothing)
{
    struct backend *other = suite_open(suite);
    struct backend_lock *lock;
    size_t count;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_ok(backend_break_locks(other, suite->stack, &count));
    struct journal *journal = begin(suite, suite->backend);
    assert_fails(add(suite, journal, 1), ERROR_OTHER, "another process");
    journal_close(journal);
    backend_close(other);
    assert_ok(backend_unlock(lock));
}

/* `cancel` of the reference removes the lock, and nothing else. */
CLAIM(who_lost_its_lock_does_not_fold_what_has_no_records)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock, *others;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    blob_remove(&suite->server, find_blob(suite, "/locks/"));
    assert_ok(backend_lock(other, suite->stack, &others));
    struct journal *next = begin(suite, other);
    struct journal *journal = begin(suite, suite->backend);
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    journal_close(journal);
    assert_ok(add(suite, next, 1));
    journal_close(next);
    assert_int_equal(suite_count(suite), 2);
    backend_close(other);
    assert_ok(backend_unlock(lock));
}

CLAIM(who_lost_its_lock_saves_nothing)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock;
    size_t count;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_fails(backend_save(suite->backend, suite->stack, &late), ERROR_OTHER, "another process");
    assert_int_equal(suite_count(suite), 1);
    backend_close(other);
    assert_ok(backend_unlock(lock));
}

/* What is written goes to another key then, where there is nothing that a condition could be about.
 */
CLAIM(who_was_replaced_does_not_fold_in_another_format_either)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *first = open_compressing(suite), *other = suite_open(suite);
    struct backend_lock *lock;
    size_t count;

    suite_create(suite, 1);
    assert_ok(backend_lock(first, suite->stack, &lock));
    struct journal *journal = begin(suite, first);
    assert_ok(add(suite, journal, 1));
    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_int_equal(suite_count(suite), 2);
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    journal_close(journal);
    assert_ok(backend_unlock(lock));
    assert_ok(backend_lock(first, suite->stack, &lock));
    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_fails(backend_save(first, suite->stack, &late), ERROR_OTHER, "another process");
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 2);
    /* Its next lock is as good as any. */
    assert_ok(backend_lock(first, suite->stack, &lock));
    assert_ok(backend_save(first, suite->stack, &late));
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 40);
    assert_null(find_blob_named(suite, "/.pulumi/stacks/p1/dev.json"));
    backend_close(first);
    backend_close(other);
}

/* --- journals that are not on top --- */

/* As the reference would: without regard to the journal. */
static void write_as_another_program(struct suite *suite)
{
    struct blob *checkpoint = find_blob(suite, "/stacks/p1/dev.json");

    assert_non_null(checkpoint);
    char *bytes = memory_zalloc(checkpoint->len + 1);
    memcpy(bytes, checkpoint->bytes, checkpoint->len);
    bytes[checkpoint->len] = '\n';
    free(checkpoint->bytes);
    checkpoint->bytes = bytes;
    checkpoint->len++;
}

CLAIM(what_only_a_journal_knows_stays_pending_in_a_bucket)
{
    struct journal *journal;

    suite_create(suite, 1);
    sample_cut_off(&suite->arena, suite->backend, suite->stack);
    write_as_another_program(suite);
    for (int round = 0; round < 2; round++) { /* the second time from the checkpoint alone */
        struct backend *other = suite_open(suite);
        assert_creates_are_pending(other, suite->stack, &suite->arena);
        backend_close(other);
        journal = begin(suite, suite->backend);
        journal_close(journal);
        assert_non_null(find_blob(suite, "/.pulumi/journals-stale/p1/dev/"));
    }
}

CLAIM(a_journal_is_put_aside_if_another_program_wrote_the_checkpoint)
{
    suite_create(suite, 1);
    struct journal *journal = begin(suite, suite->backend);
    assert_ok(add(suite, journal, 1));
    journal_close(journal);
    write_as_another_program(suite);
    assert_int_equal(suite_count(suite), 1);
    journal = begin(suite, suite->backend);
    assert_non_null(find_blob(suite, "/.pulumi/journals-stale/p1/dev/"));
    journal_close(journal);
    assert_int_equal(suite_count(suite), 1);
}

CLAIM(a_journal_without_its_beginning_is_damage)
{
    struct snapshot snapshot;
    bool has_deployment;

    suite_create(suite, 1);
    struct journal *journal = begin(suite, suite->backend);
    assert_ok(add(suite, journal, 1));
    journal_close(journal);
    struct blob *first = find_blob(suite, "/00000001");
    assert_non_null(first);
    free(first->key);
    first->key = strdup("gone");
    struct backend *other = suite_open(suite);
    assert_fails(backend_load(other, suite->stack, &suite->arena, &snapshot, &has_deployment),
                 ERROR_INVALID, "is damaged after 0 good records; nothing was changed");
    backend_close(other);
}

/* --- credentials --- */

CLAIM(credentials_that_end_in_the_middle_are_asked_for_again)
{
    suite_create(suite, 1);
    struct journal *journal = begin(suite, suite->backend);
    suite->server.fault = BLOB_EXPIRES;
    suite->server.fault_first = suite->server.requests;
    suite->server.fault_count = 1;
    assert_ok(add(suite, journal, 1));
    suite->server.fault_first = suite->server.requests;
    suite->server.fault_count = SIZE_MAX;
    assert_fails(add(suite, journal, 2), ERROR_INVALID,
                 "(ExpiredToken): the credentials have expired: log in again");
    suite->server.fault = BLOB_GOOD;
    journal_close(journal);
    assert_int_equal(suite_count(suite), 3);
}

/* --- what it costs --- */

CLAIM(an_operation_asks_for_little)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 6);
    struct backend_lock *lock;
    bool has_deployment, exists;

    suite_create(suite, 1);
    struct backend *backend = suite_open(suite);
    suite->server.requests = 0;
    assert_ok(backend_stack_exists(backend, suite->stack, &exists));
    assert_ok(backend_load(backend, suite->stack, &suite->arena, &snapshot, &has_deployment));
    assert_int_equal(suite->server.requests, 3); /* two listings and the checkpoint, at a time */
    assert_ok(backend_lock(backend, suite->stack, &lock));
    /* The lock; then locks, conditions, and the same three again. */
    assert_int_equal(suite->server.requests, 3 + 6);
    assert_ok(backend_load(backend, suite->stack, &suite->arena, &snapshot, &has_deployment));
    assert_int_equal(suite->server.requests, 9);
    struct journal *journal = begin(suite, backend);
    assert_ok(add(suite, journal, 1));
    /* Its beginning, and .bak; the record, with a look at the lock. */
    assert_int_equal(suite->server.requests, 9 + 2 + 2);
    assert_ok(add(suite, journal, 2));
    assert_int_equal(suite->server.requests, 14);
    assert_ok(journal_fold(journal, &snapshot));
    assert_int_equal(suite->server.requests, 15);
    journal_close(journal);
    assert_ok(backend_unlock(lock));
    /* The lock, the records of the journal together, its beginning. */
    assert_int_equal(suite->server.requests, 18);
    backend_close(backend);
}

/* Answers requests in rounds: all that have come since the last one, when no more come. So it is
 * counted how often an operation waits, however slow the machine is. */
static void answer_in_rounds(void *suite_)
{
    enum { QUIET = 20 };
    struct suite *suite = suite_;
    struct blob_server *server = &suite->server;

    while (server->gate) {
        size_t seen = server->held;
        for (int quiet = 0; quiet < QUIET; quiet++) {
            assert_ok(fiber_sleep_ms(1));
            if (server->held != seen)
                quiet = 0;
            seen = server->held;
        }
        if (seen == 0)
            continue;
        struct latch *gate = server->gate;
        server->gate = ARENA_NEW(&suite->arena, struct latch);
        server->held = 0;
        server->rounds++;
        latch_open(gate);
    }
    work_group_done(&server->fibers);
}

/* How many rounds there were since the last time. */
static size_t rounds(struct suite *suite)
{
    size_t count = suite->server.rounds;

    suite->server.rounds = 0;
    return count;
}

struct appending {
    struct suite *suite;
    struct journal *journal;
    struct work_group group;
    int next;
};

static void append_one(void *appending_)
{
    struct appending *appending = appending_;

    assert_ok(add(appending->suite, appending->journal, ++appending->next));
    work_group_done(&appending->group);
}

CLAIM(an_operation_waits_for_the_store_a_few_times)
{
    const struct backend_options options = { .url = suite->url,
                                             .home = STR("/"),
                                             .user = STR("bob"),
                                             .host = STR("h1"),
                                             .expected = suite->stack.name,
                                             .project = suite->stack.project };
    const struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    struct snapshot snapshot = sample_snapshot(&suite->arena, 6);
    struct appending appending = { .suite = suite };
    struct backend_lock *lock;
    struct backend *backend;
    bool has_deployment, exists;

    suite_create(suite, 1);
    suite->server.gate = ARENA_NEW(&suite->arena, struct latch);
    work_group_add(&suite->server.fibers, 1);
    fiber_spawn(answer_in_rounds, suite);
    assert_ok(backend_open(&options, &backend));
    assert_ok(backend_stack_exists(backend, suite->stack, &exists));
    assert_ok(backend_load(backend, suite->stack, &suite->arena, &snapshot, &has_deployment));
    assert_int_equal(rounds(suite), 1); /* the layout and the stack */
    assert_ok(backend_lock(backend, suite->stack, &lock));
    assert_ok(backend_load(backend, suite->stack, &suite->arena, &snapshot, &has_deployment));
    appending.journal = begin(suite, backend);
    assert_int_equal(rounds(suite), 2); /* the lock, then who else has one */
    assert_ok(add(suite, appending.journal, 50));
    assert_int_equal(rounds(suite), 2); /* the beginning of the journal, then the record */
    assert_ok(add(suite, appending.journal, 51));
    assert_int_equal(rounds(suite), 1);
    work_group_add(&appending.group, 20);
    for (int i = 0; i < 20; i++)
        fiber_spawn(append_one, &appending);
    work_group_wait_uncancelable(&appending.group);
    assert_int_equal(rounds(suite), 1);
    assert_ok(journal_fold(appending.journal, &snapshot));
    journal_close(appending.journal);
    assert_ok(backend_add_history(backend, suite->stack, &entry));
    assert_ok(backend_unlock(lock));
    assert_int_equal(rounds(suite), 3); /* the checkpoint, the history, the lock */
    struct latch *gate = suite->server.gate;
    suite->server.gate = NULL;
    latch_open(gate);
    backend_close(backend);
}

/* --- listings --- */

CLAIM(a_listing_that_leads_back_is_no_listing)
{
    struct stack_summaries stacks;

    for (int i = 0; i < 5; i++) { /* more than a page */
        suite->stack.name = arena_printf(&suite->arena, "s%d", i);
        suite_create(suite, 1);
    }
    suite->server.forgets_pages = true;
    assert_fails(backend_list_stacks(suite->backend, &suite->arena, STR("p1"), &stacks),
                 ERROR_INVALID, "gives the same page of a listing again and again");
}

/* --- the old layout --- */

struct upgrading {
    struct suite *suite;
    struct backend *backend;
    struct layout_upgrade upgrade;
    struct latch done;
};

static void upgrade_canceled(void *upgrading_)
{
    struct upgrading *upgrading = upgrading_;

    assert_ok(backend_upgrade(upgrading->backend, &upgrading->suite->arena, &upgrading->upgrade));
    latch_open(&upgrading->done);
}

/* The store, in which there is one stack of the old layout. */
static struct backend *open_old_layout(struct suite *suite)
{
    struct backend_options options = {
        .url = suite->url,
        .home = STR("/"),
        .user = STR("bob"),
        .host = STR("h1"),
        .diy = { .uses_legacy_layout = true, .ignores_legacy_error = true },
    };
    struct backend *old;

    /* It is still empty but for what says its layout. */
    struct blob *meta = find_blob(suite, "meta.yaml");
    assert_non_null(meta);
    memcpy(strstr(meta->key, "meta.yaml"), "nothing!!", 9);
    assert_ok(backend_open(&options, &old));
    struct stack_ref bare = { .project = STR(""), .name = STR("dev") };
    struct snapshot snapshot = sample_snapshot(&suite->arena, 2);
    assert_ok(backend_create_stack(old, bare, &snapshot));
    assert_non_null(find_blob(suite, "/.pulumi/stacks/dev.json"));
    return old;
}

/* By a fiber that was canceled before it began: half of an upgrade would be worse. */
CLAIM(a_bucket_of_the_old_layout_is_upgraded)
{
    struct upgrading upgrading = { .suite = suite };
    struct cancel *scope = cancel_open(NULL);
    struct backend *refused, *old = open_old_layout(suite);

    assert_fails(backend_open(&(struct backend_options){ .url = suite->url }, &refused),
                 ERROR_INVALID, "old layout");
    upgrading.backend = old;
    fiber_spawn_in(scope, upgrade_canceled, &upgrading);
    cancel_fire(scope);
    latch_wait_uncancelable(&upgrading.done);
    fiber_yield();
    cancel_close(scope);
    assert_int_equal(upgrading.upgrade.upgraded, 1);
    backend_close(old);
    assert_non_null(find_blob(suite, "/.pulumi/stacks/p1/dev.json"));
    assert_int_equal(suite_count(suite), 2);
}

/* Another operation, which goes on until its stack is locked by somebody else. */
struct overlapping {
    struct suite *suite;
    bool is_over;
    size_t resources; /* that it wrote last */
};

static void write_one_more(struct overlapping *other)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct suite *suite = other->suite;
    struct stack_ref bare = { .project = STR(""), .name = STR("dev") };
    struct snapshot snapshot = sample_snapshot(&suite->arena, ++other->resources);

    assert_ok(diy_checkpoint_encode(&text, bare, &snapshot, COMPRESSION_NONE));
    blob_store(&suite->server, str_from(find_blob(suite, "/stacks/dev.json")->key),
               strbuf_str(&text));
}

/* It writes before each answer. */
static void answer_and_write(void *other_)
{
    struct overlapping *other = other_;
    struct blob_server *server = &other->suite->server;

    while (server->gate) {
        assert_ok(fiber_sleep_ms(1));
        if (server->held == 0)
            continue;
        other->is_over |= find_blob(other->suite, "/locks/") != NULL;
        if (!other->is_over)
            write_one_more(other);
        struct latch *gate = server->gate;
        server->gate = ARENA_NEW(&other->suite->arena, struct latch);
        server->held = 0;
        latch_open(gate);
    }
    work_group_done(&server->fibers);
}

CLAIM(an_upgrade_moves_what_a_stack_is_once_it_is_locked)
{
    struct overlapping other = { .suite = suite, .resources = 2 };
    struct backend *old = open_old_layout(suite);
    struct layout_upgrade upgrade;

    suite->server.gate = ARENA_NEW(&suite->arena, struct latch);
    work_group_add(&suite->server.fibers, 1);
    fiber_spawn(answer_and_write, &other);
    assert_ok(backend_upgrade(old, &suite->arena, &upgrade));
    struct latch *gate = suite->server.gate;
    suite->server.gate = NULL;
    latch_open(gate);
    assert_true(other.is_over);
    assert_int_equal(upgrade.upgraded, 1);
    backend_close(old);
    assert_int_equal(suite_count(suite), other.resources);
}

/* Of an upgrade that was cut off, say, and nobody knows whose. */
CLAIM(locks_of_the_old_layout_are_found_and_removed)
{
    str meta = str_from(find_blob(suite, "meta.yaml")->key);
    str folder = str_slice(meta, 0, meta.len - strlen("meta.yaml"));
    struct strs owners;
    size_t count;

    suite_create(suite, 1);
    blob_store(&suite->server, arena_concat(&suite->arena, folder, STR("locks/dev/x.json")),
               STR("{\"pid\":7,\"username\":\"ann\",\"hostname\":\"far\"}"));
    blob_store(&suite->server, arena_concat(&suite->arena, folder, STR("locks/dev/p1/x/y.json")),
               STR("of another stack"));
    assert_ok(backend_describe_locks(suite->backend, suite->stack, &suite->arena, &owners));
    assert_int_equal(owners.len, 1);
    assert_true(str_starts_with(owners.items[0], STR("ann@far (pid 7)")));
    assert_ok(backend_break_locks(suite->backend, suite->stack, &count));
    assert_int_equal(count, 1);
    assert_null(find_blob(suite, "/locks/dev/x.json"));
    assert_non_null(find_blob(suite, "/locks/dev/p1/x/y.json"));
}

int main(void)
{
#define TEST_AT(name, place)                              \
    {                                                     \
#name, name, NULL, NULL, (void *)(uintptr_t)place \
    }
#define TEST(name) TEST_AT(name, s3_place)
    const struct CMUnitTest tests[] = {
        TEST(where_conditions_are_ignored_a_broken_lock_is_noticed),
        TEST(who_lost_its_lock_before_its_first_record_begins_nothing),
        TEST(who_lost_its_lock_does_not_fold_what_has_no_records),
        TEST(who_lost_its_lock_saves_nothing),
        TEST(who_was_replaced_does_not_fold_in_another_format_either),
        TEST(a_journal_is_put_aside_if_another_program_wrote_the_checkpoint),
        TEST(what_only_a_journal_knows_stays_pending_in_a_bucket),
        TEST(a_journal_without_its_beginning_is_damage),
        TEST(credentials_that_end_in_the_middle_are_asked_for_again),
        TEST(an_operation_asks_for_little),
        TEST(an_operation_waits_for_the_store_a_few_times),
        TEST_AT(a_listing_that_leads_back_is_no_listing, s3_place),
        TEST_AT(a_listing_that_leads_back_is_no_listing, gs_place),
        TEST_AT(a_listing_that_leads_back_is_no_listing, azblob_place),
        TEST(a_bucket_of_the_old_layout_is_upgraded),
        TEST(locks_of_the_old_layout_are_found_and_removed),
        TEST(an_upgrade_moves_what_a_stack_is_once_it_is_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
