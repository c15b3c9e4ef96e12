/* scroll.c — moves through a long table. */
#include "display/scroll.h"

enum { ESCAPE = 27 };

void scroll_fit(struct scroll *scroll, size_t rows, size_t room)
{
    bool is_at_end = scroll->offset == scroll->most;

    scroll->most = rows > room ? rows - room : 0;
    if (is_at_end || scroll->offset > scroll->most)
        scroll->offset = scroll->most;
}

/* The bytes of one key: ESC [ … letter or ~, ESC O letter, or a single byte. */
static str scroll_key(str keys)
{
    size_t end = 1;

    if (keys.ptr[0] != ESCAPE || keys.len < 2 || (keys.ptr[1] != '[' && keys.ptr[1] != 'O'))
        return str_slice(keys, 0, 1);
    for (end = 2; end < keys.len; end++) {
        if (keys.ptr[end] >= '@' && keys.ptr[end] <= '~')
            return str_slice(keys, 0, end + 1);
    }
    return keys;
}

static bool key_is_one_of(str key, const char *const *names)
{
    for (; *names; names++) {
        if (str_equal(key, str_from(*names)))
            return true;
    }
    return false;
}

static void scroll_by(struct scroll *scroll, size_t rows, bool is_up)
{
    if (is_up)
        scroll->offset -= rows < scroll->offset ? rows : scroll->offset;
    else
        scroll->offset +=
            rows < scroll->most - scroll->offset ? rows : scroll->most - scroll->offset;
}

bool scroll_keys(struct scroll *scroll, str keys, size_t page)
{
    static const char *const up[] = { "\x1b[A", "\x1bOA", "k", NULL };
    static const char *const down[] = { "\x1b[B", "\x1bOB", "j", NULL };
    static const char *const begin[] = { "\x1b[H", "\x1bOH", "\x1b[1~", "g", NULL };
    static const char *const end[] = { "\x1b[F", "\x1bOF", "\x1b[4~", "G", NULL };
    size_t former = scroll->offset;

    while (keys.len) {
        str key = scroll_key(keys);
        keys = str_slice(keys, key.len, keys.len);
        if (key_is_one_of(key, up) || key_is_one_of(key, down))
            scroll_by(scroll, 1, key_is_one_of(key, up));
        else if (str_equal(key, STR("\x1b[5~")) || str_equal(key, STR("\x1b[6~")))
            scroll_by(scroll, page, key.ptr[2] == '5');
        else if (key_is_one_of(key, begin) || key_is_one_of(key, end))
            scroll->offset = key_is_one_of(key, begin) ? 0 : scroll->most;
    }
    return scroll->offset != former;
}
