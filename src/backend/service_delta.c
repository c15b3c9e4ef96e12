/* service_delta.c — the difference between two states as texts. */
#include "backend/service_delta.h"

#include "base/json.h"
#include "base/vec.h"

/* A text as its resources and what is around them. */
struct state_units {
    VEC(str); /* each resource */
    size_t head_end;
    size_t tail_start;
};

static fallible units_read_resources(struct json_reader *reader, void *units_)
{
    struct state_units *units = units_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        str raw;
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_skip(reader, &raw));
        vec_add(units, raw);
    }
}

static fallible units_read_deployment(struct json_reader *reader, void *units)
{
    static const struct json_field fields[] = { { "resources", units_read_resources, 0 }, { 0 } };

    return json_read_fields(reader, fields, units);
}

static fallible units_read(struct arena *arena, str text, struct state_units *out)
{
    static const struct json_field fields[] = { { "deployment", units_read_deployment, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, arena, text);
    TRY(json_read_fields(&reader, fields, out));
    out->head_end = out->tail_start = text.len;
    /* A unit has the comma that follows it, so that any run of units can be taken out. */
    for (size_t i = 0; i + 1 < out->len; i++)
        out->items[i].len = (size_t)(out->items[i + 1].ptr - out->items[i].ptr);
    if (out->len) {
        str last = out->items[out->len - 1];
        out->head_end = (size_t)(out->items[0].ptr - text.ptr);
        out->tail_start = (size_t)(last.ptr - text.ptr) + last.len;
    }
    return NULL;
}

static void delta_add(struct delta *delta, size_t start, size_t end, str old, str text)
{
    if (!str_equal(str_slice(old, start, end), text))
        delta->edits[delta->len++] = (struct delta_edit){ start, end, text };
}

/* Where unit `index` begins, or what is behind the last one. */
static size_t unit_start(const struct state_units *units, str text, size_t index)
{
    return index < units->len ? (size_t)(units->items[index].ptr - text.ptr) : units->tail_start;
}

/* Whole units from the first that differs to the last. */
static void delta_middle(struct delta *delta, str old_text, const struct state_units *old,
                         str new_text, const struct state_units *new)
{
    size_t least = old->len < new->len ? old->len : new->len, before = 0, after = 0;

    while (before < least && str_equal(old->items[before], new->items[before]))
        before++;
    while (after < least - before
           && str_equal(old->items[old->len - 1 - after], new->items[new->len - 1 - after]))
        after++;
    size_t old_start = unit_start(old, old_text, before),
           old_end = unit_start(old, old_text, old->len - after),
           new_start = unit_start(new, new_text, before),
           new_end = unit_start(new, new_text, new->len - after);
    delta_add(delta, old_start, old_end, old_text, str_slice(new_text, new_start, new_end));
}

static void delta_of_units(struct delta *delta, str old_text, const struct state_units *old,
                           str new_text, const struct state_units *new)
{
    if (old->len == 0 || new->len == 0) {
        delta_add(delta, 0, old_text.len, old_text, new_text);
        return;
    }
    delta_add(delta, 0, old->head_end, old_text, str_slice(new_text, 0, new->head_end));
    delta_middle(delta, old_text, old, new_text, new);
    delta_add(delta, old->tail_start, old_text.len, old_text,
              str_slice(new_text, new->tail_start, new_text.len));
}

fallible delta_find(struct arena *arena, str old, str new, struct delta *out)
{
    struct state_units old_units = { 0 }, new_units = { 0 };

    *out = (struct delta){ 0 };
    struct error *failure = units_read(arena, old, &old_units);
    if (!failure)
        failure = units_read(arena, new, &new_units);
    if (!failure)
        delta_of_units(out, old, &old_units, new, &new_units);
    vec_release(&old_units);
    vec_release(&new_units);
    return failure;
}
