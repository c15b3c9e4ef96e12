/* test_fiber.c — the scheduler, stacks and timers. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

/* What happened, in order, one letter each. */
struct record {
    char letters[64];
    size_t len;
};

struct writer {
    struct record *record;
    char letter;
    int times;
};

static void note(struct record *record, char letter)
{
    assert_true(record->len < sizeof(record->letters) - 1);
    record->letters[record->len++] = letter;
}

static void write_and_yield(void *writer_)
{
    const struct writer *writer = writer_;
    for (int i = 0; i < writer->times; i++) {
        note(writer->record, writer->letter);
        fiber_yield();
    }
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- scheduler --- */

static void spawn_two_writers(void *record)
{
    static struct writer a, b;
    a = (struct writer){ record, 'a', 3 };
    b = (struct writer){ record, 'b', 3 };
    fiber_spawn(write_and_yield, &a);
    fiber_spawn(write_and_yield, &b);
    note(record, 'm');
    fiber_yield();
    note(record, 'M');
}

static void fibers_take_turns_in_order(void **state)
{
    (void)state;
    struct record record = { 0 };
    assert_ok(scheduler_run(spawn_two_writers, &record));
    assert_string_equal(record.letters, "mabMabab");
}

static void spawn_eight_writers(void *record)
{
    static struct writer writers[8];
    for (int i = 0; i < 8; i++) {
        writers[i] = (struct writer){ record, (char)('a' + i), 2 };
        fiber_spawn(write_and_yield, &writers[i]);
    }
}

static int compare_letters(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static void a_seed_changes_the_order_but_not_the_result(void **state)
{
    (void)state;
    struct record plain = { 0 }, first = { 0 }, again = { 0 }, other = { 0 };
    assert_ok(scheduler_run(spawn_eight_writers, &plain));
    scheduler_set_seed(7);
    assert_ok(scheduler_run(spawn_eight_writers, &first));
    scheduler_set_seed(7);
    assert_ok(scheduler_run(spawn_eight_writers, &again));
    scheduler_set_seed(8);
    assert_ok(scheduler_run(spawn_eight_writers, &other));
    scheduler_set_seed(0);
    assert_string_equal(plain.letters, "abcdefghabcdefgh");
    assert_string_equal(first.letters, again.letters);
    assert_string_not_equal(first.letters, plain.letters);
    assert_string_not_equal(first.letters, other.letters);
    qsort(first.letters, first.len, 1, compare_letters);
    assert_string_equal(first.letters, "aabbccddeeffgghh");
}

static struct fiber *parked;
static int wakes;

static void park_twice(void *unused)
{
    (void)unused;
    parked = fiber_self();
    fiber_yield(); /* the wake comes now, before the park */
    fiber_park("the test");
    wakes++;
    fiber_park("the test");
    wakes++;
}

static void wake_twice(void *unused)
{
    (void)unused;
    wakes = 0;
    fiber_spawn(park_twice, NULL);
    fiber_yield();
    fiber_wake(parked);
    fiber_yield();
    assert_int_equal(wakes, 1);
    fiber_yield();
    assert_int_equal(wakes, 1);
    fiber_wake(parked);
    fiber_wake(parked);
    fiber_yield();
    assert_int_equal(wakes, 2);
}

static void a_wake_before_the_park_is_remembered(void **state)
{
    (void)state;
    in_fiber(wake_twice);
}

/* The thread sanitizer keeps several mappings for each live fiber. */
#if defined(__SANITIZE_THREAD__)
enum { WAITING_AT_ONCE = 5000 };
#else
enum { WAITING_AT_ONCE = 20000 };
#endif

static size_t ended;

static void wait_and_count(void *latch)
{
    char deep[4096];
    memset(deep, 1, sizeof(deep));
    if (latch)
        latch_wait_uncancelable(latch);
    ended += (size_t)deep[ended % sizeof(deep)];
}

static void spawn_many_short(void *unused)
{
    (void)unused;
    ended = 0;
    for (int i = 0; i < 20000; i++)
        fiber_spawn(wait_and_count, NULL);
    fiber_yield();
    assert_true(ended >= 4096);
}

static void twenty_thousand_short_fibers_end(void **state)
{
    (void)state;
    in_fiber(spawn_many_short);
    assert_int_equal(ended, 20000);
}

/* The last fiber opens what all the others wait for, so it must get a stack while they hold
 * theirs. */
static void open_last(void *latch)
{
    latch_open(latch);
    ended++;
}

static void spawn_many_waiting(void *unused)
{
    (void)unused;
    struct latch latch = { 0 };
    ended = 0;
    for (int i = 0; i < WAITING_AT_ONCE - 1; i++)
        fiber_spawn(wait_and_count, &latch);
    fiber_spawn(open_last, &latch);
    latch_wait_uncancelable(&latch);
    while (ended < WAITING_AT_ONCE)
        fiber_yield();
}

/* Guests may be as many as they like: what they wait for is not one of them and gets a stack. */
static void spawn_many_guests(void *unused)
{
    (void)unused;
    enum { GUESTS = 40 * 1000 };
    struct latch latch = { 0 };
    ended = 0;
    for (int i = 0; i < GUESTS; i++)
        fiber_spawn_guest_in(cancel_current(), wait_and_count, &latch);
    for (int i = 0; i < 20; i++)
        assert_ok(fiber_sleep_ms(5)); /* nothing can run: they take all stacks they may have */
    fiber_spawn(open_last, &latch);
    latch_wait_uncancelable(&latch);
    while (ended < GUESTS + 1)
        fiber_yield();
}

static void guests_leave_stacks_to_others(void **state)
{
    (void)state;
    in_fiber(spawn_many_guests);
}

static size_t reported;

static void report_exhaustion(size_t waiting)
{
    assert_int_equal(reported, 0);
    reported = waiting;
}

static void spawn_too_many(void *unused)
{
    (void)unused;
    enum { FIBERS = 30 * 1000 };
    struct latch latch = { 0 };
    ended = 0;
    for (int i = 0; i < FIBERS; i++)
        fiber_spawn(wait_and_count, &latch);
    for (int i = 0; i < 3000 && reported == 0; i++)
        assert_ok(fiber_sleep_ms(10));
    latch_open(&latch);
    while (ended < FIBERS)
        fiber_yield();
}

static void running_out_of_stacks_is_reported_once(void **state)
{
    (void)state;
    if (UNDER_TSAN)
        skip(); /* it cannot follow so many stacks itself */
    scheduler_on_exhaustion(report_exhaustion);
    in_fiber(spawn_too_many);
    scheduler_on_exhaustion(NULL);
    assert_true(reported > 0 && reported < 30 * 1000);
}

static void fibers_over_the_cap_start_when_nothing_else_can_run(void **state)
{
    (void)state;
    in_fiber(spawn_many_waiting);
    assert_int_equal(ended, WAITING_AT_ONCE);
}

static int recurse(int depth)
{
    volatile char frame[1024];
    frame[0] = (char)depth;
    return depth == 0 ? 0 : recurse(depth - 1) + 1 + frame[0] - (char)depth;
}

static void recurse_deeply(void *result)
{
    *(int *)result = recurse(3000);
}

static void call_on_main_stack(void *unused)
{
    (void)unused;
    int result = 0;
    fiber_on_main_stack(recurse_deeply, &result);
    assert_int_equal(result, 3000);
}

static void deep_work_runs_on_the_main_stack(void **state)
{
    (void)state;
    in_fiber(call_on_main_stack);
    int result = 0;
    fiber_on_main_stack(recurse_deeply, &result);
    assert_int_equal(result, 3000);
}

/* Runs in a child; true if it aborted and said `text`. */
static bool aborts_saying(fiber_run *run, const char *text)
{
    int ends[2];
    char said[1024] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        error_ignore(scheduler_run(run, NULL), "the child is expected to abort");
        _exit(0);
    }
    close(ends[1]);
    size_t len = 0;
    ssize_t got;
    while ((got = read(ends[0], said + len, sizeof(said) - 1 - len)) > 0)
        len += (size_t)got;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0) && strstr(said, text);
}

