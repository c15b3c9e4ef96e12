/* xml.c — finds elements by their name. */
#include "cloud/xml.h"

#include "base/hex.h"
#include "base/strbuf.h"

#include <string.h>

/* Whether a tag at the beginning of the text, behind its <, has this name. */
static bool xml_has_name(str text, str name)
{
    return str_starts_with(text, name) && text.len > name.len
           && strchr(" \t\r\n/>", text.ptr[name.len]) != NULL && text.ptr[name.len] != '\0';
}

/* Cuts at </name>. */
static bool xml_cut_end(str text, str name, str *content, str *rest)
{
    for (size_t at = 0; at + name.len + 3 <= text.len; at++) {
        if (text.ptr[at] != '<' || text.ptr[at + 1] != '/'
            || !xml_has_name(str_slice(text, at + 2, text.len), name))
            continue;
        *content = str_slice(text, 0, at);
        return str_cut(str_slice(text, at, text.len), STR(">"), &(str){ 0 }, rest);
    }
    return false;
}

bool xml_next(str *rest, const char *name_, str *content)
{
    str name = str_from(name_), tag, behind, text = *rest;

    while (str_cut(text, STR("<"), &tag, &text)) {
        if (!xml_has_name(text, name))
            continue;
        if (!str_cut(text, STR(">"), &tag, &behind))
            return false;
        if (str_ends_with(tag, STR("/"))) {
            *content = STR("");
            *rest = behind;
            return true;
        }
        return xml_cut_end(behind, name, content, rest);
    }
    return false;
}

/* The character of an entity without & and ;; false if there is none. */
static bool xml_entity(str name, struct strbuf *out)
{
    static const struct {
        const char *name;
        char character;
    } entities[] = {
        { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' }, { "apos", '\'' },
    };
    uint64_t number = 0;

    for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++) {
        if (str_equal(name, str_from(entities[i].name))) {
            strbuf_add_char(out, entities[i].character);
            return true;
        }
    }
    if (!str_starts_with(name, STR("#")))
        return false;
    bool is_hex = name.len > 1 && (name.ptr[1] | 0x20) == 'x';
    str digits = str_slice(name, is_hex ? 2 : 1, name.len);
    if (digits.len == 0 || digits.len > 7)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        int value = hex_value(digits.ptr[i]);
        if (value < 0 || (!is_hex && value > 9))
            return false;
        number = number * (is_hex ? 16 : 10) + (uint64_t)value;
    }
    /* Services escape single bytes only; other characters come as they are. */
    if (number == 0 || number > 127)
        return false;
    strbuf_add_char(out, (char)number);
    return true;
}

static str xml_decode(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str plain, behind, name;

    if (str_find_char(text, '&') == SIZE_MAX)
        return arena_copy(arena, text);
    while (str_cut(text, STR("&"), &plain, &behind)) {
        strbuf_add(&out, plain);
        text = behind;
        if (str_cut(behind, STR(";"), &name, &behind) && xml_entity(name, &out))
            text = behind;
        else
            strbuf_add_char(&out, '&');
    }
    strbuf_add(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

str xml_text(struct arena *arena, str document, const char *name)
{
    str content;

    return xml_next(&document, name, &content) ? xml_decode(arena, str_trim(content)) : STR("");
}
