/* test_snapshot.c — integrity, aliases and dangling references of snapshots. */
#include "unit/check.h"

#include "model/crypter.h"
#include "model/snapshot.h"
#include "model/snapshot_repair.h"

#define LIST(...)                                 \
    ((struct strs){ (const str[]){ __VA_ARGS__ }, \
                    sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str) })
#define PROVIDER_URN "urn:pulumi:d::p::pulumi:providers:x::default"

static struct resource component(const char *urn)
{
    return (struct resource){ .urn = str_from(urn), .type = STR("a:b:C") };
}

static struct resource provider(void)
{
    return (struct resource){ .urn = STR(PROVIDER_URN),
                              .type = STR("pulumi:providers:x"),
                              .is_custom = true,
                              .id = STR("1") };
}

/* A snapshot of the resources given by address. */
#define SNAPSHOT(...)                                                                  \
    ((struct snapshot){ .resources = (struct resource *[]){ __VA_ARGS__ },             \
                        .resource_count = sizeof((struct resource *[]){ __VA_ARGS__ }) \
                                          / sizeof(struct resource *) })

static void assert_refused(struct snapshot snapshot, const char *message)
{
    struct error *error = snapshot_verify(&snapshot);
    assert_non_null(error);
    assert_string_equal(error_message(error).ptr, message);
    error_free(error);
}

static void the_magic_is_the_hash_of_the_version(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str magic = snapshot_magic(&arena, STR("v3.260.0-dev.0"));
    assert_str_equal(magic,
                     STR("72278bb271e3f3418751163032a60630b583696326f5f633b85e1594f1dbd9d2"));
    assert_str_equal(snapshot_magic(&arena, STR("")), STR(""));
    struct snapshot snapshot = { .version = STR("v3.260.0-dev.0"), .magic = magic };
    assert_ok(snapshot_verify(&snapshot));
    snapshot.magic = STR("");
    assert_refused(snapshot, "magic cookie mismatch; possible tampering/corruption detected");
}

static void required_fields_are_checked(void **state)
{
    (void)state;
    struct resource nameless = { .type = STR("t") }, typeless = { .urn = STR("u") },
                    odd = component("u");
    odd.id = STR("i");
    assert_refused(SNAPSHOT(&nameless), "resource at index 0 missing required 'urn' field");
    assert_refused(SNAPSHOT(&typeless), "resource 'u' missing required 'type' field");
    assert_refused(SNAPSHOT(&odd), "resource 'u' has 'custom false but non-empty ID");
}

static void a_provider_must_stand_before_its_users(void **state)
{
    (void)state;
    struct resource p = provider(), user = component("u");
    user.provider = STR(PROVIDER_URN "::1");
    struct snapshot good = SNAPSHOT(&p, &user);
    assert_ok(snapshot_verify(&good));
    assert_refused(SNAPSHOT(&user, &p),
                   "resource u refers to unknown provider " PROVIDER_URN "::1");
    user.is_pending_replacement = true;
    struct snapshot waiting = SNAPSHOT(&user);
    assert_ok(snapshot_verify(&waiting));
    user.provider = STR("bogus");
    assert_refused(SNAPSHOT(&user), "failed to parse provider reference for resource u: expected "
                                    "'::' in provider reference 'bogus'");
    struct resource broken = provider();
    broken.urn = STR("x");
    assert_refused(SNAPSHOT(&broken), "provider x is not referenceable: x is not a valid URN");
}

