/* http_message.c — parses what servers answer. */
#include "http/http_message.h"

enum { LINE_MAX_LEN = 4096 };

static fallible malformed(const char *what)
{
    return error_new(ERROR_OTHER, "the server's answer is malformed: %s", what);
}

/* --- head --- */

size_t http_head_len(str bytes)
{
    size_t crlf = str_find(bytes, STR("\r\n\r\n"));
    size_t lf = str_find(bytes, STR("\n\n"));

    if (crlf != SIZE_MAX && (lf == SIZE_MAX || crlf < lf))
        return crlf + 4;
    return lf == SIZE_MAX ? 0 : lf + 2;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool is_name(str text, const char *wanted)
{
    if (text.len != strlen(wanted))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (lower(text.ptr[i]) != wanted[i])
            return false;
    return true;
}

/* "HTTP/1.1 200 OK" */
static bool parse_status(str line, int *status)
{
    str version, rest, code, reason;
    uint64_t number;

    if (!str_starts_with(line, STR("HTTP/1.")) || !str_cut(line, STR(" "), &version, &rest))
        return false;
    if (!str_cut(rest, STR(" "), &code, &reason))
        code = rest;
    if (code.len != 3 || !str_to_u64(code, &number) || number < 100)
        return false;
    *status = (int)number;
    return true;
}

static fallible parse_field(str name, str value, struct http_head *head)
{
    uint64_t length;

    if (is_name(name, "content-length")) {
        if (!str_to_u64(value, &length) || (head->has_length && head->length != length))
            return malformed("its length is no number");
        head->has_length = true;
        head->length = length;
    } else if (is_name(name, "transfer-encoding")) {
        if (!is_name(value, "chunked"))
            return malformed("its transfer encoding is unknown");
        head->is_chunked = true;
    } else if (is_name(name, "content-encoding")) {
        if (!is_name(value, "identity") && !is_name(value, "gzip") && !is_name(value, "x-gzip"))
            return malformed("its content encoding is unknown");
    } else if (is_name(name, "location")) {
        head->location = value;
    }
    return NULL;
}

fallible http_head_parse(str text, struct http_head *out)
{
    struct http_head head = { 0 };
    str line, name, value;

    if (!str_cut(text, STR("\n"), &line, &text) || !parse_status(str_trim(line), &head.status))
        return malformed("it does not begin with a status");
    while (str_cut(text, STR("\n"), &line, &text)) {
        line = str_trim(line);
        if (line.len == 0)
            break;
        if (!str_cut(line, STR(":"), &name, &value))
            return malformed("a header has no colon");
        TRY(parse_field(name, str_trim(value), &head));
    }
    *out = head;
    return NULL;
}

bool http_head_has_body(const struct http_head *head)
{
    return head->status >= 200 && head->status != 204 && head->status != 304;
}

/* --- chunks --- */

enum { SIZE_DIGITS, SIZE_REST, DATA, DATA_END, TRAILER };

static bool hex_digit(char c, uint64_t *out)
{
    if (c >= '0' && c <= '9')
        *out = (uint64_t)(c - '0');
    else if (lower(c) >= 'a' && lower(c) <= 'f')
        *out = (uint64_t)(lower(c) - 'a' + 10);
    else
        return false;
    return true;
}

static void begin_chunk(struct http_chunks *chunks)
{
    chunks->line_len = 0;
    chunks->state = chunks->left > 0 ? DATA : TRAILER;
}

/* "1a2B;extension\r\n" */
static fallible read_size(struct http_chunks *chunks, char c)
{
    uint64_t digit;

    if (++chunks->line_len > LINE_MAX_LEN)
        return malformed("a line is too long");
    if (chunks->state == SIZE_DIGITS && hex_digit(c, &digit)) {
        if (chunks->left >> 59)
            return malformed("a chunk is too long");
        chunks->left = chunks->left << 4 | digit;
        return NULL;
    }
    if (chunks->state == SIZE_DIGITS && (chunks->line_len == 1 || !strchr("\r\n; \t", c)))
        return malformed("the length of a chunk is no number");
    chunks->state = SIZE_REST;
    if (c == '\n')
        begin_chunk(chunks);
    return NULL;
}

/* Lines behind the last chunk; an empty one ends the body. */
static fallible read_trailer(struct http_chunks *chunks, char c)
{
    if (c == '\n') {
        chunks->is_done = chunks->line_len == 0;
        chunks->line_len = 0;
    } else if (c != '\r' && ++chunks->line_len > LINE_MAX_LEN) {
        return malformed("a line is too long");
    }
    return NULL;
}

static fallible read_data_end(struct http_chunks *chunks, char c)
{
    if (c == '\n')
        chunks->state = SIZE_DIGITS;
    else if (c != '\r')
        return malformed("a chunk is longer than it said");
    return NULL;
}

static fallible read_char(struct http_chunks *chunks, char c)
{
    switch (chunks->state) {
    case SIZE_DIGITS:
    case SIZE_REST: return read_size(chunks, c);
    case DATA_END: return read_data_end(chunks, c);
    default: return read_trailer(chunks, c);
    }
}

fallible http_chunks_next(struct http_chunks *chunks, str *input, str *piece)
{
    *piece = STR("");
    while (input->len > 0 && !chunks->is_done) {
        if (chunks->state == DATA) {
            size_t len = chunks->left < input->len ? (size_t)chunks->left : input->len;
            *piece = str_slice(*input, 0, len);
            *input = str_slice(*input, len, input->len);
            chunks->left -= len;
            if (chunks->left == 0)
                chunks->state = DATA_END;
            return NULL;
        }
        char c = input->ptr[0];
        *input = str_slice(*input, 1, input->len);
        TRY(read_char(chunks, c));
    }
    return NULL;
}
