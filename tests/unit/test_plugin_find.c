/* test_plugin_find.c — where the executables of plugins are looked for, and in which order. */
#include "unit/plugin_fixture.h"

#include "plugin/host/plugin_host.h"

static struct fixture fixture;
static struct plugin_host host;

static int set_up(void **state)
{
    (void)state;
    fixture_open(&fixture);
    host = (struct plugin_host){ .options = fixture.options };
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_close(&fixture);
    return 0;
}

static struct error *find(const char *kind, const char *name, const char *version, str *path)
{
    const struct package_ref wanted = { .kind = str_from(kind),
                                        .name = str_from(name),
                                        .version = str_from(version) };
    return plugin_find(&host, &wanted, false, &fixture.arena, path);
}

static void assert_found(const char *kind, const char *name, const char *version,
                         const char *wanted)
{
    str path;
    assert_ok(find(kind, name, version, &path));
    assert_str_equal(path, fixture_path(&fixture, wanted));
}

static void cache(const char *entry)
{
    fixture_file(&fixture,
                 arena_concat(&fixture.arena, STR("home/plugins/"), str_from(entry), STR("/x")).ptr,
                 "", 0755);
}

/* --- cache --- */

static void an_exact_version_is_taken_from_the_cache(void **state)
{
    (void)state;
    cache("resource-aws-v1.0.0");
    cache("resource-aws-v1.2.3");
    cache("resource-aws-v2.0.0");
    assert_found("resource", "aws", "1.2.3",
                 "home/plugins/resource-aws-v1.2.3/pulumi-resource-aws");
    assert_found("resource", "aws", "v1.0.0",
                 "home/plugins/resource-aws-v1.0.0/pulumi-resource-aws");
    str path;
    assert_fails(find("resource", "aws", "1.1.0", &path), ERROR_NOT_FOUND,
                 "no resource plugin 'pulumi-resource-aws' found in the workspace at version "
                 "v1.1.0 or on your $PATH");
}

static void without_a_version_the_newest_release_is_taken(void **state)
{
    (void)state;
    cache("resource-aws-v9.0.0");
    cache("resource-aws-v10.0.0");
    cache("resource-aws-v11.0.0-alpha.1");
    assert_found("resource", "aws", "", "home/plugins/resource-aws-v10.0.0/pulumi-resource-aws");
    cache("resource-pre-v1.0.0-alpha.1");
    cache("resource-pre-v1.0.0-alpha.2");
    assert_found("resource", "pre", "",
                 "home/plugins/resource-pre-v1.0.0-alpha.2/pulumi-resource-pre");
}

static void the_old_search_takes_a_newer_version(void **state)
{
    (void)state;
    const char *const environment[] = { "PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH=1", NULL };
    fixture.world.environment = environment;
    cache("resource-aws-v1.0.0");
    cache("resource-aws-v2.0.0");
    assert_found("resource", "aws", "1.1.0",
                 "home/plugins/resource-aws-v2.0.0/pulumi-resource-aws");
}

static void names_with_dashes_are_not_confused(void **state)
{
    (void)state;
    cache("resource-aws-native-v1.0.0");
    cache("resource-a-v2-b-v3.0.0");
    str path;
    assert_fails(find("resource", "aws", "", &path), ERROR_NOT_FOUND,
                 "no resource plugin 'pulumi-resource-aws'");
    assert_found("resource", "aws-native", "",
                 "home/plugins/resource-aws-native-v1.0.0/pulumi-resource-aws-native");
    assert_found("resource", "a-v2-b", "",
                 "home/plugins/resource-a-v2-b-v3.0.0/pulumi-resource-a-v2-b");
}

static void unfinished_and_strange_entries_are_skipped(void **state)
{
    (void)state;
    cache("resource-aws-v1.0.0");
    cache("resource-aws-v2.0.0");
    fixture_file(&fixture, "home/plugins/resource-aws-v2.0.0.partial", "", 0600);
    cache("resource-aws-v3.0.0.tmp123");
    cache("resource-aws-vlatest");
    cache("thing-aws-v4.0.0");
    fixture_file(&fixture, "home/plugins/resource-aws-v5.0.0", "a file", 0600);
    assert_found("resource", "aws", "", "home/plugins/resource-aws-v1.0.0/pulumi-resource-aws");
}

