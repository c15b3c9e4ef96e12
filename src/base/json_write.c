/* json_write.c — the writer: commas, indents and escapes as the reference's encoder makes them. */
#include "base/json.h"

#include "base/json_scan.h"

enum { FLUSH_SIZE = 1 << 17 };

static void flush_if_large(struct json_writer *writer)
{
    if (!writer->flush || writer->out->len < FLUSH_SIZE)
        return;
    if (!writer->failure)
        writer->failure = writer->flush(writer->flush_context, strbuf_str(writer->out));
    strbuf_clear(writer->out);
}

static void new_line(struct json_writer *writer)
{
    strbuf_add_char(writer->out, '\n');
    strbuf_add_repeated(writer->out, ' ', (size_t)writer->indent * writer->depth);
}

/* What is written between the previous value or the opening bracket and a new item or key. */
static void separate(struct json_writer *writer)
{
    if (writer->is_after_key) {
        writer->is_after_key = false;
        return;
    }
    if (writer->needs_comma)
        strbuf_add_char(writer->out, ',');
    if (writer->indent && writer->depth)
        new_line(writer);
}

static void finish_value(struct json_writer *writer)
{
    writer->needs_comma = true;
    flush_if_large(writer);
}

static void json_open_bracket(struct json_writer *writer, char bracket)
{
    separate(writer);
    strbuf_add_char(writer->out, bracket);
    writer->depth++;
    writer->needs_comma = false;
}

static void json_close_bracket(struct json_writer *writer, char bracket)
{
    writer->depth--;
    /* Without a comma owed nothing was written since the bracket opened: it stays {} or []. */
    if (writer->indent && writer->needs_comma)
        new_line(writer);
    strbuf_add_char(writer->out, bracket);
    finish_value(writer);
}

void json_begin_object(struct json_writer *writer)
{
    json_open_bracket(writer, '{');
}

void json_end_object(struct json_writer *writer)
{
    json_close_bracket(writer, '}');
}

void json_begin_array(struct json_writer *writer)
{
    json_open_bracket(writer, '[');
}

void json_end_array(struct json_writer *writer)
{
    json_close_bracket(writer, ']');
}

void json_key(struct json_writer *writer, str key)
{
    separate(writer);
    json_format_string(writer->out, key, writer->escapes_html);
    strbuf_add(writer->out, writer->indent ? STR(": ") : STR(":"));
    writer->is_after_key = true;
    writer->needs_comma = true;
}

void json_string(struct json_writer *writer, str text)
{
    separate(writer);
    json_format_string(writer->out, text, writer->escapes_html);
    finish_value(writer);
}

void json_strings(struct json_writer *writer, const str *texts, size_t len)
{
    json_begin_array(writer);
    for (size_t i = 0; i < len; i++)
        json_string(writer, texts[i]);
    json_end_array(writer);
}

void json_number(struct json_writer *writer, double number)
{
    separate(writer);
    json_format_number(writer->out, number);
    finish_value(writer);
}

void json_integer(struct json_writer *writer, int64_t number)
{
    char digits[24];
    char *p = digits + sizeof(digits);
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        *--p = '-';
    json_raw(writer, (str){ p, (size_t)(digits + sizeof(digits) - p) });
}

void json_bool(struct json_writer *writer, bool value)
{
    json_raw(writer, value ? STR("true") : STR("false"));
}

void json_null(struct json_writer *writer)
{
    json_raw(writer, STR("null"));
}

void json_raw(struct json_writer *writer, str json)
{
    separate(writer);
    strbuf_add(writer->out, json);
    finish_value(writer);
}

fallible json_writer_finish(struct json_writer *writer)
{
    struct error *failure = writer->failure;

    if (!failure && writer->flush && writer->out->len)
        failure = writer->flush(writer->flush_context, strbuf_str(writer->out));
    if (writer->flush)
        strbuf_clear(writer->out);
    writer->failure = NULL;
    return failure;
}

static void json_add_escape(struct strbuf *out, unsigned char c)
{
    switch (c) {
    case '"': strbuf_add(out, STR("\\\"")); return;
    case '\\': strbuf_add(out, STR("\\\\")); return;
    case '\b': strbuf_add(out, STR("\\b")); return;
    case '\f': strbuf_add(out, STR("\\f")); return;
    case '\n': strbuf_add(out, STR("\\n")); return;
    case '\r': strbuf_add(out, STR("\\r")); return;
    case '\t': strbuf_add(out, STR("\\t")); return;
    default: strbuf_printf(out, "\\u%04x", c); return;
    }
}

/* The character at text[at], which is not ASCII; returns its width. The two line separators would
 * end a line in JavaScript. */
static size_t add_wide(struct strbuf *out, str text, size_t at)
{
    size_t width = str_utf8_width(text, at);
    str c = str_slice(text, at, at + width);

    if (width == 0)
        strbuf_add(out, STR("\\ufffd"));
    else if (str_equal(c, STR("\xe2\x80\xa8")))
        strbuf_add(out, STR("\\u2028"));
    else if (str_equal(c, STR("\xe2\x80\xa9")))
        strbuf_add(out, STR("\\u2029"));
    else
        strbuf_add(out, c);
    return width ? width : 1;
}

/* What is left of a text once something had to be escaped. */
static void json_add_escaped(struct strbuf *out, str text, bool escapes_html)
{
    size_t at = 0;

    while (at < text.len) {
        size_t run = json_scan_printable(text.ptr + at, text.len - at, escapes_html);
        strbuf_add(out, str_slice(text, at, at + run));
        at += run;
        if (at == text.len)
            break;
        unsigned char c = (unsigned char)text.ptr[at];
        if (c < 0x80) {
            json_add_escape(out, c);
            at++;
        } else {
            at += add_wide(out, text, at);
        }
    }
}

void json_format_string(struct strbuf *out, str text, bool escapes_html)
{
    size_t plain = json_scan_printable(text.ptr, text.len, escapes_html);

    if (out->capacity - out->len < text.len + 3)
        strbuf_reserve(out, text.len + 2);
    char *p = out->ptr + out->len;
    *p++ = '"';
    if (plain)
        memcpy(p, text.ptr, plain);
    out->len += plain + 1;
    if (plain < text.len)
        json_add_escaped(out, str_slice(text, plain, text.len), escapes_html);
    strbuf_add_char(out, '"');
}
