/* spans_gob.c — traces in the format of Go's appdash: a map of trees of spans, in gob. What a span
 * is called and when it was are annotations like all others. */
#include "spans/spans_parts.h"

#include "base/clock.h"
#include "spans/gob.h"

struct gob_walk {
    struct arena *arena;
    struct spans_draft *draft;
};

static str gob_text_of(const struct gob_value *value)
{
    return value && value->kind == GOB_TEXT ? value->text : STR("");
}

static int64_t gob_time(struct pairs annotations, const char *key)
{
    const str *text = pairs_find(annotations, str_from(key));
    int64_t time;

    return text && clock_parse(*text, &time) && time > 0 ? time : SPANS_NO_TIME;
}

static struct pairs gob_annotations(struct arena *arena, const struct gob_value *list)
{
    const struct gob_value *item = list && list->kind == GOB_LIST ? list->first : NULL;
    size_t count = 0;

    for (const struct gob_value *each = item; each; each = each->next)
        count++;
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, count + 1);
    for (count = 0; item; item = item->next)
        pairs[count++] = (struct pair){ gob_text_of(gob_find(item, "Key")),
                                        gob_text_of(gob_find(item, "Value")) };
    return (struct pairs){ pairs, count };
}

/* What is neither said elsewhere nor about the format. */
static bool gob_is_attribute(str key)
{
    return !str_starts_with(key, STR("_schema:")) && !str_equal(key, STR("Name"))
           && !str_equal(key, STR("Span.Start")) && !str_equal(key, STR("Span.End"));
}

static struct pairs gob_attributes(struct arena *arena, struct pairs annotations)
{
    struct pair *kept = ARENA_ARRAY(arena, struct pair, annotations.len + 1);
    size_t count = 0;

    for (size_t i = 0; i < annotations.len; i++)
        if (gob_is_attribute(annotations.items[i].key))
            kept[count++] = annotations.items[i];
    return (struct pairs){ kept, count };
}

static fallible gob_walk_tree(struct gob_walk *walk, const struct gob_value *tree, size_t parent,
                              unsigned depth)
{
    const struct gob_value *span = gob_find(tree, "Span"), *parts = gob_find(tree, "Sub");
    struct pairs annotations = gob_annotations(walk->arena, gob_find(span, "Annotations"));
    const str *name = pairs_find(annotations, STR("Name"));
    const str *is_error = pairs_find(annotations, STR("error"));

    if (depth == SPANS_MAX_DEPTH)
        return error_new(ERROR_INVALID, "its spans are nested too deeply");
    vec_add(walk->draft, ((struct spans_span){
                             .name = name && name->len ? *name : STR("span"),
                             .parent = parent,
                             .start = gob_time(annotations, "Span.Start"),
                             .end = gob_time(annotations, "Span.End"),
                             .has_failed = is_error && str_equal(*is_error, STR("true")),
                             .attributes = gob_attributes(walk->arena, annotations),
                         }));
    size_t self = walk->draft->len;
    const struct gob_value *part = parts && parts->kind == GOB_LIST ? parts->first : NULL;
    for (; part; part = part->next)
        TRY(gob_walk_tree(walk, part, self, depth + 1));
    return NULL;
}

fallible spans_read_gob(struct arena *arena, str bytes, struct spans_draft *draft)
{
    struct gob_walk walk = { arena, draft };
    struct gob_value traces = { 0 };

    TRY(gob_read(arena, bytes, "Trace", &traces));
    const struct gob_value *key = traces.kind == GOB_MAP ? traces.first : NULL;
    for (; key && key->next; key = key->next->next)
        TRY(gob_walk_tree(&walk, key->next, 0, 0));
    return NULL;
}
