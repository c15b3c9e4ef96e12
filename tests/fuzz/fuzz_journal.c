/* fuzz_journal.c — lines of a journal over a small base: an entry that is read is written the same,
 * replay never crashes wherever the journal ends, and it never touches the base. What is rescued of
 * a journal without its base is known once it was added. */
#include "backend/journal_rescue.h"
#include "base/vec.h"
#include "model/checkpoint.h"
#include "model/journal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(struct arena *arena, const struct journal_entry *entry)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 }, second = { 0 };
    struct json_writer writer = { .out = &out }, second_writer = { .out = &second };
    struct journal_entry again;

    journal_entry_write(&writer, entry);
    if (journal_entry_read(arena, strbuf_str(&out), &again))
        abort();
    journal_entry_write(&second_writer, &again);
    if (!str_equal(strbuf_str(&out), strbuf_str(&second)))
        abort();
}

static bool has_secrets(const struct resource *resource)
{
    return resource
           && (value_contains_secret(resource->inputs) || value_contains_secret(resource->outputs)
               || value_contains_secret(resource->options.replacement_trigger));
}

/* Only what is sealed may be written; secrets that were read as plaintext are not. */
static bool can_be_written(const struct journal_entry *entry)
{
    return !entry->new_snapshot && !has_secrets(entry->state)
           && !has_secrets(entry->operation ? entry->operation->resource : NULL);
}

static void check_rescue(struct arena *arena, struct strs lines, const struct snapshot *base)
{
    const struct journal_contents contents = { .records = lines.items, .count = lines.len };
    struct snapshot snapshot = *base;
    struct journal_rescue rescue;

    struct error *error = journal_rescue_find(arena, &contents, &snapshot, &rescue);
    if (!error && journal_rescue_add(arena, &rescue, &snapshot)) {
        journal_rescue_text(arena, &rescue, STR("s"), STR("a"), STR("b"));
        if (snapshot.pending_count != base->pending_count + rescue.len
            || journal_rescue_find(arena, &contents, &snapshot, &rescue) || rescue.len > 0)
            abort();
    }
    error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(str_list_release) struct str_list lines = { 0 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource a = { .urn = STR("a"), .type = STR("t") },
                    b = { .urn = STR("b"), .type = STR("t"), .parent = STR("a") };
    struct resource *resources[] = { &a, &b };
    struct snapshot base = { .resources = resources, .resource_count = 2, .metadata = STR("{}") },
                    out;
    struct replay *replay = replay_new(&arena, &base);
    str rest = { (const char *)data, size }, line;

    while (rest.len) {
        struct journal_entry entry;
        if (!str_cut(rest, STR("\n"), &line, &rest)) {
            line = rest;
            rest = STR("");
        }
        vec_add(&lines, line);
        struct error *error = journal_entry_read(&arena, line, &entry);
        if (!error) {
            if (can_be_written(&entry))
                check_written(&arena, &entry);
            error = replay_apply(replay, &entry);
        }
        error_free(error);
        error_free(replay_snapshot(replay, &out));
    }
    check_rescue(&arena, (struct strs){ lines.items, lines.len }, &base);
    if (a.parent.len || !str_equal(b.parent, STR("a")))
        abort();
    return 0;
}
