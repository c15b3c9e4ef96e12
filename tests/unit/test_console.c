/* test_console.c — what others say loses its control characters on the way to a terminal. */
#include "unit/check.h"

#include "base/console.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GONE "\xef\xbf\xbd"

static void assert_plain(const char *said, const char *shown)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    assert_str_equal(console_plain(&arena, str_from(said)), str_from(shown));
}

static void ordinary_text_stays(void **state)
{
    (void)state;
    assert_plain("", "");
    assert_plain("two\nlines\twith a tab\n", "two\nlines\twith a tab\n");
    assert_plain("数据库 é 🚀 e\u0301 👩\u200d🚀", "数据库 é 🚀 e\u0301 👩\u200d🚀");
}

static void colours_are_dropped(void **state)
{
    (void)state;
    assert_plain("\x1b[31mred\x1b[0m and \x1b[38;5;12mblue\x1b[m", "red and blue");
    assert_plain("\x1b[38:2::1:2:3mx\x1b[K", "x");
}

static void whatever_moves_the_cursor_is_seen_and_does_nothing(void **state)
{
    (void)state;
    assert_plain("a\x1b[2Jb", "a" GONE "[2Jb");
    assert_plain("\x1b]0;title\x07", GONE "]0;title" GONE);
    assert_plain("\x1b]8;;http://x\x1b\\link", GONE "]8;;http://x" GONE "\\link");
    assert_plain("\x1bP+q\x1b\\", GONE "P+q" GONE "\\");
    assert_plain("\b\x7f\x0e\v\f", GONE GONE GONE GONE GONE);
    assert_plain("\x1b", GONE);
    assert_plain("\x1b[", GONE "[");
    assert_plain("\x1b[1;2", GONE "[1;2");
}

static void controls_of_eight_bits_are_controls(void **state)
{
    (void)state;
    assert_plain("\xc2\x9b"
                 "31m",
                 GONE "31m"); /* CSI as UTF-8 */
    assert_plain("\xc2\x9d"
                 "0;t\xc2\x9c",
                 GONE "0;t" GONE);
    assert_plain("\x9b"
                 "2J",
                 GONE "2J"); /* and as a byte */
    assert_plain("\xc2\xa0", "\xc2\xa0");
}

static void directions_are_not_turned_around(void **state)
{
    (void)state;
    assert_plain("a\u202eb\u2066c", "a" GONE "b" GONE "c");
}

static void returns_do_not_overwrite(void **state)
{
    (void)state;
    assert_plain("one\r\ntwo\r\n", "one\ntwo\n");
    assert_plain("10%\r20%", "10% 20%");
    assert_plain("error: x\rok      ", "error: x ok      ");
}

static void one_line_is_one_line(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(console_plain_line(&arena, STR("a\nb\tc\x1b[31md")), STR("a b cd"));
    assert_str_equal(console_plain_line(&arena, STR("plain")), STR("plain"));
}

/* A terminal in place of standard output: what comes out at its other end. */
struct stage {
    int master;
    int kept;
    FILE *stdout_before;
};

static void stage_open(struct stage *stage)
{
    int slave;

    fflush(stdout);
    assert_int_equal(openpty(&stage->master, &slave, NULL, NULL, NULL), 0);
    stage->kept = dup(STDOUT_FILENO);
    stage->stdout_before = stdout;
    assert_true(dup2(slave, STDOUT_FILENO) >= 0);
    close(slave);
    console_open();
}

static size_t stage_close(struct stage *stage, char *text, size_t capacity)
{
    size_t len = 0;
    ssize_t got = 0;

    fclose(stdout);
    stdout = stage->stdout_before;
    dup2(stage->kept, STDOUT_FILENO);
    close(stage->kept);
    fcntl(stage->master, F_SETFL, O_NONBLOCK);
    while (len < capacity && (got = read(stage->master, text + len, capacity - len)) > 0)
        len += (size_t)got;
    close(stage->master);
    return len;
}

