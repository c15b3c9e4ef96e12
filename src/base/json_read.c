/* json_read.c — the pull reader: a state machine over bytes, without recursion and without
 * allocation for plain strings. */
#include "base/json.h"

#include "base/hex.h"
#include "base/json_scan.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXPECT_VALUE, EXPECT_FIRST_ITEM, EXPECT_FIRST_KEY, EXPECT_SEPARATOR };

/* Set beside the expectation when a null was taken for an empty object or array. */
enum { NULL_CONTAINER = 64 };

enum { IN_OBJECT = '{', IN_ARRAY = '[' };

enum mode {
    READ, /* decode strings and numbers */
    SKIM, /* check the grammar only */
    PEEK, /* look at the first byte of the token */
};

void json_reader_init(struct json_reader *reader, struct arena *arena, str input)
{
    *reader = (struct json_reader){
        .input = input.ptr ? input : STR(""),
        .arena = arena,
        .expect = EXPECT_VALUE,
    };
}

void json_reader_release(struct json_reader *reader)
{
    strbuf_release(&reader->stack);
}

/* The next byte, or -1 at the end. */
static int current(const struct json_reader *reader)
{
    return reader->at < reader->input.len ? (unsigned char)reader->input.ptr[reader->at] : -1;
}

static void skip_some_blanks(struct json_reader *reader)
{
    reader->at += json_scan_blanks(reader->input.ptr + reader->at, reader->input.len - reader->at);
}

/* In compact text there are none. */
static inline void skip_blanks(struct json_reader *reader)
{
    if (current(reader) <= ' ')
        skip_some_blanks(reader);
}

