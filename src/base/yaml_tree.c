/* yaml_tree.c — trees of YAML nodes: looking, making, comparing. */
#include "base/yaml.h"

#include <ctype.h>

/* Room for one more in an array that lives in the arena; the old one stays behind. */
static void *yaml_grow(struct arena *arena, void *items, size_t len, size_t *capacity, size_t size)
{
    if (len < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 4;
    void *larger = arena_alloc_array(arena, size, *capacity);
    if (len)
        memcpy(larger, items, len * size);
    return larger;
}

static struct yaml_node *yaml_new_node(struct arena *arena, enum yaml_kind kind,
                                       enum yaml_style style)
{
    struct yaml_node *node = ARENA_NEW(arena, struct yaml_node);

    node->kind = kind;
    node->style = style;
    node->weight = 1;
    return node;
}

struct yaml_node *yaml_new_string(struct arena *arena, str text)
{
    struct yaml_node *node = yaml_new_node(arena, YAML_SCALAR, YAML_PLAIN);

    node->text = text;
    node->tag = STR("tag:yaml.org,2002:str");
    return node;
}

struct yaml_node *yaml_new_plain(struct arena *arena, str text)
{
    struct yaml_node *node = yaml_new_node(arena, YAML_SCALAR, YAML_PLAIN);

    node->text = text;
    return node;
}

struct yaml_node *yaml_new_mapping(struct arena *arena)
{
    return yaml_new_node(arena, YAML_MAPPING, YAML_BLOCK);
}

struct yaml_node *yaml_new_sequence(struct arena *arena)
{
    return yaml_new_node(arena, YAML_SEQUENCE, YAML_BLOCK);
}

void yaml_append_pair(struct arena *arena, struct yaml_node *mapping, struct yaml_node *key,
                      struct yaml_node *value)
{
    BUG_IF(mapping->kind != YAML_MAPPING);
    mapping->pairs =
        yaml_grow(arena, mapping->pairs, mapping->len, &mapping->capacity, sizeof(*mapping->pairs));
    mapping->pairs[mapping->len++] = (struct yaml_pair){ .key = key, .value = value };
}

void yaml_put(struct arena *arena, struct yaml_node *mapping, str key, struct yaml_node *value)
{
    for (size_t i = 0; i < mapping->len; i++)
        if (str_equal(mapping->pairs[i].key->text, key)) {
            mapping->pairs[i].value = value;
            return;
        }
    yaml_append_pair(arena, mapping, yaml_new_string(arena, key), value);
}

void yaml_drop(struct yaml_node *mapping, str key)
{
    size_t kept = 0;

    for (size_t i = 0; i < mapping->len; i++)
        if (!str_equal(mapping->pairs[i].key->text, key))
            mapping->pairs[kept++] = mapping->pairs[i];
    mapping->len = kept;
}

void yaml_add(struct arena *arena, struct yaml_node *sequence, struct yaml_node *item)
{
    BUG_IF(sequence->kind != YAML_SEQUENCE);
    sequence->items = yaml_grow(arena, sequence->items, sequence->len, &sequence->capacity,
                                sizeof(*sequence->items));
    sequence->items[sequence->len++] = item;
}

struct yaml_node *yaml_copy_shallow(struct arena *arena, const struct yaml_node *node)
{
    struct yaml_node *copy = arena_copy_bytes(arena, node, sizeof(*node));

    if (node->kind == YAML_MAPPING)
        copy->pairs = arena_copy_bytes(arena, node->pairs, node->len * sizeof(*node->pairs));
    if (node->kind == YAML_SEQUENCE)
        copy->items = arena_copy_bytes(arena, node->items, node->len * sizeof(*node->items));
    copy->capacity = node->len;
    return copy;
}

struct yaml_node *yaml_find(const struct yaml_node *mapping, str key)
{
    if (!mapping || mapping->kind != YAML_MAPPING)
        return NULL;
    for (size_t i = 0; i < mapping->len; i++)
        if (str_equal(mapping->pairs[i].key->text, key))
            return mapping->pairs[i].value;
    return NULL;
}

bool yaml_is_null(const struct yaml_node *node)
{
    return node->kind == YAML_SCALAR && yaml_resolve(node).type == YAML_NULL;
}

bool yaml_is_string(const struct yaml_node *node)
{
    return node->kind == YAML_SCALAR && yaml_resolve(node).type == YAML_STRING;
}

static bool is_same_scalar(const struct yaml_node *a, const struct yaml_node *b)
{
    struct yaml_scalar first = yaml_resolve(a), second = yaml_resolve(b);

    if (first.type != second.type)
        return false;
    switch (first.type) {
    case YAML_NULL: return true;
    case YAML_BOOL: return first.boolean == second.boolean;
    case YAML_INT:
        return first.integer == second.integer && first.is_unsigned == second.is_unsigned;
    case YAML_FLOAT: return memcmp(&first.number, &second.number, sizeof(first.number)) == 0;
    case YAML_STRING: return str_equal(first.text, second.text);
    case YAML_TIMESTAMP: return str_equal(a->text, b->text);
    }
    return false;
}

/* Keys are mostly in the same order, so the same index is tried first. */
static const struct yaml_node *yaml_find_pair(const struct yaml_node *mapping, size_t hint, str key)
{
    if (hint < mapping->len && str_equal(mapping->pairs[hint].key->text, key))
        return mapping->pairs[hint].value;
    return yaml_find(mapping, key);
}

bool yaml_equal(const struct yaml_node *a, const struct yaml_node *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || (a->kind != YAML_SCALAR && a->len != b->len))
        return false;
    if (a->kind == YAML_SCALAR)
        return is_same_scalar(a, b);
    for (size_t i = 0; i < a->len; i++) {
        const struct yaml_node *first = a->kind == YAML_SEQUENCE ? a->items[i] : a->pairs[i].value;
        const struct yaml_node *second =
            a->kind == YAML_SEQUENCE ? b->items[i] : yaml_find_pair(b, i, a->pairs[i].key->text);
        if (!second || !yaml_equal(first, second))
            return false;
    }
    return true;
}

