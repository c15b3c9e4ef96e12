/* test_plan_target.c — --target and --exclude: who takes part in a run, and what becomes of those
 * who do not. */
#include "unit/engine_world.h"

#include "base/strbuf.h"
#include "engine/plan/targets.h"
#include "fiber/fiber.h"

#include <stdio.h>

static void what_is_not_targeted_stays_as_it_is(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=2", .protect = true);
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "update a, same b");
    assert_calls(world, "check a, diff a, update a");
    assert_value(world, world_state(world, "b")->inputs, "x=1");
    assert_false(world_state(world, "b")->options.protect);
}

static void what_is_new_and_not_targeted_is_not_created(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a");
    GOAL(world, "new");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, same new");
    assert_true(world_reply(world, "new")->is_unknown);
    assert_str_equal(world_reply(world, "new")->id, STR(""));
    assert_state(world, "a");
}

static void what_is_not_registered_and_not_targeted_is_kept(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b");
    OLD(world, "c");
    world->options.plan.targets = world_urns(world, "a b");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, same c, delete b");
    assert_state(world, "a c");
}

static void a_target_that_needs_what_is_not_created_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    GOAL(world, "new");
    GOAL(world, "a", .depends_on = "new");
    world->options.plan.targets = world_urns(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which was was not specified in --target list");
    assert_steps(world, "same new");
}

static void a_target_that_is_nowhere_fails_after_the_rest_was_done(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    world->options.plan.targets = world_urns(world, "a nobody");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "could not be found in the stack");
    assert_steps(world, "update a");
}

static void a_run_that_has_failed_does_not_look_for_its_targets(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    world->options.plan.targets = world_urns(world, "a nobody");
    world->program_fails = true;
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "the program has failed");
    assert_true(str_find(strbuf_str(&world->diagnostics), STR("could not be found")) == SIZE_MAX);
}

static void target_dependents_take_part_when_asked_for(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    OLD(world, "c", .inputs = "x=1", .depends_on = "b");
    OLD(world, "d", .inputs = "x=1");
    world->options.plan.targets = world_urns(world, "a");
    world->options.plan.target_dependents = true;
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a");
    GOAL(world, "c", .inputs = "x=2", .depends_on = "b");
    GOAL(world, "d", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "update a, update b, update c, same d");
}

static void what_is_excluded_stays_as_it_is(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "gone");
    world->options.plan.excludes = world_urns(world, "a gone");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, update b, same gone");
    assert_state(world, "a b gone");
}

static void exclude_dependents_are_left_out_when_asked_for(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    OLD(world, "c", .inputs = "x=1");
    world->options.plan.excludes = world_urns(world, "a");
    world->options.plan.exclude_dependents = true;
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a");
    GOAL(world, "c", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "same a, same b, update c");
}

static void one_star_stays_within_a_part_of_the_urn(void **state)
{
    struct world *world = *state;
    OLD(world, "one", .inputs = "x=1");
    OLD(world, "two", .inputs = "x=1");
    world->options.plan.targets = world_list(world, "urn:pulumi:dev::p::pulumi:t:R::o*");
    GOAL(world, "one", .inputs = "x=2");
    GOAL(world, "two", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "update one, same two");
    world->options.plan.targets = world_list(world, "urn:pulumi:*::one");
    world_run(world);
    assert_steps(world, "same one, same two");
}

static void two_stars_match_across_parts(void **state)
{
    struct world *world = *state;
    OLD(world, "one", .inputs = "x=1");
    OLD(world, "two", .inputs = "x=1");
    world->options.plan.targets = world_list(world, "urn:pulumi:**one");
    GOAL(world, "one", .inputs = "x=2");
    GOAL(world, "two", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "update one, same two");
}

static bool is_matched(const char *pattern, const char *text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str given = str_from(pattern);
    struct target_set set;

    target_set_init(&set, &scratch, (struct strs){ &given, 1 });
    bool is_in = target_set_contains(&set, str_from(text));
    target_set_release(&set);
    return is_in;
}