static fallible json_fail_at(const struct json_reader *reader, size_t at, const char *what)
{
    size_t line = 1, line_start = 0;

    for (size_t i = 0; i < at && i < reader->input.len; i++)
        if (reader->input.ptr[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    return error_new(ERROR_INVALID, "line %zu column %zu: %s", line, at - line_start + 1, what);
}

fallible json_fail(const struct json_reader *reader, const char *format, ...)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    va_list arguments;

    va_start(arguments, format);
    strbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    return json_fail_at(reader, reader->token_at, text.ptr);
}

static fallible fail_unexpected(const struct json_reader *reader, const char *where)
{
    char text[128];
    int c = current(reader);

    if (c < 0)
        return json_fail_at(reader, reader->at, "unexpected end of JSON input");
    if (c > ' ' && c < 0x7f)
        snprintf(text, sizeof(text), "invalid character '%c' %s", c, where);
    else
        snprintf(text, sizeof(text), "invalid byte 0x%02x %s", (unsigned)c, where);
    return json_fail_at(reader, reader->at, text);
}

/* --- strings --- */

/* The code unit of `XXXX` at `p`, or -1. */
static int32_t code_unit(const char *p, size_t left)
{
    int32_t unit = 0;

    if (left < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_value(p[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | (c >> 6));
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | (c >> 12));
        out[1] = (char)(0x80 | ((c >> 6) & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | (c >> 18));
    out[1] = (char)(0x80 | ((c >> 12) & 0x3f));
    out[2] = (char)(0x80 | ((c >> 6) & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

size_t json_decode_unicode(str text, size_t at, char *out, size_t *out_len)
{
    uint32_t c = (uint32_t)code_unit(text.ptr + at + 2, text.len - at - 2);
    size_t taken = 6;

    if (c >= 0xd800 && c < 0xe000) {
        int32_t low = -1;
        if (c < 0xdc00 && text.len - at >= 12 && text.ptr[at + 6] == '\\'
            && text.ptr[at + 7] == 'u')
            low = code_unit(text.ptr + at + 8, 4);
        if (low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
            taken = 12;
        } else {
            c = 0xfffd;
        }
    }
    *out_len += put_utf8(out + *out_len, c);
    return taken;
}

static char simple_escape(char c)
{
    switch (c) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return c;
    }
}

/* Copies text, each byte that is not part of valid UTF-8 as U+FFFD; returns the length of the
 * copy. */
static size_t copy_repaired(char *out, str text)
{
    size_t len = 0;

    for (size_t at = 0; at < text.len;) {
        size_t width = str_utf8_width(text, at);
        if (width)
            memcpy(out + len, text.ptr + at, width);
        else
            put_utf8(out + len, 0xfffd);
        len += width ? width : 3;
        at += width ? width : 1;
    }
    return len;
}

/* Turns a literal whose escapes were checked into text. An invalid byte takes three bytes of
 * output, everything else no more than it had. */
static str decode_literal(struct arena *arena, str literal, bool is_utf8)
{
    char *out = arena_alloc_raw(arena, is_utf8 ? literal.len : literal.len * 3);
    size_t len = 0, at = 0;

    while (at < literal.len) {
        bool has_high = false;
        size_t run = json_scan_literal(literal.ptr + at, literal.len - at, &has_high);
        if (run && (is_utf8 || !has_high)) {
            memcpy(out + len, literal.ptr + at, run);
            len += run;
            at += run;
        } else if (run) {
            len += copy_repaired(out + len, str_slice(literal, at, at + run));
            at += run;
        } else if (literal.ptr[at + 1] == 'u') {
            at += json_decode_unicode(literal, at, out, &len);
        } else {
            out[len++] = simple_escape(literal.ptr[at + 1]);
            at += 2;
        }
    }
    return (str){ out, len };
}

/* Checks the escape that begins at reader->at and steps over it. */
static fallible skip_escape(struct json_reader *reader)
{
    const char *p = reader->input.ptr + reader->at;
    size_t left = reader->input.len - reader->at;

    if (left < 2)
        return json_fail_at(reader, reader->input.len, "unexpected end of JSON input");
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': reader->at += 2; return NULL;
    case 'u':
        if (code_unit(p + 2, left - 2) < 0)
            return json_fail_at(reader, reader->at, "invalid \\u escape in a string");
        reader->at += 6;
        return NULL;
    default: reader->at++; return fail_unexpected(reader, "in a string escape");
    }
}

/* At the opening quote; ends behind the closing one. */
static fallible scan_string(struct json_reader *reader, enum mode mode, str *out)
{
    size_t start = ++reader->at;
    bool has_high = false, has_escape = false;

    for (;;) {
        reader->at += json_scan_literal(reader->input.ptr + reader->at,
                                        reader->input.len - reader->at, &has_high);
        int c = current(reader);
        if (c == '"')
            break;
        if (c != '\\')
            return fail_unexpected(reader, "in a string");
        has_escape = true;
        TRY(skip_escape(reader));
    }
    str literal = str_slice(reader->input, start, reader->at++);
    if (mode != READ)
        return NULL;
    bool is_utf8 = !has_high || str_is_utf8(literal);
    *out = has_escape || !is_utf8 ? decode_literal(reader->arena, literal, is_utf8) : literal;
    return NULL;
}

/* --- other values --- */

static size_t json_skip_digits(struct json_reader *reader)
{
    size_t start = reader->at;
    while (reader->at < reader->input.len && reader->input.ptr[reader->at] >= '0'
           && reader->input.ptr[reader->at] <= '9')
        reader->at++;
    return reader->at - start;
}

static fallible scan_number(struct json_reader *reader, enum mode mode, struct json_token *out)
{
    size_t start = reader->at;

    if (current(reader) == '-')
        reader->at++;
    if (current(reader) == '0')
        reader->at++;
    else if (json_skip_digits(reader) == 0)
        return fail_unexpected(reader, "in a number");
    if (current(reader) == '.') {
        reader->at++;
        if (json_skip_digits(reader) == 0)
            return fail_unexpected(reader, "behind the decimal point of a number");
    }
    int c = current(reader);
    if (c == 'e' || c == 'E') {
        reader->at++;
        c = current(reader);
        if (c == '+' || c == '-')
            reader->at++;
        if (json_skip_digits(reader) == 0)
            return fail_unexpected(reader, "in the exponent of a number");
    }
    if (mode != READ)
        return NULL;
    out->text = str_slice(reader->input, start, reader->at);
    if (!json_parse_number(out->text, &out->number))
        return json_fail_at(reader, start, "number out of range");
    return NULL;
}

static fallible scan_word(struct json_reader *reader, str word)
{
    str found = str_slice(reader->input, reader->at, reader->at + word.len);

    if (!str_equal(found, word)) {
        while (reader->at < reader->input.len && *word.ptr == reader->input.ptr[reader->at]) {
            reader->at++;
            word.ptr++;
        }
        return fail_unexpected(reader, "in a literal (expected null, true or false)");
    }
    reader->at += word.len;
    return NULL;
}

static fallible json_open_container(struct json_reader *reader, char type)
{
    if (reader->stack.len >= JSON_MAX_DEPTH)
        return json_fail_at(reader, reader->at, "nested too deeply");
    strbuf_add_char(&reader->stack, type);
    reader->at++;
    reader->expect = type == IN_OBJECT ? EXPECT_FIRST_KEY : EXPECT_FIRST_ITEM;
    return NULL;
}

static void json_close_container(struct json_reader *reader)
{
    reader->stack.len--;
    reader->at++;
    reader->expect = EXPECT_SEPARATOR;
}

static fallible scan_value(struct json_reader *reader, enum mode mode, struct json_token *out)
{
    reader->token_at = reader->at;
    int c = current(reader);
    switch (c) {
    case '{': out->kind = JSON_OBJECT_BEGIN; break;
    case '[': out->kind = JSON_ARRAY_BEGIN; break;
    case '"': out->kind = JSON_STRING; break;
    case 't': out->kind = JSON_TRUE; break;
    case 'f': out->kind = JSON_FALSE; break;
    case 'n': out->kind = JSON_NULL; break;
    default:
        if (c != '-' && (c < '0' || c > '9'))
            return fail_unexpected(reader, "where a value should begin");
        out->kind = JSON_NUMBER;
    }
    if (mode == PEEK)
        return NULL;
    if (c == '{' || c == '[')
        return json_open_container(reader, (char)c);
    reader->expect = EXPECT_SEPARATOR;
    switch (c) {
    case '"': return scan_string(reader, mode, &out->text);
    case 't': return scan_word(reader, STR("true"));
    case 'f': return scan_word(reader, STR("false"));
    case 'n': return scan_word(reader, STR("null"));
    default: return scan_number(reader, mode, out);
    }
}

static fallible scan_key(struct json_reader *reader, enum mode mode, struct json_token *out)
{
    reader->token_at = reader->at;
    if (current(reader) != '"')
        return fail_unexpected(reader, "where the name of a member should begin");
    out->kind = JSON_KEY;
    if (mode == PEEK)
        return NULL;
    TRY(scan_string(reader, mode, &out->text));
    skip_blanks(reader);
    if (current(reader) != ':')
        return fail_unexpected(reader, "behind the name of a member");
    reader->at++;
    reader->expect = EXPECT_VALUE;
    return NULL;
}

static fallible scan_close(struct json_reader *reader, enum mode mode, struct json_token *out)
{
    reader->token_at = reader->at;
    out->kind = current(reader) == '}' ? JSON_OBJECT_END : JSON_ARRAY_END;
    if (mode != PEEK)
        json_close_container(reader);
    return NULL;
}

static fallible scan_end(struct json_reader *reader, struct json_token *out)
{
    if (current(reader) >= 0)
        return fail_unexpected(reader, "behind the value");
    reader->token_at = reader->at;
    out->kind = JSON_END;
    return NULL;
}

static fallible next_token(struct json_reader *reader, enum mode mode, struct json_token *out)
{
    skip_blanks(reader);
    if (reader->expect == EXPECT_VALUE)
        return scan_value(reader, mode, out);
    if (reader->expect == EXPECT_FIRST_ITEM)
        return current(reader) == ']' ? scan_close(reader, mode, out)
                                      : scan_value(reader, mode, out);
    if (reader->expect == EXPECT_FIRST_KEY)
        return current(reader) == '}' ? scan_close(reader, mode, out) : scan_key(reader, mode, out);
    if (reader->stack.len == 0)
        return scan_end(reader, out);

    bool in_object = reader->stack.ptr[reader->stack.len - 1] == IN_OBJECT;
    int c = current(reader);
    if (c == (in_object ? '}' : ']'))
        return scan_close(reader, mode, out);
    if (c != ',')
        return fail_unexpected(reader, in_object ? "behind a member" : "behind an array item");
    reader->at++;
    skip_blanks(reader);
    return in_object ? scan_key(reader, mode, out) : scan_value(reader, mode, out);
}

/* --- the interface --- */

fallible json_next(struct json_reader *reader, struct json_token *out)
{
    return next_token(reader, READ, out);
}

fallible json_peek(struct json_reader *reader, enum json_kind *out)
{
    struct json_token token;
    size_t at = reader->at;
    struct error *failure = next_token(reader, PEEK, &token);

    reader->at = at;
    if (!failure)
        *out = token.kind;
    return failure;
}

static const char *json_kind_name(enum json_kind kind)
{
    switch (kind) {
    case JSON_END: return "the end";
    case JSON_NULL: return "null";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NUMBER: return "a number";
    case JSON_STRING: return "a string";
    case JSON_KEY: return "a member";
    case JSON_OBJECT_BEGIN: return "an object";
    case JSON_OBJECT_END: return "the end of an object";
    case JSON_ARRAY_BEGIN: return "an array";
    case JSON_ARRAY_END: return "the end of an array";
    }
    return "nothing";
}

static fallible fail_kind(const struct json_reader *reader, const char *wanted,
                          enum json_kind found)
{
    char text[128];

    snprintf(text, sizeof(text), "expected %s, found %s", wanted, json_kind_name(found));
    return json_fail_at(reader, reader->token_at, text);
}

fallible json_skip(struct json_reader *reader, str *raw)
{
    struct json_token token;
    size_t depth = reader->stack.len;

    TRY(next_token(reader, SKIM, &token));
    size_t start = reader->token_at;
    if (token.kind == JSON_END || token.kind == JSON_KEY || reader->stack.len < depth)
        return fail_kind(reader, "a value", token.kind);
    while (reader->stack.len > depth)
        TRY(next_token(reader, SKIM, &token));
    if (raw)
        *raw = str_slice(reader->input, start, reader->at);
    return NULL;
}

fallible json_read_string(struct json_reader *reader, str *out)
{
    struct json_token token;

    TRY(next_token(reader, READ, &token));
    if (token.kind != JSON_STRING && token.kind != JSON_NULL)
        return fail_kind(reader, "a string", token.kind);
    *out = token.kind == JSON_STRING ? token.text : STR("");
    return NULL;
}

fallible json_read_bool(struct json_reader *reader, bool *out)
{
    struct json_token token;

    TRY(next_token(reader, READ, &token));
    if (token.kind != JSON_TRUE && token.kind != JSON_FALSE && token.kind != JSON_NULL)
        return fail_kind(reader, "true or false", token.kind);
    *out = token.kind == JSON_TRUE;
    return NULL;
}

fallible json_read_number(struct json_reader *reader, double *out)
{
    struct json_token token;

    TRY(next_token(reader, READ, &token));
    if (token.kind != JSON_NUMBER && token.kind != JSON_NULL)
        return fail_kind(reader, "a number", token.kind);
    *out = token.kind == JSON_NUMBER ? token.number : 0;
    return NULL;
}

static fallible json_begin_container(struct json_reader *reader, enum json_kind kind,
                                     const char *wanted)
{
    struct json_token token;

    TRY(next_token(reader, READ, &token));
    if (token.kind == JSON_NULL)
        reader->expect |= NULL_CONTAINER;
    else if (token.kind != kind)
        return fail_kind(reader, wanted, token.kind);
    return NULL;
}

/* True, once, if the object or array that was begun is a null. */
static bool ends_null(struct json_reader *reader)
{
    if (!(reader->expect & NULL_CONTAINER))
        return false;
    reader->expect &= ~NULL_CONTAINER;
    return true;
}

fallible json_object_begin(struct json_reader *reader)
{
    return json_begin_container(reader, JSON_OBJECT_BEGIN, "an object");
}

fallible json_array_begin(struct json_reader *reader)
{
    return json_begin_container(reader, JSON_ARRAY_BEGIN, "an array");
}

fallible json_object_next(struct json_reader *reader, str *key, bool *more)
{
    struct json_token token = { .kind = JSON_OBJECT_END };

    if (!ends_null(reader))
        TRY(next_token(reader, READ, &token));
    if (token.kind != JSON_KEY && token.kind != JSON_OBJECT_END)
        return fail_kind(reader, "a member", token.kind);
    *more = token.kind == JSON_KEY;
    if (*more)
        *key = token.text;
    return NULL;
}

fallible json_array_next(struct json_reader *reader, bool *more)
{
    struct json_token token = { .kind = JSON_ARRAY_END };

    if (ends_null(reader)) {
        *more = false;
        return NULL;
    }
    size_t at = reader->at;
    TRY(next_token(reader, PEEK, &token));
    *more = token.kind != JSON_ARRAY_END;
    if (*more)
        reader->at = at;
    else
        json_close_container(reader);
    return NULL;
}
