/* fuzz_value_json.c — what is read is written so that it reads the same; copies and stripped values
 * keep their promises. */
#include "model/value_json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct error *read_all(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token token;

    json_reader_init(&reader, arena, text);
    TRY(value_read(&reader, out));
    return json_next(&reader, &token);
}

static str write_all(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };

    value_write(&writer, value, SECRET_BLINDED);
    return arena_copy(arena, strbuf_str(&out));
}

static void check_derived(struct arena *arena, struct value value)
{
    if (!value_equal(value, value) || !value_equal(value, value_copy(arena, value)))
        abort();
    if (!value_contains_sealed(value) && value_contains_secret(value_without_secrets(arena, value)))
        abort();
    if (!value_contains_sealed(value)) {
        struct value again;
        struct error *error =
            value_from_secret_text(arena, value_secret_text(arena, value), 0, &again);
        if (error || !value_equal(value, again))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value, again, third;
    struct error *error = read_all(&arena, (str){ (const char *)data, size }, &value);

    if (error) {
        error_free(error);
        return 0;
    }
    check_derived(&arena, value);
    str text = write_all(&arena, value);
    if (read_all(&arena, text, &again) || read_all(&arena, write_all(&arena, again), &third))
        abort();
    if (!value_equal(again, third) || !str_equal(text, write_all(&arena, again)))
        abort();
    return 0;
}
