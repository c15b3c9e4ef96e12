/* hpack_huffman.c — decodes the fixed Huffman code of RFC 7541, appendix B. */
#include "rpc/hpack.h"

/* The code is canonical: codes of one length are consecutive numbers, and longer codes are larger
 * when aligned to the left. A byte is enough to identify the codes of up to 8 bits, which are those
 * of nearly all text; the rest is found by its length. */
static const struct {
    uint8_t symbol;
    uint8_t bits; /* 0: a longer code */
} short_codes[256] = {
    { 48, 5 },  { 48, 5 },  { 48, 5 },  { 48, 5 },  { 48, 5 },  { 48, 5 },  { 48, 5 },  { 48, 5 },
    { 49, 5 },  { 49, 5 },  { 49, 5 },  { 49, 5 },  { 49, 5 },  { 49, 5 },  { 49, 5 },  { 49, 5 },
    { 50, 5 },  { 50, 5 },  { 50, 5 },  { 50, 5 },  { 50, 5 },  { 50, 5 },  { 50, 5 },  { 50, 5 },
    { 97, 5 },  { 97, 5 },  { 97, 5 },  { 97, 5 },  { 97, 5 },  { 97, 5 },  { 97, 5 },  { 97, 5 },
    { 99, 5 },  { 99, 5 },  { 99, 5 },  { 99, 5 },  { 99, 5 },  { 99, 5 },  { 99, 5 },  { 99, 5 },
    { 101, 5 }, { 101, 5 }, { 101, 5 }, { 101, 5 }, { 101, 5 }, { 101, 5 }, { 101, 5 }, { 101, 5 },
    { 105, 5 }, { 105, 5 }, { 105, 5 }, { 105, 5 }, { 105, 5 }, { 105, 5 }, { 105, 5 }, { 105, 5 },
    { 111, 5 }, { 111, 5 }, { 111, 5 }, { 111, 5 }, { 111, 5 }, { 111, 5 }, { 111, 5 }, { 111, 5 },
    { 115, 5 }, { 115, 5 }, { 115, 5 }, { 115, 5 }, { 115, 5 }, { 115, 5 }, { 115, 5 }, { 115, 5 },
    { 116, 5 }, { 116, 5 }, { 116, 5 }, { 116, 5 }, { 116, 5 }, { 116, 5 }, { 116, 5 }, { 116, 5 },
    { 32, 6 },  { 32, 6 },  { 32, 6 },  { 32, 6 },  { 37, 6 },  { 37, 6 },  { 37, 6 },  { 37, 6 },
    { 45, 6 },  { 45, 6 },  { 45, 6 },  { 45, 6 },  { 46, 6 },  { 46, 6 },  { 46, 6 },  { 46, 6 },
    { 47, 6 },  { 47, 6 },  { 47, 6 },  { 47, 6 },  { 51, 6 },  { 51, 6 },  { 51, 6 },  { 51, 6 },
    { 52, 6 },  { 52, 6 },  { 52, 6 },  { 52, 6 },  { 53, 6 },  { 53, 6 },  { 53, 6 },  { 53, 6 },
    { 54, 6 },  { 54, 6 },  { 54, 6 },  { 54, 6 },  { 55, 6 },  { 55, 6 },  { 55, 6 },  { 55, 6 },
    { 56, 6 },  { 56, 6 },  { 56, 6 },  { 56, 6 },  { 57, 6 },  { 57, 6 },  { 57, 6 },  { 57, 6 },
    { 61, 6 },  { 61, 6 },  { 61, 6 },  { 61, 6 },  { 65, 6 },  { 65, 6 },  { 65, 6 },  { 65, 6 },
    { 95, 6 },  { 95, 6 },  { 95, 6 },  { 95, 6 },  { 98, 6 },  { 98, 6 },  { 98, 6 },  { 98, 6 },
    { 100, 6 }, { 100, 6 }, { 100, 6 }, { 100, 6 }, { 102, 6 }, { 102, 6 }, { 102, 6 }, { 102, 6 },
    { 103, 6 }, { 103, 6 }, { 103, 6 }, { 103, 6 }, { 104, 6 }, { 104, 6 }, { 104, 6 }, { 104, 6 },
    { 108, 6 }, { 108, 6 }, { 108, 6 }, { 108, 6 }, { 109, 6 }, { 109, 6 }, { 109, 6 }, { 109, 6 },
    { 110, 6 }, { 110, 6 }, { 110, 6 }, { 110, 6 }, { 112, 6 }, { 112, 6 }, { 112, 6 }, { 112, 6 },
    { 114, 6 }, { 114, 6 }, { 114, 6 }, { 114, 6 }, { 117, 6 }, { 117, 6 }, { 117, 6 }, { 117, 6 },
    { 58, 7 },  { 58, 7 },  { 66, 7 },  { 66, 7 },  { 67, 7 },  { 67, 7 },  { 68, 7 },  { 68, 7 },
    { 69, 7 },  { 69, 7 },  { 70, 7 },  { 70, 7 },  { 71, 7 },  { 71, 7 },  { 72, 7 },  { 72, 7 },
    { 73, 7 },  { 73, 7 },  { 74, 7 },  { 74, 7 },  { 75, 7 },  { 75, 7 },  { 76, 7 },  { 76, 7 },
    { 77, 7 },  { 77, 7 },  { 78, 7 },  { 78, 7 },  { 79, 7 },  { 79, 7 },  { 80, 7 },  { 80, 7 },
    { 81, 7 },  { 81, 7 },  { 82, 7 },  { 82, 7 },  { 83, 7 },  { 83, 7 },  { 84, 7 },  { 84, 7 },
    { 85, 7 },  { 85, 7 },  { 86, 7 },  { 86, 7 },  { 87, 7 },  { 87, 7 },  { 89, 7 },  { 89, 7 },
    { 106, 7 }, { 106, 7 }, { 107, 7 }, { 107, 7 }, { 113, 7 }, { 113, 7 }, { 118, 7 }, { 118, 7 },
    { 119, 7 }, { 119, 7 }, { 120, 7 }, { 120, 7 }, { 121, 7 }, { 121, 7 }, { 122, 7 }, { 122, 7 },
    { 38, 8 },  { 42, 8 },  { 44, 8 },  { 59, 8 },  { 88, 8 },  { 90, 8 },  { 0, 0 },   { 0, 0 },
};