/* The rule, word for word. */
static bool should_match(const char *pattern, const char *text)
{
    if (*pattern == '\0')
        return *text == '\0';
    if (*pattern != '*')
        return *text == *pattern && should_match(pattern + 1, text + 1);
    bool crosses = pattern[1] == '*';
    return should_match(pattern + (crosses ? 2 : 1), text)
           || (*text && (crosses || *text != ':') && should_match(pattern, text + 1));
}

/* All patterns of six characters and all texts of six of them, and some that are shorter. */
static void patterns_match_what_they_should(void **state)
{
    static const char in_pattern[] = "*a:", in_text[] = "ab:";

    (void)state;
    for (int p = 0; p < 729; p++) {
        char pattern[7] = { 0 };
        for (int i = 0, rest = p; i < 6; i++, rest /= 3)
            pattern[i] = in_pattern[rest % 3];
        for (int t = 0; t < 729; t += 1 + p % 7) {
            char text[7] = { 0 };
            for (int i = 0, rest = t; i < 6 - t % 3; i++, rest /= 3)
                text[i] = in_text[rest % 3];
            if (is_matched(pattern, text) != should_match(pattern, text))
                fail_msg("'%s' and '%s'", pattern, text);
        }
    }
}

/* It would take longer than a life if each star were tried with each other. */
static void many_stars_take_no_time(void **state)
{
    CLEANUP(strbuf_release) struct strbuf pattern = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    (void)state;
    strbuf_add(&pattern, STR("urn:pulumi:dev::p::t:m:R::"));
    strbuf_add(&text, STR("urn:pulumi:dev::p::t:m:R::"));
    for (int i = 0; i < 200; i++)
        strbuf_add(&pattern, i % 2 ? STR("*a") : STR("**a"));
    strbuf_add_repeated(&text, 'a', 1000);
    strbuf_add_char(&pattern, '\0');
    strbuf_add_char(&text, '\0');
    assert_true(is_matched(pattern.ptr, text.ptr));
    text.ptr[text.len - 2] = 'b';
    assert_false(is_matched(pattern.ptr, text.ptr));
}

static void providers_take_part_whether_targeted_or_not(void **state)
{
    struct world *world = *state;
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "update prov, same a");
}

static void what_an_untargeted_resource_depends_on_is_recorded_before_it(void **state)
{
    struct world *world = *state;
    OLD(world, "z");
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    world->options.plan.targets = world_urns(world, "z");
    GOAL(world, "z");
    GOAL(world, "b"); /* the program dropped a */
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same z, same a, same b");
    assert_state(world, "z a b");
}

static void replacing_what_is_nowhere_is_refused_at_once(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    world->options.plan.replaces = world_urns(world, "nobody");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
}

static void leftovers_of_what_is_not_targeted_stay(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b");
    OLD(world, "b", .id = "left", .is_delete = true);
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, same b");
    assert_state(world, "a b b!D");
}

/* b stays as it is, refers to a in the state, and so waits until a was answered. */
static void nobody_waits_for_an_answer_that_will_not_come(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "a");
    SCRIPT(world, "a", .fails = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "the provider refuses");
    assert_state(world, "a b");
}

static void nobody_waits_for_an_answer_after_an_interrupt(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "a");
    SCRIPT(world, "a", .signal = "twice", .lost = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a b [updating a]");
}

/* c is recorded for b, which waits for a slot while c is registered. */
static void what_is_kept_is_recorded_once_also_if_it_is_registered_before_that(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 1;
    world->options.plan.targets = world_urns(world, "a");
    SCRIPT(world, "a", .until = "a long time");
    OLD(world, "c", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "c");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "c", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a c b");
    assert_str_equal(world_reply(world, "c")->id, STR("id-c"));
}