static void references_must_lead_to_earlier_resources(void **state)
{
    (void)state;
    struct resource a = component("a"), b = component("b");
    struct property_dependency property = { STR("k"), LIST(STR("a")) };

    b.parent = STR("a");
    struct snapshot good = SNAPSHOT(&a, &b);
    assert_ok(snapshot_verify(&good));
    assert_refused(SNAPSHOT(&b, &a), "child resource b's parent a comes after it");
    assert_refused(SNAPSHOT(&b), "child resource b refers to missing parent a");
    b = component("b");
    b.dependencies = LIST(STR(""), STR("a"));
    assert_refused(SNAPSHOT(&b, &a), "resource b's dependency a comes after it");
    assert_refused(SNAPSHOT(&b), "resource b's dependency a refers to missing resource");
    b = component("b");
    b.property_dependencies = (struct property_dependencies){ &property, 1 };
    assert_refused(SNAPSHOT(&b, &a),
                   "resource b's property dependency a (from property k) comes after it");
    assert_refused(
        SNAPSHOT(&b),
        "resource b's property dependency a (from property k) refers to missing resource");
    b = component("b");
    b.options.deleted_with = STR("a");
    assert_refused(SNAPSHOT(&b, &a),
                   "resource b is specified as being deleted with a, which comes after it");
    assert_refused(SNAPSHOT(&b),
                   "resource b is specified as being deleted with a, which is missing");
    b = component("b");
    b.options.replace_with = LIST(STR("a"));
    assert_refused(SNAPSHOT(&b, &a),
                   "resource b is specified as being replaced with a, which comes after it");
    assert_refused(SNAPSHOT(&b),
                   "resource b is specified as being replaced with a, which is missing");
    a.parent = STR("a");
    assert_refused(SNAPSHOT(&a), "child resource a refers to missing parent a");
}

static void only_one_live_copy_of_a_urn_is_allowed(void **state)
{
    (void)state;
    struct resource a = component("a"), other = component("a"), gone = component("a");
    gone.is_delete = true;
    struct snapshot good = SNAPSHOT(&a, &gone, &gone);
    assert_ok(snapshot_verify(&good));
    struct snapshot all_gone = SNAPSHOT(&gone, &gone);
    assert_ok(snapshot_verify(&all_gone));
    assert_refused(SNAPSHOT(&a, &gone, &other), "duplicate resource a (not marked for deletion)");
    assert_ptr_equal(snapshot_find(&good, STR("a")), &a);
    assert_null(snapshot_find(&all_gone, STR("a")));
}

static void snippets_need_a_uuid_of_their_own(void **state)
{
    (void)state;
    struct snapshot snapshot = { .snippets = STR("[{\"uuid\":\"a\"},{\"uuid\":\"b\"}]") };
    assert_ok(snapshot_verify(&snapshot));
    snapshot.snippets = STR("[{\"uuid\":\"a\"},{\"name\":\"b\"}]");
    assert_refused(snapshot, "snippet at index 1 missing required 'uuid' field");
    snapshot.snippets = STR("[{\"uuid\":\"a\"},{\"uuid\":\"b\"},{\"uuid\":\"a\"}]");
    assert_refused(snapshot, "duplicate snippet uuid \"a\" at indexes 0 and 2");
}

static void aliases_are_followed_everywhere(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource parent = component("urn:pulumi:d::p::new:t:T::n"),
                    child = component("urn:pulumi:d::p::old:t:T$a:b:C::c");
    struct resource grandchild = component("urn:pulumi:d::p::old:t:T$a:b:C$x:y:Z::g"),
                    user = component("urn:pulumi:d::p::a:b:C::u");
    parent.aliases = LIST(STR("urn:pulumi:d::p::old:t:T::n"));
    child.parent = STR("urn:pulumi:d::p::old:t:T::n");
    grandchild.parent = child.urn;
    struct property_dependency property = { STR("k"), LIST(STR("urn:pulumi:d::p::old:t:T::n")) };
    user.dependencies = LIST(child.urn, STR("other"));
    user.property_dependencies = (struct property_dependencies){ &property, 1 };
    user.options.deleted_with = grandchild.urn;
    user.options.replace_with = LIST(child.urn);
    user.view_of = child.urn;
    struct snapshot snapshot = SNAPSHOT(&parent, &child, &grandchild, &user);
    assert_ok(snapshot_normalize_aliases(&arena, &snapshot));

    assert_int_equal(snapshot.resources[0]->aliases.len, 0);
    assert_str_equal(snapshot.resources[1]->urn, STR("urn:pulumi:d::p::new:t:T$a:b:C::c"));
    assert_str_equal(snapshot.resources[1]->parent, parent.urn);
    assert_str_equal(snapshot.resources[2]->urn, STR("urn:pulumi:d::p::new:t:T$a:b:C$x:y:Z::g"));
    assert_str_equal(snapshot.resources[2]->parent, snapshot.resources[1]->urn);
    assert_str_equal(snapshot.resources[3]->dependencies.items[0], snapshot.resources[1]->urn);
    assert_str_equal(snapshot.resources[3]->dependencies.items[1], STR("other"));
    assert_str_equal(snapshot.resources[3]->property_dependencies.items[0].urns.items[0],
                     parent.urn);
    assert_str_equal(snapshot.resources[3]->options.deleted_with, snapshot.resources[2]->urn);
    assert_str_equal(snapshot.resources[3]->options.replace_with.items[0],
                     snapshot.resources[1]->urn);
    assert_str_equal(snapshot.resources[3]->view_of, snapshot.resources[1]->urn);
    assert_int_equal(parent.aliases.len, 1);
}

