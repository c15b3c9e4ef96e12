/* test_fiber_list.c — SIGQUIT lists the fibers and lets the process go on. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

static void wait_with_a_task(void *latch)
{
    fiber_set_task((struct fiber_task){ "Create", STR("urn:pulumi:dev::p::t::n") });
    error_ignore(latch_wait(latch), "only its wait is looked at");
}

/* What is written to standard error while the loop takes a signal. */
static str quit_and_read(char *buffer, size_t size)
{
    int pipes[2], kept = dup(STDERR_FILENO);

    assert_int_equal(pipe(pipes), 0);
    dup2(pipes[1], STDERR_FILENO);
    kill(getpid(), SIGQUIT);
    assert_ok(fiber_sleep_ms(1)); /* the loop runs at least once */
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(pipes[1]);
    ssize_t len = read(pipes[0], buffer, size);
    close(pipes[0]);
    assert_true(len > 0);
    return (str){ buffer, (size_t)len };
}

static void assert_has(str text, const char *part)
{
    if (str_find(text, str_from(part)) == SIZE_MAX)
        fail_msg("'%s' is not in:\n%.*s", part, (int)text.len, text.ptr);
}

static void list_and_go_on(void *unused)
{
    char buffer[16 * 1024];
    struct latch latch = { 0 };

    (void)unused;
    fiber_spawn(wait_with_a_task, &latch);
    fiber_yield();
    for (int i = 0; i < 2; i++) {
        str text = quit_and_read(buffer, sizeof(buffer));
        assert_has(text, ": 2\n");
        assert_has(text, "wait_with_a_task: Create urn:pulumi:dev::p::t::n (");
        assert_has(text, "waits for a latch since ");
        assert_has(text, "run_main (");
        assert_has(text, "waits for a time since ");
        assert_has(text, "\n    0x");
    }
    latch_open(&latch);
}

static void quit_lists_all_fibers_each_time(void **state)
{
    (void)state;
    in_fiber(list_and_go_on);
}

static void ask_twice_without_waiting(void *unused)
{
    (void)unused;
    kill(getpid(), SIGQUIT);
    kill(getpid(), SIGQUIT);
    _exit(1);
}

static void a_second_quit_ends_a_process_that_never_waits(void **state)
{
    int status;

    (void)state;
    pid_t child = fork();
    if (child == 0) {
        error_free(scheduler_run(ask_twice_without_waiting, NULL));
        _exit(2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGQUIT);
}

/* What was ignored stays so: whoever started us does not want it. */
static void quit_while_it_is_ignored(void *unused)
{
    (void)unused;
    kill(getpid(), SIGQUIT);
    kill(getpid(), SIGQUIT);
    fiber_yield();
}

static void quit_is_as_it_was_after_the_scheduler(void **state)
{
    struct sigaction action;

    (void)state;
    sigaction(SIGQUIT, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL);
    signal(SIGQUIT, SIG_IGN);
    in_fiber(quit_while_it_is_ignored);
    sigaction(SIGQUIT, NULL, &action);
    assert_true(action.sa_handler == SIG_IGN);
    signal(SIGQUIT, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quit_lists_all_fibers_each_time),
        cmocka_unit_test(a_second_quit_ends_a_process_that_never_waits),
        cmocka_unit_test(quit_is_as_it_was_after_the_scheduler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
