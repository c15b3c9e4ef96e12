/* spans.c — puts the spans of a file into the order of a tree, and says what can be concluded from
 * them. */
#include "spans/spans_parts.h"

#include "model/urn.h"

#include <stdlib.h>

/* --- times --- */

static void times_settle(struct spans_span *span)
{
    if (span->start == SPANS_NO_TIME || span->end == SPANS_NO_TIME)
        span->start = span->end = SPANS_NO_TIME;
    else if (span->end < span->start)
        span->end = span->start;
}

/* A span whose times are not known took as long as its parts, which follow it. */
static void times_complete(struct arena *arena, struct spans_draft *draft)
{
    bool *is_guessed = ARENA_ARRAY(arena, bool, draft->len + 1);

    for (size_t i = 0; i < draft->len; i++) {
        times_settle(&draft->items[i]);
        is_guessed[i] = draft->items[i].start == SPANS_NO_TIME;
    }
    for (size_t i = draft->len; i-- > 0;) {
        const struct spans_span *span = &draft->items[i];
        if (span->start == SPANS_NO_TIME || !span->parent || span->parent > i
            || !is_guessed[span->parent - 1])
            continue;
        struct spans_span *whole = &draft->items[span->parent - 1];
        bool is_first = whole->start == SPANS_NO_TIME;
        whole->start = is_first || span->start < whole->start ? span->start : whole->start;
        whole->end = is_first || span->end > whole->end ? span->end : whole->end;
    }
}

/* --- the tree --- */

/* Numbers are counted from 1; 0 is none. */
struct arrangement {
    const struct spans_draft *draft;
    size_t *order;        /* by start */
    size_t *first, *last; /* parts of each */
    size_t *next;         /* part of the same */
    bool *is_placed;
    struct spans *out;
};