/* It was read under its new name, and has the parent of before until it is changed. */
static void what_has_its_new_name_does_not_follow_its_parent(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource parent = component("urn:pulumi:d::p::new:t:T::n"),
                    child = component("urn:pulumi:d::p::a:b:C::c"),
                    user = component("urn:pulumi:d::p::a:b:C::u");
    parent.aliases = LIST(STR("urn:pulumi:d::p::old:t:T::n"));
    child.parent = STR("urn:pulumi:d::p::old:t:T::n");
    child.aliases = LIST(STR("urn:pulumi:d::p::old:t:T$a:b:C::c"));
    user.dependencies = LIST(STR("urn:pulumi:d::p::old:t:T$a:b:C::c"));
    struct snapshot snapshot = SNAPSHOT(&parent, &child, &user);
    assert_ok(snapshot_normalize_aliases(&arena, &snapshot));
    assert_str_equal(snapshot.resources[1]->urn, child.urn);
    assert_str_equal(snapshot.resources[1]->parent, parent.urn);
    assert_str_equal(snapshot.resources[2]->dependencies.items[0], child.urn);
}

/* The child was moved elsewhere when its parent got another type; what refers to it goes along. */
static void what_is_left_of_a_child_goes_by_the_name_of_its_successor(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource parent = component("urn:pulumi:d::p::new:t:T::n"),
                    child = component("urn:pulumi:d::p::a:b:C::c"),
                    grandchild = component("urn:pulumi:d::p::old:t:T$a:b:C$a:b:C::g"),
                    left_over = component("urn:pulumi:d::p::old:t:T$a:b:C::c");
    parent.aliases = LIST(STR("urn:pulumi:d::p::old:t:T::n"));
    child.aliases = LIST(left_over.urn);
    grandchild.parent = left_over.urn;
    left_over.parent = STR("urn:pulumi:d::p::old:t:T::n");
    left_over.is_delete = true;
    struct snapshot snapshot = SNAPSHOT(&parent, &child, &grandchild, &left_over);
    assert_ok(snapshot_normalize_aliases(&arena, &snapshot));
    assert_str_equal(snapshot.resources[2]->parent, child.urn);
    assert_str_equal(snapshot.resources[3]->urn, child.urn);
    assert_ok(snapshot_verify(&snapshot));
}

static void an_aliased_provider_is_followed_in_references(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource p = provider(), user = component("u");
    p.aliases = LIST(STR("urn:pulumi:d::p::pulumi:providers:x::old"));
    user.provider = STR("urn:pulumi:d::p::pulumi:providers:x::old::1");
    struct snapshot snapshot = SNAPSHOT(&p, &user);
    assert_ok(snapshot_normalize_aliases(&arena, &snapshot));
    assert_str_equal(snapshot.resources[1]->provider, STR(PROVIDER_URN "::1"));
    assert_ok(snapshot_verify(&snapshot));
}

