/* test_plugin_git.c — addresses of git repositories, and the names their plugins get. */
#include "unit/check.h"

#include "base/arena.h"
#include "plugin/plugin_git.h"

static struct arena arena;

static int end(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static void check(const char *url, const char *clone_url, const char *cache_name,
                  const char *subfolder)
{
    struct plugin_git git;

    assert_ok(plugin_git_parse(&arena, str_from(url), &git));
    assert_str_equal(git.clone_url, str_from(clone_url));
    assert_str_equal(git.cache_name, str_from(cache_name));
    assert_str_equal(git.subfolder, str_from(subfolder));
    assert_str_equal(plugin_cache_name(&arena, STR("any"), str_from(url)), str_from(cache_name));
}

static void the_first_two_names_are_the_repository(void **state)
{
    (void)state;
    check("git://github.com/org/repo", "https://github.com/org/repo.git", "github.com_org_repo.git",
          "");
    check("git://github.com/org/repo/a/b/", "https://github.com/org/repo.git",
          "github.com_org_repo.git_a_b", "a/b");
}

static void a_suffix_says_where_the_repository_ends(void **state)
{
    (void)state;
    check("git://host/a/b/c.git", "https://host/a/b/c.git", "host_a_b_c.git", "");
    check("git://host/a/b/c.git/sub/x", "https://host/a/b/c.git", "host_a_b_c.git_sub_x", "sub/x");
}

static void a_password_is_used_but_not_written_into_names(void **state)
{
    (void)state;
    check("git://me:secret@host:8443/org/repo", "https://me:secret@host:8443/org/repo.git",
          "host_8443_org_repo.git", "");
}

static void what_is_no_repository_is_refused(void **state)
{
    static const char *const urls[] = { "https://host/org/repo",
                                        "git://",
                                        "git://host",
                                        "git://host/org",
                                        "git:///org/repo",
                                        "git://host/org/repo/../../x",
                                        "git://-uhost/org/repo",
                                        "git://host/../x.git",
                                        "git://host/o/r.git..",
                                        "git://host/o/r.git../x" };
    struct plugin_git git;

    (void)state;
    for (size_t i = 0; i < sizeof(urls) / sizeof(*urls); i++)
        assert_fails(plugin_git_parse(&arena, str_from(urls[i]), &git), ERROR_INVALID,
                     "git://HOST/OWNER/REPOSITORY");
}

static void check_name(const char *name, const char *cache_name, const char *version,
                       const char *url)
{
    str got = str_from(name), got_version = STR(""), got_url = STR("");

    assert_ok(plugin_git_name(&arena, &got, &got_version, &got_url));
    assert_str_equal(got, str_from(cache_name));
    assert_str_equal(got_version, str_from(version));
    assert_str_equal(got_url, str_from(url));
}

static void an_address_may_stand_for_a_name(void **state)
{
    (void)state;
    check_name("github.com/org/repo@v1.2", "github.com_org_repo.git", "1.2.0",
               "git://github.com/org/repo");
    check_name("https://host/org/repo", "host_org_repo.git", "", "git://host/org/repo");
    check_name("git://me@host/org/repo@0a1b2c", "host_org_repo.git", "0.0.0-x0a1b2c",
               "git://me@host/org/repo");
    check_name("git://me@host/org/repo", "host_org_repo.git", "", "git://me@host/org/repo");
}

static void a_commit_may_be_said_apart(void **state)
{
    str name = STR("github.com/org/repo"), version = STR("0a1b2c"), url = STR("");

    (void)state;
    assert_ok(plugin_git_name(&arena, &name, &version, &url));
    assert_str_equal(version, STR("0.0.0-x0a1b2c"));
    version = STR("main");
    name = STR("github.com/org/repo");
    url = STR("");
    assert_fails(plugin_git_name(&arena, &name, &version, &url), ERROR_INVALID,
                 "VERSION must be valid semver");
}

static void other_names_are_left_alone(void **state)
{
    (void)state;
    check_name("aws", "aws", "", "");
    check_name("aws@1.2.3", "aws@1.2.3", "", "");
    check_name("./folder.d/x", "./folder.d/x", "", "");
}

static void what_is_said_twice_is_refused(void **state)
{
    str name = STR("github.com/org/repo@1.0.0"), version = STR("2.0.0"), url = STR("");

    (void)state;
    assert_fails(plugin_git_name(&arena, &name, &version, &url), ERROR_INVALID,
                 "version is part of the name");
    version = STR("");
    url = STR("https://example.com");
    assert_fails(plugin_git_name(&arena, &name, &version, &url), ERROR_INVALID,
                 "plugin name is a URL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_two_names_are_the_repository),
        cmocka_unit_test(a_suffix_says_where_the_repository_ends),
        cmocka_unit_test(a_password_is_used_but_not_written_into_names),
        cmocka_unit_test(what_is_no_repository_is_refused),
        cmocka_unit_test(an_address_may_stand_for_a_name),
        cmocka_unit_test(a_commit_may_be_said_apart),
        cmocka_unit_test(other_names_are_left_alone),
        cmocka_unit_test(what_is_said_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
