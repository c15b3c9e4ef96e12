/* test_replay.c — the state that journal entries leave. */
#include "unit/check.h"

#include "model/journal.h"

#define LIST(...)                                 \
    ((struct strs){ (const str[]){ __VA_ARGS__ }, \
                    sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str) })

struct run {
    struct arena arena;
    struct replay *replay;
    int64_t sequence;
};

static void run_release(struct run *run)
{
    arena_release(&run->arena);
}

static struct resource *made(struct run *run, const char *urn)
{
    struct resource *resource = ARENA_NEW(&run->arena, struct resource);
    resource->urn = str_from(urn);
    resource->type = STR("a:b:C");
    return resource;
}

/* A base of the named resources; "x!" is marked for deletion. */
static struct snapshot base_of(struct run *run, const char *const *urns, size_t count)
{
    struct snapshot base = { .resource_count = count, .metadata = STR("{}") };
    base.resources = ARENA_ARRAY(&run->arena, struct resource *, count);
    for (size_t i = 0; i < count; i++)
        base.resources[i] = made(run, urns[i]);
    return base;
}

static void start(struct run *run, const char *const *urns, size_t count)
{
    struct snapshot base = base_of(run, urns, count);
    run->replay = replay_new(&run->arena, &base);
}
#define START(run, ...)                              \
    start(run, (const char *const[]){ __VA_ARGS__ }, \
          sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* ENTRY(run, JOURNAL_SUCCESS, 3, .state = …, .remove_old = 1) */
static struct error *apply(struct run *run, struct journal_entry entry)
{
    entry.sequence_id = ++run->sequence;
    return replay_apply(run->replay, &entry);
}
#pragma GCC diagnostic ignored "-Woverride-init"
#define ENTRY(run, kind_, ...)                                                  \
    apply(run, (struct journal_entry){ .remove_old = JOURNAL_NONE,              \
                                       .remove_new = JOURNAL_NONE,              \
                                       .delete_old = JOURNAL_NONE,              \
                                       .delete_new = JOURNAL_NONE,              \
                                       .state_old = JOURNAL_NONE,               \
                                       .pending_replacement_old = JOURNAL_NONE, \
                                       .pending_replacement_new = JOURNAL_NONE, \
                                       .kind = kind_,                           \
                                       .operation_id = __VA_ARGS__ })

static const struct pending_operation *pending(struct run *run, enum pending_kind kind,
                                               const char *urn)
{
    struct pending_operation *operation = ARENA_NEW(&run->arena, struct pending_operation);
    *operation = (struct pending_operation){ made(run, urn), kind };
    return operation;
}

/* "a b!D c!PR [creating x]" */
static void assert_state(struct run *run, const char *wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run->replay, &snapshot));
    for (size_t i = 0; i < snapshot.resource_count; i++) {
        const struct resource *resource = snapshot.resources[i];
        strbuf_add(&out, i ? STR(" ") : STR(""));
        strbuf_add(&out, resource->urn);
        strbuf_add(&out, resource->is_delete ? STR("!D") : STR(""));
        strbuf_add(&out, resource->is_pending_replacement ? STR("!PR") : STR(""));
    }
    for (size_t i = 0; i < snapshot.pending_count; i++) {
        strbuf_printf(&out, " [%s ", pending_names[snapshot.pending[i].kind]);
        strbuf_add(&out, snapshot.pending[i].resource->urn);
        strbuf_add_char(&out, ']');
    }
    assert_str_equal(strbuf_str(&out), str_from(wanted));
}

