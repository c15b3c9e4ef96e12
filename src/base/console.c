/* console.c — streams in front of the standard ones, which wait where those do not; in front of a
 * terminal they take control characters out. */
#include "base/console.h"

#include "base/fd.h"

#include <unistd.h>

enum { ESCAPE = 0x1b, HELD_MAX = 64 };

/* One for each stream; a process has one of each. */
static struct console {
    FILE *stream; /* NULL: none */
    int fd;
    bool is_terminal;
    bool has_failed;
    char held[HELD_MAX]; /* the beginning of something that goes on in the next piece */
    size_t held_len;
} consoles[2];

/* --- plain text --- */

/* The bytes of a sequence that colours or erases within its line: ESC [ digits m or K. 0: it is
 * none; SIZE_MAX: it may become one. */
static size_t console_colour_len(str text, size_t at)
{
    size_t end = at + 1;

    if (end < text.len && text.ptr[end] != '[')
        return 0;
    for (end++; end < text.len; end++) {
        char c = text.ptr[end];
        if (c == 'm' || c == 'K')
            return end + 1 - at;
        if ((c < '0' || c > '9') && c != ';' && c != ':')
            return 0;
    }
    return SIZE_MAX;
}

static bool console_is_special(unsigned char c)
{
    return c < ' ' || c >= 0x7f;
}

void console_add_plain(struct strbuf *out, str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != ESCAPE && text.ptr[end] != '\t'
               && text.ptr[end] != '\r')
            end++;
        strbuf_add_shown(out, str_slice(text, at, end), true);
        at = end + 1;
        if (end == text.len)
            break;
        size_t colour = text.ptr[end] == ESCAPE ? console_colour_len(text, end) : 0;
        if (text.ptr[end] == '\t')
            strbuf_add_char(out, '\t');
        else if (colour > 0 && colour != SIZE_MAX)
            at = end + colour;
        else if (text.ptr[end] == ESCAPE)
            strbuf_add(out, STR("\xef\xbf\xbd"));
        else if (at >= text.len || text.ptr[at] != '\n')
            strbuf_add_char(out, ' ');
    }
}

str console_plain(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t at = 0;

    while (at < text.len
           && (text.ptr[at] == '\n' || !console_is_special((unsigned char)text.ptr[at])))
        at++;
    if (at == text.len)
        return text;
    console_add_plain(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

str console_plain_line(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str plain = console_plain(arena, text);

    if (str_find_char(plain, '\n') == SIZE_MAX && str_find_char(plain, '\t') == SIZE_MAX)
        return plain;
    strbuf_add_shown(&out, plain, false);
    return arena_copy(arena, strbuf_str(&out));
}

/* --- the streams --- */

/* Where a character, a sequence or the end of a line is cut off by the end of the text. */
static size_t console_whole(str text)
{
    enum { UTF8_MAX = 4 };

    for (size_t back = 1; back <= HELD_MAX && back <= text.len; back++) {
        size_t at = text.len - back;
        unsigned char c = (unsigned char)text.ptr[at];
        size_t wanted = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
        if ((c == '\r' && back == 1) || (back < UTF8_MAX && wanted > back)
            || (c == ESCAPE && console_colour_len(text, at) == SIZE_MAX && back < HELD_MAX))
            return at;
    }
    return text.len;
}

static ssize_t console_take(void *console_, const char *bytes, size_t len)
{
    struct console *console = console_;
    CLEANUP(strbuf_release) struct strbuf whole = { 0 };
    CLEANUP(strbuf_release) struct strbuf plain = { 0 };

    if (!console->is_terminal)
        return fd_write_patiently(console->fd, (str){ bytes, len }) ? (ssize_t)len : 0;
    strbuf_add(&whole, (str){ console->held, console->held_len });
    strbuf_add(&whole, (str){ bytes, len });
    size_t end = console_whole(strbuf_str(&whole));
    console_add_plain(&plain, str_slice(strbuf_str(&whole), 0, end));
    console->held_len = whole.len - end;
    if (console->held_len)
        memcpy(console->held, whole.ptr + end, console->held_len);
    console->has_failed |= !fd_write_patiently(console->fd, strbuf_str(&plain));
    return console->has_failed ? 0 : (ssize_t)len;
}

static void console_guard(struct console *console, FILE **stream, int fd, int buffering)
{
    const cookie_io_functions_t functions = { .write = console_take };

    FILE *guarded = fopencookie(console, "w", functions);
    if (!guarded)
        return;
    setvbuf(guarded, NULL, buffering, buffering == _IONBF ? 0 : 1 << 16);
    *console = (struct console){ .stream = guarded, .fd = fd, .is_terminal = isatty(fd) };
    *stream = guarded;
}

static ssize_t console_read(void *unused, char *to, size_t size)
{
    (void)unused;
    return fd_read_patiently(STDIN_FILENO, to, size);
}

static void guard_input(void)
{
    FILE *guarded = fopencookie(NULL, "r", (cookie_io_functions_t){ .read = console_read });

    if (guarded)
        stdin = guarded;
}

void console_open(void)
{
    console_guard(&consoles[0], &stdout, STDOUT_FILENO, _IOFBF);
    console_guard(&consoles[1], &stderr, STDERR_FILENO, _IONBF);
    guard_input();
}

/* NULL: it leads to no terminal. */
static struct console *console_of(const FILE *out)
{
    for (size_t i = 0; i < sizeof(consoles) / sizeof(*consoles); i++)
        if (consoles[i].is_terminal && consoles[i].stream == out)
            return &consoles[i];
    return NULL;
}

bool console_is(const FILE *out)
{
    return console_of(out) != NULL;
}

void console_write(FILE *out, str text)
{
    struct console *console = console_of(out);

    fflush(out);
    if (!console)
        fwrite(text.ptr, 1, text.len, out);
    else if (!fd_write_patiently(console->fd, text)) {
        console->has_failed = true;
        fputc('\n', out); /* fails as well, which the stream keeps in mind until the end */
    }
    fflush(out);
}