/* --- the order of keys --- */

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The run of digits at `at`. */
static str digits_at(str text, size_t at)
{
    size_t end = at;
    while (end < text.len && char_is_digit(text.ptr[end]))
        end++;
    return str_slice(text, at, end);
}

static str without_zeros(str digits)
{
    while (digits.len && digits.ptr[0] == '0')
        digits = str_slice(digits, 1, digits.len);
    return digits;
}

/* Two runs of digits by value; `is_inside` says that digits that are not zero come before both. */
static int compare_digits(str a, str b, bool is_inside)
{
    str first = is_inside ? a : without_zeros(a), second = is_inside ? b : without_zeros(b);

    if (first.len != second.len)
        return first.len < second.len ? -1 : 1;
    int order = str_compare(first, second);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

int yaml_compare_keys(str a, str b)
{
    size_t at = 0;
    bool is_in_number = false, is_inside = false;

    for (; at < a.len && at < b.len && a.ptr[at] == b.ptr[at]; at++) {
        is_in_number = char_is_digit(a.ptr[at]);
        is_inside = is_in_number && (is_inside || a.ptr[at] != '0');
    }
    if (at == a.len || at == b.len)
        return (a.len > at) - (b.len > at);

    unsigned char first = (unsigned char)a.ptr[at], second = (unsigned char)b.ptr[at];
    bool first_is_letter = is_letter(a.ptr[at]), second_is_letter = is_letter(b.ptr[at]);
    if (first_is_letter != second_is_letter)
        return first_is_letter == is_in_number ? -1 : 1;
    int order = first_is_letter ? 0 : compare_digits(digits_at(a, at), digits_at(b, at), is_inside);
    return order ? order : first < second ? -1 : 1;
}