static void wait_for_ever(void *unused)
{
    (void)unused;
    struct latch latch = { 0 };
    latch_wait_uncancelable(&latch);
}

static void a_deadlock_aborts_with_a_message(void **state)
{
    (void)state;
    assert_true(aborts_saying(wait_for_ever, "deadlock"));
}

static void forget_listener(void *unused)
{
    (void)unused;
    struct listener *listener;
    assert_ok(listener_open(0, &listener));
}

static void a_forgotten_listener_is_shown_by_tests_only(void **state)
{
    (void)state;
#ifdef NDEBUG
    assert_false(aborts_saying(forget_listener, ""));
#else
    assert_true(aborts_saying(forget_listener, "still open"));
#endif
}

static int overflow(int depth)
{
    volatile char frame[512];
    frame[0] = (char)depth;
    return depth == 0 ? frame[0] : overflow(depth - 1) + frame[0];
}

static void overflow_stack(void *unused)
{
    (void)unused;
    signal(SIGSEGV, SIG_DFL);
    fprintf(stderr, "%d", overflow(1000000));
}

static void a_stack_overflow_ends_the_process(void **state)
{
    (void)state;
    assert_true(aborts_saying(overflow_stack, ""));
}

#if defined(__SANITIZE_ADDRESS__)
int __lsan_do_recoverable_leak_check(void);

static void hold_memory(void *latch)
{
    char *memory = malloc(100);
    latch_wait_uncancelable(latch);
    free(memory);
}