static void snippets_follow_aliases_too(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource a = component("new");
    a.aliases = LIST(STR("old"));
    struct snapshot snapshot = SNAPSHOT(&a);
    snapshot.snippets = STR(
        "[{\"uuid\":\"old\",\"references\":{\"x\":\"old\",\"old\":\"other\"}},{\"name\":\"old\"}]");
    assert_ok(snapshot_normalize_aliases(&arena, &snapshot));
    assert_str_equal(snapshot.snippets, STR("[{\"uuid\":\"old\",\"references\":{\"x\":\"new\","
                                            "\"old\":\"other\"}},{\"name\":\"old\"}]"));
}

static void one_alias_for_two_resources_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource a = component("a"), b = component("b");
    a.aliases = LIST(STR("x"), STR("x"));
    b.aliases = LIST(STR("x"));
    struct snapshot snapshot = SNAPSHOT(&a, &b);
    assert_fails(snapshot_normalize_aliases(&arena, &snapshot), ERROR_INVALID,
                 "Two resources ('a' and 'b') aliased to the same: 'x'");
}

static void what_is_gone_is_forgotten_and_its_children_move_up(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource root = component("root"), gone = component("gone"), gone2 = component("gone2"),
                    child = component("child");
    struct resource kept = component("kept");
    gone.parent = STR("root");
    gone2.parent = STR("gone");
    child.parent = STR("gone2");
    child.dependencies = LIST(STR("gone"), STR("root"));
    struct property_dependency properties[] = { { STR("a"), LIST(STR("gone")) },
                                                { STR("b"), LIST(STR("root")) },
                                                { STR("c"), { 0 } } };
    child.property_dependencies = (struct property_dependencies){ properties, 3 };
    child.options.deleted_with = STR("gone");
    child.options.replace_with = LIST(STR("gone2"));
    kept.parent = STR("root");
    struct snapshot base = SNAPSHOT(&root, &gone, &gone2, &child, &kept),
                    left = SNAPSHOT(&root, &child, &kept);
    snapshot_drop_dangling(&arena, &left, &base, 0);
    const struct resource *moved = left.resources[1];
    assert_str_equal(moved->parent, STR("root"));
    assert_true(strs_equal(moved->dependencies, LIST(STR("root"))));
    assert_int_equal(moved->property_dependencies.len, 1);
    assert_str_equal(moved->property_dependencies.items[0].key, STR("b"));
    assert_int_equal(moved->options.deleted_with.len, 0);
    assert_int_equal(moved->options.replace_with.len, 0);
    assert_ptr_equal(left.resources[2], &kept);
    assert_str_equal(child.parent, STR("gone2"));
    struct snapshot orphan = SNAPSHOT(&child);
    snapshot_drop_dangling(&arena, &orphan, NULL, 0);
    assert_int_equal(orphan.resources[0]->parent.len, 0);
}

/* A refresh has found that the live instance of the parent is gone. */
static void what_is_left_to_be_deleted_is_no_parent_of_what_comes_before_it(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource child = component("child"), left = component("parent");
    child.parent = left.urn;
    left.is_delete = true;
    struct snapshot snapshot = SNAPSHOT(&child, &left);
    snapshot_drop_dangling(&arena, &snapshot, NULL, 0);
    assert_ok(snapshot_verify(&snapshot));
    assert_str_equal(snapshot.resources[0]->parent, STR(""));
}

static void sorting_moves_only_what_stands_too_early(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource a = component("a"), b = component("b"), c = component("c"),
                    old = component("a");
    b.dependencies = LIST(STR("c"));
    c.parent = STR("a");
    old.is_delete = true;
    struct snapshot snapshot = SNAPSHOT(&b, &old, &a, &c);
    assert_ok(snapshot_sort(&arena, &snapshot));
    struct resource *wanted[] = { &a, &c, &b, &old };
    assert_memory_equal(snapshot.resources, wanted, sizeof(wanted));
    a.options.deleted_with = STR("b");
    assert_fails(snapshot_sort(&arena, &snapshot), ERROR_INVALID,
                 "snapshot has cyclic dependencies");
    assert_memory_equal(snapshot.resources, wanted, sizeof(wanted));
}

