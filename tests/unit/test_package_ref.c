/* test_package_ref.c — which package: a plugin, or what a plugin becomes by a parameter. */
#include "unit/check.h"

#include "model/package_ref.h"

static const struct package_ref plain = { .name = STR_INIT("aws"),
                                          .version = STR_INIT("1.0.0"),
                                          .download_url = STR_INIT("u") };

static struct package_ref made(void)
{
    struct package_ref ref = plain;

    ref.is_parameterized = true;
    ref.parameter_name = STR("mine");
    ref.parameter_version = STR("2.0.0");
    ref.parameter_value = STR("p");
    return ref;
}

static void a_parameter_gives_the_package_its_name_and_version(void **state)
{
    struct package_ref ref = made();

    (void)state;
    assert_str_equal(package_ref_name(&plain), STR("aws"));
    assert_str_equal(package_ref_version(&plain), STR("1.0.0"));
    assert_str_equal(package_ref_name(&ref), STR("mine"));
    assert_str_equal(package_ref_version(&ref), STR("2.0.0"));
}

static void one_plugin_makes_many_packages(void **state)
{
    struct package_ref ref = made(), other = made();

    (void)state;
    assert_true(package_ref_same_plugin(&plain, &ref));
    assert_false(package_ref_equal(&plain, &ref));
    assert_true(package_ref_equal(&other, &ref));
    other.parameter_value = STR("q");
    assert_false(package_ref_equal(&other, &ref));
    other.version = STR("1.0.1");
    assert_false(package_ref_same_plugin(&other, &ref));
}

static void without_checksums_any_archive_will_do(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct member sum = { STR("linux-amd64"), value_string(STR("ab")) };
    struct package_ref ref = plain;

    (void)state;
    assert_int_equal(package_ref_checksum(&ref, STR("linux-amd64")).len, 0);
    ref.checksums = value_object(&arena, &sum, 1);
    assert_str_equal(package_ref_checksum(&ref, STR("linux-amd64")), STR("ab"));
    assert_int_equal(package_ref_checksum(&ref, STR("linux-arm64")).len, 0);
}

static void a_copy_outlives_what_it_was_made_of(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct arena first = { 0 };
    const struct member sum = { STR("linux-amd64"), value_string(arena_copy(&first, STR("ab"))) };
    struct package_ref ref = made();

    (void)state;
    ref.name = arena_copy(&first, ref.name);
    ref.parameter_value = arena_copy(&first, ref.parameter_value);
    ref.checksums = value_object(&first, &sum, 1);
    struct package_ref copy = package_ref_copy(&arena, &ref);
    arena_release(&first);
    assert_str_equal(copy.name, STR("aws"));
    assert_str_equal(copy.parameter_value, STR("p"));
    assert_str_equal(package_ref_checksum(&copy, STR("linux-amd64")), STR("ab"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_gives_the_package_its_name_and_version),
        cmocka_unit_test(one_plugin_makes_many_packages),
        cmocka_unit_test(without_checksums_any_archive_will_do),
        cmocka_unit_test(a_copy_outlives_what_it_was_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
