/* base64.c — bytes as base64 text: standard with padding, and for URLs. */
#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(struct strbuf *out, str bytes)
{
    strbuf_reserve(out, (bytes.len + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        uint32_t group = (uint32_t)(unsigned char)bytes.ptr[i] << 16;
        if (left > 1)
            group |= (uint32_t)(unsigned char)bytes.ptr[i + 1] << 8;
        if (left > 2)
            group |= (unsigned char)bytes.ptr[i + 2];
        char text[4] = {
            alphabet[group >> 18],
            alphabet[group >> 12 & 63],
            left > 1 ? alphabet[group >> 6 & 63] : '=',
            left > 2 ? alphabet[group & 63] : '=',
        };
        strbuf_add(out, (str){ text, sizeof(text) });
    }
}

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode(struct strbuf *out, str text)
{
    uint32_t group = 0;
    unsigned digits = 0, padding = 0;

    strbuf_reserve(out, text.len / 4 * 3 + 3);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\n' || c == '\r')
            continue;
        int digit = digit_of(c);
        bool is_padding = c == '=' && digits % 4 >= 2;
        if ((digit < 0 && !is_padding) || (padding && !is_padding) || (padding && digits % 4 == 0))
            return false;
        padding += is_padding;
        group = group << 6 | (is_padding ? 0 : (uint32_t)digit);
        if (++digits % 4 != 0)
            continue;
        char bytes[3] = { (char)(group >> 16), (char)(group >> 8), (char)group };
        strbuf_add(out, (str){ bytes, 3 - padding });
        group = 0;
    }
    return digits % 4 == 0;
}

void base64_encode_url(struct strbuf *out, str bytes)
{
    size_t start = out->len;

    base64_encode(out, bytes);
    while (out->len > start && out->ptr[out->len - 1] == '=')
        out->ptr[--out->len] = '\0';
    for (size_t i = start; i < out->len; i++) {
        if (out->ptr[i] == '+')
            out->ptr[i] = '-';
        else if (out->ptr[i] == '/')
            out->ptr[i] = '_';
    }
}

bool base64_decode_url(struct strbuf *out, str text)
{
    CLEANUP(strbuf_release) struct strbuf standard = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '+' || c == '/' || c == '\n' || c == '\r')
            return false;
        strbuf_add_char(&standard, (char)(c == '-' ? '+' : c == '_' ? '/' : c));
    }
    if (str_find_char(text, '=') == SIZE_MAX && text.len % 4 != 0)
        strbuf_add_repeated(&standard, '=', 4 - text.len % 4);
    bool is_good = base64_decode(out, strbuf_str(&standard));
    if (standard.len > 0)
        explicit_bzero(standard.ptr, standard.len); /* it may have been a key */
    return is_good;
}