/* An earlier run has replaced b, to be deleted before a, which is replaced now and needs b as it is
 * since. */
static void what_is_to_be_deleted_may_need_what_is_live(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource b = component("b"), left_of_a = component("a"), left_of_b = component("b"),
                    a = component("a"), c = component("c");
    left_of_a.is_delete = left_of_b.is_delete = true;
    left_of_a.dependencies = LIST(STR("b"), STR("c"));
    left_of_b.dependencies = LIST(STR("a"));
    struct snapshot snapshot = SNAPSHOT(&b, &left_of_a, &a, &c, &left_of_b);
    assert_ok(snapshot_sort(&arena, &snapshot));
    struct resource *wanted[] = { &b, &c, &left_of_a, &a, &left_of_b };
    assert_memory_equal(snapshot.resources, wanted, sizeof(wanted));
    b.parent = STR("a");
    a.parent = STR("b");
    assert_fails(snapshot_sort(&arena, &snapshot), ERROR_INVALID,
                 "snapshot has cyclic dependencies");
    assert_memory_equal(snapshot.resources, wanted, sizeof(wanted));
}

static void a_long_chain_is_sorted_without_a_deep_stack(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource *all = ARENA_ARRAY(&arena, struct resource, COUNT);
    struct snapshot snapshot = { .resources = ARENA_ARRAY(&arena, struct resource *, COUNT),
                                 .resource_count = COUNT };
    for (size_t i = 0; i < COUNT; i++) {
        all[i] = component(arena_printf(&arena, "r%zu", i).ptr);
        all[i].parent = i + 1 < COUNT ? arena_printf(&arena, "r%zu", i + 1) : STR("");
        snapshot.resources[i] = &all[i];
    }
    assert_ok(snapshot_repair(&arena, &snapshot));
    assert_str_equal(snapshot.resources[0]->urn, STR("r19999"));
    assert_ok(snapshot_verify(&snapshot));
}

static void repair_drops_what_is_missing_and_renames_orphans(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource child = component("urn:pulumi:d::p::gone:t:T$a:b:C::c"),
                    grandchild = component("urn:pulumi:d::p::gone:t:T$a:b:C$x:y:Z::g");
    struct property_dependency property = { STR("k"), LIST(STR("missing")) };
    child.parent = STR("urn:pulumi:d::p::gone:t:T::n");
    child.property_dependencies = (struct property_dependencies){ &property, 1 };
    grandchild.parent = child.urn;
    grandchild.dependencies = LIST(child.urn, STR("missing"));
    grandchild.options.deleted_with = STR("missing");
    grandchild.options.replace_with = LIST(STR("missing"));
    grandchild.provider = STR(PROVIDER_URN "::1");
    struct snapshot snapshot = SNAPSHOT(&grandchild, &child);
    assert_ok(snapshot_repair(&arena, &snapshot));
    const struct resource *first = snapshot.resources[0], *second = snapshot.resources[1];
    assert_str_equal(first->urn, STR("urn:pulumi:d::p::a:b:C::c"));
    assert_int_equal(first->parent.len, 0);
    assert_int_equal(first->property_dependencies.len, 0);
    assert_str_equal(second->urn, STR("urn:pulumi:d::p::a:b:C$x:y:Z::g"));
    assert_str_equal(second->parent, first->urn);
    assert_true(strs_equal(second->dependencies, LIST(first->urn)));
    assert_int_equal(second->options.deleted_with.len, 0);
    assert_int_equal(second->options.replace_with.len, 0);
    assert_str_equal(second->provider, STR(PROVIDER_URN "::1"));
}

static struct error *mark_sealed(struct crypter *crypter, str plaintext, struct arena *arena,
                                 str *ciphertext)
{
    (void)crypter;
    *ciphertext = arena_concat(arena, STR("E"), plaintext);
    return NULL;
}

static struct error *refuse(struct crypter *crypter, str ciphertext, struct arena *arena,
                            str *plaintext)
{
    (void)crypter;
    (void)ciphertext;
    (void)arena;
    (void)plaintext;
    return error_new(ERROR_OTHER, "wrong key");
}

