/* test_urn.c — URNs, provider references and type tokens. */
#include "unit/check.h"

#include "model/urn.h"

static void a_name_may_contain_the_separator(void **state)
{
    (void)state;
    struct urn urn;
    assert_ok(urn_parse(STR("urn:pulumi:dev::web::a:b:C$d:e:F::x::y"), &urn));
    assert_str_equal(urn.stack, STR("dev"));
    assert_str_equal(urn.project, STR("web"));
    assert_str_equal(urn.qualified_type, STR("a:b:C$d:e:F"));
    assert_str_equal(urn.name, STR("x::y"));
    assert_str_equal(urn_type(&urn), STR("d:e:F"));
}

static void a_missing_part_is_reported_with_the_text(void **state)
{
    (void)state;
    struct urn urn;
    assert_fails(urn_parse(STR("urn:pulumi:dev::web::t"), &urn), ERROR_INVALID,
                 "invalid URN \"urn:pulumi:dev::web::t\"");
    assert_fails(urn_parse(STR("not-a-urn"), &urn), ERROR_INVALID, "invalid URN \"not-a-urn\"");
    assert_fails(urn_parse(STR(""), &urn), ERROR_INVALID, "missing required URN");
}

static void formatting_gives_the_text_back(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = STR("urn:pulumi:dev::web::a:b:C$d:e:F::x::y\0z");
    struct urn urn;
    assert_ok(urn_parse(text, &urn));
    assert_str_equal(urn_format(&arena, &urn), text);
}

static void a_child_carries_the_types_of_its_parents_but_not_the_root_stack(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = urn_make(&arena, STR("dev"), STR("web"), STR(""), ROOT_STACK_TYPE, STR("web-dev"));
    assert_str_equal(root, STR("urn:pulumi:dev::web::pulumi:pulumi:Stack::web-dev"));
    str top = urn_make(&arena, STR("dev"), STR("web"), root, STR("a:b:C"), STR("c"));
    assert_str_equal(top, STR("urn:pulumi:dev::web::a:b:C::c"));
    str child = urn_make(&arena, STR("dev"), STR("web"), top, STR("d:e:F"), STR("f"));
    assert_str_equal(child, STR("urn:pulumi:dev::web::a:b:C$d:e:F::f"));
    assert_str_equal(urn_make(&arena, STR("dev"), STR("web"), child, STR("g:h:I"), STR("i")),
                     STR("urn:pulumi:dev::web::a:b:C$d:e:F$g:h:I::i"));
}

static void parts_of_what_is_no_urn_are_empty(void **state)
{
    (void)state;
    assert_str_equal(urn_type_of(STR("x")), STR(""));
    assert_str_equal(urn_name_of(STR("")), STR(""));
    assert_str_equal(urn_stack_of(STR("urn:pulumi:dev::web::t::n")), STR("dev"));
    assert_str_equal(urn_project_of(STR("urn:pulumi:dev::web::t::n")), STR("web"));
    assert_str_equal(urn_qualified_type_of(STR("urn:pulumi:dev::web::a$t::n")), STR("a$t"));
}

static void a_provider_reference_splits_at_the_last_separator(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str urn, id;
    assert_ok(provider_ref_parse(STR("urn:pulumi:dev::web::pulumi:providers:aws::a::b::some-id"),
                                 &urn, &id));
    assert_str_equal(urn, STR("urn:pulumi:dev::web::pulumi:providers:aws::a::b"));
    assert_str_equal(id, STR("some-id"));
    assert_str_equal(provider_ref_format(&arena, urn, id),
                     STR("urn:pulumi:dev::web::pulumi:providers:aws::a::b::some-id"));
    assert_str_equal(provider_ref_format(&arena, STR("u"), STR("")),
                     STR("u::04da6b54-80e4-46f7-96ec-b56ff0331ba9"));
}

static void a_provider_reference_must_name_a_provider(void **state)
{
    (void)state;
    str urn, id;
    assert_fails(provider_ref_parse(STR("bogus"), &urn, &id), ERROR_INVALID,
                 "expected '::' in provider reference 'bogus'");
    assert_fails(provider_ref_parse(STR("a::b"), &urn, &id), ERROR_INVALID, "a is not a valid URN");
    assert_fails(provider_ref_parse(STR("urn:pulumi:d::p::a:b:C::n::id"), &urn, &id), ERROR_INVALID,
                 "invalid module in type: expected 'pulumi:providers', got 'a:b'");
    assert_fails(provider_ref_parse(STR("urn:pulumi:d::p::pulumi:providers:::n::id"), &urn, &id),
                 ERROR_INVALID, "");
}

static void type_tokens_have_package_module_and_name(void **state)
{
    (void)state;
    assert_true(type_is_provider(STR("pulumi:providers:aws")));
    assert_str_equal(type_provider_package(STR("pulumi:providers:aws")), STR("aws"));
    assert_false(type_is_provider(STR("pulumi:providers:")));
    assert_false(type_is_provider(STR("pulumi:providers")));
    assert_false(type_is_provider(STR("aws:s3/bucket:Bucket")));
    assert_str_equal(type_package(STR("aws:s3/bucket:Bucket")), STR("aws"));
    assert_str_equal(type_package(STR("Bucket")), STR(""));
    assert_true(type_token_is_valid(STR("aws:s3:Bucket")));
    assert_true(type_token_is_valid(STR("aws::Bucket")));
    assert_false(type_token_is_valid(STR("aws:Bucket")));
    assert_true(type_token_is_valid(STR("aws:s3:Bucket:x")));
    assert_false(type_token_is_valid(STR(":s3:Bucket")));
    assert_false(type_token_is_valid(STR("aws:s3:")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_may_contain_the_separator),
        cmocka_unit_test(a_missing_part_is_reported_with_the_text),
        cmocka_unit_test(formatting_gives_the_text_back),
        cmocka_unit_test(a_child_carries_the_types_of_its_parents_but_not_the_root_stack),
        cmocka_unit_test(parts_of_what_is_no_urn_are_empty),
        cmocka_unit_test(a_provider_reference_splits_at_the_last_separator),
        cmocka_unit_test(a_provider_reference_must_name_a_provider),
        cmocka_unit_test(type_tokens_have_package_module_and_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
