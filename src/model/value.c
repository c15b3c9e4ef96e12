/* value.c — making property values and asking about them. */
#include "model/value_ops.h"
#include "model/value.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- making --- */

struct value value_secret(struct arena *arena, struct value element)
{
    struct secret_value *secret = ARENA_NEW(arena, struct secret_value);

    secret->element = element;
    return (struct value){ .kind = VALUE_SECRET, .secret = secret };
}

struct value value_array(struct arena *arena, const struct value *items, size_t len)
{
    BUG_IF(len > UINT32_MAX);
    if (len == 0)
        return (struct value){ .kind = VALUE_ARRAY };
    const struct value *copy = arena_copy_bytes(arena, items, len * sizeof(*items));
    return (struct value){ .kind = VALUE_ARRAY, .len = (uint32_t)len, .items = copy };
}

static bool is_strictly_sorted(const struct member *members, size_t len)
{
    for (size_t i = 1; i < len; i++)
        if (str_compare(members[i - 1].key, members[i].key) >= 0)
            return false;
    return true;
}

/* Merges the sorted halves of `from` into `to`; of equal keys the left comes first. */
static void merge_halves(const struct member *from, size_t middle, size_t len, struct member *to)
{
    size_t left = 0, right = middle;

    for (size_t i = 0; i < len; i++) {
        bool takes_left =
            right == len || (left < middle && str_compare(from[left].key, from[right].key) <= 0);
        to[i] = takes_left ? from[left++] : from[right++];
    }
}

/* Stable, so that the last of equal keys is the last given. */
static void sort_members(struct member *members, struct member *scratch, size_t len)
{
    if (len < 2)
        return;
    size_t middle = len / 2;
    sort_members(members, scratch, middle);
    sort_members(members + middle, scratch, len - middle);
    memcpy(scratch, members, len * sizeof(*members));
    merge_halves(scratch, middle, len, members);
}

static size_t drop_overridden(struct member *members, size_t len)
{
    size_t kept = 0;

    for (size_t i = 0; i < len; i++)
        if (i + 1 == len || !str_equal(members[i].key, members[i + 1].key))
            members[kept++] = members[i];
    return kept;
}

struct value value_object(struct arena *arena, const struct member *members, size_t len)
{
    BUG_IF(len > UINT32_MAX);
    if (len == 0)
        return VALUE_EMPTY_OBJECT;
    struct member *copy = arena_copy_bytes(arena, members, len * sizeof(*members));
    if (!is_strictly_sorted(copy, len)) {
        struct member *scratch = memory_alloc(len * sizeof(*scratch));
        sort_members(copy, scratch, len);
        free(scratch);
        len = drop_overridden(copy, len);
    }
    return (struct value){ .kind = VALUE_OBJECT, .len = (uint32_t)len, .members = copy };
}

/* --- objects --- */

static size_t member_count(struct value object)
{
    BUG_IF(object.kind != VALUE_OBJECT && object.kind != VALUE_NULL);
    return object.kind == VALUE_OBJECT ? object.len : 0;
}

