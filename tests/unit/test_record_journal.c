/* test_record_journal.c — the journal: what is durable before what, and what is left if it ends
 * anywhere. Every run of every other test of rules also reads its journal again and compares it
 * with the state in memory. */
#include "unit/engine_world.h"

#include "model/journal.h"
#include "model/urn.h"

/* The first line of this kind about a resource of this name. */
static const struct record *find_line(struct world *world, enum journal_kind kind, const char *name)
{
    for (size_t i = 0; i < world->records.len; i++) {
        struct journal_entry entry;
        assert_ok(journal_entry_read(&world->arena, world->records.items[i].text, &entry));
        const struct resource *state = entry.operation ? entry.operation->resource : entry.state;
        if (entry.state_old != JOURNAL_NONE)
            state = world->journal.base.resources[entry.state_old];
        if (entry.kind == kind && state && str_equal(urn_name_of(state->urn), str_from(name)))
            return &world->records.items[i];
    }
    return NULL;
}

static size_t place_of_call(struct world *world, const char *what)
{
    return (size_t)(world_call(world, what, 0) - world->calls.items);
}

static void an_intent_is_durable_before_the_provider_is_called(void **state)
{
    struct world *world = *state;
    OLD(world, "u", .inputs = "x=1");
    OLD(world, "gone");
    GOAL(world, "a");
    GOAL(world, "u", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    const struct record *create = find_line(world, JOURNAL_BEGIN, "a");
    const struct record *update = find_line(world, JOURNAL_BEGIN, "u");
    const struct record *delete = find_line(world, JOURNAL_BEGIN, "gone");
    assert_true(create->is_durable && create->calls <= place_of_call(world, "create a"));
    assert_true(update->is_durable && update->calls <= place_of_call(world, "update u"));
    assert_true(delete->is_durable && delete->calls <= place_of_call(world, "delete gone"));
}

/* Two at a time, and those two are with the provider until all have been checked. */
static void begin_five_far_away(struct world *world, const char *fails)
{
    world->options.plan.parallel = 2;
    world->journal.is_far = true;
    SCRIPT(world, "a", .until = "check e", .fails = fails);
    SCRIPT(world, "b", .until = "check e", .fails = fails);
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    GOAL(world, "c", .is_parallel = true);
    GOAL(world, "d", .is_parallel = true);
    GOAL(world, "e", .is_parallel = true);
}

static void far_away_intents_are_recorded_before_their_turn(void **state)
{
    struct world *world = *state;
    begin_five_far_away(world, NULL);
    world_run(world);
    assert_succeeds(world);
    const struct record *ahead = find_line(world, JOURNAL_BEGIN, "c");
    assert_true(ahead->is_durable && ahead < find_line(world, JOURNAL_SUCCESS, "a")
                && ahead < find_line(world, JOURNAL_SUCCESS, "b"));
}

/* c is not with the provider beside a and b, and does not get there once the run has failed. */
static void an_intent_whose_turn_never_comes_is_taken_back(void **state)
{
    struct world *world = *state;
    begin_five_far_away(world, "create");
    world_run(world);
    assert_non_null(find_line(world, JOURNAL_BEGIN, "c"));
    assert_true(str_find(strbuf_str(&world->call_text), STR("create c")) == SIZE_MAX);
    assert_int_equal(world->result.pending_count, 0);
}

static void an_outcome_is_durable_before_the_next_thing_is_asked(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    const struct record *made = find_line(world, JOURNAL_SUCCESS, "a");
    assert_true(made->is_durable);
    assert_int_equal(made->calls, place_of_call(world, "check b"));
}

static void nobody_waits_for_the_disk_for_what_changes_nothing(void **state)
{
    struct world *world = *state;
    OLD(world, "s");
    GOAL(world, "s");
    GOAL(world, "c", .is_component = true);
    world_outputs(world, "c", "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_false(find_line(world, JOURNAL_SUCCESS, "s")->is_durable);
    assert_null(find_line(world, JOURNAL_BEGIN, "s"));
    assert_false(find_line(world, JOURNAL_BEGIN, "c")->is_durable);
    assert_false(find_line(world, JOURNAL_SUCCESS, "c")->is_durable);
    assert_false(find_line(world, JOURNAL_OUTPUTS, "c")->is_durable);
}

static void what_is_as_it_was_is_a_place_in_the_journal(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b", .inputs = "x=1");
    world_run(world);
    world_continue(world);
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    str same = find_line(world, JOURNAL_SUCCESS, "a")->text;
    str updated = find_line(world, JOURNAL_SUCCESS, "b")->text;
    assert_true(str_find(same, STR("\"state\"")) == SIZE_MAX);
    assert_true(str_find(updated, STR("\"state\"")) != SIZE_MAX);
}

/* The states that are left if the journal ends behind each of its lines, each different one once.
 */
static void assert_lives(struct world *world, const char *const *wanted, size_t count)
{
    str last = STR("");
    size_t at = 0;

    for (size_t lines = 0; lines <= world->records.len; lines++) {
        str now = world_state_after(world, lines);
        if (lines && str_equal(now, last))
            continue;
        assert_true(at < count);
        assert_str_equal(now, str_from(wanted[at++]));
        last = now;
    }
    assert_int_equal(at, count);
}
#define LIVES(world, ...)                                       \
    assert_lives((world), (const char *const[]){ __VA_ARGS__ }, \
                 sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void a_create_that_is_cut_off_is_pending(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    world_run(world);
    LIVES(world, "", "[creating a]", "a");
}

static void a_create_that_fails_is_not(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "create");
    GOAL(world, "a");
    world_run(world);
    LIVES(world, "", "[creating a]", "");
    struct journal_entry last;
    str line = world->records.items[world->records.len - 1].text;
    assert_ok(journal_entry_read(&world->arena, line, &last));
    assert_int_equal(last.kind, JOURNAL_FAILURE);
}

static void a_replacement_that_is_cut_off_knows_both_halves(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    LIVES(world, "a", "a [creating a]", "a a!D", "a a!D [deleting a]", "a");
}

static void deleting_first_that_is_cut_off_knows_what_is_gone(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_succeeds(world);
    LIVES(world, "a b", "a b [deleting b]", "a b!PR", "a b!PR [deleting a]", "a!PR b!PR",
          "a!PR b!PR [creating a]", "a b!PR", "a b!PR [creating b]", "a b");
}

static void a_refresh_that_is_cut_off_keeps_what_was_found(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.parallel = 1;
    SCRIPT(world, "a", .is_gone = true);
    SCRIPT(world, "c", .is_gone = true);
    OLD(world, "a");
    OLD(world, "b");
    OLD(world, "c");
    world_run(world);
    LIVES(world, "a b c", "b c", "b");
}

static void a_provider_is_not_called_if_its_intent_cannot_be_written(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world->journal.fails_at = 3; /* the secrets manager and the default provider come before it */
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "error a: the disk is full");
    assert_calls(world, "check a, diff a");
    assert_int_equal(world->result.pending_count, 0);
}

static void a_registration_is_not_answered_if_its_outcome_cannot_be_written(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world->journal.fails_at = 4;
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check a, diff a, update a");
    assert_false(world_was_answered(world, "a"));
    assert_str_equal(world_state_after(world, world->records.len), STR("a [updating a]"));
}

/* b is excluded, and a takes it along: in the end it stays, as what it is by then. */
static void what_was_deleted_first_and_is_kept_stays_a_pending_replacement(void **state)
{
    struct world *world = *state;
    world->options.plan.excludes = world_urns(world, "b");
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end delete-replaced b", "end create-replacement a", "end same b");
    assert_str_equal(world_state_after(world, world->records.len), STR("a b!PR"));
    assert_state(world, "a b!PR");
}

/* a takes part because it is imported; what it was is excluded with b. */
static void what_was_replaced_and_is_kept_is_to_be_deleted(void **state)
{
    struct world *world = *state;
    world->options.plan.excludes = world_urns(world, "b");
    world->options.plan.exclude_dependents = true;
    OLD(world, "b");
    OLD(world, "a", .depends_on = "b");
    GOAL(world, "a", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end import-replacement a", "end same a");
    assert_str_equal(world_state_after(world, world->records.len), STR("a b a!D"));
    assert_state(world, "a b a!D");
}

static void what_is_gone_leaves_after_its_views(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    SCRIPT(world, "a", .is_gone = true);
    world_run(world);
    assert_succeeds(world);
    for (size_t lines = 0; lines < world->records.len; lines++)
        assert_false(str_equal(world_state_after(world, lines), STR("v")));
    assert_state(world, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(an_intent_is_durable_before_the_provider_is_called),
        RULE(far_away_intents_are_recorded_before_their_turn),
        RULE(an_intent_whose_turn_never_comes_is_taken_back),
        RULE(an_outcome_is_durable_before_the_next_thing_is_asked),
        RULE(nobody_waits_for_the_disk_for_what_changes_nothing),
        RULE(what_is_as_it_was_is_a_place_in_the_journal),
        RULE(a_create_that_is_cut_off_is_pending),
        RULE(a_create_that_fails_is_not),
        RULE(a_replacement_that_is_cut_off_knows_both_halves),
        RULE(deleting_first_that_is_cut_off_knows_what_is_gone),
        RULE(a_refresh_that_is_cut_off_keeps_what_was_found),
        RULE(a_provider_is_not_called_if_its_intent_cannot_be_written),
        RULE(a_registration_is_not_answered_if_its_outcome_cannot_be_written),
        RULE(what_was_deleted_first_and_is_kept_stays_a_pending_replacement),
        RULE(what_was_replaced_and_is_kept_is_to_be_deleted),
        RULE(what_is_gone_leaves_after_its_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
