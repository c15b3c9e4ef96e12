/* fuzz_json.c — what the writer makes of a text that the reader accepted reads back to the same
 * writing, and skipping agrees with reading. */
#include "base/json.h"

#include <stdlib.h>

static fallible rewrite(struct arena *arena, str input, struct strbuf *out, unsigned indent)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_writer writer = { .out = out, .indent = indent };

    json_reader_init(&reader, arena, input);
    for (;;) {
        struct json_token token;
        TRY(json_next(&reader, &token));
        switch (token.kind) {
        case JSON_END: return json_writer_finish(&writer);
        case JSON_NULL: json_null(&writer); break;
        case JSON_TRUE: json_bool(&writer, true); break;
        case JSON_FALSE: json_bool(&writer, false); break;
        case JSON_NUMBER: json_number(&writer, token.number); break;
        case JSON_STRING: json_string(&writer, token.text); break;
        case JSON_KEY: json_key(&writer, token.text); break;
        case JSON_OBJECT_BEGIN: json_begin_object(&writer); break;
        case JSON_OBJECT_END: json_end_object(&writer); break;
        case JSON_ARRAY_BEGIN: json_begin_array(&writer); break;
        case JSON_ARRAY_END: json_end_array(&writer); break;
        }
    }
}

static void check_skip(struct arena *arena, str input)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    str raw;

    json_reader_init(&reader, arena, input);
    struct error *error = json_skip(&reader, &raw);
    if (error || !str_equal(raw, str_trim(input)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf first = { 0 };
    CLEANUP(strbuf_release) struct strbuf second = { 0 };
    str input = { (const char *)data, size };

    struct error *error = rewrite(&arena, input, &first, 2);
    if (error) {
        error_free(error);
        return 0;
    }
    check_skip(&arena, input);
    error = rewrite(&arena, strbuf_str(&first), &second, 2);
    if (error || !str_equal(strbuf_str(&first), strbuf_str(&second)))
        abort();
    return 0;
}
