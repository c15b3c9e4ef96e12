/* strbuf.h — text that grows. Always NUL-terminated behind `len` once something was added. */
#pragma once

#include "base/arena.h"

#include <stdarg.h>

/* The zero value is empty. */
struct strbuf {
    char *ptr;
    size_t len;
    size_t capacity;
};

void strbuf_release(struct strbuf *buf);
void strbuf_reserve(struct strbuf *buf, size_t more);
void strbuf_add_repeated(struct strbuf *buf, char c, size_t count);
/* Each byte that is not part of valid UTF-8 as U+FFFD. */
void strbuf_add_utf8(struct strbuf *buf, str text);
/* Text of somebody else for a terminal: what would move its cursor, change its colours or hide
 * something is U+FFFD, and so are bytes that are no UTF-8; line breaks become blanks unless
 * `keeps_lines`. */
void strbuf_add_shown(struct strbuf *buf, str text, bool keeps_lines);
void strbuf_printf(struct strbuf *buf, const char *format, ...) PRINTF(2, 3);
void strbuf_vprintf(struct strbuf *buf, const char *format, va_list arguments) PRINTF(2, 0);

static inline void strbuf_add(struct strbuf *buf, str text)
{
    if (text.len >= buf->capacity - buf->len)
        strbuf_reserve(buf, text.len);
    if (text.len)
        memcpy(buf->ptr + buf->len, text.ptr, text.len);
    buf->len += text.len;
    buf->ptr[buf->len] = '\0';
}

static inline void strbuf_add_char(struct strbuf *buf, char c)
{
    if (buf->capacity - buf->len < 2)
        strbuf_reserve(buf, 1);
    buf->ptr[buf->len++] = c;
    buf->ptr[buf->len] = '\0';
}

/* Keeps the storage, drops the text. */
static inline void strbuf_clear(struct strbuf *buf)
{
    buf->len = 0;
}

static inline str strbuf_str(const struct strbuf *buf)
{
    return (str){ buf->ptr ? buf->ptr : "", buf->len };
}
