/* pcl_read.c — text to blocks and expressions. */
#include "pcl/pcl.h"

#include "base/json.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>

struct pcl_reader {
    struct arena *arena;
    str text;
    size_t at;
    size_t line;
    unsigned depth;
};

struct pcl_exprs {
    VEC(struct pcl_expr *);
};
struct pcl_members {
    VEC(struct pcl_member);
};
struct pcl_blocks {
    VEC(struct pcl_block);
};
struct pcl_labels {
    VEC(str);
};

static void pcl_exprs_release(struct pcl_exprs *list)
{
    vec_release(list);
}
static void pcl_members_release(struct pcl_members *list)
{
    vec_release(list);
}
static void pcl_blocks_release(struct pcl_blocks *list)
{
    vec_release(list);
}
/* --- characters --- */

static fallible pcl_fail(const struct pcl_reader *reader, const char *format, ...) PRINTF(2, 3);
static fallible pcl_fail(const struct pcl_reader *reader, const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return error_new(ERROR_INVALID, "line %zu: %s", reader->line, text);
}

static char pcl_peek(const struct pcl_reader *reader)
{
    return reader->at < reader->text.len ? reader->text.ptr[reader->at] : '\0';
}

static bool pcl_starts(const struct pcl_reader *reader, str prefix)
{
    return str_starts_with(str_slice(reader->text, reader->at, reader->text.len), prefix);
}

static void pcl_advance(struct pcl_reader *reader)
{
    reader->line += reader->text.ptr[reader->at] == '\n';
    reader->at++;
}

static void skip_line_rest(struct pcl_reader *reader)
{
    while (reader->at < reader->text.len && pcl_peek(reader) != '\n')
        reader->at++;
}

/* Blanks and comments; line ends too if they do not matter here. */
static void pcl_skip_blanks(struct pcl_reader *reader, bool with_lines)
{
    while (reader->at < reader->text.len) {
        char c = pcl_peek(reader);
        if (c == ' ' || c == '\t' || c == '\r' || (with_lines && c == '\n')) {
            pcl_advance(reader);
        } else if (c == '#' || pcl_starts(reader, STR("//"))) {
            skip_line_rest(reader);
        } else if (pcl_starts(reader, STR("/*"))) {
            while (reader->at < reader->text.len && !pcl_starts(reader, STR("*/")))
                pcl_advance(reader);
            reader->at += reader->at < reader->text.len ? 2 : 0;
        } else {
            return;
        }
    }
}

static bool pcl_accept(struct pcl_reader *reader, char c)
{
    if (pcl_peek(reader) != c || reader->at >= reader->text.len)
        return false;
    pcl_advance(reader);
    return true;
}

static fallible pcl_expect(struct pcl_reader *reader, char c)
{
    if (pcl_accept(reader, c))
        return NULL;
    if (reader->at >= reader->text.len)
        return pcl_fail(reader, "the text ends where '%c' is expected", c);
    return pcl_fail(reader, "'%c' is expected, not '%c'", c, pcl_peek(reader));
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
           || ((unsigned char)c & 0x80);
}

static str pcl_read_name(struct pcl_reader *reader)
{
    size_t start = reader->at;

    while (is_name_start(pcl_peek(reader))
           || (reader->at > start && (char_is_digit(pcl_peek(reader)) || pcl_peek(reader) == '-')))
        reader->at++;
    return str_slice(reader->text, start, reader->at);
}

/* --- strings --- */

