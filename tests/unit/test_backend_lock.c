/* test_backend_lock.c — one process at a time. */
#include "unit/backend_fixture.h"

#include "backend/backend_file.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/wait.h>

#define LOCKS "locks/organization/p1/dev"

static size_t count_locks(struct fixture *fixture)
{
    str *names;
    size_t len;

    if (!fixture_has(fixture, LOCKS))
        return 0;
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, LOCKS), &names, &len));
    return len;
}

static void a_lock_names_its_owner_and_goes_when_given_up(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *lock;
    str *names, text;
    size_t len;

    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, LOCKS), &names, &len));
    assert_int_equal(len, 1);
    str path = arena_concat(&fixture->arena, fixture_path(fixture, LOCKS "/"), names[0]);
    assert_ok(fs_read(&fixture->arena, path, FS_ANY_SIZE, &text));
    str start = arena_printf(
        &fixture->arena, "{\"pid\":%d,\"username\":\"bob\",\"hostname\":\"h1\",\"timestamp\":\"20",
        (int)getpid());
    assert_true(str_starts_with(text, start));
    assert_true(str_ends_with(text, STR("Z\"}")));
    assert_ok(backend_unlock(lock));
    assert_int_equal(count_locks(fixture), 0);
}

static void anothers_lock_is_told_exactly(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *lock;

    fixture_write(fixture, LOCKS "/1111.json",
                  STR("{\"pid\":1234,\"username\":\"ann\",\"hostname\":\"h2\","
                      "\"timestamp\":\"2026-01-02T03:04:05.123456789Z\"}"));
    fixture_write(fixture, LOCKS "/1111.json.attrs", STR("{}"));
    str wanted = arena_printf(
        &fixture->arena,
        "the stack is currently locked by 1 lock(s). Either wait for the other process(es) to "
        "end or delete the lock file with `pulumi cancel`.\n  file://%s/.pulumi/" LOCKS
        "/1111.json?no_tmp_dir=true: created by ann@h2 (pid 1234) at 2026-01-02T03:04:05Z",
        fixture->folder.ptr);
    struct error *failure = backend_lock(fixture->backend, fixture->stack, &lock);
    assert_non_null(failure);
    assert_str_equal(error_message(failure), wanted);
    error_free(failure);
    assert_int_equal(count_locks(fixture), 2);
}

static void the_lock_of_a_dead_process_is_called_that(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *lock;
    int status;

    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, &status, 0), child);
    fixture_write(fixture, LOCKS "/1111.json",
                  arena_printf(&fixture->arena,
                               "{\"pid\":%d,\"username\":\"bob\",\"hostname\":\"h1\","
                               "\"timestamp\":\"2026-01-02T03:04:05+09:00\"}",
                               (int)child));
    assert_fails(backend_lock(fixture->backend, fixture->stack, &lock), ERROR_OTHER,
                 "at 2026-01-02T03:04:05+09:00 (that process is gone; run `pulumi cancel` to "
                 "remove the lock)");
}

static void a_lock_that_cannot_be_read_is_still_a_lock(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *lock;

    fixture_write(fixture, LOCKS "/1111.json", STR(""));
    fixture_write(fixture, LOCKS "/2222.json", STR("{\"pid\":"));
    assert_fails(backend_lock(fixture->backend, fixture->stack, &lock), ERROR_OTHER,
                 "the stack is currently locked by 2 lock(s)");
}

static void breaking_locks_removes_all_of_them(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *lock;
    size_t count;

    fixture_write(fixture, LOCKS "/1111.json", STR("{}"));
    fixture_write(fixture, LOCKS "/1111.json.attrs", STR("{}"));
    assert_ok(backend_break_locks(fixture->backend, fixture->stack, &count));
    assert_int_equal(count, 1);
    assert_int_equal(count_locks(fixture), 0);
    assert_ok(backend_break_locks(fixture->backend, fixture->stack, &count));
    assert_int_equal(count, 0);
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(backend_break_locks(fixture->backend, fixture->stack, &count));
    assert_int_equal(count, 1);
    assert_ok(backend_unlock(lock)); /* somebody was faster; that is no failure */
}