static void look_for_leaks(void *has_leaks)
{
    *(int *)has_leaks = __lsan_do_recoverable_leak_check();
}

static void suspend_with_memory(void *unused)
{
    (void)unused;
    struct latch latch = { 0 };
    int has_leaks = 1;
    fiber_spawn(hold_memory, &latch);
    fiber_yield();
    fiber_on_main_stack(look_for_leaks, &has_leaks);
    assert_int_equal(has_leaks, 0);
    latch_open(&latch);
    fiber_yield();
}

static void what_a_suspended_fiber_holds_is_not_leaked(void **state)
{
    (void)state;
    in_fiber(suspend_with_memory);
}
#endif

/* --- timers --- */

struct sleeper {
    struct record *record;
    char letter;
    uint64_t ms;
    uint64_t start_ms;
    struct work_group *group;
};

static void sleep_and_note(void *sleeper_)
{
    struct sleeper *sleeper = sleeper_;
    sleeper->start_ms = now_ms();
    assert_ok(fiber_sleep_ms(sleeper->ms));
    assert_true(now_ms() - sleeper->start_ms + 1 >= sleeper->ms);
    note(sleeper->record, sleeper->letter);
    work_group_done(sleeper->group);
}

enum { SLEEPERS = 6 };

static struct sleeper sleepers[SLEEPERS];

static void spawn_sleepers(void *record)
{
    static const uint64_t times[SLEEPERS] = { 50, 10, 30, 10, 0, 20 };
    struct work_group group = { .count = SLEEPERS };
    for (int i = 0; i < SLEEPERS; i++) {
        sleepers[i] = (struct sleeper){ record, (char)('a' + i), times[i], 0, &group };
        fiber_spawn(sleep_and_note, &sleepers[i]);
    }
    assert_ok(work_group_wait(&group));
}

static void timers_ring_in_the_order_of_their_deadlines(void **state)
{
    (void)state;
    for (int attempt = 0; attempt < 50; attempt++) {
        struct record record = { 0 };
        assert_ok(scheduler_run(spawn_sleepers, &record));
        /* On a busy machine they may have started so far apart that the order is another. */
        if (sleepers[SLEEPERS - 1].start_ms - sleepers[0].start_ms > 5)
            continue;
        assert_string_equal(record.letters, "ebdfca");
        return;
    }
    skip();
}

struct sleeps {
    struct work_group short_ones;
    struct work_group long_ones;
};

static void sleep_shortly(void *sleeps_)
{
    struct sleeps *sleeps = sleeps_;
    assert_ok(fiber_sleep_ms((uint64_t)(rand() % 40)));
    work_group_done(&sleeps->short_ones);
}

static void sleep_long_or_less(void *sleeps_)
{
    struct sleeps *sleeps = sleeps_;
    assert_fails(fiber_sleep_ms(1000000 + (uint64_t)(rand() % 1000)), ERROR_CANCELED, "canceled");
    work_group_done(&sleeps->long_ones);
}

static void cancel_random_sleeps(void *unused)
{
    (void)unused;
    struct sleeps sleeps = { 0 };
    struct cancel *scope = cancel_open(cancel_current());
    for (int i = 0; i < 500; i++) {
        bool is_short = rand() % 3 == 0;
        work_group_add(is_short ? &sleeps.short_ones : &sleeps.long_ones, 1);
        fiber_spawn_in(scope, is_short ? sleep_shortly : sleep_long_or_less, &sleeps);
    }
    assert_ok(work_group_wait(&sleeps.short_ones));
    cancel_fire(scope);
    assert_ok(work_group_wait(&sleeps.long_ones));
    cancel_close(scope);
}

static void timers_may_be_stopped_in_any_order(void **state)
{
    (void)state;
    srand(1);
    in_fiber(cancel_random_sleeps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fibers_take_turns_in_order),
        cmocka_unit_test(a_seed_changes_the_order_but_not_the_result),
        cmocka_unit_test(a_wake_before_the_park_is_remembered),
        cmocka_unit_test(twenty_thousand_short_fibers_end),
        cmocka_unit_test(fibers_over_the_cap_start_when_nothing_else_can_run),
        cmocka_unit_test(guests_leave_stacks_to_others),
        cmocka_unit_test(running_out_of_stacks_is_reported_once),
        cmocka_unit_test(deep_work_runs_on_the_main_stack),
        cmocka_unit_test(a_deadlock_aborts_with_a_message),
        cmocka_unit_test(a_forgotten_listener_is_shown_by_tests_only),
        cmocka_unit_test(a_stack_overflow_ends_the_process),
#if defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(what_a_suspended_fiber_holds_is_not_leaked),
#endif
        cmocka_unit_test(timers_ring_in_the_order_of_their_deadlines),
        cmocka_unit_test(timers_may_be_stopped_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