static void use_leaves_a_mark(void **state)
{
    (void)state;
    cache("resource-aws-v1.0.0");
    assert_found("resource", "aws", "", "home/plugins/resource-aws-v1.0.0/pulumi-resource-aws");
    assert_true(fs_is_file(fixture_path(&fixture, "home/plugins/resource-aws-v1.0.0.lastused")));
}

static void a_plugin_from_git_is_cached_under_its_repository(void **state)
{
    (void)state;
    cache("resource-github.com_org_repo.git_sub_dir-v0.0.0-xabc");
    const struct package_ref wanted = { .name = STR("example"),
                                        .version = STR("0.0.0-xabc"),
                                        .download_url = STR("git://github.com/org/repo/sub/dir") };
    str path;
    assert_ok(plugin_find(&host, &wanted, false, &fixture.arena, &path));
    assert_str_equal(
        path,
        fixture_path(&fixture,
                     "home/plugins/resource-github.com_org_repo.git_sub_dir-v0.0.0-xabc/sub/dir/"
                     "pulumi-resource-example"));
}

/* --- search path and bundled --- */

static void the_search_path_wins_over_cache_and_version_with_a_warning(void **state)
{
    (void)state;
    cache("resource-aws-v1.0.0");
    str path = fixture_script(&fixture, "path/pulumi-resource-aws", "exit 0");
    assert_found("resource", "aws", "1.0.0", "path/pulumi-resource-aws");
    str warning =
        arena_concat(&fixture.arena, STR("using pulumi-resource-aws from $PATH at "), path);
    assert_int_equal(fixture.reports.len, 1);
    assert_int_equal(fixture.reports.items[0].severity, PLUGIN_WARNING);
    assert_str_equal(fixture.reports.items[0].message, warning);
}

static void the_search_path_may_be_ignored(void **state)
{
    (void)state;
    fixture_script(&fixture, "path/pulumi-resource-aws", "exit 0");
    fixture.world.ignores_ambient = true;
    str path;
    assert_fails(find("resource", "aws", "", &path), ERROR_NOT_FOUND, "found in the workspace");
    assert_int_equal(fixture.reports.len, 0);
}

static void what_cannot_be_executed_is_not_on_the_path(void **state)
{
    (void)state;
    fixture_file(&fixture, "path/pulumi-resource-aws", "text", 0644);
    assert_ok(fs_make_directory(fixture_path(&fixture, "path/pulumi-resource-gcp"), 0755));
    str path;
    assert_fails(find("resource", "aws", "", &path), ERROR_NOT_FOUND, "or on your $PATH");
    assert_fails(find("resource", "gcp", "", &path), ERROR_NOT_FOUND, "or on your $PATH");
}

static void bundled_plugins_lie_beside_us(void **state)
{
    (void)state;
    fixture_script(&fixture, "bundled/pulumi-language-nodejs", "exit 0");
    fixture_script(&fixture, "bundled/pulumi-resource-aws", "exit 0");
    assert_found("language", "nodejs", "", "bundled/pulumi-language-nodejs");
    assert_int_equal(fixture.reports.len, 0);
    str path;
    assert_fails(find("resource", "aws", "", &path), ERROR_NOT_FOUND, "found in the workspace");
}

static void a_link_to_the_bundled_plugin_is_no_stranger(void **state)
{
    (void)state;
    str own = fixture_script(&fixture, "bundled/pulumi-language-nodejs", "exit 0");
    assert_ok(fs_make_directory(fixture_path(&fixture, "path"), 0755));
    assert_int_equal(symlink(own.ptr, fixture_path(&fixture, "path/pulumi-language-nodejs").ptr),
                     0);
    assert_found("language", "nodejs", "", "path/pulumi-language-nodejs");
    assert_int_equal(fixture.reports.len, 0);
}

static void another_one_on_the_path_is_reported_with_the_expected(void **state)
{
    (void)state;
    str own = fixture_script(&fixture, "bundled/pulumi-language-nodejs", "exit 0");
    fixture_script(&fixture, "path/pulumi-language-nodejs", "exit 1");
    assert_found("language", "nodejs", "", "path/pulumi-language-nodejs");
    assert_true(fixture_reported(&fixture, PLUGIN_WARNING,
                                 arena_concat(&fixture.arena, STR(" expected "), own).ptr));
}