static void locks_of_one_backend_nest(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *outer, *inner;

    assert_ok(backend_lock(fixture->backend, fixture->stack, &outer));
    assert_ok(backend_lock(fixture->backend, fixture->stack, &inner));
    fixture_create(fixture, 0);
    assert_ok(backend_unlock(inner));
    assert_int_equal(count_locks(fixture), 1);
    assert_ok(backend_unlock(outer));
    assert_int_equal(count_locks(fixture), 0);
}

static void closing_gives_up_what_is_still_held(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *first, *second;

    assert_ok(backend_lock(fixture->backend, fixture->stack, &first));
    assert_ok(backend_lock(fixture->backend, fixture->stack, &second));
    fixture_reopen(fixture);
    assert_int_equal(count_locks(fixture), 0);
}

static void another_backend_of_this_process_is_another_owner(void **state)
{
    struct fixture *fixture = *state;
    struct backend_lock *lock, *other_lock;
    struct backend *other;

    assert_ok(backend_open(&fixture->options, &other));
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_fails(backend_lock(other, fixture->stack, &other_lock), ERROR_OTHER,
                 "locked by 1 lock(s)");
    assert_fails(backend_create_stack(other, fixture->stack, NULL), ERROR_OTHER,
                 "locked by 1 lock(s)");
    assert_ok(backend_unlock(lock));
    assert_ok(backend_lock(other, fixture->stack, &other_lock));
    assert_ok(backend_unlock(other_lock));
    backend_close(other);
}

/* --- a race --- */

enum { ROUNDS = 60 };

/* Takes the lock as often as it can and checks that nobody else is inside. */
static int compete(struct fixture *fixture, const char *marker)
{
    int won = 0;

    fixture_reopen(fixture); /* an owner of its own */
    for (int i = 0; i < ROUNDS; i++) {
        struct backend_lock *lock;
        struct error *refused = backend_lock(fixture->backend, fixture->stack, &lock);
        if (refused) {
            error_free(refused);
            continue;
        }
        won++;
        struct error *inside = fs_create(str_from(marker), STR(""), 0666);
        if (inside)
            _exit(99);
        usleep(200);
        assert_ok(fs_remove(str_from(marker)));
        assert_ok(backend_unlock(lock));
    }
    return won > 0 ? 1 : 0;
}

static void two_processes_are_never_inside_together(void **state)
{
    struct fixture *fixture = *state;
    str marker = fixture_path(fixture, "marker");
    pid_t children[2];
    int status, winners = 0;

    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(compete(fixture, marker.ptr));
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_true(WEXITSTATUS(status) <= 1);
        winners += WEXITSTATUS(status);
    }
    assert_true(winners >= 1);
}

/* --- fibers --- */

struct crowd {
    struct fixture *fixture;
    struct work_group group;
    int inside;
    int most;
};

static void hold_for_a_while(void *crowd_)
{
    struct crowd *crowd = crowd_;
    struct backend_lock *lock;

    assert_ok(backend_lock(crowd->fixture->backend, crowd->fixture->stack, &lock));
    crowd->inside++;
    crowd->most = crowd->inside > crowd->most ? crowd->inside : crowd->most;
    fiber_yield();
    crowd->inside--;
    assert_ok(backend_unlock(lock));
    work_group_done(&crowd->group);
}

static void run_crowd(void *crowd_)
{
    struct crowd *crowd = crowd_;

    work_group_add(&crowd->group, 20);
    for (int i = 0; i < 20; i++)
        fiber_spawn(hold_for_a_while, crowd);
    work_group_wait_uncancelable(&crowd->group);
}

static void fibers_of_one_backend_share_the_lock(void **state)
{
    struct crowd crowd = { .fixture = *state };

    assert_ok(scheduler_run(run_crowd, &crowd));
    assert_int_equal(crowd.inside, 0);
    assert_true(crowd.most >= 1);
    assert_int_equal(count_locks(*state), 0);
}

/* --- locks that are gone --- */

#define TAKEN_OVER "another process has taken over the stack 'dev'"

