/* huffman.h — encodes HPACK's Huffman code from nothing but the lengths of RFC 7541, appendix B, to
 * check the decoder. */
#pragma once

#include "base/strbuf.h"

static const uint8_t huffman_bits[256] = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 6,  10, 10, 12, 13, 6,  8,  11, 10, 10, 8,  11, 8,  6,  6,  6,
    5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8,  15, 6,  12, 10, 13, 6,  7,  7,  7,  7,  7,  7,
    7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8,  13, 19, 13, 14, 6,
    15, 5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,  6,  7,  6,  5,  5,  6,  7,  7,
    7,  7,  7,  15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21,
    23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24,
    21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
};

/* The code is canonical: codes count up, shorter ones first, in the order of the symbols. */
static inline uint32_t huffman_make_code(unsigned symbol)
{
    uint32_t code = 0;

    for (unsigned bits = 1; bits <= huffman_bits[symbol]; bits++) {
        code <<= 1;
        for (unsigned other = 0; other < 256; other++) {
            if (other == symbol && huffman_bits[other] == bits)
                return code;
            code += huffman_bits[other] == bits;
        }
    }
    return code;
}

/* Made once: a fuzz target asks for very many. */
static inline uint32_t huffman_code(unsigned symbol)
{
    static uint32_t codes[256];
    static bool is_made;

    for (unsigned i = 0; !is_made && i < 256; i++)
        codes[i] = huffman_make_code(i);
    is_made = true;
    return codes[symbol];
}

static inline void huffman_encode(struct strbuf *out, str text)
{
    uint64_t window = 0;
    unsigned count = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned symbol = (unsigned char)text.ptr[i];
        window = window << huffman_bits[symbol] | huffman_code(symbol);
        for (count += huffman_bits[symbol]; count >= 8; count -= 8)
            strbuf_add_char(out, (char)(window >> (count - 8)));
    }
    if (count)
        strbuf_add_char(out, (char)(window << (8 - count) | 0xffu >> count));
}
