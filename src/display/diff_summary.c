/* diff_summary.c — sorts the changed keys of a step into added, deleted and updated ones. */
#include "display/diff_summary.h"

#include "base/vec.h"
#include "display/color.h"
#include "display/detailed_diff.h"
#include "display/op_text.h"
#include "display/property_text.h"

#include <stdlib.h>

struct keys {
    struct str_list added, deleted, updated;
    bool is_known; /* there is a diff, maybe an empty one */
};

/* No property: it is known by its place in memory, which no key of others has. */
static const str taint_key = STR_INIT(TAG_RED "taint" TAG_RESET);

static void key_list_add(struct str_list *list, str key)
{
    for (size_t i = 0; i < list->len; i++) {
        if (str_equal(list->items[i], key))
            return;
    }
    vec_add(list, key);
}

static void keys_add(void *keys_, str key, enum step_op op)
{
    struct keys *keys = keys_;

    keys->is_known = true;
    key_list_add(op == OP_CREATE   ? &keys->added
                 : op == OP_DELETE ? &keys->deleted
                                   : &keys->updated,
                 key);
}

static void from_detailed(struct arena *arena, const struct event_step *step, struct keys *keys)
{
    detailed_diff_keys(detailed_diff_build(arena, (struct mask){ 0 }, step, false), keys_add, keys);
}

static void from_values(struct arena *arena, struct value before, struct value after,
                        struct keys *keys)
{
    struct value both = value_merge(arena, before, after);

    for (size_t i = 0; i < both.len; i++) {
        str key = both.members[i].key;
        const struct value *old = value_find(before, key), *new = value_find(after, key);
        if (property_key_is_internal(key) || (old && new &&value_equal(*old, *new)))
            continue;
        keys->is_known = true;
        key_list_add(!old ? &keys->added : !new ? &keys->deleted : &keys->updated, key);
    }
}

static void from_options(const struct event_step *step, struct keys *keys)
{
    const struct resource *old = step->old, *new = step->new;
    size_t before = keys->updated.len;

    if (!str_equal(old->provider, new->provider))
        key_list_add(&keys->updated, STR("provider"));
    if (old->options.protect != new->options.protect)
        key_list_add(&keys->updated, STR("protect"));
    if (old->is_tainted != new->is_tainted)
        key_list_add(&keys->updated, taint_key);
    keys->is_known = keys->is_known || keys->updated.len > before;
}

static int key_compare(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

static void key_list_print(struct strbuf *out, struct str_list *list, struct strs only,
                           enum step_op op)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    size_t count = 0;

    if (list->len)
        qsort(list->items, list->len, sizeof(str), key_compare);
    for (size_t i = 0; i < list->len; i++) {
        if (only.len && !strs_has(only, list->items[i]))
            continue;
        if (!count++) {
            strbuf_add(out, str_from(op_texts[op].tag));
            strbuf_add(out, str_slice(str_from(op_texts[op].mark), 0, 1));
        } else {
            strbuf_add_char(out, ',');
        }
        bool is_ours = list->items[i].ptr == taint_key.ptr;
        strbuf_add(out, is_ours ? list->items[i] : color_quote(&scratch, list->items[i]));
    }
    if (count)
        strbuf_add(out, STR(TAG_RESET));
}

/* Only those of `only`, if it names any. Ends the keys. */
static str keys_text_of(struct arena *arena, struct keys *keys, struct strs only)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (keys->is_known) {
        strbuf_add(&out, STR("diff: "));
        key_list_print(&out, &keys->added, only, OP_CREATE);
        key_list_print(&out, &keys->deleted, only, OP_DELETE);
        key_list_print(&out, &keys->updated, only, OP_UPDATE);
    }
    vec_release(&keys->added);
    vec_release(&keys->deleted);
    vec_release(&keys->updated);
    return arena_copy(arena, strbuf_str(&out));
}

str diff_summary_values(struct arena *arena, struct value before, struct value after)
{
    struct keys keys = { 0 };

    from_values(arena, before, after, &keys);
    return keys_text_of(arena, &keys, (struct strs){ 0 });
}

str replacement_reason(struct arena *arena, const struct event_step *step)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (!step->keys.len || !step_op_has(step->op, TRAIT_REPLACES))
        return STR("");
    for (size_t i = 0; i < step->keys.len; i++) {
        strbuf_add(&out, i ? STR(", ") : STR(""));
        strbuf_add(&out, step->keys.items[i]);
    }
    strbuf_add(&out, step->keys.len == 1 ? STR(" forces replacement") : STR(" force replacement"));
    return arena_copy(arena, strbuf_str(&out));
}

str diff_summary(struct arena *arena, const struct event_step *step)
{
    struct keys keys = { 0 };

    if (!step->old || !step->new)
        return STR("");
    if (step->op != OP_SAME && step->has_detailed_diff)
        from_detailed(arena, step, &keys);
    else if (step->op != OP_SAME)
        from_values(arena, step->old->inputs, step->new->inputs, &keys);
    from_options(step, &keys);
    return keys_text_of(arena, &keys, step->diffs);
}
