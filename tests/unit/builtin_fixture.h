/* builtin_fixture.h — values for tests of packages that need no plugin. */
#pragma once

#include "unit/check.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "builtin/builtin.h"
#include "model/value_json.h"

static inline struct value fixture_parse(struct arena *arena, const char *json)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value value;

    json_reader_init(&reader, arena, str_from(json));
    assert_ok(value_read_plain(&reader, &value));
    return value;
}

static inline str fixture_print(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    value_write(&writer, value, SECRET_BARE);
    return arena_copy(arena, strbuf_str(&text));
}
