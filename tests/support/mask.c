/* mask.c — takes what differs from run to run out of a text. */
#include "support/mask.h"

#include "base/strbuf.h"
#include "model/signatures.h"

#include <ctype.h>

/* How many bytes of what it looks for begin at `at`; 0 if there is nothing. */
typedef size_t matcher(str text, size_t at);

static bool is_digit(str text, size_t at)
{
    return at < text.len && isdigit((unsigned char)text.ptr[at]);
}

static bool is_word(str text, size_t at)
{
    return at < text.len && (isalnum((unsigned char)text.ptr[at]) || text.ptr[at] == '_');
}

static bool is_char(str text, size_t at, char c)
{
    return at < text.len && text.ptr[at] == c;
}

static size_t count_digits(str text, size_t at)
{
    size_t count = 0;

    while (is_digit(text, at + count))
        count++;
    return count;
}

/* A pattern of literal characters, 'd' for a digit and 'x' for a lower-case hexadecimal one. */
static bool has_shape(str text, size_t at, const char *shape)
{
    for (; *shape; shape++, at++) {
        if (at >= text.len)
            return false;
        unsigned char c = (unsigned char)text.ptr[at];
        bool fits = *shape == 'd'   ? isdigit(c)
                    : *shape == 'x' ? isdigit(c) || (c >= 'a' && c <= 'f')
                                    : c == (unsigned char)*shape;
        if (!fits)
            return false;
    }
    return true;
}

static size_t match_unknown(str text, size_t at)
{
    str sentinel = UNKNOWN_STRING_TEXT;

    return str_starts_with(str_slice(text, at, text.len), sentinel) ? sentinel.len : 0;
}

static size_t match_uuid(str text, size_t at)
{
    static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    return has_shape(text, at, shape) ? sizeof(shape) - 1 : 0;
}

/* 2026-11-16T01:43:49.428Z or with +09:00 */
static size_t match_time(str text, size_t at)
{
    static const char date[] = "dddd-dd-ddTdd:dd:dd";
    size_t end = at + sizeof(date) - 1;

    if (!has_shape(text, at, date))
        return 0;
    if (is_char(text, end, '.') && is_digit(text, end + 1))
        end += 1 + count_digits(text, end + 1);
    if (is_char(text, end, 'Z'))
        return end + 1 - at;
    return has_shape(text, end, "+dd:dd") || has_shape(text, end, "-dd:dd") ? end + 6 - at : 0;
}

/* 5s, 1.25s, 300ms, as a word of its own */
static size_t match_duration(str text, size_t at)
{
    if (!is_digit(text, at) || (at > 0 && is_word(text, at - 1)))
        return 0;
    size_t end = at + count_digits(text, at);
    if (is_char(text, end, '.') && is_digit(text, end + 1))
        end += 1 + count_digits(text, end + 1);
    if (is_char(text, end, 'm'))
        end++;
    return is_char(text, end, 's') && !is_word(text, end + 1) ? end + 1 - at : 0;
}

static size_t match_address(str text, size_t at)
{
    str host = STR("127.0.0.1:");

    if (!str_starts_with(str_slice(text, at, text.len), host) || !is_digit(text, at + host.len))
        return 0;
    return host.len + count_digits(text, at + host.len);
}

static str replace(struct arena *arena, str text, matcher *match, str mask)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t copied = 0;

    for (size_t at = 0; at < text.len;) {
        size_t len = match(text, at);
        if (len == 0) {
            at++;
            continue;
        }
        strbuf_add(&out, str_slice(text, copied, at));
        strbuf_add(&out, mask);
        at += len;
        copied = at;
    }
    if (copied == 0)
        return text;
    strbuf_add(&out, str_slice(text, copied, text.len));
    return arena_copy(arena, strbuf_str(&out));
}

static str replace_text(struct arena *arena, str text, str needle, str mask)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str head;

    while (needle.len && str_cut(text, needle, &head, &text)) {
        strbuf_add(&out, head);
        strbuf_add(&out, mask);
    }
    strbuf_add(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

str mask_text(struct arena *arena, str text, str directory)
{
    text = replace(arena, text, match_unknown, STR("<unknown>"));
    text = replace(arena, text, match_uuid, STR("<uuid>"));
    text = replace_text(arena, text, directory, STR("<dir>"));
    text = replace(arena, text, match_time, STR("<time>"));
    text = replace(arena, text, match_duration, STR("<dur>"));
    return replace(arena, text, match_address, STR("<addr>"));
}