static void a_replacement_whose_delete_fails_leaves_the_old_half(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "default", "a", "b");
    assert_ok(ENTRY(&run, JOURNAL_SECRETS_MANAGER, 0, .secrets_type = STR("passphrase")));
    assert_ok(ENTRY(&run, JOURNAL_BEGIN, 1));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .remove_old = 0, .state = made(&run, "stack")));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .remove_old = 1, .state = made(&run, "default")));
    assert_ok(ENTRY(&run, JOURNAL_BEGIN, 3, .operation = pending(&run, PENDING_CREATING, "a")));
    assert_state(&run, "stack default a b [creating a]");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 3, .delete_old = 2, .state = made(&run, "a")));
    assert_state(&run, "stack default a a!D b");
    assert_ok(ENTRY(&run, JOURNAL_BEGIN, 5, .operation = pending(&run, PENDING_UPDATING, "b")));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 5, .remove_old = 3, .state = made(&run, "b")));
    assert_ok(ENTRY(&run, JOURNAL_BEGIN, 6, .operation = pending(&run, PENDING_DELETING, "a")));
    assert_state(&run, "stack default a b a!D [deleting a]");
    assert_ok(ENTRY(&run, JOURNAL_FAILURE, 6, .remove_old = 2, .state = made(&run, "nonsense")));
    assert_ok(ENTRY(&run, JOURNAL_OUTPUTS, 7, .remove_new = 1, .state = made(&run, "stack")));
    assert_state(&run, "stack default a b a!D");
}

static void deleting_first_leaves_a_mark_until_the_create(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "a", "b");
    assert_ok(ENTRY(&run, JOURNAL_BEGIN, 1, .operation = pending(&run, PENDING_DELETING, "a")));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .pending_replacement_old = 1));
    assert_state(&run, "stack a!PR b");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .remove_old = 1, .state = made(&run, "a")));
    assert_state(&run, "a stack b");
}

static void marks_on_new_resources_do_not_touch_the_entry(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack");
    struct resource *a = made(&run, "a"), *b = made(&run, "b");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .state = a));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .state = b));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 3, .delete_new = 1, .pending_replacement_new = 2));
    assert_state(&run, "a!D b!PR stack");
    assert_false(a->is_delete);
    assert_false(b->is_pending_replacement);
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 4, .remove_new = 1));
    assert_state(&run, "b!PR stack");
}

static void what_is_to_be_deleted_and_was_deleted_is_gone(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "a", "b");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .delete_old = 1, .state = made(&run, "a")));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .pending_replacement_old = 1));
    assert_state(&run, "a stack b");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 3, .pending_replacement_old = 2));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 4, .delete_old = 2, .state = made(&run, "b")));
    assert_state(&run, "a b stack");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 5, .delete_new = 1));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 6, .pending_replacement_new = 1));
    assert_state(&run, "b stack");
}

/* stack, a below it, b below a, c that depends on both. */
static void start_family(struct run *run)
{
    static const str both[] = { STR_INIT("a"), STR_INIT("b") };
    struct snapshot base = base_of(run, (const char *const[]){ "stack", "a", "b", "c" }, 4);
    base.resources[1]->parent = STR("stack");
    base.resources[2]->parent = STR("a");
    base.resources[3]->dependencies = (struct strs){ both, 2 };
    run->replay = replay_new(&run->arena, &base);
}

static void a_refresh_replaces_in_place_and_forgets_what_is_gone(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    start_family(&run);
    struct resource *b = made(&run, "b");
    b->parent = STR("a");
    b->id = STR("read");
    assert_ok(ENTRY(&run, JOURNAL_REFRESH_SUCCESS, 1, .remove_old = 1));
    assert_ok(ENTRY(&run, JOURNAL_REFRESH_SUCCESS, 2, .remove_old = 2, .state = b));
    assert_state(&run, "stack b c");
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_str_equal(snapshot.resources[1]->id, STR("read"));
    assert_int_equal(snapshot.resources[1]->parent.len, 0);
    assert_true(strs_equal(snapshot.resources[2]->dependencies, LIST(STR("b"))));
    assert_str_equal(b->parent, STR("a"));
}

static void what_vanishes_while_a_program_runs_leaves_its_children_to_the_grandparent(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    start_family(&run);
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .remove_old = 1, .is_refresh = true));
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_str_equal(snapshot.resources[1]->parent, STR("stack"));
    assert_true(strs_equal(snapshot.resources[2]->dependencies, LIST(STR("b"))));
}

/* A refresh forgets properties without dependencies, but not of what the program registers after
 * it. */
static void what_a_program_registers_keeps_its_properties(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    start_family(&run);
    struct property_dependency none = { .key = STR("k") };
    struct resource *c = made(&run, "c");
    c->property_dependencies = (struct property_dependencies){ &none, 1 };
    assert_ok(ENTRY(&run, JOURNAL_REFRESH_SUCCESS, 1, .remove_old = 2, .state = c));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .state = c, .remove_old = 3));
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_int_equal(snapshot.resources[0]->property_dependencies.len, 1);
    assert_int_equal(snapshot.resources[3]->property_dependencies.len, 0);
}

