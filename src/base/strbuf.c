/* strbuf.c — text that grows. */
#include "base/strbuf.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void strbuf_release(struct strbuf *buf)
{
    free(buf->ptr);
    *buf = (struct strbuf){ 0 };
}

void strbuf_reserve(struct strbuf *buf, size_t more)
{
    if (more >= SIZE_MAX / 2 || buf->len >= SIZE_MAX / 2)
        memory_exhausted(more);
    size_t wanted = buf->len + more + 1;
    if (wanted <= buf->capacity)
        return;
    buf->ptr = memory_grow(buf->ptr, &buf->capacity, wanted < 64 ? 64 : wanted, 1);
}

void strbuf_add_repeated(struct strbuf *buf, char c, size_t count)
{
    strbuf_reserve(buf, count);
    memset(buf->ptr + buf->len, c, count);
    buf->len += count;
    buf->ptr[buf->len] = '\0';
}

void strbuf_add_utf8(struct strbuf *buf, str text)
{
    if (str_is_utf8(text)) {
        strbuf_add(buf, text);
        return;
    }
    for (size_t at = 0; at < text.len;) {
        size_t width = str_utf8_width(text, at);
        strbuf_add(buf, width ? str_slice(text, at, at + width) : STR("\xef\xbf\xbd"));
        at += width ? width : 1;
    }
}

/* C0, DEL, C1, and the marks that turn the direction of text around. */
static bool is_hidden_character(str text, size_t at, size_t width)
{
    const unsigned char *p = (const unsigned char *)text.ptr + at;

    if (width == 1)
        return *p < ' ' || *p == 0x7f;
    if (width == 2)
        return p[0] == 0xc2 && p[1] < 0xa0;
    return width == 3 && p[0] == 0xe2
           && ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae)
               || (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

void strbuf_add_shown(struct strbuf *buf, str text, bool keeps_lines)
{
    for (size_t at = 0; at < text.len;) {
        size_t width = str_utf8_width(text, at);
        char c = text.ptr[at];
        if (c == '\n' || c == '\r' || c == '\t')
            strbuf_add_char(buf, c == '\n' && keeps_lines ? '\n' : ' ');
        else if (width == 0 || is_hidden_character(text, at, width))
            strbuf_add(buf, STR("\xef\xbf\xbd"));
        else
            strbuf_add(buf, str_slice(text, at, at + width));
        at += width ? width : 1;
    }
}

void strbuf_vprintf(struct strbuf *buf, const char *format, va_list arguments)
{
    va_list again;

    strbuf_reserve(buf, 64);
    size_t room = buf->capacity - buf->len;
    va_copy(again, arguments);
    int len = vsnprintf(buf->ptr + buf->len, room, format, again);
    va_end(again);
    if (len < 0)
        return;
    if ((size_t)len >= room) {
        strbuf_reserve(buf, (size_t)len);
        vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, arguments);
    }
    buf->len += (size_t)len;
}

void strbuf_printf(struct strbuf *buf, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    strbuf_vprintf(buf, format, arguments);
    va_end(arguments);
}
