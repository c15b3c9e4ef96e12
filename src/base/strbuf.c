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

void strbuf_printf(struct strbuf *buf, const char *format, ...)
{
    va_list arguments;

    strbuf_reserve(buf, 64);
    size_t room = buf->capacity - buf->len;
    va_start(arguments, format);
    int len = vsnprintf(buf->ptr + buf->len, room, format, arguments);
    va_end(arguments);
    if (len < 0)
        return;
    if ((size_t)len >= room) {
        strbuf_reserve(buf, (size_t)len);
        va_start(arguments, format);
        vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, arguments);
        va_end(arguments);
    }
    buf->len += (size_t)len;
}
