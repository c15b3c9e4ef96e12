/* hpack_decode.c — header blocks into lists of fields, with the dynamic table that a connection
 * carries from block to block. */
#include "rpc/hpack.h"

#include "base/error.h"

enum { KEPT_TEXT = 64 * 1024, KEPT_SPANS = 1024 };

/* --- list --- */

void hpack_list_release(struct hpack_list *list)
{
    strbuf_release(&list->text);
    vec_release(list);
    *list = (struct hpack_list){ 0 };
}

void hpack_list_clear(struct hpack_list *list)
{
    if (list->text.capacity > KEPT_TEXT || list->capacity > KEPT_SPANS)
        hpack_list_release(list);
    strbuf_clear(&list->text);
    list->len = 0;
    list->size = 0;
    list->is_too_large = false;
}

struct hpack_field hpack_list_get(const struct hpack_list *list, size_t index)
{
    const struct hpack_span *span = &list->items[index];
    const char *name = list->text.ptr + span->at;

    return (struct hpack_field){ { name, span->name_len },
                                 { name + span->name_len, span->value_len } };
}

str hpack_list_find(const struct hpack_list *list, str name)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->items[i].name_len == name.len && str_equal(hpack_list_get(list, i).name, name))
            return hpack_list_get(list, i).value;
    return (str){ 0 };
}

/* Enters the field whose name and value were appended to the text, or drops it when the list has
 * become too large. */
static struct hpack_field list_add(struct hpack_list *list, struct hpack_span span, size_t max_size)
{
    const char *name = list->text.ptr + span.at;
    size_t cost = (size_t)span.name_len + span.value_len + HPACK_FIELD_COST;

    if (list->is_too_large || cost > max_size - list->size) {
        list->is_too_large = true;
        list->text.len = span.at; /* the bytes stay readable until the next field */
    } else {
        list->size += cost;
        vec_add(list, span);
    }
    return (struct hpack_field){ { name, span.name_len },
                                 { name + span.name_len, span.value_len } };
}

/* --- dynamic table --- */

void hpack_decoder_init(struct hpack_decoder *decoder)
{
    *decoder = (struct hpack_decoder){ .limit = HPACK_TABLE_SIZE };
}

static struct hpack_entry *entry_at(struct hpack_decoder *decoder, size_t age_from_oldest)
{
    return &decoder->entries[(decoder->first + age_from_oldest) % HPACK_MAX_ENTRIES];
}

static void evict_above(struct hpack_decoder *decoder, size_t size)
{
    while (decoder->size > size) {
        struct hpack_entry *oldest = entry_at(decoder, 0);
        decoder->size -= (size_t)oldest->name_len + oldest->value_len + HPACK_FIELD_COST;
        decoder->first = (decoder->first + 1) % HPACK_MAX_ENTRIES;
        decoder->count--;
    }
}

/* Moves the texts of the entries to the front of the storage. */
static void compact(struct hpack_decoder *decoder)
{
    size_t start = decoder->count ? entry_at(decoder, 0)->at : decoder->text_end;

    memmove(decoder->text, decoder->text + start, decoder->text_end - start);
    decoder->text_end -= start;
    for (size_t i = 0; i < decoder->count; i++)
        entry_at(decoder, i)->at = (uint16_t)(entry_at(decoder, i)->at - start);
}

/* The field is outside the table, so eviction cannot hurt it. One that is larger than the table
 * empties it. */
static void hpack_table_add(struct hpack_decoder *decoder, struct hpack_field field)
{
    size_t text_len = field.name.len + field.value.len;

    if (text_len + HPACK_FIELD_COST > decoder->limit) {
        evict_above(decoder, 0);
        return;
    }
    evict_above(decoder, decoder->limit - text_len - HPACK_FIELD_COST);
    if (decoder->text_end + text_len > sizeof(decoder->text))
        compact(decoder);
    *entry_at(decoder, decoder->count++) = (struct hpack_entry){
        .at = (uint16_t)decoder->text_end,
        .name_len = (uint16_t)field.name.len,
        .value_len = (uint16_t)field.value.len,
    };
    memcpy(decoder->text + decoder->text_end, field.name.ptr, field.name.len);
    memcpy(decoder->text + decoder->text_end + field.name.len, field.value.ptr, field.value.len);
    decoder->text_end += text_len;
    decoder->size += text_len + HPACK_FIELD_COST;
}

/* The field of an index on the wire: the static table first, then the newest entry of the dynamic
 * one. */
