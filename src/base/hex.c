/* hex.c — bytes as hexadecimal digits. */
#include "base/hex.h"

str hex_encode(struct arena *arena, str bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *out = arena_alloc_raw(arena, bytes.len * 2 + 1);

    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.ptr[i];
        out[2 * i] = digits[c >> 4];
        out[2 * i + 1] = digits[c & 15];
    }
    out[bytes.len * 2] = '\0';
    return (str){ out, bytes.len * 2 };
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hex_decode(struct arena *arena, str text, str *out)
{
    if (text.len % 2)
        return false;
    char *bytes = arena_alloc_raw(arena, text.len / 2 + 1);
    for (size_t i = 0; i < text.len; i += 2) {
        int high = digit(text.ptr[i]), low = digit(text.ptr[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (char)(high * 16 + low);
    }
    bytes[text.len / 2] = '\0';
    *out = (str){ bytes, text.len / 2 };
    return true;
}