/* --- project --- */

static void the_project_comes_first_even_without_a_file(void **state)
{
    (void)state;
    fixture_script(&fixture, "path/pulumi-resource-aws", "exit 0");
    struct plugin_folder plugins[] = {
        { STR("resource"), STR("aws"), STR("2.0.0"), fixture_path(&fixture, "two") },
        { STR("resource"), STR("aws"), STR(""), fixture_path(&fixture, "any") },
    };
    fixture.world.folders = (struct plugin_folders){ plugins, 2 };
    assert_found("resource", "aws", "2.0.0", "two/pulumi-resource-aws");
    assert_found("resource", "aws", "1.0.0", "any/pulumi-resource-aws");
    assert_found("resource", "aws", "", "two/pulumi-resource-aws");
}

static void two_folders_for_one_version_are_refused(void **state)
{
    (void)state;
    struct plugin_folder plugins[] = {
        { STR("resource"), STR("aws"), STR("2.0.0"), fixture_path(&fixture, "one") },
        { STR("resource"), STR("aws"), STR("2.0.0"), fixture_path(&fixture, "two") },
    };
    fixture.world.folders = (struct plugin_folders){ plugins, 2 };
    str path;
    assert_fails(find("language", "nodejs", "", &path), ERROR_INVALID,
                 "multiple project plugins with kind resource, name aws, version 2.0.0");
}

/* --- the rest --- */

static void the_message_names_where_it_would_come_from(void **state)
{
    (void)state;
    const struct package_ref wanted = { .kind = STR("resource"),
                                        .name = STR("x"),
                                        .version = STR("1.2.3"),
                                        .download_url = STR("https://example.com/p") };
    str path;
    assert_fails(plugin_find(&host, &wanted, false, &fixture.arena, &path), ERROR_NOT_FOUND,
                 "no resource plugin 'pulumi-resource-x' found in the workspace at version v1.2.3 "
                 "or on your $PATH from "
                 "https://example.com/p");
}

static void ports_to_attach_to_are_listed_by_name(void **state)
{
    (void)state;
    uint16_t port;
    str list = STR("aws:1234,gcp:5678,bad:x,empty:,big:70000");
    assert_ok(plugin_attach_port(list, STR("gcp"), "V", &port));
    assert_int_equal(port, 5678);
    assert_ok(plugin_attach_port(list, STR("azure"), "V", &port));
    assert_int_equal(port, 0);
    assert_ok(plugin_attach_port(list, STR("empty"), "V", &port));
    assert_int_equal(port, 0);
    assert_ok(plugin_attach_port(STR(""), STR("aws"), "V", &port));
    assert_int_equal(port, 0);
    assert_fails(plugin_attach_port(list, STR("bad"), "V", &port), ERROR_INVALID,
                 "Expected a numeric port, got x in V");
    assert_fails(plugin_attach_port(list, STR("big"), "V", &port), ERROR_INVALID,
                 "Expected a numeric port, got 70000 in V");
}

#define TEST(claim) cmocka_unit_test_setup_teardown(claim, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_exact_version_is_taken_from_the_cache),
        TEST(without_a_version_the_newest_release_is_taken),
        TEST(the_old_search_takes_a_newer_version),
        TEST(names_with_dashes_are_not_confused),
        TEST(unfinished_and_strange_entries_are_skipped),
        TEST(use_leaves_a_mark),
        TEST(a_plugin_from_git_is_cached_under_its_repository),
        TEST(the_search_path_wins_over_cache_and_version_with_a_warning),
        TEST(the_search_path_may_be_ignored),
        TEST(what_cannot_be_executed_is_not_on_the_path),
        TEST(bundled_plugins_lie_beside_us),
        TEST(a_link_to_the_bundled_plugin_is_no_stranger),
        TEST(another_one_on_the_path_is_reported_with_the_expected),
        TEST(the_project_comes_first_even_without_a_file),
        TEST(two_folders_for_one_version_are_refused),
        TEST(the_message_names_where_it_would_come_from),
        TEST(ports_to_attach_to_are_listed_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
