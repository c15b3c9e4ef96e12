/* test_fiber_process.c — child processes. */
#include "unit/check.h"
#include "unit/soon.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

static struct process_options shell(const char *script)
{
    static const char *argv[4];
    argv[0] = "sh";
    argv[1] = "-c";
    argv[2] = script;
    argv[3] = NULL;
    return (struct process_options){ .path = "/bin/sh", .argv = argv };
}

static struct process *open_shell(const char *script)
{
    struct process_options options = shell(script);
    struct process *process;
    assert_ok(process_open(&options, &process));
    return process;
}

static void read_all(struct stream *stream, struct strbuf *into)
{
    char bytes[4096];
    size_t len;
    do {
        assert_ok(stream_read(stream, bytes, sizeof(bytes), &len));
        strbuf_add(into, (str){ bytes, len });
    } while (len > 0);
}

/* The number that a process prints on its first line. */
static pid_t read_number(struct stream *stream)
{
    char bytes[32] = "";
    size_t total = 0, len;
    do {
        assert_ok(stream_read(stream, bytes + total, sizeof(bytes) - 1 - total, &len));
        total += len;
    } while (len > 0 && !strchr(bytes, '\n'));
    return (pid_t)strtol(bytes, NULL, 10);
}

/* Orphans of our children come to us, so that their end can be seen. */
static int adopt_orphans(void **state)
{
    (void)state;
    return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static int refuse_orphans(void **state)
{
    (void)state;
    return prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static bool is_dead_soon(pid_t orphan)
{
    for (int i = 0; i < 6000; i++) {
        if (waitpid(orphan, NULL, WNOHANG) == orphan)
            return true;
        usleep(10000);
    }
    return false;
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* --- output and status --- */

static void run_script(void *unused)
{
    (void)unused;
    struct strbuf output = { 0 }, errors = { 0 };
    int status;
    struct process *process = open_shell("echo out; echo err >&2; cat; exit 3");
    read_all(process_stdout(process), &output);
    read_all(process_stderr(process), &errors);
    assert_ok(process_wait(process, &status));
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_str_equal(strbuf_str(&output), STR("out\n"));
    assert_str_equal(strbuf_str(&errors), STR("err\n"));
    assert_true(process_has_ended(process));
    process_signal(process, SIGKILL);
    assert_ok(process_wait_ms(process, 0, &status));
    process_close(process, 1000);
    strbuf_release(&output);
    strbuf_release(&errors);
}

static void output_and_status_of_a_child_arrive(void **state)
{
    (void)state;
    in_fiber(run_script);
}

static void run_elsewhere(void *unused)
{
    (void)unused;
    static const char *const environment[] = { "COLOR=blue", NULL };
    struct strbuf output = { 0 };
    struct process *process;
    struct process_options options = shell("pwd; echo $COLOR$HOME");
    options.directory = "/usr";
    options.environment = environment;
    assert_ok(process_open(&options, &process));
    read_all(process_stdout(process), &output);
    assert_str_equal(strbuf_str(&output), STR("/usr\nblue\n"));
    process_close(process, 1000);
    strbuf_release(&output);
}

static void a_child_has_its_own_directory_and_environment(void **state)
{
    (void)state;
    in_fiber(run_elsewhere);
}

static void print_much(void *unused)
{
    (void)unused;
    struct strbuf output = { 0 };
    struct process *process = open_shell("head -c 3000000 /dev/zero");
    read_all(process_stdout(process), &output);
    assert_int_equal(output.len, 3000000);
    process_close(process, 1000);
    strbuf_release(&output);
}

static void more_output_than_a_pipe_holds_arrives(void **state)
{
    (void)state;
    in_fiber(print_much);
}

static void hold_input_open(void *unused)
{
    (void)unused;
    int status;
    struct process *process;
    struct process_options options = shell("cat; echo never");
    options.pipes_stdin = true;
    assert_ok(process_open(&options, &process));
    assert_fails(process_wait_ms(process, 50, &status), ERROR_TIMEOUT, "timed out");
    assert_false(process_has_ended(process));
    process_close(process, 0);
}

static void a_piped_input_stays_open(void **state)
{
    (void)state;
    in_fiber(hold_input_open);
}

static void run_without_pipes(void *unused)
{
    (void)unused;
    int status;
    struct process *process;
    struct process_options options = shell("exit 0");
    options.inherits_output = true;
    assert_ok(process_open(&options, &process));
    assert_null(process_stdout(process));
    assert_null(process_stderr(process));
    assert_ok(process_wait(process, &status));
    assert_int_equal(status, 0);
    process_close(process, 0);
}

static void a_child_may_share_our_output(void **state)
{
    (void)state;
    in_fiber(run_without_pipes);
}

/* --- failures --- */

static void start_nothing(void *unused)
{
    (void)unused;
    struct process *process;
    struct process_options options = shell("");
    options.path = "/no/such/program";
    struct error *error = process_open(&options, &process);
    assert_int_equal(error_errno(error), ENOENT);
    assert_fails(error, ERROR_OS, "start '/no/such/program': No such file or directory");
    options.path = "/etc/passwd";
    assert_fails(process_open(&options, &process), ERROR_OS,
                 "start '/etc/passwd': Permission denied");
    options.path = "/bin/sh";
    options.directory = "/no/such/folder";
    assert_fails(process_open(&options, &process), ERROR_OS,
                 "'/bin/sh' in '/no/such/folder': No such file");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_failure_to_start_names_the_program(void **state)
{
    (void)state;
    in_fiber(start_nothing);
}

static void start_with_closed_standard(void *unused)
{
    (void)unused;
    struct strbuf output = { 0 };
    int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    struct process *process = open_shell("cat; echo fine");
    read_all(process_stdout(process), &output);
    assert_str_equal(strbuf_str(&output), STR("fine\n"));
    process_close(process, 1000);
    dup2(saved, STDIN_FILENO);
    close(saved);
    strbuf_release(&output);
}

static void a_child_starts_even_if_our_input_is_closed(void **state)
{
    (void)state;
    in_fiber(start_with_closed_standard);
}

/* Allows only so many descriptors beyond those that are open. */
static void allow_descriptors(rlim_t more)
{
    struct rlimit limit;
    int next = dup(STDIN_FILENO);
    close(next);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = more == RLIM_INFINITY ? limit.rlim_max : (rlim_t)next + more;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static struct error *open_process(void)
{
    struct process_options options = shell("exit 0");
    struct process *process;
    options.pipes_stdin = true;
    TRY(process_open(&options, &process));
    process_close(process, 0);
    return NULL;
}

static struct error *open_connection(void)
{
    struct listener *listener;
    struct stream *client, *server = NULL;
    char address[32];
    TRY(listener_open(0, &listener));
    snprintf(address, sizeof(address), "127.0.0.1:%u", listener_port(listener));
    struct error *failure = stream_connect(str_from(address), &client);
    if (!failure) {
        failure = listener_accept(listener, &server);
        stream_close(client);
        stream_close(server);
    }
    listener_close(listener);
    return failure;
}

static void run_out_of_descriptors(void *unused)
{
    (void)unused;
    struct error *(*const calls[])(void) = { open_process, open_connection };
    int refusals = 0;
    error_ignore(fiber_sleep_ms(1), "the loop has now opened what it needs");
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        for (rlim_t more = 0; more < 12; more++) {
            allow_descriptors(more);
            struct error *failure = calls[i]();
            allow_descriptors(RLIM_INFINITY);
            if (failure)
                assert_int_equal(error_errno(failure), EMFILE);
            refusals += failure != NULL;
            error_free(failure);
        }
        assert_ok(calls[i]());
    }
    assert_true(refusals > 7);
}

static void running_out_of_descriptors_fails_cleanly(void **state)
{
    (void)state;
    size_t before = open_descriptors();
    in_fiber(run_out_of_descriptors);
    assert_int_equal(open_descriptors(), before);
    allow_descriptors(0);
    struct error *failure = scheduler_run(run_out_of_descriptors, NULL);
    allow_descriptors(RLIM_INFINITY);
    assert_fails(failure, ERROR_OS, "start: open a descriptor: Too many open files");
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* --- waiting and ending --- */

static int returned;

static void wait_for_kill(void *process)
{
    int status;
    assert_ok(process_wait(process, &status));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    returned++;
}

static void signal_waited(void *unused)
{
    (void)unused;
    struct process *process = open_shell("exec sleep 1000");
    returned = 0;
    fiber_spawn(wait_for_kill, process);
    fiber_spawn(wait_for_kill, process);
    fiber_yield();
    assert_int_equal(returned, 0);
    process_signal(process, SIGTERM);
    process_close(process, 10000);
    fiber_yield();
    assert_int_equal(returned, 2);
}

static void several_may_wait_and_one_may_close(void **state)
{
    (void)state;
    in_fiber(signal_waited);
}

static void wait_until_canceled(void *process)
{
    int status;
    assert_fails(process_wait(process, &status), ERROR_CANCELED, "canceled");
    assert_fails(process_wait_ms(process, 1000000, &status), ERROR_CANCELED, "canceled");
    returned++;
}

static void cancel_wait(void *unused)
{
    (void)unused;
    struct cancel *scope = cancel_open(NULL);
    struct process *process = open_shell("exec sleep 1000");
    returned = 0;
    fiber_spawn_in(scope, wait_until_canceled, process);
    fiber_yield();
    cancel_fire(scope);
    fiber_yield();
    assert_int_equal(returned, 1);
    cancel_close(scope);
    process_close(process, 0);
}

static void waiting_ends_when_canceled(void **state)
{
    (void)state;
    in_fiber(cancel_wait);
}

static void close_stubborn(void *grandchild)
{
    struct process *process =
        open_shell("trap '' INT TERM; sleep 1000 & echo $!; wait; sleep 1000");
    *(pid_t *)grandchild = read_number(process_stdout(process));
    struct cancel *scope = cancel_open(NULL);
    struct cancel *former = cancel_enter(scope);
    cancel_fire(scope); /* closing is not cut short by cancellation */
    process_close(process, 50);
    cancel_enter(former);
    cancel_close(scope);
}

static void a_stubborn_group_is_killed(void **state)
{
    (void)state;
    pid_t grandchild = 0;
    assert_ok(scheduler_run(close_stubborn, &grandchild));
    assert_true(grandchild > 0);
    assert_true(is_dead_soon(grandchild));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void close_left_behind(void *grandchild)
{
    int status;
    struct process *process = open_shell("sleep 1000 >/dev/null 2>&1 & echo $!");
    *(pid_t *)grandchild = read_number(process_stdout(process));
    assert_ok(process_wait(process, &status));
    process_close(process, 1000);
}

static void what_a_child_left_behind_in_its_group_is_killed(void **state)
{
    (void)state;
    pid_t grandchild = 0;
    assert_ok(scheduler_run(close_left_behind, &grandchild));
    assert_true(is_dead_soon(grandchild));
}

static void close_polite(void *unused)
{
    (void)unused;
    struct strbuf output = { 0 };
    int status;
    struct process *process =
        open_shell("trap 'echo bye; exit 5' INT; echo $$; while :; do sleep 0.01; done");
    read_number(process_stdout(process));
    process_signal(process, SIGINT);
    assert_ok(process_wait(process, &status));
    assert_int_equal(WEXITSTATUS(status), 5);
    read_all(process_stdout(process), &output);
    assert_str_equal(strbuf_str(&output), STR("bye\n"));
    process_close(process, 100000);
    strbuf_release(&output);
}

static void a_child_may_end_in_its_own_way_when_interrupted(void **state)
{
    (void)state;
    in_fiber(close_polite);
}

struct last_words {
    struct process *process;
    struct strbuf output;
    struct latch read;
};

static void read_last_words(void *words_)
{
    struct last_words *words = words_;
    read_all(process_stdout(words->process), &words->output);
    latch_open(&words->read);
}

static void end_and_read(void *unused)
{
    (void)unused;
    struct last_words words = { 0 };
    words.process = open_shell(
        "trap 'head -c 200000 /dev/zero; exit 1' INT; echo $$; while :; do sleep 0.01; done");
    read_number(process_stdout(words.process));
    fiber_spawn(read_last_words, &words);
    process_end(words.process, 100000);
    assert_ok(latch_wait(&words.read));
    assert_int_equal(words.output.len, 200000);
    process_close(words.process, 0);
    strbuf_release(&words.output);
}

static void the_last_words_of_an_ended_child_can_be_read(void **state)
{
    (void)state;
    in_fiber(end_and_read);
}

static void report_child(void *fd)
{
    struct process *process = open_shell("trap '' HUP INT TERM; echo $$; exec sleep 1000");
    pid_t child = read_number(process_stdout(process));
    assert_int_equal(child, process_id(process));
    assert_int_equal(write(*(int *)fd, &child, sizeof(child)), sizeof(child));
    error_ignore(fiber_sleep_ms(1000000), "it is killed here");
}

static void a_child_dies_when_we_are_killed(void **state)
{
    (void)state;
    int fds[2];
    pid_t grandchild;
    assert_int_equal(pipe(fds), 0);
    pid_t helper = fork();
    if (helper == 0) {
        error_ignore(scheduler_run(report_child, &fds[1]), "it is killed inside");
        _exit(1);
    }
    assert_int_equal(read(fds[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
    kill(helper, SIGKILL);
    assert_int_equal(waitpid(helper, NULL, 0), helper);
    assert_true(is_dead_soon(grandchild));
    close(fds[0]);
    close(fds[1]);
}

static void run_one(void *group)
{
    struct strbuf output = { 0 };
    int status;
    struct process *process = open_shell("echo $$");
    read_all(process_stdout(process), &output);
    assert_ok(process_wait(process, &status));
    assert_int_equal(status, 0);
    process_close(process, 0);
    strbuf_release(&output);
    work_group_done(group);
}

static void run_hundred(void *unused)
{
    (void)unused;
    struct work_group group = { 0 };
    work_group_add(&group, 100);
    for (int i = 0; i < 100; i++)
        fiber_spawn(run_one, &group);
    assert_ok(work_group_wait(&group));
}

static void a_hundred_children_leave_nothing_behind(void **state)
{
    (void)state;
    size_t before = open_descriptors();
    in_fiber(run_hundred);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void ask_for_signals(void *unused)
{
    (void)unused;
    struct strbuf output = { 0 };
    struct process *process = open_shell("grep -E '^Sig(Blk|Ign)' /proc/self/status");
    read_all(process_stdout(process), &output);
    assert_str_equal(strbuf_str(&output),
                     STR("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000001\n"));
    process_close(process, 0);
    strbuf_release(&output);
}

static void a_child_ignores_nothing_but_a_hangup(void **state)
{
    (void)state;
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    in_fiber(ask_for_signals);
    signal(SIGHUP, SIG_DFL);
    signal(SIGINT, SIG_DFL);
}

static void wait_for_seven(void *unused)
{
    (void)unused;
    struct process *process = open_shell("exit 7");
    int status = -1;
    assert_ok(process_wait_ms(process, 60000, &status));
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    process_close(process, 0);
}

static void the_end_of_a_child_shows_where_it_was_ignored(void **state)
{
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    in_fiber(wait_for_seven);
    assert_ptr_equal(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}

/* --- the watcher --- */

/* ID (NAME) STATE PARENT … */
static pid_t find_watcher(void)
{
    DIR *directory = opendir("/proc");
    pid_t found = 0;

    assert_non_null(directory);
    for (const struct dirent *entry; !found && (entry = readdir(directory));) {
        char path[64], text[512] = "";
        int id, parent;
        snprintf(path, sizeof(path), "/proc/%.32s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        if (fgets(text, sizeof(text), file)
            && sscanf(text, "%d (culumi-watcher) %*c %d", &id, &parent) == 2 && parent == getpid())
            found = id;
        fclose(file);
    }
    closedir(directory);
    return found;
}

static void run_true(void)
{
    struct process *process = open_shell("true");
    int status = -1;

    assert_ok(process_wait(process, &status));
    process_close(process, 0);
    assert_int_equal(status, 0);
}

static void start_without_the_watcher(void *context)
{
    siginfo_t info;

    (void)context;
    process_guard_enable();
    run_true();
    pid_t watcher = 0;
    assert_soon((watcher = find_watcher()) != 0); /* it gives itself its name */
    assert_int_equal(kill(watcher, SIGKILL), 0);
    assert_int_equal(waitid(P_PID, (id_t)watcher, &info, WEXITED | WNOWAIT | __WALL), 0);
    run_true();
}

/* The last test: from now on, everything has a watcher. */
static void children_start_when_the_watcher_was_killed(void **state)
{
    (void)state;
    in_fiber(start_without_the_watcher);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_status_of_a_child_arrive),
        cmocka_unit_test(a_child_has_its_own_directory_and_environment),
        cmocka_unit_test(more_output_than_a_pipe_holds_arrives),
        cmocka_unit_test(a_piped_input_stays_open),
        cmocka_unit_test(a_child_may_share_our_output),
        cmocka_unit_test(a_failure_to_start_names_the_program),
        cmocka_unit_test(a_child_starts_even_if_our_input_is_closed),
        cmocka_unit_test(running_out_of_descriptors_fails_cleanly),
        cmocka_unit_test(several_may_wait_and_one_may_close),
        cmocka_unit_test(waiting_ends_when_canceled),
        cmocka_unit_test_setup_teardown(a_stubborn_group_is_killed, adopt_orphans, refuse_orphans),
        cmocka_unit_test_setup_teardown(what_a_child_left_behind_in_its_group_is_killed,
                                        adopt_orphans, refuse_orphans),
        cmocka_unit_test(a_child_may_end_in_its_own_way_when_interrupted),
        cmocka_unit_test(the_last_words_of_an_ended_child_can_be_read),
        cmocka_unit_test_setup_teardown(a_child_dies_when_we_are_killed, adopt_orphans,
                                        refuse_orphans),
        cmocka_unit_test(a_hundred_children_leave_nothing_behind),
        cmocka_unit_test(a_child_ignores_nothing_but_a_hangup),
        cmocka_unit_test(the_end_of_a_child_shows_where_it_was_ignored),
        cmocka_unit_test(children_start_when_the_watcher_was_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
