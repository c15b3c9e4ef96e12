/* hcl_text.c — the characters of HCL. */
#include "base/hcl_text.h"

#include <stdarg.h>
#include <stdio.h>

struct hcl_text hcl_begin(str text)
{
    return (struct hcl_text){ .text = text, .line = 1 };
}

fallible hcl_fail(const struct hcl_text *in, const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return error_new(ERROR_INVALID, "line %zu: %s", in->line, text);
}

bool hcl_ends(const struct hcl_text *in)
{
    return in->at >= in->text.len;
}

char hcl_peek(const struct hcl_text *in, size_t ahead)
{
    return in->at + ahead < in->text.len ? in->text.ptr[in->at + ahead] : '\0';
}

bool hcl_starts(const struct hcl_text *in, str prefix)
{
    return str_starts_with(str_slice(in->text, in->at, in->text.len), prefix);
}

void hcl_advance(struct hcl_text *in)
{
    in->line += in->text.ptr[in->at] == '\n';
    in->at++;
}

bool hcl_accept(struct hcl_text *in, str what)
{
    if (!hcl_starts(in, what))
        return false;
    for (size_t i = 0; i < what.len; i++)
        hcl_advance(in);
    return true;
}

fallible hcl_expect(struct hcl_text *in, str what)
{
    if (hcl_accept(in, what))
        return NULL;
    if (hcl_ends(in))
        return hcl_fail(in, "the text ends where '" STR_FMT "' is expected", STR_ARG(what));
    if (hcl_peek(in, 0) == '\n')
        return hcl_fail(in, "the line ends where '" STR_FMT "' is expected", STR_ARG(what));
    return hcl_fail(in, "'" STR_FMT "' is expected, not '%.*s'", STR_ARG(what),
                    (int)str_utf8_width(in->text, in->at), in->text.ptr + in->at);
}

/* --- blanks --- */

static void skip_line(struct hcl_text *in)
{
    while (!hcl_ends(in) && hcl_peek(in, 0) != '\n')
        hcl_advance(in);
}

/* Behind what opens it. */
static void skip_block(struct hcl_text *in)
{
    while (!hcl_ends(in) && !hcl_accept(in, STR("*/")))
        hcl_advance(in);
}

void hcl_skip(struct hcl_text *in, bool with_lines)
{
    while (!hcl_ends(in)) {
        char c = hcl_peek(in, 0);
        if (c == ' ' || c == '\t' || c == '\r' || (with_lines && c == '\n'))
            hcl_advance(in);
        else if (c == '#' || hcl_starts(in, STR("//")))
            skip_line(in);
        else if (hcl_accept(in, STR("/*")))
            skip_block(in);
        else
            return;
    }
}

/* --- words --- */

bool hcl_is_name(char c, bool is_first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || ((unsigned char)c & 0x80)
           || (!is_first && (char_is_digit(c) || c == '-'));
}

str hcl_name(struct hcl_text *in)
{
    size_t start = in->at;

    while (hcl_is_name(hcl_peek(in, 0), in->at == start))
        in->at++;
    return str_slice(in->text, start, in->at);
}

static void skip_digits(struct hcl_text *in)
{
    while (char_is_digit(hcl_peek(in, 0)))
        in->at++;
}

str hcl_number(struct hcl_text *in)
{
    size_t start = in->at;

    skip_digits(in);
    if (in->at == start)
        return STR("");
    if (hcl_peek(in, 0) == '.' && char_is_digit(hcl_peek(in, 1))) {
        in->at++;
        skip_digits(in);
    }
    size_t sign = hcl_peek(in, 1) == '+' || hcl_peek(in, 1) == '-';
    if ((hcl_peek(in, 0) | 0x20) == 'e' && char_is_digit(hcl_peek(in, 1 + sign))) {
        in->at += 1 + sign;
        skip_digits(in);
    }
    return str_slice(in->text, start, in->at);
}

fallible hcl_enter(struct hcl_text *in)
{
    return ++in->depth > HCL_MAX_DEPTH ? hcl_fail(in, "this is nested too deeply") : NULL;
}
