/* test_fiber.c — the scheduler, cancellation, and how fibers wait for each other. */
#include "unit/check.h"

#include "fiber/fiber.h"
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
    fiber_park();
    wakes++;
    fiber_park();
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

/* The last fiber opens what all the others wait for, so it must get a stack while they hold theirs. */
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
};

static void sleep_and_note(void *sleeper_)
{
    const struct sleeper *sleeper = sleeper_;
    uint64_t start = now_ms();
    assert_ok(fiber_sleep_ms(sleeper->ms));
    assert_true(now_ms() - start + 1 >= sleeper->ms);
    note(sleeper->record, sleeper->letter);
}

static void spawn_sleepers(void *record)
{
    static struct sleeper sleepers[6];
    static const uint64_t times[6] = { 50, 10, 30, 10, 0, 20 };
    for (int i = 0; i < 6; i++) {
        sleepers[i] = (struct sleeper){ record, (char)('a' + i), times[i] };
        fiber_spawn(sleep_and_note, &sleepers[i]);
    }
    assert_ok(fiber_sleep_ms(80));
}

static void timers_ring_in_the_order_of_their_deadlines(void **state)
{
    (void)state;
    struct record record = { 0 };
    assert_ok(scheduler_run(spawn_sleepers, &record));
    assert_string_equal(record.letters, "ebdfca");
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

/* --- cancellation --- */

/* One blocking call, in a scope that is fired while it waits, and again in one that was fired before. */
struct blocking {
    struct error *(*call)(void);
    bool has_returned;
};

static void call_blocking(void *blocking_)
{
    struct blocking *blocking = blocking_;
    assert_fails(blocking->call(), ERROR_CANCELED, "canceled");
    assert_fails(blocking->call(), ERROR_CANCELED, "canceled");
    blocking->has_returned = true;
}

static void cancel_blocking(void *call_)
{
    struct error *(**call)(void) = call_;
    struct blocking waiting = { .call = *call }, late = { .call = *call };
    struct cancel *scope = cancel_open(cancel_current());
    struct cancel *inner = cancel_open(scope);
    fiber_spawn_in(inner, call_blocking, &waiting);
    fiber_yield();
    assert_false(waiting.has_returned);
    cancel_fire(scope);
    assert_true(cancel_is_fired(inner));
    fiber_yield();
    assert_true(waiting.has_returned);
    fiber_spawn_in(inner, call_blocking, &late);
    fiber_yield();
    assert_true(late.has_returned);
    cancel_close(inner);
    cancel_close(scope);
}

static struct error *sleep_long(void)
{
    return fiber_sleep_ms(1000000);
}

static struct latch some_latch;
static struct semaphore some_semaphore;
static struct work_group some_group;
static struct channel some_channel;

static struct error *wait_latch(void)
{
    return latch_wait(&some_latch);
}

static struct error *wait_latch_ms(void)
{
    return latch_wait_ms(&some_latch, 1000000);
}

static struct error *wait_semaphore(void)
{
    return semaphore_wait(&some_semaphore);
}

static struct error *wait_group(void)
{
    return work_group_wait(&some_group);
}

static struct error *receive(void)
{
    void *item;
    return channel_receive(&some_channel, &item);
}

static void every_wait_ends_when_canceled(void **state)
{
    (void)state;
    struct error *(*calls[])(void) = { sleep_long, wait_latch, wait_latch_ms, wait_semaphore, wait_group, receive };
    work_group_add(&some_group, 1);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        assert_ok(scheduler_run(cancel_blocking, &calls[i]));
    work_group_done(&some_group);
    assert_null(some_latch.waiting.first);
    assert_null(some_semaphore.waiting.first);
    assert_null(some_group.waiting.first);
    channel_release(&some_channel);
}

static void wait_uncancelably(void *latch)
{
    latch_wait_uncancelable(latch);
    ended++;
}

static void fire_uncancelable(void *unused)
{
    (void)unused;
    struct latch latch = { 0 };
    struct cancel *scope = cancel_open(NULL);
    ended = 0;
    fiber_spawn_in(scope, wait_uncancelably, &latch);
    fiber_yield();
    cancel_fire(scope);
    fiber_yield();
    fiber_yield();
    assert_int_equal(ended, 0);
    latch_open(&latch);
    fiber_yield();
    assert_int_equal(ended, 1);
    cancel_close(scope);
}

static void an_uncancelable_wait_outlives_its_scope(void **state)
{
    (void)state;
    in_fiber(fire_uncancelable);
}

static void sleep_until_canceled(void *count)
{
    assert_fails(fiber_sleep_ms(1000000), ERROR_CANCELED, "canceled");
    (*(int *)count)++;
}

static struct cancel *other_root;

static void leave_sleepers(void *count)
{
    other_root = cancel_open(NULL);
    fiber_spawn(sleep_until_canceled, count);
    fiber_spawn_in(other_root, sleep_until_canceled, count);
    fiber_spawn(sleep_until_canceled, count);
    fiber_yield();
}

static void what_is_left_is_canceled_when_main_returns(void **state)
{
    (void)state;
    int count = 0;
    assert_ok(scheduler_run(leave_sleepers, &count));
    assert_int_equal(count, 3);
    cancel_close(other_root);
}

static void enter_scopes(void *unused)
{
    (void)unused;
    struct cancel *scope = cancel_open(cancel_current());
    struct cancel *former = cancel_enter(scope);
    assert_ok(fiber_canceled());
    cancel_fire(scope);
    cancel_fire(scope);
    assert_fails(fiber_canceled(), ERROR_CANCELED, "canceled");
    struct cancel *child = cancel_open(scope);
    assert_true(cancel_is_fired(child));
    cancel_close(child);
    assert_ptr_equal(cancel_enter(former), scope);
    assert_ok(fiber_canceled());
    assert_false(cancel_is_fired(former));
    cancel_close(scope);
}

static void a_fiber_may_change_its_scope(void **state)
{
    (void)state;
    in_fiber(enter_scopes);
}

static void fire_part_of_a_tree(void *unused)
{
    (void)unused;
    struct cancel *root = cancel_open(NULL);
    struct cancel *left = cancel_open(root), *right = cancel_open(root);
    struct cancel *left_a = cancel_open(left), *left_b = cancel_open(left), *right_a = cancel_open(right);
    cancel_fire(left);
    assert_true(cancel_is_fired(left_a) && cancel_is_fired(left_b));
    assert_false(cancel_is_fired(right) || cancel_is_fired(right_a) || cancel_is_fired(root));
    cancel_fire(root);
    assert_true(cancel_is_fired(right) && cancel_is_fired(right_a));
    struct cancel *all[] = { left_a, right_a, left_b, right, left, root };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        cancel_close(all[i]);
}

static void firing_reaches_what_is_below_and_nothing_else(void **state)
{
    (void)state;
    in_fiber(fire_part_of_a_tree);
}

/* --- waiting for each other --- */

static void time_out(void *unused)
{
    (void)unused;
    struct latch latch = { 0 };
    assert_fails(latch_wait_ms(&latch, 5), ERROR_TIMEOUT, "timed out after 5 ms");
    assert_null(latch.waiting.first);
    assert_false(latch_wait_uncancelable_ms(&latch, 5));
    latch_open(&latch);
    assert_true(latch_wait_uncancelable_ms(&latch, 0));
    assert_ok(latch_wait_ms(&latch, 0));
    assert_ok(latch_wait(&latch));
}

static void a_latch_times_out_and_stays_open(void **state)
{
    (void)state;
    in_fiber(time_out);
}

struct taker {
    struct semaphore *semaphore;
    struct record *record;
    char letter;
};

static void take_permit_twice(void *taker_)
{
    struct taker *taker = taker_;
    for (int i = 0; i < 2; i++) {
        assert_ok(semaphore_wait(taker->semaphore));
        note(taker->record, taker->letter);
        fiber_yield();
        semaphore_post(taker->semaphore);
    }
}

static void share_permits(void *record)
{
    static struct taker takers[3];
    static struct semaphore semaphore;
    semaphore = (struct semaphore){ .available = 1 };
    for (int i = 0; i < 3; i++) {
        takers[i] = (struct taker){ &semaphore, record, (char)('a' + i) };
        fiber_spawn(take_permit_twice, &takers[i]);
    }
    for (int i = 0; i < 40; i++)
        fiber_yield();
    assert_int_equal(semaphore.available, 1);
}

static void permits_go_to_the_first_in_the_queue(void **state)
{
    (void)state;
    struct record record = { 0 };
    assert_ok(scheduler_run(share_permits, &record));
    assert_string_equal(record.letters, "abcabc");
}

static void take_one(void *semaphore)
{
    struct error *error = semaphore_wait(semaphore);
    ended += error ? 100 : 1;
    error_free(error);
}

static void cancel_a_served_waiter(void *unused)
{
    (void)unused;
    struct semaphore semaphore = { 0 };
    struct cancel *scope = cancel_open(NULL);
    ended = 0;
    fiber_spawn_in(scope, take_one, &semaphore);
    fiber_yield();
    semaphore_post(&semaphore);
    cancel_fire(scope);
    fiber_yield();
    assert_int_equal(ended, 1);
    assert_int_equal(semaphore.available, 0);
    cancel_close(scope);
}

static void a_permit_is_not_lost_when_cancellation_comes_second(void **state)
{
    (void)state;
    in_fiber(cancel_a_served_waiter);
}

static void finish_work(void *group)
{
    fiber_yield();
    work_group_done(group);
}

static void wait_for_work(void *unused)
{
    (void)unused;
    struct work_group group = { 0 };
    assert_ok(work_group_wait(&group));
    work_group_add(&group, 10);
    for (int i = 0; i < 10; i++)
        fiber_spawn(finish_work, &group);
    assert_ok(work_group_wait(&group));
    assert_int_equal(group.count, 0);
    work_group_wait_uncancelable(&group);
}

static void a_group_waits_for_all_its_work(void **state)
{
    (void)state;
    in_fiber(wait_for_work);
}

static int numbers[1000];

static void send_numbers(void *channel)
{
    for (int i = 0; i < 1000; i++) {
        channel_send(channel, &numbers[i]);
        if (i % 7 == 0)
            fiber_yield();
    }
    channel_close(channel);
}

static void receive_numbers(void *unused)
{
    (void)unused;
    struct channel channel = { 0 };
    fiber_spawn(send_numbers, &channel);
    for (int i = 0; i < 1000; i++) {
        void *item;
        assert_ok(channel_receive(&channel, &item));
        assert_ptr_equal(item, &numbers[i]);
        if (i % 11 == 0)
            fiber_yield();
    }
    void *item = &channel;
    assert_ok(channel_receive(&channel, &item));
    assert_null(item);
    channel_release(&channel);
}

static void a_channel_keeps_the_order_and_then_ends(void **state)
{
    (void)state;
    in_fiber(receive_numbers);
}

static void receive_nothing(void *channel)
{
    void *item = channel;
    assert_ok(channel_receive(channel, &item));
    assert_null(item);
    ended++;
}

static void close_while_waiting(void *unused)
{
    (void)unused;
    struct channel channel = { 0 };
    ended = 0;
    for (int i = 0; i < 3; i++)
        fiber_spawn(receive_nothing, &channel);
    fiber_yield();
    channel_close(&channel);
    fiber_yield();
    assert_int_equal(ended, 3);
    channel_release(&channel);
}

static void closing_a_channel_frees_its_receivers(void **state)
{
    (void)state;
    in_fiber(close_while_waiting);
}

static void all_that_does_not_depend_on_order_holds_for_any_seed(void **state)
{
    (void)state;
    fiber_run *const runs[] = { receive_numbers,     wait_for_work,          time_out,     cancel_random_sleeps,
                                close_while_waiting, cancel_a_served_waiter, enter_scopes, fire_uncancelable };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        scheduler_set_seed(seed);
        for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
            in_fiber(runs[i]);
    }
    scheduler_set_seed(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fibers_take_turns_in_order),
        cmocka_unit_test(a_seed_changes_the_order_but_not_the_result),
        cmocka_unit_test(a_wake_before_the_park_is_remembered),
        cmocka_unit_test(twenty_thousand_short_fibers_end),
        cmocka_unit_test(fibers_over_the_cap_start_when_nothing_else_can_run),
        cmocka_unit_test(deep_work_runs_on_the_main_stack),
        cmocka_unit_test(a_deadlock_aborts_with_a_message),
        cmocka_unit_test(a_stack_overflow_ends_the_process),
#if defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(what_a_suspended_fiber_holds_is_not_leaked),
#endif
        cmocka_unit_test(timers_ring_in_the_order_of_their_deadlines),
        cmocka_unit_test(timers_may_be_stopped_in_any_order),
        cmocka_unit_test(every_wait_ends_when_canceled),
        cmocka_unit_test(an_uncancelable_wait_outlives_its_scope),
        cmocka_unit_test(what_is_left_is_canceled_when_main_returns),
        cmocka_unit_test(a_fiber_may_change_its_scope),
        cmocka_unit_test(firing_reaches_what_is_below_and_nothing_else),
        cmocka_unit_test(a_latch_times_out_and_stays_open),
        cmocka_unit_test(permits_go_to_the_first_in_the_queue),
        cmocka_unit_test(a_permit_is_not_lost_when_cancellation_comes_second),
        cmocka_unit_test(a_group_waits_for_all_its_work),
        cmocka_unit_test(a_channel_keeps_the_order_and_then_ends),
        cmocka_unit_test(closing_a_channel_frees_its_receivers),
        cmocka_unit_test(all_that_does_not_depend_on_order_holds_for_any_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