static struct error *seal_slowly(struct crypter *crypter, str plaintext, struct arena *arena,
                                 str *ciphertext)
{
    enum { LONG_ENOUGH = 100 };

    (void)crypter;
    for (int i = 0; i < LONG_ENOUGH; i++)
        fiber_yield();
    *ciphertext = arena_concat(arena, STR("sealed:"), plaintext);
    return NULL;
}

/* b and c stay as they are and refer to a, whose secret takes its time. */
static void other_dependents_of_what_is_kept_wait_until_it_is_recorded(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "d");
    world->crypter.seal = seal_slowly;
    OLD(world, "a", .inputs = "s=!text");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    OLD(world, "c", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "c", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "d");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end same a", "begin same c");
}

/* The same for a target that is being checked when a begins to be recorded. */
static void a_target_waits_for_what_is_kept_meanwhile_too(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "b c");
    world->crypter.seal = seal_slowly;
    SCRIPT(world, "c", .until = "diff b", .held = "check");
    OLD(world, "a", .inputs = "s=!text");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    OLD(world, "c", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "c", .inputs = "x=2", .depends_on = "a", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end same a", "begin update c");
}

enum { MANY = 4000 };

/* The state has a chain in which each refers to the one before; the last one is given. */
static const char *add_long_chain(struct world *world)
{
    enum { LENGTH = 8 };
    static char names[MANY][LENGTH];

    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], LENGTH, "r%zu", i);
        OLD(world, names[i], .depends_on = i ? names[i - 1] : NULL);
    }
    return names[MANY - 1];
}

/* The program registers the last one only, or none: the others are recorded before it. */
static void what_stays_may_refer_to_a_long_chain(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, add_long_chain(world), .inputs = "x=1");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_int_equal(world->result.resource_count, MANY + 2);
}

static void a_target_may_refer_to_a_long_chain(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a", .depends_on = add_long_chain(world));
    world_run(world);
    assert_succeeds(world);
    assert_int_equal(world->result.resource_count, MANY + 2);
}

/* b is excluded and refers to a in the state; by the program a depends on b, and so is excluded. */
static void what_was_kept_for_another_is_not_read(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    world->options.plan.run_program = true;
    world->options.plan.excludes = world_urns(world, "b");
    world->options.plan.exclude_dependents = true;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .depends_on = "a");
    GOAL(world, "b", .inputs = "y=2");
    GOAL(world, "a", .inputs = "x=2", .depends_on = "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, same b");
    assert_state(world, "a b");
}

/* It could only be recorded before that one, and the state would be out of order. */
static void what_stays_and_refers_to_what_was_deleted_first_is_refused(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    OLD(world, "c", .inputs = "z=1", .depends_on = "b");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "c", .inputs = "z=1");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "does not take part in this run and depends in the state on");
    assert_state(world, "a b!PR c");
}

static void what_stays_and_refers_to_what_was_deleted_first_waits_if_that_is_registered(
    void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    OLD(world, "c", .inputs = "z=1", .depends_on = "b");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a", .is_parallel = true);
    GOAL(world, "c", .inputs = "z=1", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a b c");
}

static void what_is_taken_over_is_not_kept_as_it_was(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .is_external = true);
    OLD(world, "b");
    world->options.plan.targets = world_urns(world, "b");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a, replace a, same b");
    assert_state(world, "a b a!D");
}

static void what_stays_stays_behind_its_provider_that_was_replaced(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    world->options.plan.targets = world_urns(world, "c");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "c");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "prov c prov!D a b");
}

static void what_stays_stays_behind_its_provider_that_stays_behind_another(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    OLD(world, "q", .type = "pulumi:providers:pulumi", .depends_on = "a");
    OLD(world, "b", .provider = "q");
    world->options.plan.excludes = world_urns(world, "b");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "prov prov!D a q b");
}

static void what_is_excluded_keeps_what_each_of_its_leftovers_depends_on(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "c");
    OLD(world, "b", .is_delete = true, .id = "id-old", .depends_on = "a");
    OLD(world, "b", .is_delete = true, .id = "id-older", .depends_on = "c");
    world->options.plan.excludes = world_urns(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "");
    assert_state(world, "a c b!D b!D");
}

