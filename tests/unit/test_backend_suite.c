/* test_backend_suite.c — the claims that hold for every backend: stacks, state, locks, journal,
 * history, tags, use by many at once, and failures. */
#include "unit/backend_suite_postgres.h"

#include "base/exit_codes.h"
#include "backend/backend_object_ops.h"

/* Those of the shipped program, and a store that exists for this suite alone: definitions here
 * stand in for those of the library. */
#define BACKEND(id) extern const struct backend_ops backend_##id;
#include "backend/backends.def"
#undef BACKEND

#define OBJECT_STORES                                                 \
    OBJECT_STORE(loopback, "loopback", "loopback://HOST:PORT/PREFIX") \
    OBJECT_STORE(s3, "s3", "s3://BUCKET[/PREFIX]")                    \
    OBJECT_STORE(gs, "gs", "gs://BUCKET[/PREFIX]")                    \
    OBJECT_STORE(azblob, "azblob", "azblob://CONTAINER[/PREFIX]")     \
    OBJECT_STORE(postgres, "postgres", "postgres://HOST/DATABASE")

#define OBJECT_STORE(id, url_scheme, url_form)              \
    extern const struct object_store_ops object_store_##id; \
    static const struct backend_ops backend_##id = OBJECT_BACKEND(url_scheme, url_form);
OBJECT_STORES
#undef OBJECT_STORE

const struct backend_ops *const backend_kinds[] = {
#define BACKEND(id) &backend_##id,
#define OBJECT_STORE(id, url_scheme, url_form) &backend_##id,
#include "backend/backends.def"
    OBJECT_STORES
#undef BACKEND
#undef OBJECT_STORE
        NULL,
};

const struct object_store_ops *const object_store_kinds[] = {
#define OBJECT_STORE(id, url_scheme, url_form) &object_store_##id,
    OBJECT_STORES
#undef OBJECT_STORE
        NULL,
};

/* --- stacks --- */

CLAIM(a_stack_is_created_once)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 1);
    bool exists;

    assert_ok(backend_stack_exists(suite->backend, suite->stack, &exists));
    assert_false(exists);
    suite_create(suite, 3);
    assert_ok(backend_stack_exists(suite->backend, suite->stack, &exists));
    assert_true(exists);
    assert_fails(backend_create_stack(suite->backend, suite->stack, &snapshot), ERROR_EXISTS,
                 "stack 'organization/p1/dev' already exists");
    assert_int_equal(suite_count(suite), 3);
}

CLAIM(a_stack_without_deployment_can_be_created)
{
    struct snapshot snapshot;
    bool has_deployment = true;

    assert_ok(backend_create_stack(suite->backend, suite->stack, NULL));
    assert_ok(
        backend_load(suite->backend, suite->stack, &suite->arena, &snapshot, &has_deployment));
    assert_false(has_deployment);
    assert_int_equal(snapshot.resource_count, 0);
}

CLAIM(a_stack_that_does_not_exist_has_its_exit_code)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 1);
    bool has_deployment;

    struct error *failure =
        backend_load(suite->backend, suite->stack, &suite->arena, &snapshot, &has_deployment);
    assert_int_equal(error_exit_code(failure), EXIT_STACK_NOT_FOUND);
    assert_fails(failure, ERROR_NOT_FOUND, "no stack named 'dev' found");
    assert_fails(backend_remove_stack(suite->backend, suite->stack, true, false), ERROR_NOT_FOUND,
                 "no stack named");
    assert_fails(backend_rename_stack(
                     suite->backend, suite->stack,
                     (struct stack_ref){ .project = STR("p1"), .name = STR("new") }, &snapshot),
                 ERROR_NOT_FOUND, "no stack named");
    assert_fails(backend_change_tag(suite->backend, suite->stack, STR("a"), NULL), ERROR_NOT_FOUND,
                 "no stack named");
}

