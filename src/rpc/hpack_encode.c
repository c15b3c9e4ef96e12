/* hpack_encode.c — header blocks of literals and static indexes. */
#include "rpc/hpack.h"

/* First bytes of the representations; the number follows in the bits below. */
enum { INDEXED = 0x80, LITERAL = 0x00, TABLE_SIZE = 0x20 };

/* A number in the low `bits` bits of a byte that begins with `pattern`, and in as many bytes of 7
 * bits as it needs beyond. */
static void hpack_add_number(struct strbuf *block, unsigned pattern, unsigned bits, size_t number)
{
    size_t largest = (1u << bits) - 1;

    if (number < largest) {
        strbuf_add_char(block, (char)(pattern | number));
        return;
    }
    strbuf_add_char(block, (char)(pattern | largest));
    for (number -= largest; number >= 0x80; number >>= 7)
        strbuf_add_char(block, (char)(0x80 | (number & 0x7f)));
    strbuf_add_char(block, (char)number);
}

static void hpack_add_text(struct strbuf *block, str text)
{
    hpack_add_number(block, 0, 7, text.len);
    strbuf_add(block, text);
}

void hpack_add_known(struct strbuf *block, enum hpack_known field)
{
    hpack_add_number(block, INDEXED, 7, field);
}

void hpack_add_named(struct strbuf *block, enum hpack_known name, str value)
{
    hpack_add_number(block, LITERAL, 4, name);
    hpack_add_text(block, value);
}

void hpack_add(struct strbuf *block, str name, str value)
{
    hpack_add_number(block, LITERAL, 4, 0);
    hpack_add_text(block, name);
    hpack_add_text(block, value);
}

void hpack_add_empty_table(struct strbuf *block)
{
    hpack_add_number(block, TABLE_SIZE, 5, 0);
}