/* In pieces, as buffers cut them: characters and sequences are still whole. */
static void printing_to_a_terminal_is_guarded(void **state)
{
    struct stage stage;
    char text[256];

    (void)state;
    stage_open(&stage);
    assert_true(console_is(stdout));
    const char said[] = "a\x1b[31mb\xe6\x95\xb0\xc2\x9b\x1b[2Jc\r\n";
    for (size_t i = 0; i + 1 < sizeof(said); i++) {
        fputc(said[i], stdout);
        fflush(stdout);
    }
    console_write(stdout, STR("\x1b[1mours\x1b[0m"));
    size_t len = stage_close(&stage, text, sizeof(text));
    assert_str_equal(((str){ text, len }),
                     STR("ab\xe6\x95\xb0" GONE GONE "[2Jc\r\n\x1b[1mours\x1b[0m"));
}

/* --- streams that do not wait --- */

enum { MUCH = 1 << 20 };

/* What arrives at the other end of a pipe, in another process: its exit code says whether it was
 * all. */
static pid_t start_reader(int from)
{
    char bytes[4096];
    size_t total = 0;
    ssize_t got;

    pid_t child = fork();
    if (child != 0)
        return child;
    close(STDOUT_FILENO); /* the other end */
    while ((got = read(from, bytes, sizeof(bytes))) > 0)
        total += (size_t)got;
    _exit(total == MUCH ? 0 : 1);
}

static void an_output_that_does_not_wait_is_waited_for(void **state)
{
    CLEANUP(strbuf_release) struct strbuf much = { 0 };
    FILE *former = stdout;
    int fds[2], status;

    (void)state;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    assert_true(dup2(fds[1], STDOUT_FILENO) >= 0);
    close(fds[1]);
    console_open();
    for (size_t i = 0; i < MUCH; i++)
        strbuf_add_char(&much, 'x');
    fcntl(fds[0], F_SETFL, 0);
    pid_t child = start_reader(fds[0]);
    close(fds[0]);
    size_t put = fwrite(much.ptr, 1, much.len, stdout);
    int is_bad = fflush(stdout) != 0 || ferror(stdout);
    fclose(stdout);
    stdout = former;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_int_equal(put, MUCH);
    assert_false(is_bad);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void an_input_that_does_not_wait_is_waited_for(void **state)
{
    const struct timespec moment = { .tv_nsec = 20 * 1000 * 1000 };
    char text[8] = "";
    int fds[2];

    (void)state;
    int kept = dup(STDIN_FILENO);
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    assert_true(dup2(fds[0], STDIN_FILENO) >= 0);
    close(fds[0]);
    console_open();
    pid_t child = fork();
    if (child == 0) {
        nanosleep(&moment, NULL); /* so that there is nothing to read at first */
        _exit(write(fds[1], "late", 4) == 4 ? 0 : 1);
    }
    close(fds[1]);
    size_t len = fread(text, 1, sizeof(text), stdin);
    bool is_at_end = feof(stdin) && !ferror(stdin);
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(is_at_end);
    assert_str_equal(((str){ text, len }), STR("late"));
}

static void other_outputs_get_every_byte(void **state)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);

    (void)state;
    assert_false(console_is(file));
    fputs("\x1b[31mred", file);
    console_write(file, STR("\x1b[0m"));
    fclose(file);
    assert_string_equal(text, "\x1b[31mred\x1b[0m");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_text_stays),
        cmocka_unit_test(colours_are_dropped),
        cmocka_unit_test(whatever_moves_the_cursor_is_seen_and_does_nothing),
        cmocka_unit_test(controls_of_eight_bits_are_controls),
        cmocka_unit_test(directions_are_not_turned_around),
        cmocka_unit_test(returns_do_not_overwrite),
        cmocka_unit_test(one_line_is_one_line),
        cmocka_unit_test(printing_to_a_terminal_is_guarded),
        cmocka_unit_test(other_outputs_get_every_byte),
        cmocka_unit_test(an_output_that_does_not_wait_is_waited_for),
        cmocka_unit_test(an_input_that_does_not_wait_is_waited_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