CLAIM(stacks_are_listed_with_time_and_count)
{
    static const char *const names[][2] = { { "p2", "a" }, { "p1", "z" }, { "p1", "b" } };
    struct stack_summaries stacks;

    for (size_t i = 0; i < 3; i++) {
        struct snapshot snapshot = sample_snapshot(&suite->arena, i);
        struct stack_ref stack = { .project = str_from(names[i][0]),
                                   .name = str_from(names[i][1]) };
        assert_ok(backend_create_stack(suite->backend, stack, i == 0 ? NULL : &snapshot));
    }
    assert_ok(backend_list_stacks(suite->backend, &suite->arena, STR(""), &stacks));
    assert_int_equal(stacks.len, 3);
    assert_str_equal(stacks.items[0].stack.name, STR("b"));
    assert_str_equal(stacks.items[1].stack.name, STR("z"));
    assert_str_equal(stacks.items[2].stack.project, STR("p2"));
    assert_int_equal(stacks.items[0].resource_count, 2);
    assert_str_equal(stacks.items[0].last_update, STR("2026-11-16T01:43:49.428Z"));
    assert_false(stacks.items[2].has_deployment);
    assert_ok(backend_list_stacks(suite->backend, &suite->arena, STR("p1"), &stacks));
    assert_int_equal(stacks.len, 2);
}

CLAIM(a_stack_with_resources_is_removed_only_by_force)
{
    bool exists;

    suite_create(suite, 2);
    assert_fails(backend_remove_stack(suite->backend, suite->stack, false, false), ERROR_INVALID,
                 "'dev' still has resources; removal rejected");
    assert_int_equal(suite_count(suite), 2);
    assert_ok(backend_remove_stack(suite->backend, suite->stack, true, false));
    assert_ok(backend_stack_exists(suite->backend, suite->stack, &exists));
    assert_false(exists);
}

static struct history_entry sample_entry(const char *message)
{
    return (struct history_entry){ .kind = STR("update"),
                                   .result = STR("succeeded"),
                                   .message = str_from(message),
                                   .start_time = 100,
                                   .end_time = 200 };
}

static void add_entry(struct suite *suite, const char *message)
{
    struct history_entry entry = sample_entry(message);
    assert_ok(backend_add_history(suite->backend, suite->stack, &entry));
}

static void set_tag(struct suite *suite, const char *key, const char *value)
{
    str text = str_from(value);
    assert_ok(backend_change_tag(suite->backend, suite->stack, str_from(key), &text));
}

static void assert_tags(struct suite *suite, size_t count)
{
    struct tags tags;
    assert_ok(backend_tags(suite->backend, suite->stack, &suite->arena, &tags));
    assert_int_equal(tags.len, count);
}

static void assert_entries(struct suite *suite, size_t count)
{
    struct history history;
    assert_ok(backend_history(suite->backend, suite->stack, &suite->arena, 1, 0, &history));
    assert_int_equal(history.len, count);
}

CLAIM(removal_takes_tags_and_history)
{
    suite_create(suite, 0);
    set_tag(suite, "a", "1");
    add_entry(suite, "one");
    assert_ok(backend_remove_stack(suite->backend, suite->stack, false, true));
    suite_create(suite, 0);
    assert_tags(suite, 0);
    assert_entries(suite, 0);
}

static void rename_and_look(struct suite *suite, bool is_begun)
{
    struct stack_ref renamed = { .project = STR("p1"), .name = STR("new") };
    struct snapshot snapshot = sample_snapshot(&suite->arena, 2);
    bool exists;

    suite_create(suite, 2);
    set_tag(suite, "a", "1"), add_entry(suite, "one");
    if (is_begun)
        assert_ok(backend_create_stack(suite->backend, renamed, &snapshot));
    assert_ok(backend_rename_stack(suite->backend, suite->stack, renamed, &snapshot));
    assert_ok(backend_stack_exists(suite->backend, suite->stack, &exists));
    assert_false(exists);
    assert_tags(suite, 0);
    suite->stack = renamed;
    assert_int_equal(suite_count(suite), 2);
    assert_tags(suite, 1);
    assert_entries(suite, 1);
}

CLAIM(a_rename_takes_everything_along)
{
    rename_and_look(suite, false);
}

CLAIM(a_rename_that_was_cut_off_goes_on)
{
    rename_and_look(suite, true);
}

CLAIM(a_rename_to_a_taken_name_changes_nothing)
{
    struct stack_ref taken = { .project = STR("p1"), .name = STR("taken") };
    struct snapshot snapshot = sample_snapshot(&suite->arena, 2);

    suite_create(suite, 2);
    assert_ok(backend_create_stack(suite->backend, taken, NULL));
    assert_fails(backend_rename_stack(suite->backend, suite->stack, taken, &snapshot), ERROR_EXISTS,
                 "already exists");
    assert_int_equal(suite_count(suite), 2);
    assert_fails(backend_rename_stack(suite->backend, suite->stack, suite->stack, &snapshot),
                 ERROR_EXISTS, "already exists"); /* its own */
    assert_int_equal(suite_count(suite), 2);
    suite->stack = taken;
    assert_int_equal(suite_count(suite), 0);
}

