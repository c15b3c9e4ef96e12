/* fuzz_compression.c — files of a store that are compressed, or say so: what they unfold to has a
 * limit, and any text that is compressed comes back. */
#include "fuzz/fuzz_support.h"

#include "backend/compression.h"
#include "base/strbuf.h"

enum { LIMIT = 1 << 20 };

static struct error *collect(void *out, str bytes)
{
    strbuf_add(out, bytes);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str bytes = { (const char *)data, size };

    for (int kind = COMPRESSION_NONE; kind < COMPRESSIONS; kind++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        CLEANUP(strbuf_release) struct strbuf packed = { 0 };
        str plain;
        if (kind == COMPRESSION_NONE) {
            if (fuzz_accepts(compression_decode(&arena, bytes, LIMIT, &plain)))
                REQUIRE(plain.len <= LIMIT);
            continue;
        }
        struct encoder *encoder = encoder_open((enum compression)kind);
        REQUIRE(fuzz_accepts(encoder_add(encoder, bytes, true, collect, &packed)));
        encoder_close(encoder);
        REQUIRE(compression_detect(strbuf_str(&packed)) == (enum compression)kind);
        REQUIRE(fuzz_accepts(compression_decode(&arena, strbuf_str(&packed), LIMIT, &plain)));
        REQUIRE(str_equal(plain, bytes));
    }
    return 0;
}