static int arrange_compare(const void *a_, const void *b_, void *draft_)
{
    const struct spans_draft *draft = draft_;
    size_t a = *(const size_t *)a_, b = *(const size_t *)b_;
    int64_t starts[] = { draft->items[a - 1].start, draft->items[b - 1].start };

    if (starts[0] != starts[1])
        return starts[0] < starts[1] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Lists the parts of each, earlier ones first. */
static void arrange_link(struct arrangement *arrangement)
{
    for (size_t i = 0; i < arrangement->draft->len; i++) {
        size_t number = arrangement->order[i];
        size_t whole = arrangement->draft->items[number - 1].parent;
        if (!whole)
            continue;
        if (arrangement->last[whole])
            arrangement->next[arrangement->last[whole]] = number;
        else
            arrangement->first[whole] = number;
        arrangement->last[whole] = number;
    }
}

/* With all its parts; a span that is among its own parts is placed once. At most SPANS_MAX_DEPTH
 * deep. */
static fallible arrange_place(struct arrangement *arrangement, size_t number, size_t parent,
                              unsigned depth)
{
    struct spans *out = arrangement->out;

    if (arrangement->is_placed[number])
        return NULL;
    arrangement->is_placed[number] = true;
    if (depth == SPANS_MAX_DEPTH)
        return error_new(ERROR_INVALID, "its spans are nested too deeply");
    if (arrangement->draft->items[number - 1].start != SPANS_NO_TIME) {
        out->items[out->len] = arrangement->draft->items[number - 1];
        out->items[out->len++].parent = parent;
        parent = out->len;
    }
    for (size_t part = arrangement->first[number]; part; part = arrangement->next[part])
        TRY(arrange_place(arrangement, part, parent, depth + 1));
    return NULL;
}

static fallible spans_arrange(struct arena *arena, struct spans_draft *draft, struct spans *out)
{
    size_t len = draft->len;
    struct arrangement arrangement = {
        .draft = draft,
        .order = ARENA_ARRAY(arena, size_t, len + 1),
        .first = ARENA_ARRAY(arena, size_t, len + 1),
        .last = ARENA_ARRAY(arena, size_t, len + 1),
        .next = ARENA_ARRAY(arena, size_t, len + 1),
        .is_placed = ARENA_ARRAY(arena, bool, len + 1),
        .out = out,
    };

    *out = (struct spans){ .items = ARENA_ARRAY(arena, struct spans_span, len + 1) };
    times_complete(arena, draft);
    for (size_t i = 0; i < len; i++)
        arrangement.order[i] = i + 1;
    qsort_r(arrangement.order, len, sizeof(size_t), arrange_compare, draft);
    arrange_link(&arrangement);
    for (size_t i = 0; i < len; i++)
        if (!draft->items[arrangement.order[i] - 1].parent)
            TRY(arrange_place(&arrangement, arrangement.order[i], 0, 0));
    for (size_t i = 0; i < len; i++) /* each other's parts */
        TRY(arrange_place(&arrangement, arrangement.order[i], 0, 0));
    return NULL;
}

/* --- the face --- */

static void spans_measure(struct spans *spans)
{
    for (size_t i = 0; i < spans->len; i++) {
        const struct spans_span *span = &spans->items[i];
        if (i == 0 || span->start < spans->start)
            spans->start = span->start;
        if (i == 0 || span->end > spans->end)
            spans->end = span->end;
    }
}

fallible spans_read(struct arena *arena, str bytes, struct spans *out)
{
    struct spans_draft draft = { 0 };
    bool is_text = str_starts_with(str_trim(bytes), STR("{"));

    if (!bytes.len)
        return error_new(ERROR_INVALID, "it is empty");
    struct error *failure =
        is_text ? spans_read_otlp(arena, bytes, &draft) : spans_read_gob(arena, bytes, &draft);
    if (!failure)
        failure = spans_arrange(arena, &draft, out);
    vec_release(&draft);
    TRY(failure);
    spans_measure(out);
    return out->len ? NULL : error_new(ERROR_INVALID, "it has no spans");
}

struct spans spans_without_logs(struct arena *arena, const struct spans *spans)
{
    size_t *moved = ARENA_ARRAY(arena, size_t, spans->len + 1); /* by old number, from 1 */
    struct spans kept = *spans;

    kept.items = ARENA_ARRAY(arena, struct spans_span, spans->len + 1);
    kept.len = 0;
    for (size_t i = 0; i < spans->len; i++) {
        const struct spans_span *span = &spans->items[i];
        moved[i + 1] = moved[span->parent];
        if (str_ends_with(span->name, STR("pulumirpc.Engine/Log")))
            continue;
        kept.items[kept.len] = *span;
        kept.items[kept.len++].parent = moved[span->parent];
        moved[i + 1] = kept.len;
    }
    return kept;
}

/* What stands after `urn:"` or `tok:"` in a message that was recorded as text in JSON. */
static str spans_quoted(str text, str before)
{
    size_t at = str_find(text, before);
    str rest = at == SIZE_MAX ? STR("") : str_slice(text, at + before.len, text.len);
    size_t end = 0;

    while (end < rest.len && rest.ptr[end] != '"' && rest.ptr[end] != '\\')
        end++;
    return str_slice(rest, 0, end);
}

/* What the span is about; empty if it does not say. */
static str spans_subject(const struct spans_span *span)
{
    static const char *const keys[] = { "pulumi-decorator", "token", "tok", "plugin" };
    const str *urn = pairs_find(span->attributes, STR("urn"));
    str found = urn ? urn_type_of(*urn) : STR("");

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && !found.len; i++) {
        const str *value = pairs_find(span->attributes, str_from(keys[i]));
        found = value ? *value : found;
    }
    for (size_t i = 0; i < span->attributes.len && !found.len; i++) {
        if (!str_equal(span->attributes.items[i].key, STR("Msg")))
            continue;
        str text = span->attributes.items[i].value;
        found = urn_type_of(spans_quoted(text, STR("urn:\\\"")));
        if (!found.len)
            found = spans_quoted(text, STR("tok:\\\""));
    }
    return found;
}

str spans_label(struct arena *arena, const struct spans_span *span)
{
    str subject = spans_subject(span);

    return subject.len ? arena_concat(arena, span->name, STR("("), subject, STR(")")) : span->name;
}

int64_t *spans_own_times(struct arena *arena, const struct spans *spans)
{
    int64_t *own = ARENA_ARRAY(arena, int64_t, spans->len + 1);
    int64_t *covered = ARENA_ARRAY(arena, int64_t, spans->len + 1); /* by parts, up to here */

    for (size_t i = 0; i < spans->len; i++) {
        const struct spans_span *span = &spans->items[i];
        own[i] = span->end - span->start;
        covered[i] = span->start;
        if (!span->parent)
            continue;
        size_t whole = span->parent - 1;
        int64_t end = spans->items[whole].end;
        int64_t from = span->start > covered[whole] ? span->start : covered[whole];
        int64_t to = span->end < end ? span->end : end;
        if (to <= from)
            continue;
        own[whole] -= to - from;
        covered[whole] = to;
    }
    return own;
}