CLAIM(a_store_of_the_present_layout_needs_no_upgrade)
{
    struct layout_upgrade upgrade;

    suite_create(suite, 1);
    assert_ok(backend_upgrade(suite->backend, &suite->arena, &upgrade));
    assert_int_equal(upgrade.upgraded, 0);
    assert_int_equal(upgrade.skipped_count, 0);
    assert_int_equal(suite_count(suite), 1);
}

/* --- state --- */

CLAIM(what_is_saved_is_loaded)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 4), loaded;
    bool has_deployment;

    suite_create(suite, 1);
    snapshot.resources[3]->type = STR("my:mod:Other");
    assert_ok(backend_save(suite->backend, suite->stack, &snapshot));
    assert_ok(backend_load(suite->backend, suite->stack, &suite->arena, &loaded, &has_deployment));
    assert_true(has_deployment);
    assert_int_equal(loaded.resource_count, 4);
    assert_str_equal(loaded.resources[3]->type, STR("my:mod:Other"));
    assert_str_equal(loaded.resources[0]->urn, snapshot.resources[0]->urn);
    assert_str_equal(loaded.time, snapshot.time);
}

CLAIM(a_large_state_comes_back_whole)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 20000);

    suite_create(suite, 0);
    assert_ok(backend_save(suite->backend, suite->stack, &snapshot));
    assert_int_equal(suite_count(suite), 20000);
}

/* --- locks --- */

CLAIM(a_lock_keeps_others_out_and_names_its_owner)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 1);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock, *others;

    suite_create(suite, 0);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_fails(backend_lock(other, suite->stack, &others), ERROR_OTHER, "bob@h1");
    assert_fails(backend_lock(other, suite->stack, &others), ERROR_OTHER,
                 "the stack is currently locked by 1 lock(s)");
    assert_fails(backend_remove_stack(other, suite->stack, true, false), ERROR_OTHER,
                 "currently locked");
    assert_fails(backend_rename_stack(
                     other, suite->stack,
                     (struct stack_ref){ .project = STR("p1"), .name = STR("new") }, &snapshot),
                 ERROR_OTHER, "currently locked");
    assert_ok(backend_unlock(lock));
    assert_ok(backend_lock(other, suite->stack, &others));
    assert_ok(backend_unlock(others));
    backend_close(other);
}

CLAIM(a_lock_is_of_one_stack)
{
    struct stack_ref neighbour = { .project = STR("p1"), .name = STR("dev2") };
    struct backend *other = suite_open(suite);
    struct backend_lock *lock, *others;

    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_ok(backend_lock(other, neighbour, &others));
    assert_ok(backend_unlock(others));
    assert_ok(backend_unlock(lock));
    backend_close(other);
}

CLAIM(locks_of_one_backend_nest)
{
    struct backend *other = suite_open(suite);
    struct backend_lock *outer, *inner;

    assert_ok(backend_lock(suite->backend, suite->stack, &outer));
    assert_ok(backend_lock(suite->backend, suite->stack, &inner));
    assert_ok(backend_unlock(inner));
    assert_fails(backend_lock(other, suite->stack, &inner), ERROR_OTHER, "currently locked");
    assert_ok(backend_unlock(outer));
    assert_ok(backend_lock(other, suite->stack, &inner));
    assert_ok(backend_unlock(inner));
    backend_close(other);
}

CLAIM(closing_gives_up_what_is_still_held)
{
    struct backend *other = suite_open(suite);
    struct backend_lock *lock;

    assert_ok(backend_lock(other, suite->stack, &lock));
    backend_close(other);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_ok(backend_unlock(lock));
}

