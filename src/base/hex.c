/* hex.c — bytes as hexadecimal digits, also behind a percent sign. */
#include "base/hex.h"

#include <string.h>

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

bool hex_decode(struct arena *arena, str text, str *out)
{
    if (text.len % 2)
        return false;
    char *bytes = arena_alloc_raw(arena, text.len / 2 + 1);
    for (size_t i = 0; i < text.len; i += 2) {
        int high = hex_value(text.ptr[i]), low = hex_value(text.ptr[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (char)(high * 16 + low);
    }
    bytes[text.len / 2] = '\0';
    *out = (str){ bytes, text.len / 2 };
    return true;
}

int percent_value(str text, size_t at)
{
    if (text.len - at < 3 || text.ptr[at] != '%')
        return -1;
    int high = hex_value(text.ptr[at + 1]), low = hex_value(text.ptr[at + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool percent_decode(struct arena *arena, str text, str *out)
{
    char *decoded = arena_alloc_raw(arena, text.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '%') {
            int byte = percent_value(text, i);
            if (byte < 0)
                return false;
            c = (char)byte;
            i += 2;
        }
        decoded[len++] = c;
    }
    decoded[len] = '\0';
    *out = (str){ decoded, len };
    return true;
}

bool query_decode(struct arena *arena, str text, str *out)
{
    char *blanks = arena_cstr(arena, text);

    for (size_t i = 0; i < text.len; i++)
        if (blanks[i] == '+')
            blanks[i] = ' ';
    return percent_decode(arena, (str){ blanks, text.len }, out);
}

static bool query_add(struct arena *arena, str parameter, struct pair_list *list)
{
    struct pair pair = { parameter, STR("") };

    str_cut(parameter, STR("="), &pair.key, &pair.value);
    if (!query_decode(arena, pair.key, &pair.key) || !query_decode(arena, pair.value, &pair.value))
        return false;
    vec_add(list, pair);
    return str_find_char(pair.key, '\0') == SIZE_MAX && str_find_char(pair.value, '\0') == SIZE_MAX;
}

bool query_parse(struct arena *arena, str query, struct pairs *out)
{
    CLEANUP(pair_list_release) struct pair_list list = { 0 };
    str parameter;

    while (str_next(&query, STR("&"), &parameter))
        if (parameter.len > 0 && !query_add(arena, parameter, &list))
            return false;
    *out = pair_list_keep(arena, &list);
    return true;
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || char_is_digit(c) || c == '-'
           || c == '.' || c == '_' || c == '~';
}

str percent_encode(struct arena *arena, str text, const char *kept)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_alloc_raw(arena, text.len * 3 + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (is_unreserved((char)c) || (c != '\0' && strchr(kept, c))) {
            out[len++] = (char)c;
            continue;
        }
        out[len++] = '%';
        out[len++] = digits[c >> 4];
        out[len++] = digits[c & 15];
    }
    out[len] = '\0';
    return (str){ out, len };
}
