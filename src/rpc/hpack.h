/* hpack.h — header compression of HTTP/2 (RFC 7541): a complete decoder, and an encoder that needs
 * no state. */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"

enum {
    HPACK_STATIC_COUNT = 61,
    HPACK_TABLE_SIZE = 4096, /* of the dynamic table; what a peer may use by default */
    HPACK_FIELD_COST = 32,   /* counted for a field in addition to its text */
    HPACK_MAX_ENTRIES = HPACK_TABLE_SIZE / HPACK_FIELD_COST,
    HPACK_SHORTEST_CODE = 5, /* bits, of the Huffman code */
    HPACK_LONGEST_CODE = 30,
};

struct hpack_field {
    str name;
    str value;
};

/* Entry i of the table is the one with index i + 1 on the wire. */
extern const struct hpack_field hpack_static[HPACK_STATIC_COUNT];

/* --- decoder --- */

struct hpack_span {
    uint32_t at; /* the name; the value follows it */
    uint32_t name_len;
    uint32_t value_len;
};

/* The fields of one block. The zero value is empty; the storage is used again by the next block. */
struct hpack_list {
    struct strbuf text;
    VEC(struct hpack_span);
    size_t size;       /* as RFC 7541 counts it */
    bool is_too_large; /* fields above the limit are missing */
};

void hpack_list_clear(struct hpack_list *list); /* also gives unusually large storage back */
void hpack_list_release(struct hpack_list *list);
/* Valid until the list is cleared. */
struct hpack_field hpack_list_get(const struct hpack_list *list, size_t index);
/* Value of the first field of that name; a NULL pointer if there is none. */
str hpack_list_find(const struct hpack_list *list, str name);

struct hpack_entry {
    uint16_t at; /* in the decoder's text */
    uint16_t name_len;
    uint16_t value_len;
};

/* The dynamic table: entries are a ring, their strings are one after the other in `text`. */
struct hpack_decoder {
    size_t limit; /* HPACK_TABLE_SIZE, or less after an update by the peer */
    size_t size;
    size_t first; /* oldest entry */
    size_t count;
    size_t text_end;
    struct hpack_entry entries[HPACK_MAX_ENTRIES];
    char text[2 * HPACK_TABLE_SIZE];
};

void hpack_decoder_init(struct hpack_decoder *decoder);

/* Decodes a whole block into `list`, which is cleared first. False: the block is malformed, and the
 * connection is lost with it. A list above `max_size` is cut, but the table stays right. */
bool hpack_decode(struct hpack_decoder *decoder, str block, size_t max_size,
                  struct hpack_list *list);

/* Appends the text. False: not a valid code; `out` then has a part of it. */
bool hpack_huffman_decode(str coded, struct strbuf *out);

/* --- encoder: never indexes and never compresses, so that it has nothing to remember --- */

/* Static indexes we use. */
enum hpack_known {
    HPACK_AUTHORITY = 1,
    HPACK_METHOD_POST = 3,
    HPACK_PATH = 4,
    HPACK_SCHEME_HTTP = 6,
    HPACK_STATUS = 8,
    HPACK_STATUS_200 = 8,
    HPACK_CONTENT_TYPE = 31,
    HPACK_USER_AGENT = 58,
};

void hpack_add_known(struct strbuf *block, enum hpack_known field);
void hpack_add_named(struct strbuf *block, enum hpack_known name, str value);
void hpack_add(struct strbuf *block, str name, str value);
/* Announces that the encoder's table has size 0; goes first in a block. */
void hpack_add_empty_table(struct strbuf *block);
