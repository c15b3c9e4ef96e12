/* fuzz_page.h — what is put into an element of a page: JSON, and nothing that could end the
 * element. */
#pragma once

#include "base/json.h"
#include "fuzz/fuzz_support.h"

static inline void fuzz_check_page(str json)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_token token;

    for (size_t i = 0; i < json.len; i++)
        REQUIRE(!strchr("<>&", json.ptr[i]));
    REQUIRE(str_is_utf8(json));
    json_reader_init(&reader, &arena, json);
    REQUIRE(json_skip(&reader, NULL) == NULL);
    REQUIRE(json_next(&reader, &token) == NULL && token.kind == JSON_END);
}