/* As `rm` does. */
static void remove_locks(struct fixture *fixture)
{
    str *names;
    size_t len;

    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, LOCKS), &names, &len));
    for (size_t i = 0; i < len; i++)
        assert_ok(
            fs_remove(arena_concat(&fixture->arena, fixture_path(fixture, LOCKS "/"), names[i])));
}

/* Nothing of what may be written under a lock is. */
static void whose_lock_was_removed_by_hand_writes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot late = sample_snapshot(&fixture->arena, 9);
    struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    str value = STR("b");
    struct backend_lock *lock;
    struct journal *journal;

    fixture_create(fixture, 1);
    str before = fixture_read(fixture, "stacks/p1/dev.json");
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    remove_locks(fixture);
    assert_fails(journal_open(fixture->backend, fixture->stack, &journal), ERROR_OTHER, TAKEN_OVER);
    assert_fails(backend_save(fixture->backend, fixture->stack, &late), ERROR_OTHER, TAKEN_OVER);
    assert_fails(backend_add_history(fixture->backend, fixture->stack, &entry), ERROR_OTHER,
                 TAKEN_OVER);
    assert_fails(backend_change_tag(fixture->backend, fixture->stack, STR("a"), &value),
                 ERROR_OTHER, TAKEN_OVER);
    assert_fails(backend_remove_stack(fixture->backend, fixture->stack, true, true), ERROR_OTHER,
                 TAKEN_OVER);
    assert_str_equal(fixture_read(fixture, "stacks/p1/dev.json"), before);
    assert_false(fixture_has(fixture, "history/p1/dev"));
    assert_false(fixture_has(fixture, "stacks/p1/dev.pulumi-tags"));
    assert_false(fixture_has(fixture, "stacks/p1/dev.json.bak"));
    assert_ok(backend_unlock(lock));
}

/* Another file of the same name is not the one that we wrote. */
static void a_lock_that_was_put_back_is_not_ours(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot late = sample_snapshot(&fixture->arena, 9);
    struct backend_lock *lock;
    str *names;
    size_t len;

    fixture_create(fixture, 1);
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, LOCKS), &names, &len));
    str path = arena_concat(&fixture->arena, fixture_path(fixture, LOCKS "/"), names[0]);
    assert_ok(fs_replace(path, STR("{}"), 0600));
    assert_fails(backend_save(fixture->backend, fixture->stack, &late), ERROR_OTHER, TAKEN_OVER);
    assert_ok(backend_unlock(lock));
}

/* A write that was begun under the lock has its end before the lock. */
static void a_lock_is_not_broken_in_the_middle_of_a_write(void **state)
{
    struct fixture *fixture = *state;
    struct file_backend *file = (struct file_backend *)fixture->backend;
    struct backend_lock *lock;
    size_t count;

    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    int writer = open(fixture_path(fixture, LOCKS).ptr, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(writer, LOCK_SH), 0);
    file->patience_ms = 0;
    assert_fails(backend_break_locks(fixture->backend, fixture->stack, &count), ERROR_OTHER,
                 "another process is in the middle of a change");
    assert_int_equal(count_locks(fixture), 1);
    close(writer);
    assert_ok(backend_break_locks(fixture->backend, fixture->stack, &count));
    assert_int_equal(count, 1);
    assert_ok(backend_unlock(lock));
}

/* The lock was removed by hand while its owner wrote: the next owner waits for that write. */
static void a_lock_is_not_taken_in_the_middle_of_a_write(void **state)
{
    struct fixture *fixture = *state;
    struct file_backend *file = (struct file_backend *)fixture->backend;
    struct backend_lock *lock;

    fixture_write(fixture, LOCKS "/1111.json.attrs", STR("{}"));
    int writer = open(fixture_path(fixture, LOCKS).ptr, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(writer, LOCK_SH), 0);
    file->patience_ms = 0;
    assert_fails(backend_lock(fixture->backend, fixture->stack, &lock), ERROR_OTHER,
                 "another process is in the middle of a change");
    close(writer);
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(backend_unlock(lock));
}