CLAIM(breaking_locks_lets_the_next_one_in)
{
    struct backend *other = suite_open(suite);
    struct backend_lock *lock, *others;
    struct strs owners;
    size_t count = 7;

    assert_ok(backend_break_locks(suite->backend, suite->stack, &count));
    assert_int_equal(count, 0);
    assert_ok(backend_lock(other, suite->stack, &others));
    assert_ok(backend_describe_locks(suite->backend, suite->stack, &suite->arena, &owners));
    assert_int_equal(owners.len, 1);
    assert_true(str_starts_with(owners.items[0], STR("bob@h1 (pid ")));
    assert_true(str_ends_with(owners.items[0], STR(" ago")));
    assert_ok(backend_break_locks(suite->backend, suite->stack, &count));
    assert_int_equal(count, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    /* Whose lock was broken does not take that of the next along. */
    assert_ok(backend_unlock(others));
    assert_fails(backend_lock(other, suite->stack, &others), ERROR_OTHER, "currently locked");
    assert_ok(backend_unlock(lock));
    backend_close(other);
}

/* Rivals that want the same lock, each with a backend of its own: few, so that one often takes it
 * again while another still looks at what it had before. */
enum { RIVALS = 4, ROUNDS = 40 };

struct rivalry {
    struct suite *suite;
    struct work_group group;
    size_t inside;
    size_t most_inside;
    size_t entered;
};

static void compete(void *rivalry_)
{
    struct rivalry *rivalry = rivalry_;
    struct backend *backend = suite_open(rivalry->suite);
    struct backend_lock *lock;

    for (int i = 0; i < ROUNDS; i++) {
        struct error *failure = backend_lock(backend, rivalry->suite->stack, &lock);
        if (failure) {
            error_ignore(failure, "another has it");
            fiber_yield();
            continue;
        }
        rivalry->entered++;
        if (++rivalry->inside > rivalry->most_inside)
            rivalry->most_inside = rivalry->inside;
        fiber_yield();
        rivalry->inside--;
        assert_ok(backend_unlock(lock));
    }
    backend_close(backend);
    work_group_done(&rivalry->group);
}

CLAIM(of_many_that_want_the_lock_one_has_it)
{
    struct rivalry rivalry = { .suite = suite };
    struct backend_lock *lock;

    work_group_add(&rivalry.group, RIVALS);
    for (int i = 0; i < RIVALS; i++)
        fiber_spawn(compete, &rivalry);
    work_group_wait_uncancelable(&rivalry.group);
    assert_true(rivalry.most_inside <= 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_ok(backend_unlock(lock));
}

/* --- journal --- */

static struct journal *open_journal(struct suite *suite, struct backend *backend)
{
    struct journal *journal;
    assert_ok(journal_open(backend, suite->stack, &journal));
    return journal;
}

static void append(struct suite *suite, struct journal *journal, int number, bool waits)
{
    assert_ok(journal_append(journal, sample_record(&suite->arena, number), waits));
}

CLAIM(a_journal_that_was_not_folded_is_replayed)
{
    suite_create(suite, 1);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    assert_int_equal(suite_count(suite), 2);
    append(suite, journal, 2, false);
    append(suite, journal, 3, true);
    assert_int_equal(suite_count(suite), 4);
    journal_close(journal);
    assert_int_equal(suite_count(suite), 4);
}

CLAIM(folding_replaces_checkpoint_and_journal)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 7);

    suite_create(suite, 1);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
    assert_int_equal(suite_count(suite), 7);
    journal = open_journal(suite, suite->backend);
    assert_int_equal(suite_count(suite), 7);
    journal_close(journal);
}

CLAIM(a_journal_without_records_changes_nothing)
{
    suite_create(suite, 2);
    journal_close(open_journal(suite, suite->backend));
    assert_int_equal(suite_count(suite), 2);
    assert_ok(backend_remove_stack(suite->backend, suite->stack, true, true));
}

CLAIM(records_that_nobody_waits_for_are_there_after_close)
{
    suite_create(suite, 0);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, false);
    append(suite, journal, 2, false);
    journal_close(journal);
    assert_int_equal(suite_count(suite), 2);
}

CLAIM(a_new_operation_goes_on_where_a_killed_one_ended)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 9);

    suite_create(suite, 1);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    journal_close(journal);
    journal = open_journal(suite, suite->backend);
    append(suite, journal, 2, true);
    assert_int_equal(suite_count(suite), 3);
    journal_close(journal);
    journal = open_journal(suite, suite->backend);
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
    assert_int_equal(suite_count(suite), 9);
}

CLAIM(saving_makes_the_journal_obsolete)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 5);

    suite_create(suite, 1);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    journal_close(journal);
    assert_ok(backend_save(suite->backend, suite->stack, &snapshot));
    assert_int_equal(suite_count(suite), 5);
}

