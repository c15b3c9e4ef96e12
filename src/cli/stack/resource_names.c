/* resource_names.c — makes identifiers from names and hashes. */
#include "cli/stack/resource_names.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "model/urn.h"

#include <stdlib.h>

/* Letters, digits and underscores; no digit first. */
static str resource_identifier(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < name.len;) {
        size_t width = str_utf8_width(name, i);
        char c = name.ptr[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (i == 0 && char_is_digit(c))
            strbuf_add_char(&text, '_');
        strbuf_add_char(&text, is_letter || char_is_digit(c) ? c : '_');
        i += width ? width : 1;
    }
    return arena_copy(arena, strbuf_str(&text));
}

static int resource_compare_urns(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

struct pairs resource_names(struct arena *arena, const struct snapshot *snapshot)
{
    enum { SHORTEST = 6 };
    CLEANUP(map_release) struct map taken = { 0 };
    str *urns = ARENA_ARRAY(arena, str, snapshot->resource_count + 1);
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, snapshot->resource_count + 1);
    size_t count = 0;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (!resource->is_delete && !str_equal(resource->type, ROOT_STACK_TYPE)
            && !type_is_provider(resource->type))
            urns[count++] = resource->urn;
    }
    qsort(urns, count, sizeof(*urns), resource_compare_urns);
    for (size_t i = 0; i < count; i++) {
        str base = resource_identifier(arena, urn_name_of(urns[i]));
        str hash = hash_sha256_hex(arena, urns[i]), name = STR("");
        for (size_t len = SHORTEST; !name.len || (len <= hash.len && map_has(&taken, name)); len++)
            name = arena_concat(arena, base, STR("_"), str_slice(hash, 0, len));
        map_put(&taken, name, &urns[i]);
        pairs[i] = (struct pair){ name, urns[i] };
    }
    return pairs_sorted(arena, (struct pairs){ pairs, count });
}