static void a_refresh_can_replace_and_remove_what_this_run_made(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .state = made(&run, "a"), .is_refresh = true));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .state = made(&run, "b")));
    assert_ok(ENTRY(&run, JOURNAL_REFRESH_SUCCESS, 3, .remove_new = 1, .state = made(&run, "a2")));
    assert_ok(ENTRY(&run, JOURNAL_REFRESH_SUCCESS, 4, .remove_new = 2));
    assert_state(&run, "a2 stack");
}

static void interrupted_creates_are_carried_until_they_are_dropped(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    struct snapshot base = base_of(&run, (const char *const[]){ "stack" }, 1);
    struct pending_operation operations[] = { *pending(&run, PENDING_CREATING, "x"),
                                              *pending(&run, PENDING_UPDATING, "y") };
    base.pending = operations;
    base.pending_count = 2;
    run.replay = replay_new(&run.arena, &base);
    assert_state(&run, "stack [creating x]");
    assert_ok(ENTRY(&run, JOURNAL_BEGIN, 1, .drops_pending_creates = true));
    assert_state(&run, "stack");
}

static void a_state_can_be_named_by_its_place_in_the_base(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "a", "b");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .state_old = 2, .remove_old = 2));
    assert_state(&run, "b stack a");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .delete_new = 1));
    assert_state(&run, "b!D stack a");
    assert_fails(ENTRY(&run, JOURNAL_SUCCESS, 3, .state_old = 3), ERROR_INVALID,
                 "the journal refers to the resource at index 3, but the checkpoint has only 3");
    assert_state(&run, "b!D stack a");
}

static void a_rebuilt_base_is_counted_anew(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "a", "b");
    assert_ok(ENTRY(&run, JOURNAL_REFRESH_SUCCESS, 1, .remove_old = 1));
    assert_ok(ENTRY(&run, JOURNAL_REBUILT_BASE, 0));
    assert_state(&run, "stack b");
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .remove_old = 1, .state = made(&run, "b2")));
    assert_state(&run, "b2 stack");
    assert_ok(ENTRY(&run, JOURNAL_REBUILT_BASE, 0));
    assert_state(&run, "b2 stack");
    assert_fails(ENTRY(&run, JOURNAL_BEGIN, 3), ERROR_INVALID, "behind a base that was rebuilt");
}

static void a_write_is_a_new_base(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "a", "b");
    struct snapshot base = base_of(&run, (const char *const[]){ "one" }, 1);
    assert_ok(ENTRY(&run, JOURNAL_WRITE, 0, .new_snapshot = &base));
    assert_state(&run, "one");
}

static void aliases_are_normalised(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "old", "user");
    struct resource *new = made(&run, "new");
    new->aliases = LIST(STR("old"));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .remove_old = 1, .state = new));
    assert_state(&run, "new stack user");
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_int_equal(snapshot.resources[0]->aliases.len, 0);
}

static void only_extensions_in_use_are_kept(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    struct snapshot base = base_of(&run, (const char *const[]){ "stack" }, 1);
    struct extension old = { .ref = STR("old") }, new = { .ref = STR("new") },
                     unused = { .ref = STR("unused") };
    base.extensions = &old;
    base.extension_count = 1;
    run.replay = replay_new(&run.arena, &base);
    struct resource *a = made(&run, "a"), *b = made(&run, "b");
    a->options.extension_ref = STR("new");
    b->options.extension_ref = STR("old");
    assert_ok(ENTRY(&run, JOURNAL_EXTENSION, 0, .extension = &new));
    assert_ok(ENTRY(&run, JOURNAL_EXTENSION, 0, .extension = &unused));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 1, .state = a));
    assert_ok(ENTRY(&run, JOURNAL_SUCCESS, 2, .state = b));
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_int_equal(snapshot.extension_count, 2);
    assert_str_equal(snapshot.extensions[0].ref, STR("old"));
    assert_str_equal(snapshot.extensions[1].ref, STR("new"));
}