CLAIM(a_listing_knows_what_a_journal_knows)
{
    struct stack_summaries stacks;

    suite_create(suite, 1);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    append(suite, journal, 2, true);
    assert_ok(backend_list_stacks(suite->backend, &suite->arena, STR(""), &stacks));
    assert_int_equal(stacks.items[0].resource_count, 3);
    journal_close(journal);
}

CLAIM(resources_in_the_journal_alone_keep_a_stack_from_removal)
{
    suite_create(suite, 0);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    append(suite, journal, 2, true);
    journal_close(journal);
    assert_fails(backend_remove_stack(suite->backend, suite->stack, false, false), ERROR_INVALID,
                 "still has resources");
}

struct writers {
    struct suite *suite;
    struct journal *journal;
    struct work_group group;
    int next;
};

static void append_one(void *writers_)
{
    struct writers *writers = writers_;
    append(writers->suite, writers->journal, ++writers->next, true);
    work_group_done(&writers->group);
}

CLAIM(records_of_many_fibers_all_arrive)
{
    struct writers writers = { .suite = suite };

    suite_create(suite, 0);
    writers.journal = open_journal(suite, suite->backend);
    work_group_add(&writers.group, 50);
    for (int i = 0; i < 50; i++)
        fiber_spawn(append_one, &writers);
    work_group_wait_uncancelable(&writers.group);
    assert_int_equal(suite_count(suite), 50);
    journal_close(writers.journal);
}

CLAIM(a_record_is_written_although_its_fiber_was_canceled)
{
    struct cancel *scope = cancel_open(NULL);
    struct writers writers = { .suite = suite };

    suite_create(suite, 0);
    writers.journal = open_journal(suite, suite->backend);
    work_group_add(&writers.group, 3);
    for (int i = 0; i < 3; i++)
        fiber_spawn_in(scope, append_one, &writers);
    cancel_fire(scope);
    work_group_wait_uncancelable(&writers.group);
    fiber_yield();
    cancel_close(scope);
    assert_int_equal(suite_count(suite), 3);
    journal_close(writers.journal);
}

/* --- a process whose lock was broken --- */

CLAIM(who_was_replaced_writes_nothing_more)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct snapshot result = sample_snapshot(&suite->arena, 9);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock, *others;
    size_t count;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_ok(backend_lock(other, suite->stack, &others));
    struct journal *next = open_journal(suite, other);
    append(suite, next, 2, true);
    assert_fails(journal_append(journal, sample_record(&suite->arena, 3), true), ERROR_OTHER,
                 "another process");
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    assert_int_equal(suite_count(suite), 3);
    assert_ok(journal_fold(next, &result));
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    journal_close(next);
    journal_close(journal);
    assert_int_equal(suite_count(suite), 9);
    assert_ok(backend_unlock(lock));
    assert_ok(backend_unlock(others));
    backend_close(other);
}

CLAIM(who_was_replaced_before_its_first_record_does_not_fold)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock, *others;
    size_t count;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    struct journal *journal = open_journal(suite, suite->backend);
    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_ok(backend_lock(other, suite->stack, &others));
    struct journal *next = open_journal(suite, other);
    assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    append(suite, next, 1, true);
    journal_close(journal);
    journal_close(next);
    assert_int_equal(suite_count(suite), 2);
    assert_ok(backend_unlock(lock));
    assert_ok(backend_unlock(others));
    backend_close(other);
}

/* Each time the state gets another version, never one that the first owner has seen. */
CLAIM(who_was_replaced_several_times_does_not_fold)
{
    enum { TIMES = 3 };
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend_lock *lock, *others;
    size_t count;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    struct journal *journal = open_journal(suite, suite->backend);
    for (size_t i = 0; i < TIMES; i++) /* meanwhile its beginning gets there */
        assert_int_equal(suite_count(suite), 1);
    for (size_t i = 0; i < TIMES; i++) {
        struct backend *other = suite_open(suite);
        assert_ok(backend_break_locks(other, suite->stack, &count));
        assert_ok(backend_lock(other, suite->stack, &others));
        struct journal *next = open_journal(suite, other);
        assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
        journal_close(next);
        assert_ok(backend_unlock(others));
        backend_close(other);
        assert_fails(journal_fold(journal, &late), ERROR_OTHER, "another process");
    }
    journal_close(journal);
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 1);
}