static const struct {
    uint8_t bits;
    uint8_t first_symbol; /* index into long_symbols */
    uint32_t first_code;
    uint64_t end; /* first code behind this length, aligned to 32 bits */
} long_codes[] = {
    { 10, 0, 0x3f8, 0xff400000 },         { 11, 5, 0x7fa, 0xffa00000 },
    { 12, 8, 0xffa, 0xffc00000 },         { 13, 10, 0x1ff8, 0xfff00000 },
    { 14, 16, 0x3ffc, 0xfff80000 },       { 15, 18, 0x7ffc, 0xfffe0000 },
    { 19, 21, 0x7fff0, 0xfffe6000 },      { 20, 24, 0xfffe6, 0xfffee000 },
    { 21, 32, 0x1fffdc, 0xffff4800 },     { 22, 45, 0x3fffd2, 0xffffb000 },
    { 23, 71, 0x7fffd8, 0xffffea00 },     { 24, 100, 0xffffea, 0xfffff600 },
    { 25, 112, 0x1ffffec, 0xfffff800 },   { 26, 116, 0x3ffffe0, 0xfffffbc0 },
    { 27, 131, 0x7ffffde, 0xfffffe20 },   { 28, 150, 0xfffffe2, 0xfffffff0 },
    { 30, 179, 0x3ffffffc, 0x100000000 },
};

/* In the order of their codes. The last code, 30 ones, means "end of string" and must not occur. */
static const uint8_t long_symbols[] = {
    33,  34,  40,  41,  63,  39,  43,  124, 35,  62,  0,   36,  64,  91,  93,  126, 94,  125, 60,
    96,  123, 92,  195, 208, 128, 130, 131, 162, 184, 194, 224, 226, 153, 161, 167, 172, 176, 177,
    179, 209, 216, 217, 227, 229, 230, 129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169,
    170, 173, 178, 181, 185, 186, 187, 189, 190, 196, 198, 228, 232, 233, 1,   135, 137, 138, 139,
    140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175, 180, 182, 183,
    188, 191, 197, 231, 239, 9,   142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237, 199, 207,
    234, 235, 192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255, 203, 204,
    211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254, 2,   3,
    4,   5,   6,   7,   8,   11,  12,  14,  15,  16,  17,  18,  19,  20,  21,  23,  24,  25,  26,
    27,  28,  29,  30,  31,  127, 220, 249, 10,  13,  22,
};

/* The next 64 bits of the input, aligned to the left; zeros behind its end. */
struct bit_reader {
    const uint8_t *next;
    const uint8_t *end;
    uint64_t window;
    unsigned bits; /* valid bits in the window */
};

static void bits_refill(struct bit_reader *reader)
{
    while (reader->bits <= 56 && reader->next < reader->end) {
        reader->window |= (uint64_t)*reader->next++ << (56 - reader->bits);
        reader->bits += 8;
    }
}

/* The length of the long code at the window's start; 0 for the end-of-string code. */
static unsigned find_long(uint64_t window, uint8_t *symbol)
{
    uint32_t code = (uint32_t)(window >> 32);
    size_t i = 0;

    while (code >= long_codes[i].end)
        i++;
    size_t index = long_codes[i].first_symbol
                   + ((code >> (32 - long_codes[i].bits)) - long_codes[i].first_code);
    if (index >= sizeof(long_symbols))
        return 0;
    *symbol = long_symbols[index];
    return long_codes[i].bits;
}

/* What is left behind the last code must be fewer than 8 bits, all ones. */
static bool is_padding(const struct bit_reader *reader)
{
    uint64_t ones = reader->bits ? UINT64_MAX << (64 - reader->bits) : 0;
    return reader->bits < 8 && reader->window == ones;
}

bool hpack_huffman_decode(str coded, struct strbuf *out)
{
    struct bit_reader reader = { .next = (const uint8_t *)coded.ptr,
                                 .end = (const uint8_t *)coded.ptr + coded.len };

    strbuf_reserve(out, coded.len * 8 / HPACK_SHORTEST_CODE + 1);
    for (char *to = out->ptr + out->len;; to++) {
        if (reader.bits < HPACK_LONGEST_CODE)
            bits_refill(&reader);
        uint8_t symbol = short_codes[reader.window >> 56].symbol;
        unsigned bits = short_codes[reader.window >> 56].bits;
        if (bits == 0)
            bits = find_long(reader.window, &symbol);
        if (bits == 0 || bits > reader.bits) {
            out->len = (size_t)(to - out->ptr);
            return is_padding(&reader);
        }
        *to = (char)symbol;
        reader.window <<= bits;
        reader.bits -= bits;
    }
}