static void secrets_provider_and_snippets_come_from_the_journal(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack");
    assert_ok(ENTRY(&run, JOURNAL_SECRETS_MANAGER, 0, .secrets_type = STR("t"),
                    .secrets_state = STR("{\"a\":1}")));
    assert_ok(ENTRY(&run, JOURNAL_SNIPPETS, 0, .snippets = STR("[{\"uuid\":\"u\"}]"),
                    .requires_byte_string = true));
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_str_equal(snapshot.secrets_type, STR("t"));
    assert_str_equal(snapshot.secrets_state, STR("{\"a\":1}"));
    assert_str_equal(snapshot.snippets, STR("[{\"uuid\":\"u\"}]"));
    assert_true(snapshot.had_byte_strings);
}

static void a_place_that_does_not_exist_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    CLEANUP(run_release) struct run run = { 0 };
    START(&run, "stack", "a");
    assert_fails(ENTRY(&run, JOURNAL_SUCCESS, 1, .remove_old = 2, .state = made(&run, "x")),
                 ERROR_INVALID,
                 "journal entry 1: the journal refers to the resource at index 2, but the "
                 "checkpoint has only 2");
    assert_fails(ENTRY(&run, JOURNAL_SUCCESS, 1, .remove_new = 9), ERROR_INVALID,
                 "operation 9 has made no resource");
    assert_fails(ENTRY(&run, JOURNAL_OUTPUTS, 1, .remove_new = 1, .state = made(&run, "x")),
                 ERROR_INVALID, "operation 1 has made no resource");
    assert_ok(ENTRY(&run, JOURNAL_FAILURE, 1, .remove_old = 77));
    assert_state(&run, "stack a");
}

/* Ten thousand creates over ten thousand old resources; quadratic work would not come back under
 * the sanitizers. */
static void a_long_journal_is_replayed_in_linear_time(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    CLEANUP(run_release) struct run run = { 0 };
    const char **urns = ARENA_ARRAY(&run.arena, const char *, COUNT);
    for (int i = 0; i < COUNT; i++)
        urns[i] = arena_printf(&run.arena, "urn:pulumi:d::p::a:b:C::old%d", i).ptr;
    start(&run, urns, COUNT);
    for (int i = 0; i < COUNT; i++) {
        struct resource *resource =
            made(&run, arena_printf(&run.arena, "urn:pulumi:d::p::a:b:C::new%d", i).ptr);
        assert_ok(
            ENTRY(&run, JOURNAL_BEGIN, i + 1, .operation = pending(&run, PENDING_CREATING, "x")));
        assert_ok(ENTRY(&run, JOURNAL_SUCCESS, i + 1, .state = resource,
                        .remove_old = COUNT - 1 - i, .is_refresh = true));
    }
    struct snapshot snapshot;
    assert_ok(replay_snapshot(run.replay, &snapshot));
    assert_int_equal(snapshot.resource_count, COUNT);
    assert_int_equal(snapshot.pending_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replacement_whose_delete_fails_leaves_the_old_half),
        cmocka_unit_test(deleting_first_leaves_a_mark_until_the_create),
        cmocka_unit_test(marks_on_new_resources_do_not_touch_the_entry),
        cmocka_unit_test(what_is_to_be_deleted_and_was_deleted_is_gone),
        cmocka_unit_test(a_refresh_replaces_in_place_and_forgets_what_is_gone),
        cmocka_unit_test(what_vanishes_while_a_program_runs_leaves_its_children_to_the_grandparent),
        cmocka_unit_test(what_a_program_registers_keeps_its_properties),
        cmocka_unit_test(a_refresh_can_replace_and_remove_what_this_run_made),
        cmocka_unit_test(interrupted_creates_are_carried_until_they_are_dropped),
        cmocka_unit_test(a_state_can_be_named_by_its_place_in_the_base),
        cmocka_unit_test(a_rebuilt_base_is_counted_anew),
        cmocka_unit_test(a_write_is_a_new_base),
        cmocka_unit_test(aliases_are_normalised),
        cmocka_unit_test(only_extensions_in_use_are_kept),
        cmocka_unit_test(secrets_provider_and_snippets_come_from_the_journal),
        cmocka_unit_test(a_place_that_does_not_exist_is_refused_and_changes_nothing),
        cmocka_unit_test(a_long_journal_is_replayed_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
