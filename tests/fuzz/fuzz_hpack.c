/* fuzz_hpack.c — the decoder takes any bytes and stays within its table; and what is encoded, by us
 * or with every trick of the RFC, is decoded to the same fields. */
#include "rpc/hpack.h"
#include "support/huffman.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOMY = 1 << 20, SMALL = 100 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Two lists of the same bytes, one of them cut, leave the same table. */
static void decode_anything(str bytes)
{
    static struct hpack_decoder whole, cut;
    struct hpack_list list = { 0 };

    hpack_decoder_init(&whole);
    hpack_decoder_init(&cut);
    for (size_t at = 0, len; at < bytes.len; at += len) {
        len = 1 + (unsigned char)bytes.ptr[at] % 64;
        str block = str_slice(bytes, at, at + len);
        bool is_valid = hpack_decode(&whole, block, ROOMY, &list);
        require(!list.is_too_large || list.size > 0);
        require(is_valid == hpack_decode(&cut, block, SMALL, &list));
        require(list.size <= SMALL);
        require(whole.size <= whole.limit && whole.count <= HPACK_MAX_ENTRIES);
        require(whole.size == cut.size && whole.count == cut.count);
        require(whole.text_end == cut.text_end
                && memcmp(whole.text, cut.text, whole.text_end) == 0);
        if (!is_valid)
            break;
    }
    hpack_list_release(&list);
}

static void add_text(struct strbuf *block, str text, bool is_huffman)
{
    CLEANUP(strbuf_release) struct strbuf coded = { 0 };
    if (is_huffman)
        huffman_encode(&coded, text);
    else
        strbuf_add(&coded, text);
    strbuf_add_char(block, (char)((is_huffman ? 0x80 : 0) | coded.len)); /* always below 127 */
    strbuf_add(block, strbuf_str(&coded));
}

/* A literal in one of its forms: indexed or not, Huffman-coded or not. */
static void add_literal(struct strbuf *block, struct hpack_field field, unsigned form)
{
    strbuf_add_char(block, form & 1 ? 0x40 : form & 2 ? 0x10 : 0x00);
    add_text(block, field.name, form & 4);
    add_text(block, field.value, form & 8);
}

/* Cuts the bytes into fields, encodes them, and expects them back. */
static void round_trip(str bytes)
{
    static struct hpack_decoder decoder;
    CLEANUP(strbuf_release) struct strbuf ours = { 0 };
    CLEANUP(strbuf_release) struct strbuf theirs = { 0 };
    struct hpack_field fields[64];
    struct hpack_list list = { 0 };
    size_t count = 0;

    for (size_t at = 0; at + 2 < bytes.len && count < 64; count++) {
        unsigned form = (unsigned char)bytes.ptr[at], lens = (unsigned char)bytes.ptr[at + 1];
        fields[count].name = str_slice(bytes, at + 2, at + 2 + lens % 16);
        fields[count].value = str_slice(bytes, at + 2 + lens % 16, at + 2 + lens % 16 + lens / 16);
        at += 2 + lens % 16 + lens / 16;
        hpack_add(&ours, fields[count].name, fields[count].value);
        add_literal(&theirs, fields[count], form);
    }
    hpack_decoder_init(&decoder);
    for (int pass = 0; pass < 2; pass++) {
        require(hpack_decode(&decoder, strbuf_str(pass ? &theirs : &ours), ROOMY, &list));
        require(list.len == count);
        for (size_t i = 0; i < count; i++) {
            require(str_equal(hpack_list_get(&list, i).name, fields[i].name));
            require(str_equal(hpack_list_get(&list, i).value, fields[i].value));
        }
    }
    hpack_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str bytes = { (const char *)data, size };
    decode_anything(bytes);
    round_trip(bytes);
    return 0;
}
