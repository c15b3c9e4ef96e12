/* test_trace.c — log, trace, faults and settings: what developers and tests see. */
#include "unit/check.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/trace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static str content(struct arena *arena, const char *path)
{
    str text = { 0 };
    assert_ok(fs_read(arena, str_from(path), FS_ANY_SIZE, &text));
    return text;
}

static void settings_are_typed(void **state)
{
    (void)state;
    setenv("TEST_SETTING", "True", 1);
    assert_true(settings_bool("TEST_SETTING"));
    setenv("TEST_SETTING", "yes", 1);
    assert_false(settings_bool("TEST_SETTING"));
    setenv("TEST_SETTING", "12", 1);
    assert_int_equal(settings_number("TEST_SETTING", 3), 12);
    setenv("TEST_SETTING", "", 1);
    assert_true(settings_has("TEST_SETTING"));
    assert_int_equal(settings_number("TEST_SETTING", 3), 3);
    unsetenv("TEST_SETTING");
    assert_false(settings_has("TEST_SETTING"));
    assert_str_equal(settings_text("TEST_SETTING"), STR(""));
}

static void facts_are_json_lines(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    char path[] = "/tmp/test_trace.XXXXXX";
    close(mkstemp(path));

    clock_fake(1000);
    int evaluated = 0;
    trace_fact("nobody listens", TRACE_NUMBER("n", ++evaluated));
    assert_int_equal(evaluated, 0);
    assert_ok(trace_open(str_from(path)));
    trace_fact("registered", TRACE_TEXT("urn", STR("a\"b")), TRACE_NUMBER("n", -3),
               TRACE_BOOL("is_custom", true));
    trace_close();
    clock_fake(0);
    assert_str_equal(content(&arena, path), STR("{\"t\":1000,\"name\":\"registered\",\"urn\":"
                                                "\"a\\\"b\",\"n\":-3,\"is_custom\":true}\n"));
    unlink(path);
    assert_fails(trace_open(STR("/nope/trace")), ERROR_OS, "open the trace '/nope/trace'");
    assert_ok(trace_open(STR("")));
}

static void a_log_has_lines_up_to_its_level(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    char path[] = "/tmp/test_log.XXXXXX";
    int fd = mkstemp(path);

    log_error("early", "dropped");
    log_open(fd, LOG_INFO);
    clock_fake(INT64_C(1794793429428000000));
    log_info("stepgen", "%d steps", 3);
    log_debug("stepgen", "dropped");
    log_warn("exec", "slow");
    log_close();
    log_error("late", "dropped");
    clock_fake(0);
    str wanted = arena_printf(&arena,
                              "I 2026-11-16T01:43:49.428Z %d stepgen: 3 steps\nW "
                              "2026-11-16T01:43:49.428Z %d exec: slow\n",
                              (int)getpid(), (int)getpid());
    assert_str_equal(content(&arena, path), wanted);
    close(fd);
    unlink(path);
}

static void the_wanted_hit_fails_and_no_other(void **state)
{
    (void)state;
    fault_arm(STR(""), STR("a.b:2"));
    errno = 0;
    assert_false(fault_fails("a.b"));
    assert_false(fault_fails("a"));
    assert_int_equal(errno, 0);
    assert_true(fault_fails("a.b"));
    assert_int_equal(errno, EIO);
    assert_false(fault_fails("a.b"));
    fault_arm(STR(""), STR(""));
    assert_int_equal(fault_state, FAULT_OFF);
    assert_false(fault_fails("a.b"));
    fault_arm(STR("nonsense"), STR("x:"));
    assert_int_equal(fault_state, FAULT_OFF);
}

/* In a child: armed by the environment, as the crash tests do it. */
static void the_wanted_point_kills_the_process(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    char path[] = "/tmp/test_fault.XXXXXX";
    close(mkstemp(path));

    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("CULUMI_FAULT", "here:2", 1);
        setenv("CULUMI_FAULT_LIST", path, 1);
        fault_state = FAULT_UNKNOWN;
        fault_point("there");
        fault_point("here");
        if (fault_fails("hook"))
            _exit(1);
        fault_point("here");
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_str_equal(content(&arena, path), STR("kill there\nkill here\nfail hook\nkill here\n"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_typed),
        cmocka_unit_test(facts_are_json_lines),
        cmocka_unit_test(a_log_has_lines_up_to_its_level),
        cmocka_unit_test(the_wanted_hit_fails_and_no_other),
        cmocka_unit_test(the_wanted_point_kills_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
