/* test_fiber_sync.c — cancellation, and how fibers wait for each other. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"

#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

/* What happened, in order, one letter each. */
struct record {
    char letters[64];
    size_t len;
};

static void note(struct record *record, char letter)
{
    assert_true(record->len < sizeof(record->letters) - 1);
    record->letters[record->len++] = letter;
}

static size_t ended;

/* --- cancellation --- */

/* One blocking call, in a scope that is fired while it waits, and again in one that was fired
 * before. */
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
    struct error *(*calls[])(void) = { sleep_long,     wait_latch, wait_latch_ms,
                                       wait_semaphore, wait_group, receive };
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
    struct cancel *left_a = cancel_open(left), *left_b = cancel_open(left),
                  *right_a = cancel_open(right);
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

static void cancel_the_middle(void *record)
{
    static struct taker takers[3];
    struct semaphore semaphore = { 0 };
    struct cancel *scope = cancel_open(NULL);
    ended = 0;
    for (int i = 0; i < 3; i++) {
        takers[i] = (struct taker){ &semaphore, record, (char)('a' + i) };
        if (i == 1)
            fiber_spawn_in(scope, take_one, &semaphore);
        else
            fiber_spawn(take_permit_twice, &takers[i]);
    }
    fiber_yield();
    cancel_fire(scope);
    fiber_yield();
    assert_int_equal(ended, 100);
    semaphore_post(&semaphore);
    for (int i = 0; i < 20; i++)
        fiber_yield();
    assert_int_equal(semaphore.available, 1);
    semaphore_wait_uncancelable(&semaphore);
    assert_int_equal(semaphore.available, 0);
    cancel_close(scope);
}

static void a_canceled_waiter_leaves_the_queue(void **state)
{
    (void)state;
    struct record record = { 0 };
    assert_ok(scheduler_run(cancel_the_middle, &record));
    assert_string_equal(record.letters, "acac");
}

struct shielded {
    struct semaphore semaphore;
    struct work_group group;
};

static void wait_for_shielded(void *shielded_)
{
    struct shielded *shielded = shielded_;
    semaphore_wait_uncancelable(&shielded->semaphore);
    work_group_wait_uncancelable(&shielded->group);
    ended++;
}

static void cancel_shielded(void *unused)
{
    (void)unused;
    struct shielded shielded = { .group.count = 1 };
    struct cancel *scope = cancel_open(NULL);
    cancel_fire(scope);
    ended = 0;
    fiber_spawn_in(scope, wait_for_shielded, &shielded);
    fiber_yield();
    semaphore_post(&shielded.semaphore);
    fiber_yield();
    assert_int_equal(ended, 0);
    work_group_done(&shielded.group);
    fiber_yield();
    assert_int_equal(ended, 1);
    cancel_close(scope);
}

static void uncancelable_waits_ignore_a_fired_scope(void **state)
{
    (void)state;
    in_fiber(cancel_shielded);
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
    fiber_run *const runs[] = { receive_numbers, wait_for_work,       time_out,
                                cancel_shielded, close_while_waiting, cancel_a_served_waiter,
                                enter_scopes,    fire_uncancelable };
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
        cmocka_unit_test(every_wait_ends_when_canceled),
        cmocka_unit_test(an_uncancelable_wait_outlives_its_scope),
        cmocka_unit_test(what_is_left_is_canceled_when_main_returns),
        cmocka_unit_test(a_fiber_may_change_its_scope),
        cmocka_unit_test(firing_reaches_what_is_below_and_nothing_else),
        cmocka_unit_test(a_latch_times_out_and_stays_open),
        cmocka_unit_test(permits_go_to_the_first_in_the_queue),
        cmocka_unit_test(a_permit_is_not_lost_when_cancellation_comes_second),
        cmocka_unit_test(a_canceled_waiter_leaves_the_queue),
        cmocka_unit_test(uncancelable_waits_ignore_a_fired_scope),
        cmocka_unit_test(a_group_waits_for_all_its_work),
        cmocka_unit_test(a_channel_keeps_the_order_and_then_ends),
        cmocka_unit_test(closing_a_channel_frees_its_receivers),
        cmocka_unit_test(all_that_does_not_depend_on_order_holds_for_any_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
