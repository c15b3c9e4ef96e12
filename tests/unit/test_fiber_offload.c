/* test_fiber_offload.c — signals and helper threads. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "fiber/signals.h"
#include "fiber/sync.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

/* --- signals --- */

static int received;

static void open_latch(int signal_number, void *latch)
{
    received = signal_number;
    latch_open(latch);
}

static void count_signal(int signal_number, void *count)
{
    *(int *)count += signal_number;
}

static void watch_signals(void *unused)
{
    (void)unused;
    struct latch latch = { 0 };
    int count = 0;
    assert_ok(signal_watch(SIGUSR2, count_signal, &count));
    assert_ok(signal_watch(SIGUSR1, count_signal, &count));
    assert_ok(signal_watch(SIGUSR1, open_latch, &latch)); /* replaces */
    received = 0;
    raise(SIGUSR1);
    assert_ok(latch_wait(&latch));
    assert_int_equal(received, SIGUSR1);
    assert_int_equal(count, 0);
    assert_ok(signal_watch(SIGUSR1, NULL, NULL));
    assert_ok(signal_watch(SIGUSR1, NULL, NULL));
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    assert_ptr_equal(action.sa_handler, SIG_DFL);
    assert_fails(signal_watch(SIGKILL, count_signal, &count), ERROR_OTHER, "watch signal 9: ");
}

static void a_signal_calls_its_handler_on_the_loop(void **state)
{
    (void)state;
    in_fiber(watch_signals);
    struct sigaction action;
    sigaction(SIGUSR2, NULL, &action);
    assert_ptr_equal(action.sa_handler, SIG_DFL);
}

static void fire_scope(int signal_number, void *scope)
{
    (void)signal_number;
    cancel_fire(scope);
}

static void interrupt_sleep(void *unused)
{
    (void)unused;
    assert_ok(signal_watch(SIGINT, fire_scope, cancel_current()));
    raise(SIGINT);
    assert_fails(fiber_sleep_ms(1000000), ERROR_CANCELED, "canceled");
}

static void an_interrupt_can_cancel_the_main_fiber(void **state)
{
    (void)state;
    in_fiber(interrupt_sleep);
}

static void block_interrupt(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void an_interrupt_arrives_where_it_was_blocked_before(void **state)
{
    (void)state;
    block_interrupt();
    in_fiber(interrupt_sleep);
}

static void interrupt_held_sleep(void *unused)
{
    (void)unused;
    signals_hold();
    assert_ok(signal_watch(SIGINT, fire_scope, cancel_current()));
    raise(SIGINT);
    assert_ok(fiber_sleep_ms(1));
    signals_let();
    assert_fails(fiber_sleep_ms(1000000), ERROR_CANCELED, "canceled");
}

static void a_blocked_interrupt_that_is_held_back_arrives_when_it_is_let_go(void **state)
{
    (void)state;
    block_interrupt();
    in_fiber(interrupt_held_sleep);
}

static void hold_back(void *unused)
{
    (void)unused;
    assert_false(signals_have_asked());
    signals_hold();
    assert_false(signals_have_asked());
    raise(SIGTERM);
    assert_true(signals_have_asked());
    assert_ok(signals_watch_endings(fire_scope, cancel_current()));
    signals_let();
    assert_fails(fiber_sleep_ms(1000000), ERROR_CANCELED, "canceled");
    assert_true(signals_have_asked());
}

static void who_holds_signals_back_can_still_hear_of_them(void **state)
{
    (void)state;
    in_fiber(hold_back);
    assert_false(signals_have_asked());
}

/* --- helper threads --- */

static pthread_barrier_t barrier;

static void set_true(void *flag)
{
    *(bool *)flag = true;
}

static void meet(void *done)
{
    pthread_barrier_wait(&barrier);
    offload(set_true, done); /* on a helper thread it runs at once */
}

static void offload_meeting(void *group)
{
    bool is_done = false;
    offload(meet, &is_done);
    assert_true(is_done);
    work_group_done(group);
}

static void meet_in_parallel(void *unused)
{
    (void)unused;
    struct work_group group = { 0 };
    pthread_barrier_init(&barrier, NULL, 4);
    work_group_add(&group, 8);
    for (int i = 0; i < 8; i++)
        fiber_spawn(offload_meeting, &group);
    assert_ok(work_group_wait(&group));
    pthread_barrier_destroy(&barrier);
}

static void offloaded_work_runs_in_parallel(void **state)
{
    (void)state;
    in_fiber(meet_in_parallel);
}

static void work_slowly(void *done)
{
    usleep(20000);
    *(bool *)done = true;
}

static void cancel_offload(void *unused)
{
    (void)unused;
    struct cancel *scope = cancel_open(NULL);
    struct cancel *former = cancel_enter(scope);
    bool is_done = false;
    cancel_fire(scope);
    offload(work_slowly, &is_done);
    assert_true(is_done);
    cancel_enter(former);
    cancel_close(scope);
}

static void offloaded_work_is_not_canceled(void **state)
{
    (void)state;
    in_fiber(cancel_offload);
    bool is_done = false;
    offload(work_slowly, &is_done);
    assert_true(is_done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_calls_its_handler_on_the_loop),
        cmocka_unit_test(an_interrupt_can_cancel_the_main_fiber),
        cmocka_unit_test(an_interrupt_arrives_where_it_was_blocked_before),
        cmocka_unit_test(a_blocked_interrupt_that_is_held_back_arrives_when_it_is_let_go),
        cmocka_unit_test(who_holds_signals_back_can_still_hear_of_them),
        cmocka_unit_test(offloaded_work_runs_in_parallel),
        cmocka_unit_test(offloaded_work_is_not_canceled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