static void put_character(struct strbuf *out, uint32_t code)
{
    if (code < 0x80) {
        strbuf_add_char(out, (char)code);
    } else if (code < 0x800) {
        strbuf_add_char(out, (char)(0xc0 | (code >> 6)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        strbuf_add_char(out, (char)(0xe0 | (code >> 12)));
        strbuf_add_char(out, (char)(0x80 | ((code >> 6) & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        strbuf_add_char(out, (char)(0xf0 | (code >> 18)));
        strbuf_add_char(out, (char)(0x80 | ((code >> 12) & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | ((code >> 6) & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

static int pcl_hex_digit(char c)
{
    if (char_is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static fallible read_code(struct pcl_reader *reader, size_t digits, struct strbuf *out)
{
    uint32_t code = 0;

    for (size_t i = 0; i < digits; i++) {
        int digit = pcl_hex_digit(pcl_peek(reader));
        if (digit < 0)
            return pcl_fail(reader, "an escape needs %zu hexadecimal digits", digits);
        code = code << 4 | (uint32_t)digit;
        reader->at++;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return pcl_fail(reader, "there is no character %x", code);
    put_character(out, code);
    return NULL;
}

static fallible read_escape(struct pcl_reader *reader, struct strbuf *out)
{
    char c = pcl_peek(reader);

    reader->at++;
    switch (c) {
    case 'n': strbuf_add_char(out, '\n'); return NULL;
    case 'r': strbuf_add_char(out, '\r'); return NULL;
    case 't': strbuf_add_char(out, '\t'); return NULL;
    case '"':
    case '\\': strbuf_add_char(out, c); return NULL;
    case 'u': return read_code(reader, 4, out);
    case 'U': return read_code(reader, 8, out);
    default: return pcl_fail(reader, "there is no escape of that kind in strings");
    }
}

/* Behind the quote that opens it. */
static fallible read_string(struct pcl_reader *reader, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    while (!pcl_accept(reader, '"')) {
        char c = pcl_peek(reader);
        if (reader->at >= reader->text.len || c == '\n')
            return pcl_fail(reader, "a string does not end");
        if (pcl_starts(reader, STR("$${")) || pcl_starts(reader, STR("%%{"))) {
            strbuf_add(&text, str_slice(reader->text, reader->at + 1, reader->at + 3));
            reader->at += 3;
        } else if (pcl_starts(reader, STR("${")) || pcl_starts(reader, STR("%{"))) {
            return pcl_fail(reader, "templates are not supported here");
        } else if (c == '\\') {
            reader->at++;
            TRY(read_escape(reader, &text));
        } else {
            strbuf_add_char(&text, c);
            reader->at++;
        }
    }
    *out = arena_copy(reader->arena, strbuf_str(&text));
    return NULL;
}

/* --- expressions --- */

static fallible read_expr(struct pcl_reader *reader, struct pcl_expr **out);

static struct pcl_expr *new_expr(struct pcl_reader *reader, enum pcl_kind kind)
{
    struct pcl_expr *expr = ARENA_NEW(reader->arena, struct pcl_expr);

    expr->kind = kind;
    expr->line = reader->line;
    return expr;
}

static void keep_items(struct pcl_reader *reader, struct pcl_expr *expr,
                       const struct pcl_exprs *list)
{
    expr->items = arena_copy_bytes(reader->arena, list->items, list->len * sizeof(*list->items));
    expr->len = list->len;
}

/* Items up to the closing bracket; line ends do not matter. */
static fallible read_items(struct pcl_reader *reader, char end, struct pcl_expr *expr)
{
    CLEANUP(pcl_exprs_release) struct pcl_exprs list = { 0 };

    for (;;) {
        struct pcl_expr *item;
        pcl_skip_blanks(reader, true);
        if (pcl_accept(reader, end))
            break;
        TRY(read_expr(reader, &item));
        vec_add(&list, item);
        pcl_skip_blanks(reader, true);
        if (!pcl_accept(reader, ',') && pcl_peek(reader) != end)
            return pcl_expect(reader, end);
    }
    keep_items(reader, expr, &list);
    return NULL;
}

static fallible pcl_read_key(struct pcl_reader *reader, str *out)
{
    if (pcl_accept(reader, '"'))
        return read_string(reader, out);
    *out = pcl_read_name(reader);
    return out->len ? NULL : pcl_fail(reader, "a key is expected");
}

static fallible read_members(struct pcl_reader *reader, struct pcl_expr *expr)
{
    CLEANUP(pcl_members_release) struct pcl_members list = { 0 };

    for (;;) {
        struct pcl_member member;
        pcl_skip_blanks(reader, true);
        if (pcl_accept(reader, '}'))
            break;
        TRY(pcl_read_key(reader, &member.key));
        pcl_skip_blanks(reader, false);
        if (!pcl_accept(reader, ':'))
            TRY(pcl_expect(reader, '='));
        pcl_skip_blanks(reader, true);
        TRY(read_expr(reader, &member.value));
        vec_add(&list, member);
        pcl_skip_blanks(reader, false);
        if (!pcl_accept(reader, ',') && !pcl_accept(reader, '\n') && pcl_peek(reader) != '}')
            return pcl_expect(reader, '}');
    }
    expr->members = arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
    expr->len = list.len;
    return NULL;
}

/* Digits, of which there is one at least behind `before` characters; else nothing is taken. */
static bool pcl_accept_digits(struct pcl_reader *reader, size_t before)
{
    size_t end = reader->at + before;

    while (end < reader->text.len && char_is_digit(reader->text.ptr[end]))
        end++;
    if (end <= reader->at + before)
        return false;
    reader->at = end;
    return true;
}

static fallible pcl_read_number(struct pcl_reader *reader, struct pcl_expr **out)
{
    size_t start = reader->at;

    *out = new_expr(reader, PCL_NUMBER);
    if (!pcl_accept_digits(reader, pcl_peek(reader) == '-'))
        return pcl_fail(reader, "a number is expected");
    if (pcl_peek(reader) == '.')
        pcl_accept_digits(reader, 1);
    if ((pcl_peek(reader) | 0x20) == 'e') {
        str rest = str_slice(reader->text, reader->at + 1, reader->text.len);
        pcl_accept_digits(reader, rest.len && (rest.ptr[0] == '+' || rest.ptr[0] == '-') ? 2 : 1);
    }
    if (!json_parse_number(str_slice(reader->text, start, reader->at), &(*out)->number))
        return pcl_fail(reader, "this number is too large");
    return NULL;
}

/* .name, ["key"] and [0] behind a name. */
static fallible pcl_read_steps(struct pcl_reader *reader, struct pcl_expr *expr)
{
    CLEANUP(pcl_exprs_release) struct pcl_exprs list = { 0 };

    for (;;) {
        struct pcl_expr *step = new_expr(reader, PCL_STRING);
        if (pcl_accept(reader, '.')) {
            step->text = pcl_read_name(reader);
            if (!step->text.len)
                return pcl_fail(reader, "a name is expected behind '.'");
        } else if (pcl_accept(reader, '[')) {
            TRY(read_expr(reader, &step));
            if (step->kind != PCL_STRING && step->kind != PCL_NUMBER)
                return pcl_fail(reader, "an index is a string or a number here");
            TRY(pcl_expect(reader, ']'));
        } else {
            break;
        }
        vec_add(&list, step);
    }
    keep_items(reader, expr, &list);
    return NULL;
}

static fallible read_word(struct pcl_reader *reader, struct pcl_expr **out)
{
    str name = pcl_read_name(reader);

    if (!name.len && reader->at >= reader->text.len)
        return pcl_fail(reader, "the text ends where a value is expected");
    if (!name.len)
        return pcl_fail(reader, "a value is expected, not '%c'", pcl_peek(reader));
    *out = new_expr(reader, PCL_REFERENCE);
    (*out)->text = name;
    if (str_equal(name, STR("null"))) {
        (*out)->kind = PCL_NULL;
    } else if (str_equal(name, STR("true")) || str_equal(name, STR("false"))) {
        (*out)->kind = PCL_BOOL;
        (*out)->boolean = name.len == 4;
    } else if (pcl_accept(reader, '(')) {
        (*out)->kind = PCL_CALL;
        return read_items(reader, ')', *out);
    } else {
        return pcl_read_steps(reader, *out);
    }
    return NULL;
}

static fallible read_one(struct pcl_reader *reader, struct pcl_expr **out)
{
    if (pcl_accept(reader, '"')) {
        *out = new_expr(reader, PCL_STRING);
        return read_string(reader, &(*out)->text);
    }
    if (pcl_accept(reader, '[')) {
        *out = new_expr(reader, PCL_LIST);
        return read_items(reader, ']', *out);
    }
    if (pcl_accept(reader, '{')) {
        *out = new_expr(reader, PCL_OBJECT);
        return read_members(reader, *out);
    }
    if (char_is_digit(pcl_peek(reader)) || pcl_peek(reader) == '-')
        return pcl_read_number(reader, out);
    return read_word(reader, out);
}

static fallible read_expr(struct pcl_reader *reader, struct pcl_expr **out)
{
    if (++reader->depth > PCL_MAX_DEPTH)
        return pcl_fail(reader, "the values are nested too deeply");
    TRY(read_one(reader, out));
    reader->depth--;
    return NULL;
}

/* --- blocks --- */

static fallible read_body(struct pcl_reader *reader, bool is_inside, struct pcl_body *out);

static fallible read_attribute(struct pcl_reader *reader, str name, struct pcl_members *list)
{
    struct pcl_member member = { .key = name };

    pcl_skip_blanks(reader, false);
    TRY(read_expr(reader, &member.value));
    vec_add(list, member);
    pcl_skip_blanks(reader, false);
    if (reader->at < reader->text.len && pcl_peek(reader) != '\n' && pcl_peek(reader) != '}')
        return pcl_fail(reader, "operators are not supported here: '%c'", pcl_peek(reader));
    return NULL;
}

static fallible read_block(struct pcl_reader *reader, str kind, struct pcl_block *out)
{
    CLEANUP(vec_drop) struct pcl_labels labels = { 0 };

    *out = (struct pcl_block){ .kind = kind, .line = reader->line };
    while (!pcl_accept(reader, '{')) {
        str label;
        TRY(pcl_read_key(reader, &label));
        vec_add(&labels, label);
        pcl_skip_blanks(reader, false);
    }
    out->labels = arena_copy_bytes(reader->arena, labels.items, labels.len * sizeof(*labels.items));
    out->label_count = labels.len;
    if (++reader->depth > PCL_MAX_DEPTH)
        return pcl_fail(reader, "the blocks are nested too deeply");
    TRY(read_body(reader, true, &out->body));
    reader->depth--;
    return NULL;
}

static fallible read_definition(struct pcl_reader *reader, struct pcl_members *attributes,
                                struct pcl_blocks *blocks)
{
    str name = pcl_read_name(reader);

    if (!name.len)
        return pcl_fail(reader, "a block or an attribute is expected, not '%c'", pcl_peek(reader));
    pcl_skip_blanks(reader, false);
    if (pcl_peek(reader) == '=' && !pcl_starts(reader, STR("=="))) {
        reader->at++;
        return read_attribute(reader, name, attributes);
    }
    struct pcl_block block;
    TRY(read_block(reader, name, &block));
    vec_add(blocks, block);
    return NULL;
}

static fallible read_body(struct pcl_reader *reader, bool is_inside, struct pcl_body *out)
{
    CLEANUP(pcl_members_release) struct pcl_members attributes = { 0 };
    CLEANUP(pcl_blocks_release) struct pcl_blocks blocks = { 0 };

    for (;;) {
        pcl_skip_blanks(reader, true);
        if (is_inside ? pcl_accept(reader, '}') : reader->at >= reader->text.len)
            break;
        if (reader->at >= reader->text.len)
            return pcl_fail(reader, "a block does not end");
        TRY(read_definition(reader, &attributes, &blocks));
    }
    out->attributes = arena_copy_bytes(reader->arena, attributes.items,
                                       attributes.len * sizeof(*attributes.items));
    out->attribute_count = attributes.len;
    out->blocks = arena_copy_bytes(reader->arena, blocks.items, blocks.len * sizeof(*blocks.items));
    out->block_count = blocks.len;
    return NULL;
}

fallible pcl_read(struct arena *arena, str text, struct pcl_body *out)
{
    struct pcl_reader reader = { .arena = arena, .text = text, .line = 1 };

    return read_body(&reader, false, out);
}