static bool hpack_table_find(struct hpack_decoder *decoder, size_t index, struct hpack_field *out)
{
    if (index == 0 || index > HPACK_STATIC_COUNT + decoder->count)
        return false;
    if (index <= HPACK_STATIC_COUNT) {
        *out = hpack_static[index - 1];
        return true;
    }
    struct hpack_entry *entry = entry_at(decoder, decoder->count - (index - HPACK_STATIC_COUNT));
    const char *name = decoder->text + entry->at;
    *out = (struct hpack_field){ { name, entry->name_len },
                                 { name + entry->name_len, entry->value_len } };
    return true;
}

/* --- blocks --- */

enum { LARGEST_NUMBER = 1 << 28 };

struct block_reader {
    const uint8_t *next;
    const uint8_t *end;
};

/* A number that begins in the low `bits` bits of the next byte. */
static bool hpack_read_number(struct block_reader *reader, unsigned bits, size_t *out)
{
    size_t largest = (1u << bits) - 1;
    size_t number = *reader->next++ & largest;

    if (number == largest) {
        unsigned shift = 0;
        uint8_t byte;
        do {
            if (reader->next == reader->end || shift > 28)
                return false;
            byte = *reader->next++;
            number += (size_t)(byte & 0x7f) << shift;
            shift += 7;
        } while (byte & 0x80);
    }
    *out = number;
    return number <= LARGEST_NUMBER;
}

/* A text, Huffman-coded or not, appended to `out`. */
static bool hpack_read_text(struct block_reader *reader, struct strbuf *out, uint32_t *len)
{
    size_t coded_len, start = out->len;

    if (reader->next == reader->end)
        return false;
    bool is_huffman = *reader->next & 0x80;
    if (!hpack_read_number(reader, 7, &coded_len)
        || coded_len > (size_t)(reader->end - reader->next))
        return false;
    str coded = { (const char *)reader->next, coded_len };
    reader->next += coded_len;
    if (!is_huffman)
        strbuf_add(out, coded);
    else if (!hpack_huffman_decode(coded, out))
        return false;
    *len = (uint32_t)(out->len - start);
    return true;
}

static bool read_indexed(struct hpack_decoder *decoder, struct block_reader *reader,
                         size_t max_size, struct hpack_list *list)
{
    struct hpack_field field;
    size_t index;

    if (!hpack_read_number(reader, 7, &index) || !hpack_table_find(decoder, index, &field))
        return false;
    if (list->is_too_large) /* a byte can expand to 4 KB that are dropped anyway */
        return true;
    struct hpack_span span = { (uint32_t)list->text.len, (uint32_t)field.name.len,
                               (uint32_t)field.value.len };
    strbuf_add(&list->text, field.name);
    strbuf_add(&list->text, field.value);
    list_add(list, span, max_size);
    return true;
}

/* A value in full; its name is an index in the low `bits` bits, or in full if that is 0. */
static bool read_literal(struct hpack_decoder *decoder, struct block_reader *reader, unsigned bits,
                         size_t max_size, struct hpack_list *list)
{
    struct hpack_span span = { .at = (uint32_t)list->text.len };
    bool is_to_be_indexed = bits == 6;
    size_t index;

    if (!hpack_read_number(reader, bits, &index))
        return false;
    if (index == 0) {
        if (!hpack_read_text(reader, &list->text, &span.name_len))
            return false;
    } else {
        struct hpack_field known;
        if (!hpack_table_find(decoder, index, &known))
            return false;
        strbuf_add(&list->text, known.name);
        span.name_len = (uint32_t)known.name.len;
    }
    if (!hpack_read_text(reader, &list->text, &span.value_len))
        return false;
    struct hpack_field field = list_add(list, span, max_size);
    if (is_to_be_indexed)
        hpack_table_add(decoder, field);
    return true;
}

static bool read_table_size(struct hpack_decoder *decoder, struct block_reader *reader)
{
    size_t limit;

    if (!hpack_read_number(reader, 5, &limit) || limit > HPACK_TABLE_SIZE)
        return false;
    decoder->limit = limit;
    evict_above(decoder, limit);
    return true;
}

bool hpack_decode(struct hpack_decoder *decoder, str block, size_t max_size,
                  struct hpack_list *list)
{
    struct block_reader reader = { (const uint8_t *)block.ptr,
                                   (const uint8_t *)block.ptr + block.len };
    bool is_at_start = true;

    hpack_list_clear(list);
    while (reader.next < reader.end) {
        uint8_t first = *reader.next;
        bool is_size_update = (first & 0xe0) == 0x20;
        bool ok;
        if (first & 0x80)
            ok = read_indexed(decoder, &reader, max_size, list);
        else if (is_size_update)
            ok = is_at_start && read_table_size(decoder, &reader);
        else
            ok = read_literal(decoder, &reader, first & 0x40 ? 6 : 4, max_size, list);
        if (!ok)
            return false;
        is_at_start = is_at_start && is_size_update;
    }
    return true;
}