/* What is left over of b goes before d, which is replaced. */
static void what_is_excluded_goes_on_without_its_leftovers(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .replaces = "y");
    SCRIPT(world, "d", .replaces = "x", .deletes_first = true);
    OLD(world, "b");
    OLD(world, "d", .inputs = "x=1");
    OLD(world, "b", .is_delete = true, .id = "id-old", .inputs = "y=1", .uses = "y:d");
    world->options.plan.excludes = world_urns(world, "b");
    GOAL(world, "d", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call delete b", "call delete d", "call create d");
    assert_state(world, "d b");
}

/* b is not a target and is registered, and in the state it depends on a, which is not. */
static void what_is_kept_and_has_a_provider_that_was_replaced_is_refused(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    world->options.plan.targets = world_urns(world, "c");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "b");
    GOAL(world, "c");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "due to a change of providers mixed with --target");
    assert_state(world, "prov prov!D a b c");
}

static void what_is_kept_and_has_a_provider_that_was_read_and_replaced_is_refused(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    OLD(world, "c");
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->options.plan.excludes = world_urns(world, "c");
    world->options.plan.exclude_dependents = true;
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "c");
    GOAL(world, "a", .depends_on = "c", .provider = "prov");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "due to a change of providers mixed with --target");
    assert_state(world, "prov!D prov c a");
}

/* As what has the name of before: it is not there any more. */
static void what_was_deleted_first_and_is_renamed_is_created_again(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .deleted_with = "a");
    OLD(world, "d", .deleted_with = "b");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "nd", .aliases = "d");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, check a, delete a, create a, create nd, create b");
    assert_state(world, "a nd b");
}

/* In the state b depends on a. What depends on b is skipped, so b is not recorded for its sake. */
static void what_could_not_be_imported_is_not_kept(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .is_gone = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "b");
    world->options.plan.targets = world_urns(world, "a b");
    world->options.plan.continue_on_error = true;
    GOAL(world, "b", .import_id = "found");
    GOAL(world, "a", .inputs = "x=2", .depends_on = "b c");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "resource 'found' does not exist");
    assert_state(world, "a b c");
}

static void what_would_depend_on_itself_by_way_of_the_state_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .depends_on = "a");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a", .inputs = "x=2", .depends_on = "b");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "the registration of which is not complete");
    assert_state(world, "a b");
}

/* The program registers k no more than by its URN so far: k has been deleted for p. */
static void what_was_deleted_first_does_not_come_before_those_who_name_it(void **state)
{
    struct world *world = *state;
    OLD(world, "p", .inputs = "x=1");
    OLD(world, "k", .inputs = "y=1", .uses = "y:p");
    OLD(world, "d", .inputs = "x=1");
    SCRIPT(world, "p", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "k", .replaces = "y");
    world->options.plan.targets = world_urns(world, "p k d");
    GOAL(world, "p", .inputs = "x=2");
    GOAL(world, "d", .inputs = "x=2", .deleted_with = "k", .is_hasty = true);
    GOAL(world, "k", .inputs = "y=1", .uses = "y:p");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which the program has not registered before it");
}

/* What the program calls d had the name c. */
static void what_is_being_renamed_does_not_come_after_those_who_name_it(void **state)
{
    struct world *world = *state;
    OLD(world, "f");
    OLD(world, "c");
    SCRIPT(world, "d", .until = "check f", .held = "update");
    GOAL(world, "d", .inputs = "x=2", .aliases = "c", .is_parallel = true);
    GOAL(world, "e");
    GOAL(world, "f", .depends_on = "c", .is_hasty = true);
    world->options.plan.targets = world_urns(world, "d e f");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "the registration of which is not complete");
    assert_state(world, "e d f");
}