#include "unit/backend_suite_tags.h"
#include "unit/backend_suite_unlocked.h"

/* --- history and tags --- */

CLAIM(an_entry_of_the_history_reads_back_as_it_was)
{
    const struct pair environment[] = { { STR("git.head"), STR("abc") } };
    const struct op_count changes[] = { { STR("create"), 2 }, { STR("same"), 1 } };
    struct history_entry entry = sample_entry("a \"message\"");
    struct history history;

    entry.environment = environment;
    entry.environment_count = 1;
    entry.changes = changes;
    entry.change_count = 2;
    entry.config = STR("{\"a:b\":\"c\"}");
    suite_create(suite, 0);
    assert_ok(backend_add_history(suite->backend, suite->stack, &entry));
    assert_ok(backend_history(suite->backend, suite->stack, &suite->arena, 1, 0, &history));
    assert_int_equal(history.len, 1);
    assert_str_equal(history.items[0].message, entry.message);
    assert_str_equal(history.items[0].kind, entry.kind);
    assert_str_equal(history.items[0].result, entry.result);
    assert_str_equal(history.items[0].config, entry.config);
    assert_int_equal(history.items[0].start_time, 100);
    assert_int_equal(history.items[0].end_time, 200);
    assert_int_equal(history.items[0].environment_count, 1);
    assert_str_equal(history.items[0].environment[0].value, STR("abc"));
    assert_int_equal(history.items[0].change_count, 2);
    assert_int_equal(history.items[0].changes[0].count, 2);
}

CLAIM(the_history_comes_in_pages_newest_first)
{
    static const char *const messages[] = { "one", "two", "three", "four", "five" };
    struct history history;

    suite_create(suite, 0);
    assert_entries(suite, 0);
    for (size_t i = 0; i < 5; i++)
        add_entry(suite, messages[i]);
    assert_entries(suite, 5);
    assert_ok(backend_history(suite->backend, suite->stack, &suite->arena, 1, 2, &history));
    assert_int_equal(history.len, 2);
    assert_str_equal(history.items[0].message, STR("five"));
    assert_ok(backend_history(suite->backend, suite->stack, &suite->arena, 3, 2, &history));
    assert_int_equal(history.len, 1);
    assert_str_equal(history.items[0].message, STR("one"));
    assert_ok(backend_history(suite->backend, suite->stack, &suite->arena, 4, 2, &history));
    assert_int_equal(history.len, 0);
}

/* --- many at once --- */

struct saver {
    struct suite *suite;
    struct latch done;
};

static void save_in_turns(void *saver_)
{
    struct saver *saver = saver_;

    for (int i = 0; i < 20; i++) {
        struct snapshot snapshot = sample_snapshot(&saver->suite->arena, i % 2 ? 30 : 3);
        assert_ok(backend_save(saver->suite->backend, saver->suite->stack, &snapshot));
    }
    latch_open(&saver->done);
}

CLAIM(a_reader_beside_a_writer_sees_whole_states)
{
    struct saver saver = { .suite = suite };
    size_t reads = 0;

    suite_create(suite, 3);
    fiber_spawn(save_in_turns, &saver);
    while (!saver.done.is_open) {
        size_t count = suite_count(suite);
        assert_true(count == 3 || count == 30);
        reads++;
    }
    assert_true(reads > 0);
    assert_int_equal(suite_count(suite), 30);
}

struct many_stacks {
    struct suite *suite;
    struct work_group group;
    int next;
};

static void use_a_stack(void *many_)
{
    struct many_stacks *many = many_;
    struct suite *suite = many->suite;
    int number = ++many->next;
    struct stack_ref stack = { .project = STR("p1"),
                               .name = arena_printf(&suite->arena, "s%d", number) };
    struct snapshot snapshot = sample_snapshot(&suite->arena, (size_t)number), loaded;
    struct journal *journal;
    bool has_deployment;

    assert_ok(backend_create_stack(suite->backend, stack, NULL));
    assert_ok(journal_open(suite->backend, stack, &journal));
    append(suite, journal, 1, true);
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
    assert_ok(backend_load(suite->backend, stack, &suite->arena, &loaded, &has_deployment));
    assert_int_equal(loaded.resource_count, number);
    work_group_done(&many->group);
}

