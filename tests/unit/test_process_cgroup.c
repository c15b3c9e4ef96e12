/* test_process_cgroup.c — the control group that children are born in. */
#include "unit/check.h"

#include "fiber/process_cgroup.h"

#include <sys/stat.h>

static void check_place(const char *text, const char *place)
{
    str out;

    if (!place) {
        assert_false(cgroup_place(str_from(text), &out));
        return;
    }
    assert_true(cgroup_place(str_from(text), &out));
    assert_str_equal(out, str_from(place));
}

static void the_line_of_the_second_version_says_where_we_are(void **state)
{
    (void)state;
    check_place("0::/user.slice/session-2.scope\n", "/user.slice/session-2.scope");
    check_place("4:memory:/a\n1:cpu:/b\n0::/\n", "/");
    check_place("0::/no newline", "/no newline");
    check_place("0::/a:b\n", "/a:b");
}

static void a_place_that_is_not_said_or_not_in_sight_is_none(void **state)
{
    (void)state;
    check_place("", NULL);
    check_place("4:memory:/a\n", NULL);
    check_place("10::/a\n", NULL);
    check_place("0::\n", NULL);
    check_place("0::/../../system.slice\n", NULL);
}

static void a_group_is_removed_again(void **state)
{
    struct cgroup cgroup;
    struct stat info;

    (void)state;
    cgroup_make(&cgroup, "1.test");
    if (cgroup.fd >= 0) { /* else this user may not make any */
        assert_int_equal(stat(cgroup.end, &info), 0);
        assert_int_equal(stat(cgroup.members, &info), 0);
    }
    char folder[CGROUP_PATH_SIZE];
    memcpy(folder, cgroup.folder, sizeof(folder));
    cgroup_remove(&cgroup);
    assert_int_equal(cgroup.fd, -1);
    assert_int_not_equal(stat(folder, &info), 0);
    cgroup_remove(&cgroup); /* once more does nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_of_the_second_version_says_where_we_are),
        cmocka_unit_test(a_place_that_is_not_said_or_not_in_sight_is_none),
        cmocka_unit_test(a_group_is_removed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