static void an_import_does_not_come_before_what_it_names(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "f", .depends_on = "a");
    world->options.plan.excludes = world_urns(world, "f");
    GOAL(world, "f", .depends_on = "a", .import_id = "there", .is_hasty = true);
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "");
    assert_says(world, "which the program has not registered before it");
}

static void what_is_read_does_not_come_before_what_it_names(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "t");
    world->options.plan.targets = world_urns(world, "t");
    GOAL(world, "r", .depends_on = "a", .read_id = "there", .is_hasty = true);
    GOAL(world, "a");
    GOAL(world, "t");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "");
    assert_says(world, "which the program has not registered before it");
}

static void what_is_taken_over_does_not_come_before_what_it_names(void **state)
{
    struct world *world = *state;
    OLD(world, "b");
    OLD(world, "e", .is_external = true);
    OLD(world, "d");
    world->options.plan.targets = world_urns(world, "d");
    GOAL(world, "e", .depends_on = "b", .is_hasty = true);
    GOAL(world, "b");
    GOAL(world, "d");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which the program has not registered before it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(what_is_not_targeted_stays_as_it_is),
        RULE(what_is_new_and_not_targeted_is_not_created),
        RULE(what_is_not_registered_and_not_targeted_is_kept),
        RULE(a_target_that_needs_what_is_not_created_is_refused),
        RULE(a_target_that_is_nowhere_fails_after_the_rest_was_done),
        RULE(a_run_that_has_failed_does_not_look_for_its_targets),
        RULE(target_dependents_take_part_when_asked_for),
        RULE(what_is_excluded_stays_as_it_is),
        RULE(exclude_dependents_are_left_out_when_asked_for),
        RULE(one_star_stays_within_a_part_of_the_urn),
        RULE(two_stars_match_across_parts),
        RULE(patterns_match_what_they_should),
        RULE(many_stars_take_no_time),
        RULE(providers_take_part_whether_targeted_or_not),
        RULE(what_an_untargeted_resource_depends_on_is_recorded_before_it),
        RULE(replacing_what_is_nowhere_is_refused_at_once),
        RULE(leftovers_of_what_is_not_targeted_stay),
        RULE(nobody_waits_for_an_answer_that_will_not_come),
        RULE(nobody_waits_for_an_answer_after_an_interrupt),
        RULE(what_is_kept_is_recorded_once_also_if_it_is_registered_before_that),
        RULE(other_dependents_of_what_is_kept_wait_until_it_is_recorded),
        RULE(a_target_waits_for_what_is_kept_meanwhile_too),
        RULE(what_stays_may_refer_to_a_long_chain),
        RULE(a_target_may_refer_to_a_long_chain),
        RULE(what_was_kept_for_another_is_not_read),
        RULE(what_stays_and_refers_to_what_was_deleted_first_is_refused),
        RULE(what_stays_and_refers_to_what_was_deleted_first_waits_if_that_is_registered),
        RULE(what_is_taken_over_is_not_kept_as_it_was),
        RULE(what_stays_stays_behind_its_provider_that_was_replaced),
        RULE(what_stays_stays_behind_its_provider_that_stays_behind_another),
        RULE(what_is_excluded_keeps_what_each_of_its_leftovers_depends_on),
        RULE(what_is_excluded_goes_on_without_its_leftovers),
        RULE(what_is_kept_and_has_a_provider_that_was_replaced_is_refused),
        RULE(what_is_kept_and_has_a_provider_that_was_read_and_replaced_is_refused),
        RULE(what_was_deleted_first_and_is_renamed_is_created_again),
        RULE(what_could_not_be_imported_is_not_kept),
        RULE(what_would_depend_on_itself_by_way_of_the_state_is_refused),
        RULE(what_was_deleted_first_does_not_come_before_those_who_name_it),
        RULE(what_is_being_renamed_does_not_come_after_those_who_name_it),
        RULE(an_import_does_not_come_before_what_it_names),
        RULE(what_is_read_does_not_come_before_what_it_names),
        RULE(what_is_taken_over_does_not_come_before_what_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
