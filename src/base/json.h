/* json.h — JSON text in and out: a pull reader over bytes in memory and a writer into a strbuf or a
 * file, both exact about numbers and escapes. */
#pragma once

#include "base/error.h"
#include "base/strbuf.h"

enum { JSON_MAX_DEPTH = 10000 };

enum json_kind {
    JSON_END, /* the text is over */
    JSON_NULL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NUMBER, /* number, and its text as written */
    JSON_STRING,
    JSON_KEY, /* a member's name; its value follows */
    JSON_OBJECT_BEGIN,
    JSON_OBJECT_END,
    JSON_ARRAY_BEGIN,
    JSON_ARRAY_END,
};

struct json_token {
    enum json_kind kind;
    str text; /* JSON_KEY, JSON_STRING: decoded; a slice of the input where nothing was escaped,
                 else in the reader's arena. JSON_NUMBER: as written */
    double number; /* JSON_NUMBER */
};

/* Reads one token after the other. Lenient where the reference is: invalid UTF-8 and lone
 * surrogates become U+FFFD. */
struct json_reader {
    str input;
    size_t at;
    struct arena *arena; /* for decoded strings */
    struct strbuf stack; /* one byte for each open object or array */
    int expect;          /* private */
    size_t token_at;     /* where the last token begins */
};

void json_reader_init(struct json_reader *reader, struct arena *arena, str input);
void json_reader_release(struct json_reader *reader);
/* Errors are ERROR_INVALID and name line and column. */
fallible json_next(struct json_reader *reader, struct json_token *out);
/* For the caller's own complaints: ERROR_INVALID with the line and column of the last token. */
fallible json_fail(const struct json_reader *reader, const char *format, ...) PRINTF(2, 3);
/* The kind of the token that comes next, without consuming it. */
fallible json_peek(struct json_reader *reader, enum json_kind *out);
/* Consumes one whole value, whatever it is; `raw` (may be NULL) gets its text. */
fallible json_skip(struct json_reader *reader, str *raw);

/* Typed reads of one value: fail with what was found, naming what was expected. null is read as
 * empty, false or 0. */
fallible json_read_string(struct json_reader *reader, str *out);
/* Decodes `\uXXXX` at text[at], a pair as one character, half a pair as U+FFFD: up to four bytes
 * behind out[*out_len]. Returns how many bytes of text it took: 6, or 12 for a pair. */
size_t json_decode_unicode(str text, size_t at, char *out, size_t *out_len);
fallible json_read_bool(struct json_reader *reader, bool *out);
fallible json_read_number(struct json_reader *reader, double *out);

/* Walks an object token by token; most readers want one of the walks below. null is read as an
 * empty object or array. */
fallible json_object_begin(struct json_reader *reader);
fallible json_object_next(struct json_reader *reader, str *key, bool *more);
/* Walks an object whose keys are not known: `read` consumes the value of each member. */
fallible json_read_members(struct json_reader *reader,
                           fallible (*read)(struct json_reader *reader, str key, void *context),
                           void *context);
/* Walks an object that goes into a struct: members in the table, which ends with a key of NULL, are
 * read to where they belong; others are skipped. */
struct json_field {
    const char *key;
    fallible (*read)(struct json_reader *reader, void *member);
    size_t offset;
};
#define JSON_FIELD(key, type, member, read) \
    {                                       \
        key, read, offsetof(type, member)   \
    }
fallible json_read_fields(struct json_reader *reader, const struct json_field *fields, void *out);
/* Readers for such tables: of a str, a bool, a double, and a str with the text of any value; a
 * struct strs from an array of strings; a struct pairs from an object of strings, or of anything,
 * with the text of each value. */
fallible json_field_string(struct json_reader *reader, void *member);
fallible json_field_bool(struct json_reader *reader, void *member);
fallible json_field_number(struct json_reader *reader, void *member);
fallible json_field_raw(struct json_reader *reader, void *member);
fallible json_field_strs(struct json_reader *reader, void *member);
fallible json_field_pairs(struct json_reader *reader, void *member);
fallible json_field_raw_pairs(struct json_reader *reader, void *member);

fallible json_array_begin(struct json_reader *reader);
fallible json_array_next(struct json_reader *reader, bool *more);

/* Writes text as the reference's encoder does: no spaces, or one member a line with an indent. The
 * caller keeps the structure right. */
struct json_writer {
    struct strbuf *out;
    unsigned indent;   /* spaces a level; 0: one line */
    bool escapes_html; /* < > & as \u003c … */
    unsigned depth;    /* private from here */
    bool needs_comma;
    bool is_after_key;
    /* When set, `out` is handed over and cleared each time it passes 1 MB, so that a large file
     * needs no second copy. */
    fallible (*flush)(void *context, str chunk);
    void *flush_context;
    struct error *failure; /* first failure of flush; json_writer_finish returns it */
};

void json_begin_object(struct json_writer *writer);
void json_end_object(struct json_writer *writer);
void json_begin_array(struct json_writer *writer);
void json_end_array(struct json_writer *writer);
void json_key(struct json_writer *writer, str key);
void json_string(struct json_writer *writer, str text);
/* An array of strings. */
void json_strings(struct json_writer *writer, const str *texts, size_t len);
void json_number(struct json_writer *writer, double number);
void json_integer(struct json_writer *writer, int64_t number);
void json_bool(struct json_writer *writer, bool value);
void json_null(struct json_writer *writer);
/* A value that is already JSON text. */
void json_raw(struct json_writer *writer, str json);
/* Flushes what is left and gives the first failure. */
fallible json_writer_finish(struct json_writer *writer);

/* Just the number: shortest digits that read back the same; exponent below 1e-6 and from 1e21. NaN
 * and infinities are the caller's affair. */
void json_format_number(struct strbuf *out, double number);
/* The value of a number in JSON's grammar, correctly rounded; false if it does not fit. */
bool json_parse_number(str text, double *out);
/* Just the quoted string. */
void json_format_string(struct strbuf *out, str text, bool escapes_html);