CLAIM(fibers_use_many_stacks_of_one_backend)
{
    struct many_stacks many = { .suite = suite };
    struct stack_summaries stacks;

    work_group_add(&many.group, 10);
    for (int i = 0; i < 10; i++)
        fiber_spawn(use_a_stack, &many);
    work_group_wait_uncancelable(&many.group);
    assert_ok(backend_list_stacks(suite->backend, &suite->arena, STR(""), &stacks));
    assert_int_equal(stacks.len, 10);
}

/* --- failures --- */

CLAIM(a_save_that_fails_leaves_the_former_state)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 5);

    if (!suite->place->break_writes)
        return;
    suite_create(suite, 2);
    suite->place->break_writes(suite, true);
    struct error *failure = backend_save(suite->backend, suite->stack, &snapshot);
    suite->place->mend(suite);
    assert_true(str_find(error_message(failure), STR("the former state is untouched")) != SIZE_MAX);
    error_free(failure);
    assert_int_equal(suite_count(suite), 2);
    assert_ok(backend_save(suite->backend, suite->stack, &snapshot));
    assert_int_equal(suite_count(suite), 5);
}

CLAIM(what_could_not_be_recorded_goes_out_with_the_next_record)
{
    if (!suite->place->break_writes)
        return;
    suite_create(suite, 0);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    suite->place->break_writes(suite, false);
    struct error *failure = journal_append(journal, sample_record(&suite->arena, 2), true);
    suite->place->mend(suite);
    assert_non_null(failure);
    assert_true(str_find(error_message(failure), STR("cannot record what happens")) != SIZE_MAX);
    error_free(failure);
    assert_int_equal(suite_count(suite), 1);
    append(suite, journal, 3, true);
    assert_int_equal(suite_count(suite), 3);
    journal_close(journal);
}

CLAIM(a_fold_that_fails_keeps_everything_in_the_journal)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 9);

    if (!suite->place->break_writes)
        return;
    suite_create(suite, 1);
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    append(suite, journal, 2, false);
    suite->place->break_writes(suite, true);
    struct error *failure = journal_fold(journal, &snapshot);
    suite->place->mend(suite);
    assert_non_null(failure);
    error_free(failure);
    append(suite, journal, 3, true);
    assert_int_equal(suite_count(suite), 4);
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
    assert_int_equal(suite_count(suite), 9);
}

/* --- only where there is a network --- */

/* An operation from lock to history. */
static void operate(struct suite *suite)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, 6);
    struct backend_lock *lock;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    struct journal *journal = open_journal(suite, suite->backend);
    for (int i = 1; i <= 3; i++)
        append(suite, journal, i, true);
    assert_int_equal(suite_count(suite), 4);
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
    add_entry(suite, "done");
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 6);
    assert_entries(suite, 1);
    assert_ok(backend_remove_stack(suite->backend, suite->stack, true, true));
}

CLAIM(whatever_happens_to_one_request_the_operation_succeeds)
{
    if (suite->server.listener == NULL)
        return;
    operate(suite);
    size_t requests = suite->server.requests;
    assert_true(requests > 20);
    for (enum blob_fault fault = BLOB_REFUSES; fault < BLOB_FAULTS; fault++) {
        for (size_t i = 0; i < requests; i++) {
            suite->server.requests = 0;
            suite->server.fault = fault;
            suite->server.fault_first = i;
            suite->server.fault_count = 1;
            operate(suite);
        }
    }
}

CLAIM(a_server_that_is_gone_is_named)
{
    struct snapshot snapshot;
    bool has_deployment;

    if (suite->server.listener == NULL)
        return;
    suite->server.fault = BLOB_DROPS;
    suite->server.fault_count = SIZE_MAX;
    assert_fails(
        backend_load(suite->backend, suite->stack, &suite->arena, &snapshot, &has_deployment),
        ERROR_OTHER, " attempts: GET http://127.0.0.1:");
}

static void load_until_canceled(void *saver_)
{
    struct saver *saver = saver_;
    struct snapshot snapshot;
    bool has_deployment;

    assert_fails(backend_load(saver->suite->backend, saver->suite->stack, &saver->suite->arena,
                              &snapshot, &has_deployment),
                 ERROR_CANCELED, "");
    latch_open(&saver->done);
}

