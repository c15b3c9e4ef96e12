/* test_crash.c — the end on the spot, and starts that fail. */
#include "unit/check.h"

#include "base/crash.h"
#include "base/exit_codes.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct end {
    int status;
    char said[400];
};

/* Runs it in a process of its own and reads what that says on standard error. */
static struct end end_of(void (*run)(void))
{
    struct end end = { 0 };
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        run();
        _exit(0);
    }
    close(fds[1]);
    size_t len = 0;
    ssize_t got;
    while ((got = read(fds[0], end.said + len, sizeof(end.said) - 1 - len)) > 0)
        len += (size_t)got;
    close(fds[0]);
    assert_int_equal(waitpid(child, &end.status, 0), child);
    return end;
}

static void check_end(void (*run)(void), int code, const char *said)
{
    struct end end = end_of(run);

    assert_true(WIFEXITED(end.status));
    assert_int_equal(WEXITSTATUS(end.status), code);
    assert_string_equal(end.said, said);
}

static void abort_without_descriptors(void)
{
    crash_prepare();
    errno = EMFILE;
    abort();
}

static void find_a_bug(void)
{
    crash_prepare();
    error_bug("x.c", 7, "one == two");
}

static void run_out_of_memory(void)
{
    crash_prepare();
    memory_exhausted(12);
}

static void an_abort_names_what_the_system_refused(void **state)
{
    (void)state;
    if (UNDER_TSAN)
        skip(); /* it changes errno on the way to a signal handler */
    check_end(abort_without_descriptors, EXIT_CRASHED,
              "fatal: the system refuses what is needed to go on: Too many open files; check its "
              "limits with `ulimit -a`\n");
}

static void what_was_said_is_not_said_again(void **state)
{
    (void)state;
    check_end(find_a_bug, EXIT_CRASHED, "fatal: this is a bug in culumi: x.c:7: one == two\n");
    check_end(run_out_of_memory, EXIT_CRASHED, "fatal: out of memory (12 bytes wanted)\n");
}

static void look_at_dumps(void)
{
    crash_prepare();
    _exit(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
}

static void allow_dumps(void)
{
    setenv("CULUMI_ALLOW_CORE_DUMPS", "true", 1);
    look_at_dumps();
}

static void memory_is_not_dumped_unless_allowed(void **state)
{
    (void)state;
    check_end(look_at_dumps, 0, "");
    check_end(allow_dumps, 1, "");
}

static void do_nothing(void *unused)
{
    (void)unused;
}

static void start_without_descriptors(void)
{
    struct rlimit few = { 5, 5 };

    setrlimit(RLIMIT_NOFILE, &few);
    struct error *failure = scheduler_run(do_nothing, NULL);
    if (failure)
        fprintf(stderr, STR_FMT, STR_ARG(error_message(failure)));
    error_free(failure);
}

static void a_start_without_descriptors_is_an_error(void **state)
{
    (void)state;
    check_end(start_without_descriptors, 0, "start: open a descriptor: Too many open files");
}

/* Both wait for each other; only one has a stack. */
static void wait_for_one_without_stack(void *unused)
{
    struct rlimit none;
    struct latch never = { 0 };

    (void)unused;
    getrlimit(RLIMIT_AS, &none);
    none.rlim_cur = 1; /* what there is stays */
    setrlimit(RLIMIT_AS, &none);
    fiber_spawn(do_nothing, NULL);
    fiber_spawn(do_nothing, NULL);
    error_free(latch_wait(&never));
}

static void run_out_of_stacks(void)
{
    crash_prepare();
    error_free(scheduler_run(wait_for_one_without_stack, NULL));
}

static void memory_for_a_stack_that_is_refused_is_not_waited_for(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they need memory themselves */
#endif
    check_end(run_out_of_stacks, EXIT_CRASHED, "fatal: out of memory (262144 bytes wanted)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_abort_names_what_the_system_refused),
        cmocka_unit_test(what_was_said_is_not_said_again),
        cmocka_unit_test(memory_is_not_dumped_unless_allowed),
        cmocka_unit_test(a_start_without_descriptors_is_an_error),
        cmocka_unit_test(memory_for_a_stack_that_is_refused_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