static void every_secret_of_a_snapshot_is_sealed(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct crypter crypter = { .seal = mark_sealed, .unseal = refuse };
    struct value secrets[4];
    for (int i = 0; i < 4; i++)
        secrets[i] = value_secret(&arena, value_number(i));
    struct resource a = component("a"), b = component("b"), plain = component("c");
    a.inputs = value_with(&arena, value_null(), STR("k"), secrets[0]);
    a.outputs = value_with(&arena, value_null(), STR("k"), secrets[1]);
    a.options.replacement_trigger = secrets[2];
    b.inputs = value_with(&arena, value_null(), STR("k"), secrets[3]);
    struct pending_operation pending = { &b, PENDING_CREATING };
    struct snapshot snapshot = SNAPSHOT(&a), without = SNAPSHOT(&plain);
    snapshot.pending = &pending;
    snapshot.pending_count = 1;
    assert_true(snapshot_has_secrets(&snapshot));
    assert_false(snapshot_has_secrets(&without));
    assert_ok(snapshot_unseal(&snapshot, NULL, &arena));
    assert_ok(snapshot_seal(&snapshot, &crypter, &arena));
    for (int i = 0; i < 4; i++)
        assert_str_equal(secrets[i].secret->ciphertext, arena_printf(&arena, "E%d", i));
    snapshot_forget_seals(&snapshot);
    assert_int_equal(secrets[3].secret->ciphertext.len, 0);
    assert_ok(snapshot_seal(&snapshot, &crypter, &arena));
    secrets[1].secret->is_opaque = true;
    snapshot_forget_seals(&snapshot);
    assert_int_equal(secrets[1].secret->ciphertext.len, 2);
    assert_fails(snapshot_unseal(&snapshot, &crypter, &arena), ERROR_OTHER,
                 "a: decrypting secret value: wrong key");
    snapshot.resource_count = 0;
    assert_true(snapshot_has_secrets(&snapshot));
}

static void numbering_makes_a_base(void **state)
{
    (void)state;
    struct resource a = component("a"), b = component("b");
    a.operation_id = 7;
    struct snapshot snapshot = SNAPSHOT(&a, &b);
    snapshot_number(&snapshot);
    assert_int_equal(a.base_index_plus_one, 1);
    assert_int_equal(b.base_index_plus_one, 2);
    assert_int_equal(a.operation_id, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_magic_is_the_hash_of_the_version),
        cmocka_unit_test(required_fields_are_checked),
        cmocka_unit_test(a_provider_must_stand_before_its_users),
        cmocka_unit_test(references_must_lead_to_earlier_resources),
        cmocka_unit_test(only_one_live_copy_of_a_urn_is_allowed),
        cmocka_unit_test(snippets_need_a_uuid_of_their_own),
        cmocka_unit_test(aliases_are_followed_everywhere),
        cmocka_unit_test(what_has_its_new_name_does_not_follow_its_parent),
        cmocka_unit_test(what_is_left_of_a_child_goes_by_the_name_of_its_successor),
        cmocka_unit_test(an_aliased_provider_is_followed_in_references),
        cmocka_unit_test(snippets_follow_aliases_too),
        cmocka_unit_test(one_alias_for_two_resources_is_refused),
        cmocka_unit_test(what_is_gone_is_forgotten_and_its_children_move_up),
        cmocka_unit_test(what_is_left_to_be_deleted_is_no_parent_of_what_comes_before_it),
        cmocka_unit_test(sorting_moves_only_what_stands_too_early),
        cmocka_unit_test(what_is_to_be_deleted_may_need_what_is_live),
        cmocka_unit_test(a_long_chain_is_sorted_without_a_deep_stack),
        cmocka_unit_test(every_secret_of_a_snapshot_is_sealed),
        cmocka_unit_test(numbering_makes_a_base),
        cmocka_unit_test(repair_drops_what_is_missing_and_renames_orphans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