size_t value_place(struct value object, str key, bool *is_there)
{
    size_t low = 0, high = member_count(object);

    *is_there = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(object.members[middle].key, key);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct value *value_find(struct value object, str key)
{
    bool is_there;
    size_t at = value_place(object, key, &is_there);

    return is_there ? &object.members[at].value : NULL;
}

bool value_has(struct value object, str key)
{
    return value_find(object, key) != NULL;
}

str value_find_text(struct value object, str key)
{
    const struct value *found = value_find(object, key);

    return found && found->kind == VALUE_STRING ? value_text(*found) : (str){ "", 0 };
}

struct value value_with(struct arena *arena, struct value object, str key, struct value value)
{
    bool is_there;
    size_t at = value_place(object, key, &is_there);
    size_t len = member_count(object);
    size_t after = is_there ? at + 1 : at;
    struct member *members = ARENA_ARRAY(arena, struct member, len + 1);

    if (at)
        memcpy(members, object.members, at * sizeof(*members));
    members[at] = (struct member){ key, value };
    if (len > after)
        memcpy(members + at + 1, object.members + after, (len - after) * sizeof(*members));
    return (struct value){ .kind = VALUE_OBJECT,
                           .len = (uint32_t)(at + 1 + len - after),
                           .members = members };
}

struct value value_without(struct arena *arena, struct value object, str key)
{
    bool is_there;
    size_t at = value_place(object, key, &is_there);
    size_t len = member_count(object);

    if (!is_there)
        return object;
    if (len == 1)
        return VALUE_EMPTY_OBJECT;
    struct member *members = ARENA_ARRAY(arena, struct member, len - 1);
    memcpy(members, object.members, at * sizeof(*members));
    memcpy(members + at, object.members + at + 1, (len - at - 1) * sizeof(*members));
    return (struct value){ .kind = VALUE_OBJECT, .len = (uint32_t)(len - 1), .members = members };
}

struct value value_keep(struct arena *arena, struct value object,
                        bool (*keeps)(const void *context, struct member member),
                        const void *context)
{
    size_t count = member_count(object), len = 0;
    struct member *members = ARENA_ARRAY(arena, struct member, count);

    for (size_t i = 0; i < count; i++)
        if (keeps(context, object.members[i]))
            members[len++] = object.members[i];
    return len == count ? object
                        : (struct value){ .kind = VALUE_OBJECT,
                                          .len = (uint32_t)len,
                                          .members = len ? members : NULL };
}

static bool is_not_internal(const void *none, struct member member)
{
    (void)none;
    return !str_starts_with(member.key, STR("__"));
}

struct value value_without_internal(struct arena *arena, struct value object)
{
    return value_keep(arena, object, is_not_internal, NULL);
}

struct value value_merge(struct arena *arena, struct value under, struct value over)
{
    size_t under_len = member_count(under), over_len = member_count(over);
    size_t i = 0, j = 0, len = 0;

    if (under_len == 0)
        return over_len ? over : VALUE_EMPTY_OBJECT;
    if (over_len == 0)
        return under;
    struct member *members = ARENA_ARRAY(arena, struct member, under_len + over_len);
    while (i < under_len || j < over_len) {
        int order = i == under_len  ? 1
                    : j == over_len ? -1
                                    : str_compare(under.members[i].key, over.members[j].key);
        members[len++] = order < 0 ? under.members[i] : over.members[j];
        i += order <= 0;
        j += order >= 0;
    }
    return (struct value){ .kind = VALUE_OBJECT, .len = (uint32_t)len, .members = members };
}

/* --- comparing --- */

static bool same(struct value a, struct value b, bool exactly);

static bool objects_same(struct value a, struct value b, bool exactly)
{
    size_t i = 0, j = 0;

    while (i < a.len || j < b.len) {
        int order = i == a.len   ? 1
                    : j == b.len ? -1
                                 : str_compare(a.members[i].key, b.members[j].key);
        if (order == 0 && !same(a.members[i].value, b.members[j].value, exactly))
            return false;
        if (order < 0 && (exactly || a.members[i].value.kind != VALUE_NULL))
            return false;
        if (order > 0 && (exactly || b.members[j].value.kind != VALUE_NULL))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

static bool arrays_same(struct value a, struct value b, bool exactly)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (!same(a.items[i], b.items[i], exactly))
            return false;
    return true;
}

/* Where the contents are from matters only where a hash is missing. */
static bool assets_same(const struct asset *a, const struct asset *b, bool exactly)
{
    if (a == b)
        return true;
    if (a->hash.len && b->hash.len && (!exactly || !str_equal(a->hash, b->hash)))
        return str_equal(a->hash, b->hash);
    return str_equal(a->text, b->text) && str_equal(a->path, b->path) && str_equal(a->uri, b->uri)
           && a->has_text == b->has_text && a->has_members == b->has_members
           && same(a->members, b->members, exactly);
}

static bool secrets_same(const struct secret_value *a, const struct secret_value *b, bool exactly)
{
    if (a == b)
        return true;
    if (a->is_opaque || b->is_opaque)
        return a->ciphertext.len && str_equal(a->ciphertext, b->ciphertext);
    return same(a->element, b->element, exactly);
}

static bool outputs_same(const struct output *a, const struct output *b, bool exactly)
{
    if (a->is_known != b->is_known || a->is_secret != b->is_secret
        || a->dependency_count != b->dependency_count)
        return false;
    for (size_t i = 0; i < a->dependency_count; i++)
        if (!str_equal(a->dependencies[i], b->dependencies[i]))
            return false;
    return !a->is_known || same(a->element, b->element, exactly);
}

static bool references_same(const struct reference *a, const struct reference *b, bool exactly)
{
    if (!str_equal(a->urn, b->urn) || a->has_id != b->has_id)
        return false;
    if (exactly && !str_equal(a->package_version, b->package_version))
        return false;
    if (!a->has_id || (a->id.kind == VALUE_COMPUTED && b->id.kind == VALUE_COMPUTED))
        return true;
    return same(a->id, b->id, exactly);
}

static bool same(struct value a, struct value b, bool exactly)
{
    if (a.kind != b.kind)
        return false;
    switch ((enum value_kind)a.kind) {
    case VALUE_NULL: return true;
    case VALUE_BOOL: return a.boolean == b.boolean;
    case VALUE_NUMBER:
        return (a.number == b.number && a.len == b.len) || (isnan(a.number) && isnan(b.number));
    case VALUE_STRING: return str_equal(value_text(a), value_text(b));
    case VALUE_ARRAY: return arrays_same(a, b, exactly);
    case VALUE_OBJECT: return objects_same(a, b, exactly);
    case VALUE_ASSET:
    case VALUE_ARCHIVE: return assets_same(a.asset, b.asset, exactly);
    case VALUE_SECRET: return secrets_same(a.secret, b.secret, exactly);
    case VALUE_COMPUTED: return a.unknown == b.unknown;
    case VALUE_OUTPUT: return outputs_same(a.output, b.output, exactly);
    case VALUE_REFERENCE: return references_same(a.reference, b.reference, exactly);
    }
    return false;
}

bool value_equal(struct value a, struct value b)
{
    return same(a, b, false);
}

bool value_identical(struct value a, struct value b)
{
    return same(a, b, true);
}

/* --- whole numbers --- */

/* Beyond 2^53 a double is a multiple of a power of two. What is missing to the integer, at most 512
 * either way, is in `len`, above the mark that says so. Sums are made of unsigned numbers: 2^63 is
 * one of the doubles. */
enum { INTEGER_MARK = 1 << 16 };
#define EXACT_DOUBLES 9007199254740992.0

static uint64_t nearest_integer(double number)
{
    return number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
}

struct value value_integer(int64_t integer)
{
    struct value value = value_number((double)integer);

    if (fabs(value.number) >= EXACT_DOUBLES)
        value.len = (uint32_t)(INTEGER_MARK + (uint64_t)integer - nearest_integer(value.number));
    return value;
}

bool value_is_integer(struct value value, int64_t *out)
{
    if (value.kind != VALUE_NUMBER || value.len == 0)
        return false;
    *out = (int64_t)(nearest_integer(value.number) + value.len - INTEGER_MARK);
    return true;
}

/* --- looking for something anywhere below --- */

const struct value *value_child(const struct value *value, size_t index)
{
    switch ((enum value_kind)value->kind) {
    case VALUE_ARRAY: return index < value->len ? &value->items[index] : NULL;
    case VALUE_OBJECT: return index < value->len ? &value->members[index].value : NULL;
    case VALUE_SECRET:
        return index == 0 && !value->secret->is_opaque ? &value->secret->element : NULL;
    case VALUE_OUTPUT:
        return index == 0 && value->output->is_known ? &value->output->element : NULL;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_COMPUTED:
    case VALUE_REFERENCE: return NULL;
    }
    return NULL;
}

/* 1: here; -1: nowhere below; 0: look inside. */
typedef int look_here(struct value value);

static bool value_contains(struct value value, look_here *look)
{
    int answer = look(value);

    if (answer != 0)
        return answer > 0;
    const struct value *child;
    for (size_t i = 0; (child = value_child(&value, i)); i++)
        if (value_contains(*child, look))
            return true;
    return false;
}

static int look_for_unknown(struct value value)
{
    return value.kind == VALUE_COMPUTED || (value.kind == VALUE_OUTPUT && !value.output->is_known);
}

static int look_for_secret(struct value value)
{
    return value.kind == VALUE_SECRET || (value.kind == VALUE_OUTPUT && value.output->is_secret);
}

static int look_for_sealed(struct value value)
{
    return value.kind == VALUE_SECRET && value.secret->is_opaque;
}

static int look_for_byte_string(struct value value)
{
    return value_is_byte_string(value);
}

bool value_contains_unknown(struct value value)
{
    return value_contains(value, look_for_unknown);
}

bool value_contains_secret(struct value value)
{
    return value_contains(value, look_for_secret);
}

bool value_contains_sealed(struct value value)
{
    return value_contains(value, look_for_sealed);
}

bool value_contains_byte_string(struct value value)
{
    return value_contains(value, look_for_byte_string);
}
