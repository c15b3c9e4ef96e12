/* fuzz_codecs.c — small codecs of text, chosen by the first byte: what was decoded is encoded so
 * that it decodes the same. */
#include "fuzz/fuzz_support.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/hex.h"
#include "base/json.h"
#include "rpc/grpc.h"

#include <math.h>

static void try_base64(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    CLEANUP(strbuf_release) struct strbuf coded = { 0 };
    CLEANUP(strbuf_release) struct strbuf again = { 0 };

    (void)arena;
    if (!base64_decode(&bytes, text))
        return;
    base64_encode(&coded, strbuf_str(&bytes));
    REQUIRE(base64_decode(&again, strbuf_str(&coded)));
    REQUIRE(str_equal(strbuf_str(&bytes), strbuf_str(&again)));
    REQUIRE(coded.len <= text.len);
}

static void try_base64_bytes(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf coded = { 0 };
    CLEANUP(strbuf_release) struct strbuf again = { 0 };

    (void)arena;
    base64_encode(&coded, bytes);
    REQUIRE(coded.len == (bytes.len + 2) / 3 * 4);
    REQUIRE(base64_decode(&again, strbuf_str(&coded)));
    REQUIRE(str_equal(bytes, strbuf_str(&again)));
}

static void try_hex(struct arena *arena, str text)
{
    str bytes, again;

    if (hex_decode(arena, text, &bytes)) {
        REQUIRE(bytes.len == text.len / 2);
        REQUIRE(hex_decode(arena, hex_encode(arena, bytes), &again) && str_equal(bytes, again));
    }
    REQUIRE(hex_decode(arena, hex_encode(arena, text), &again) && str_equal(text, again));
}

static void try_percent(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf plain = { 0 };
    CLEANUP(strbuf_release) struct strbuf coded = { 0 };
    CLEANUP(strbuf_release) struct strbuf again = { 0 };

    (void)arena;
    grpc_percent_decode(&plain, text);
    REQUIRE(plain.len <= text.len);
    grpc_percent_encode(&coded, strbuf_str(&plain), SIZE_MAX / 2);
    grpc_percent_decode(&again, strbuf_str(&coded));
    REQUIRE(str_equal(strbuf_str(&plain), strbuf_str(&again)));
    /* Where room is short, it is a beginning of the text. */
    strbuf_clear(&coded);
    strbuf_clear(&again);
    grpc_percent_encode(&coded, text, 16);
    grpc_percent_decode(&again, strbuf_str(&coded));
    REQUIRE(coded.len <= 16 && str_starts_with(text, strbuf_str(&again)));
}

static void try_clock(struct arena *arena, str text)
{
    int64_t time, again;

    if (!clock_parse(text, &time))
        return;
    REQUIRE(clock_parse(clock_format(arena, time), &again) && again == time);
    REQUIRE(clock_parse(clock_format_local(arena, time), &again) && again == time);
    REQUIRE(clock_parse(clock_format_ms(arena, time), &again) && time - again >= 0
            && time - again < NS_PER_MS);
}

static void try_timeout(struct arena *arena, str text)
{
    char room[GRPC_TIMEOUT_ROOM];
    uint64_t milliseconds, again;

    (void)arena;
    if (!grpc_parse_timeout(text, &milliseconds))
        return;
    str written = grpc_format_timeout(room, milliseconds);
    REQUIRE(written.len <= 9 && grpc_parse_timeout(written, &again));
    REQUIRE(milliseconds >= 100000000 || again == milliseconds);
}

static bool read_number(struct arena *arena, str text, double *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    enum json_kind kind;

    json_reader_init(&reader, arena, text);
    return fuzz_accepts(json_peek(&reader, &kind)) && kind == JSON_NUMBER
           && fuzz_accepts(json_read_number(&reader, out))
           && fuzz_accepts(json_peek(&reader, &kind));
}

static void try_numbers(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf written = { 0 };
    struct json_writer writer = { .out = &written };
    uint64_t integer;
    double number, again;

    if (str_to_u64(text, &integer)) {
        str plain = arena_printf(arena, "%llu", (unsigned long long)integer);
        REQUIRE(str_ends_with(text, plain));
    }
    if (!read_number(arena, text, &number))
        return;
    REQUIRE(isfinite(number));
    json_number(&writer, number);
    REQUIRE(read_number(arena, strbuf_str(&written), &again) && again == number);
}

static void try_utf8(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf mended = { 0 };
    size_t at = 0, width = 1;

    (void)arena;
    while (at < text.len && (width = str_utf8_width(text, at)) > 0)
        at += width;
    REQUIRE(at <= text.len && str_is_utf8(text) == (at == text.len));
    strbuf_add_utf8(&mended, text);
    REQUIRE(str_is_utf8(strbuf_str(&mended)));
    REQUIRE(!str_is_utf8(text) || str_equal(text, strbuf_str(&mended)));
}

/* A duration is a number of seconds that the reference could hold. */
static void try_duration(struct arena *arena, str text)
{
    double seconds, again;

    if (!duration_parse(text, &seconds))
        return;
    REQUIRE(fabs(seconds) <= 9223372036.0);
    REQUIRE(duration_parse(duration_format(arena, seconds), &again));
    REQUIRE(fabs(again - seconds) <= 1e-8 + fabs(seconds) * 1e-12);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const codecs[])(struct arena * arena, str text) = {
        try_base64,  try_base64_bytes, try_hex,  try_percent,  try_clock,
        try_timeout, try_numbers,      try_utf8, try_duration,
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    codecs[fuzz_choice(&input, sizeof(codecs) / sizeof(codecs[0]))](&arena, input);
    return 0;
}