/* And who writes keeps others out as long. */
static void a_write_waits_for_who_takes_the_lock(void **state)
{
    struct fixture *fixture = *state;
    struct file_backend *file = (struct file_backend *)fixture->backend;
    struct snapshot late = sample_snapshot(&fixture->arena, 9);
    struct backend_lock *lock;

    fixture_create(fixture, 1);
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    int taker = open(fixture_path(fixture, LOCKS).ptr, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(taker, LOCK_EX), 0);
    file->patience_ms = 0;
    assert_fails(backend_save(fixture->backend, fixture->stack, &late), ERROR_OTHER,
                 "another process");
    close(taker);
    assert_ok(backend_save(fixture->backend, fixture->stack, &late));
    assert_ok(backend_unlock(lock));
}

/* --- the old layout --- */

#define OLD_LOCKS "locks/dev"

/* An operation of another process, which is about to end when the upgrade begins. */
struct last_writer {
    struct fixture *fixture;
    str text;
    int fence;
};

/* How many descriptors of this process are the directory of the locks. */
static size_t count_open(const char *folder)
{
    DIR *listing = opendir("/proc/self/fd");
    char target[4096];
    size_t count = 0;

    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        ssize_t len = readlinkat(dirfd(listing), entry->d_name, target, sizeof(target) - 1);
        count += len > 0 && str_equal((str){ target, (size_t)len }, str_from(folder));
    }
    closedir(listing);
    return count;
}

/* Writes once somebody waits for the lock. */
static void *write_last(void *writer_)
{
    struct last_writer *writer = writer_;
    const char *folder = fixture_path(writer->fixture, OLD_LOCKS).ptr;

    while (count_open(folder) < 2)
        sched_yield();
    fixture_write(writer->fixture, "stacks/dev.json", writer->text);
    close(writer->fence);
    return NULL;
}

static void an_upgrade_moves_what_a_stack_is_once_it_is_locked(void **state)
{
    struct fixture *fixture = *state;
    struct last_writer writer = { .fixture = fixture };
    struct layout_upgrade upgrade;
    struct backend_lock *lock;
    pthread_t thread;

    assert_ok(fs_remove(fixture_path(fixture, "meta.yaml")));
    fixture->options.diy.uses_legacy_layout = true;
    fixture->options.diy.ignores_legacy_error = true;
    fixture_reopen(fixture);
    fixture->stack.project = STR("");
    fixture_create(fixture, 7);
    writer.text = fixture_read(fixture, "stacks/dev.json");
    struct snapshot before = sample_snapshot(&fixture->arena, 3);
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(backend_save(fixture->backend, fixture->stack, &before));
    assert_ok(backend_unlock(lock));

    writer.fence = open(fixture_path(fixture, OLD_LOCKS).ptr, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(writer.fence, LOCK_SH), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_last, &writer), 0);
    assert_ok(backend_upgrade(fixture->backend, &fixture->arena, &upgrade));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(upgrade.upgraded, 1);
    fixture->stack.project = STR("p1");
    assert_int_equal(count_loaded(fixture), 7);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_lock_names_its_owner_and_goes_when_given_up),
        TEST(anothers_lock_is_told_exactly),
        TEST(the_lock_of_a_dead_process_is_called_that),
        TEST(a_lock_that_cannot_be_read_is_still_a_lock),
        TEST(breaking_locks_removes_all_of_them),
        TEST(locks_of_one_backend_nest),
        TEST(closing_gives_up_what_is_still_held),
        TEST(another_backend_of_this_process_is_another_owner),
        TEST(two_processes_are_never_inside_together),
        TEST(fibers_of_one_backend_share_the_lock),
        TEST(whose_lock_was_removed_by_hand_writes_nothing),
        TEST(a_lock_that_was_put_back_is_not_ours),
        TEST(a_lock_is_not_broken_in_the_middle_of_a_write),
        TEST(a_lock_is_not_taken_in_the_middle_of_a_write),
        TEST(a_write_waits_for_who_takes_the_lock),
        TEST(an_upgrade_moves_what_a_stack_is_once_it_is_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
