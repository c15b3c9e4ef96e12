/* store_postgres_row.c — bytes as JSON and back. */
#include "backend/store_postgres_row.h"

#include "base/base64.h"
#include "base/json.h"

#define BEGIN "{\"data\":\""
#define END "\"}"

str postgres_row_format(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_reserve(&text, bytes.len / 3 * 4 + sizeof(BEGIN END) + 4);
    strbuf_add(&text, STR(BEGIN));
    base64_encode(&text, bytes);
    strbuf_add(&text, STR(END));
    return arena_copy(arena, strbuf_str(&text));
}

struct postgres_row {
    str data;
    bool has_data;
};

static fallible postgres_row_read_data(struct json_reader *reader, void *row_)
{
    struct postgres_row *row = row_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    row->has_data = kind == JSON_STRING;
    return json_read_string(reader, &row->data);
}

fallible postgres_row_parse(struct arena *arena, str text, str *out)
{
    static const struct json_field fields[] = { { "data", postgres_row_read_data, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    struct postgres_row row = { 0 };
    enum json_kind kind;

    json_reader_init(&reader, arena, text);
    TRY(json_read_fields(&reader, fields, &row));
    TRY(json_peek(&reader, &kind));
    if (kind != JSON_END || !row.has_data || !base64_decode(&bytes, row.data))
        return error_new(ERROR_INVALID, "it is not of the form {\"data\":\"BASE64\"}");
    *out = arena_copy(arena, strbuf_str(&bytes));
    return NULL;
}