CLAIM(cancellation_ends_a_read)
{
    struct saver saver = { .suite = suite };
    struct cancel *scope = cancel_open(NULL);

    if (suite->server.listener != NULL) {
        fiber_spawn_in(scope, load_until_canceled, &saver);
        cancel_fire(scope);
        latch_wait_uncancelable(&saver.done);
        fiber_yield();
    }
    cancel_close(scope);
}

/* --- all of them, at every place --- */

int main(void)
{
#define TEST(name)                    \
    {                                 \
#name, name, NULL, NULL, NULL \
    }
    struct CMUnitTest tests[] = {
        TEST(a_stack_is_created_once),
        TEST(a_stack_without_deployment_can_be_created),
        TEST(a_stack_that_does_not_exist_has_its_exit_code),
        TEST(stacks_are_listed_with_time_and_count),
        TEST(a_stack_with_resources_is_removed_only_by_force),
        TEST(removal_takes_tags_and_history),
        TEST(a_rename_takes_everything_along),
        TEST(a_rename_to_a_taken_name_changes_nothing),
        TEST(a_rename_that_was_cut_off_goes_on),
        TEST(a_store_of_the_present_layout_needs_no_upgrade),
        TEST(what_is_saved_is_loaded),
        TEST(a_large_state_comes_back_whole),
        TEST(a_lock_keeps_others_out_and_names_its_owner),
        TEST(a_lock_is_of_one_stack),
        TEST(locks_of_one_backend_nest),
        TEST(closing_gives_up_what_is_still_held),
        TEST(breaking_locks_lets_the_next_one_in),
        TEST(of_many_that_want_the_lock_one_has_it),
        TEST(a_journal_that_was_not_folded_is_replayed),
        TEST(folding_replaces_checkpoint_and_journal),
        TEST(a_journal_without_records_changes_nothing),
        TEST(records_that_nobody_waits_for_are_there_after_close),
        TEST(a_new_operation_goes_on_where_a_killed_one_ended),
        TEST(saving_makes_the_journal_obsolete),
        TEST(a_listing_knows_what_a_journal_knows),
        TEST(resources_in_the_journal_alone_keep_a_stack_from_removal),
        TEST(records_of_many_fibers_all_arrive),
        TEST(a_record_is_written_although_its_fiber_was_canceled),
        TEST(who_was_replaced_writes_nothing_more),
        TEST(who_was_replaced_before_its_first_record_does_not_fold),
        TEST(who_was_replaced_several_times_does_not_fold),
        TEST(who_lost_its_lock_writes_nothing_more),
        TEST(who_lost_its_lock_before_its_first_record_writes_nothing),
        TEST(who_lost_its_lock_does_not_save),
        TEST(who_lost_its_lock_takes_nothing_away),
        TEST(an_entry_of_the_history_reads_back_as_it_was),
        TEST(the_history_comes_in_pages_newest_first),
        TEST(tags_are_changed_one_by_one_and_sorted),
        TEST(tags_that_many_change_at_once_are_all_changed),
        TEST(a_reader_beside_a_writer_sees_whole_states),
        TEST(fibers_use_many_stacks_of_one_backend),
        TEST(a_save_that_fails_leaves_the_former_state),
        TEST(what_could_not_be_recorded_goes_out_with_the_next_record),
        TEST(a_fold_that_fails_keeps_everything_in_the_journal),
        TEST(whatever_happens_to_one_request_the_operation_succeeds),
        TEST(a_server_that_is_gone_is_named),
        TEST(cancellation_ends_a_read),
    };
    int failures = 0;

    /* A server is tried alone. */
    bool has_server = settings_has("CULUMI_SUITE_URL"), has_postgres = postgres_is_there();
    for (size_t i = 0; i < sizeof(suite_places) / sizeof(*suite_places); i++) {
        const struct suite_place *place = has_postgres ? &suite_postgres : &suite_places[i];
        struct CMUnitTest chosen[sizeof(tests) / sizeof(*tests)];
        size_t count = 0;
        if (has_postgres ? i > 0 : has_server != (place->break_writes == NULL))
            continue;
        for (size_t j = 0; j < sizeof(tests) / sizeof(*tests); j++) {
            if (suite_is_left_out(place, tests[j].name))
                continue;
            chosen[count] = tests[j];
            chosen[count++].initial_state = (void *)(uintptr_t)place;
        }
        failures += _cmocka_run_group_tests(place->name, chosen, count, NULL, NULL);
    }
    return failures;
}
