/* test_pq_url.c — the URL of a database: its parts, and what is shown of it. */
#include "unit/check.h"

#include "pq/pq_url.h"

static void assert_parameter(const struct pq_url *url, const char *key, const char *value)
{
    const str *found = pairs_find(url->parameters, str_from(key));

    assert_non_null(found);
    assert_str_equal(*found, str_from(value));
}

static void the_parts_go_by_the_names_of_libpq(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pq_url url;

    assert_ok(pq_url_parse(
        &arena,
        STR("postgres://me%40corp:p%3Aw@db.example:5433/my%20state?table=t&sslmode=disable&x=a+b"),
        &url));
    assert_parameter(&url, "user", "me@corp");
    assert_parameter(&url, "password", "p:w");
    assert_parameter(&url, "host", "db.example");
    assert_parameter(&url, "port", "5433");
    assert_parameter(&url, "dbname", "my state");
    assert_parameter(&url, "sslmode", "disable");
    assert_parameter(&url, "x", "a b");
    assert_null(pairs_find(url.parameters, STR("table")));
    assert_str_equal(url.table, STR("t"));
    assert_str_equal(url.path, STR("my state"));
}

static void what_is_missing_is_left_to_the_environment(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pq_url url;

    assert_ok(pq_url_parse(&arena, STR("postgres://"), &url));
    assert_int_equal(url.parameters.len, 0);
    assert_ok(pq_url_parse(&arena, STR("postgres:///state?host=/run/pg&port=5433"), &url));
    assert_int_equal(url.parameters.len, 3);
    assert_parameter(&url, "host", "/run/pg");
    assert_ok(pq_url_parse(&arena, STR("postgres://h?user=me%40server"), &url));
    assert_parameter(&url, "user", "me@server");
}

static void there_may_be_several_hosts(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pq_url url;

    assert_ok(pq_url_parse(&arena, STR("postgres://a:1,[::1]:2,c/db"), &url));
    assert_parameter(&url, "host", "a,::1,c");
    assert_parameter(&url, "port", "1,2,");
}

static void a_bad_url_is_refused_without_its_text(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pq_url url;

    assert_fails(pq_url_parse(&arena, STR("postgres://u:%zz@h/db"), &url), ERROR_INVALID,
                 "the password has a malformed escape");
    assert_fails(pq_url_parse(&arena, STR("postgres://u:a/b@h/db"), &url), ERROR_INVALID,
                 "/ as %2F");
    assert_fails(pq_url_parse(&arena, STR("postgres://u:12?b@h/db"), &url), ERROR_INVALID,
                 "? as %3F");
    assert_fails(pq_url_parse(&arena, STR("postgres://u:a#b@h/db"), &url), ERROR_INVALID,
                 "# as %23");
    assert_fails(pq_url_parse(&arena, STR("postgres://[::1/db"), &url), ERROR_INVALID, "bracket");
    assert_fails(pq_url_parse(&arena, STR("postgres://h:0/db"), &url), ERROR_INVALID,
                 "'0' is no port");
    assert_fails(pq_url_parse(&arena, STR("postgres://h/a%00b"), &url), ERROR_INVALID, "NUL");
    assert_fails(pq_url_parse(&arena, STR("postgres://h/db?=x"), &url), ERROR_INVALID, "no name");
}

static void no_password_is_shown(void **state)
{
    static const char *const urls[][2] = {
        { "postgres://u:pw@h/db?table=t", "postgres://u@h/db?table=t" },
        { "postgres://u@h/db?table=t", "postgres://u@h/db?table=t" },
        { "postgres://:pw@h/db", "postgres://@h/db" },
        { "postgres://u:a:b@c@h/db", "postgres://u@h/db" },
        { "postgres://h/db?password=pw&sslmode=disable", "postgres://h/db?sslmode=disable" },
        { "postgres://h/db?a=1&pass%77ord=pw", "postgres://h/db?a=1" },
        { "postgres://h/db?sslpassword=pw", "postgres://h/db" },
        { "postgres://u:p/w@h/db", "postgres://u@h/db" },
        { "postgres://u:p?w@h/db", "postgres://u@h/db" },
        { "postgres://u:1#w@h/db", "postgres://u@h/db" },
        { "postgres://h:5432/db?user=me@server", "postgres://h:5432/db?user=me@server" },
        { "postgres://h:5432/db?password=pw&a@b@c=d@e", "postgres://h:5432/db?a%40b%40c=d@e" },
        { "postgres://h:5432/db?password=pw&a@b", "postgres://h:5432/db?a%40b" },
        { "postgres://", "postgres://" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof(urls) / sizeof(*urls); i++)
        assert_str_equal(pq_url_without_password(&arena, str_from(urls[i][0])),
                         str_from(urls[i][1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_go_by_the_names_of_libpq),
        cmocka_unit_test(what_is_missing_is_left_to_the_environment),
        cmocka_unit_test(there_may_be_several_hosts),
        cmocka_unit_test(a_bad_url_is_refused_without_its_text),
        cmocka_unit_test(no_password_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
