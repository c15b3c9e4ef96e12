/* test_console.c — what others say loses its control characters on the way to a terminal. */
#include "unit/check.h"

#include "base/console.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
