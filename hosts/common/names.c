/* names.c — names as languages write them. Letters are those of ASCII; all others stay. */
#include "common/names.h"

#include "base/strbuf.h"

#include <ctype.h>

bool name_is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

str name_identifier(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (!name.len || char_is_digit(name.ptr[0]))
        strbuf_add_char(&out, '_');
    for (size_t i = 0; i < name.len; i++) {
        bool is_inside = ((unsigned char)name.ptr[i] & 0xc0) == 0x80; /* of a character */
        if (!is_inside)
            strbuf_add_char(&out, name_is_part(name.ptr[i]) ? name.ptr[i] : '_');
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* Does a word begin here? At a capital behind what is none, or before what is none: HTTPUrl has two
 * words. The s of IPs belongs to the abbreviation. */
static bool name_begins_word(str name, size_t at)
{
    bool is_upper = isupper((unsigned char)name.ptr[at]);
    bool was_upper = at > 0 && isupper((unsigned char)name.ptr[at - 1]);
    bool is_last = at + 1 >= name.len;
    bool is_before_lower = !is_last && islower((unsigned char)name.ptr[at + 1]);
    bool is_plural = is_before_lower && name.ptr[at + 1] == 's'
                     && (at + 2 >= name.len || !islower((unsigned char)name.ptr[at + 2]));

    if (at == 0 || !is_upper || name.ptr[at - 1] == '_')
        return false;
    return !was_upper || (is_before_lower && !is_plural);
}

str name_snake(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < name.len; i++) {
        if (name_begins_word(name, i))
            strbuf_add_char(&out, '_');
        strbuf_add_char(&out, (char)tolower((unsigned char)name.ptr[i]));
    }
    return arena_copy(arena, strbuf_str(&out));
}

str name_title(struct arena *arena, str name)
{
    char *copy = arena_cstr(arena, name);

    if (name.len)
        copy[0] = (char)toupper((unsigned char)copy[0]);
    return (str){ copy, name.len };
}

str name_join_hyphens(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '-')
            continue;
        bool is_first = i > 0 && name.ptr[i - 1] == '-';
        strbuf_add_char(&out, is_first ? (char)toupper((unsigned char)name.ptr[i]) : name.ptr[i]);
    }
    return arena_copy(arena, strbuf_str(&out));
}

str name_camel(struct arena *arena, str name)
{
    str joined = name_join_hyphens(arena, name);
    char *copy = arena_cstr(arena, joined);

    for (size_t i = 0; i < joined.len && !islower((unsigned char)copy[i]); i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (str){ copy, joined.len };
}

str name_pascal(struct arena *arena, str name)
{
    return name_title(arena, name_join_hyphens(arena, name));
}

bool name_is_one_of(const char *const *words, str name)
{
    for (; *words; words++)
        if (str_equal(str_from(*words), name))
            return true;
    return false;
}
