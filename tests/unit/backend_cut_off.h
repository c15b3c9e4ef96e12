/* backend_cut_off.h — an operation that was cut off, and what a stack still knows of it after
 * another program wrote the checkpoint. */
#pragma once

#include "unit/backend_fixture.h"

/* The text of an entry about the create `number`: begun, or (with an ID) done. */
static inline str sample_create(struct arena *arena, int number, const char *name, const char *id)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct resource *resource = sample_resource(arena, name);
    const struct pending_operation operation = { resource, PENDING_CREATING };

    resource->is_custom = true;
    resource->id = str_from(id);
    entry.kind = id ? JOURNAL_SUCCESS : JOURNAL_BEGIN;
    entry.sequence_id = 2 * number + (id != NULL);
    entry.operation_id = number;
    entry.state = id ? resource : NULL;
    entry.operation = id ? NULL : &operation;
    journal_entry_write(&writer, &entry);
    str result = arena_copy(arena, strbuf_str(&text));
    strbuf_release(&text);
    return result;
}

/* An operation that made `made` and was cut off while it made `cut`. */
static inline void sample_cut_off(struct arena *arena, struct backend *backend,
                                  struct stack_ref stack)
{
    struct journal *journal;

    assert_ok(journal_open(backend, stack, &journal));
    assert_ok(journal_append(journal, sample_create(arena, 1, "made", NULL), true));
    assert_ok(journal_append(journal, sample_create(arena, 1, "made", "i-1"), true));
    assert_ok(journal_append(journal, sample_create(arena, 2, "cut", NULL), true));
    journal_close(journal);
}

/* What was told to users. */
struct sample_warnings {
    struct arena *arena;
    size_t count;
    str last;
};

static inline void sample_warn(void *warnings_, str text)
{
    struct sample_warnings *warnings = warnings_;

    warnings->count++;
    warnings->last = arena_copy(warnings->arena, text);
}

/* The stack has both creates of sample_cut_off as pending operations. */
static inline void assert_creates_are_pending(struct backend *backend, struct stack_ref stack,
                                              struct arena *arena)
{
    struct snapshot snapshot;
    bool has_deployment;

    assert_ok(backend_load(backend, stack, arena, &snapshot, &has_deployment));
    assert_int_equal(snapshot.pending_count, 2);
    assert_true(str_ends_with(snapshot.pending[0].resource->urn, STR("::made")));
    assert_str_equal(snapshot.pending[0].resource->id, STR("i-1"));
    assert_true(str_ends_with(snapshot.pending[1].resource->urn, STR("::cut")));
}
