/* engine_journal.c — the journal of a world: its lines stay in memory, and are read again to see
 * that they add up to the state. */
#include "unit/engine_parts.h"

#include "fiber/fiber.h"
#include "model/checkpoint.h"

static struct error *append_line(struct journal *journal, str text, bool waits)
{
    struct world *world = ((struct world_journal *)(void *)journal)->world;
    const struct record record = { .text = arena_copy(&world->arena, text),
                                   .is_durable = waits,
                                   .calls = world->calls.len };

    world->journal.is_dead |= world->records.len + 1 == world->journal.dies_at;
    if (world->journal.is_dead)
        return NULL;
    if (world->records.len + 1 == world->journal.fails_at)
        return error_new(ERROR_OTHER, "the disk is full");
    vec_add(&world->records, record);
    if (waits)
        fiber_yield(); /* as a disk would: others go on meanwhile */
    return NULL;
}

/* The engine marks states of the base; the lines do that to states of their own. */
static struct snapshot copy_base(struct world *world)
{
    const struct snapshot *base = world->deployment.options->state.snapshot;
    struct snapshot copy = *base;

    copy.resources = ARENA_ARRAY(&world->arena, struct resource *, copy.resource_count + 1);
    for (size_t i = 0; i < copy.resource_count; i++)
        copy.resources[i] = resource_clone_shallow(&world->arena, base->resources[i]);
    snapshot_number(&copy);
    return copy;
}

void world_journal_open(struct world *world)
{
    static const struct journal_ops near = { .append = append_line, .knows_base = true };
    static const struct journal_ops far = { .append = append_line,
                                            .knows_base = true,
                                            .is_far = true };

    world->journal.journal = (struct journal){ .ops = world->journal.is_far ? &far : &near,
                                               .backend = &world->journal.backend };
    world->journal.backend.shield = cancel_open(NULL);
    world->journal.world = world;
    world->journal.is_dead = world->journal.has_begun = false;
}

void world_journal_begin(struct world *world)
{
    world->journal.base = copy_base(world);
    world->journal.has_begun = true;
}

void world_journal_close(struct world *world)
{
    cancel_close(world->journal.backend.shield);
}

static fallible read_lines(struct world *world, size_t count, struct snapshot *out)
{
    struct replay *replay = replay_new(&world->arena, &world->journal.base);

    for (size_t i = 0; i < count; i++) {
        struct journal_entry entry;
        TRY(journal_entry_read(&world->arena, world->records.items[i].text, &entry));
        TRY(replay_apply(replay, &entry));
    }
    return replay_snapshot(replay, out);
}

str world_state_after(struct world *world, size_t lines)
{
    struct snapshot snapshot = { 0 };

    assert_ok(read_lines(world, lines, &snapshot));
    assert_ok(snapshot_verify(&snapshot));
    return world_snapshot_text(world, &snapshot);
}

static str checkpoint_text(struct world *world, struct snapshot *snapshot, struct error **failure)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 1 };

    *failure = snapshot_seal(snapshot, &world->crypter, &world->arena);
    if (!*failure)
        checkpoint_write(&writer, STR("dev"), snapshot);
    return arena_copy(&world->arena, strbuf_str(&text));
}

struct error *world_journal_check(struct world *world)
{
    struct snapshot written = { 0 };
    struct error *failure = NULL;

    if (world->journal.fails_at && !world->cloud)
        return NULL; /* the line that is missing is known to memory alone */
    if (!world->journal.has_begun)
        return NULL;
    TRY(read_lines(world, world->records.len, &written));
    if (world->journal.is_dead || world->journal.fails_at) {
        world->result = written;
        return NULL;
    }
    str lines = checkpoint_text(world, &written, &failure);
    TRY(failure);
    str memory = checkpoint_text(world, &world->result, &failure);
    TRY(failure);
    if (str_equal(lines, memory))
        return NULL;
    return error_new(ERROR_OTHER, "the journal says\n" STR_FMT "\nand the engine says\n" STR_FMT,
                     STR_ARG(lines), STR_ARG(memory));
}
