/* backend_suite_tags.h — the claims about tags that hold on every backend; part of
 * test_backend_suite.c. */
#pragma once

CLAIM(tags_are_changed_one_by_one_and_sorted)
{
    struct tags read;

    suite_create(suite, 0);
    assert_tags(suite, 0);
    set_tag(suite, "old", "1");
    set_tag(suite, "b", "1");
    set_tag(suite, "b", "2");
    set_tag(suite, "a", "ü\n");
    assert_ok(backend_change_tag(suite->backend, suite->stack, STR("old"), NULL));
    assert_ok(backend_tags(suite->backend, suite->stack, &suite->arena, &read));
    assert_int_equal(read.len, 2);
    assert_str_equal(read.items[0].key, STR("a"));
    assert_str_equal(read.items[0].value, STR("ü\n"));
    assert_str_equal(read.items[1].key, STR("b"));
    assert_str_equal(read.items[1].value, STR("2"));
    assert_ok(backend_change_tag(suite->backend, suite->stack, STR("a"), NULL));
    assert_ok(backend_change_tag(suite->backend, suite->stack, STR("b"), NULL));
    assert_ok(backend_change_tag(suite->backend, suite->stack, STR("none"), NULL));
    assert_tags(suite, 0);
}

struct taggers {
    struct suite *suite;
    struct work_group group;
    int next;
};

/* As a command of its own would. */
static void change_a_tag(void *taggers_)
{
    struct taggers *taggers = taggers_;
    struct suite *suite = taggers->suite;
    int number = taggers->next++;
    str name = arena_printf(&suite->arena, "t%d", number / 2), value = STR("1");
    struct backend *backend = suite_open(suite);

    assert_ok(backend_change_tag(backend, suite->stack,
                                 number % 2 ? name : arena_concat(&suite->arena, name, STR("old")),
                                 number % 2 ? &value : NULL));
    backend_close(backend);
    work_group_done(&taggers->group);
}

CLAIM(tags_that_many_change_at_once_are_all_changed)
{
    struct taggers taggers = { .suite = suite };
    int rounds = 6;

    if (suite->service.service)
        return; /* it takes all tags at once, unconditionally */
    suite_create(suite, 0);
    for (int i = 0; i < rounds; i++)
        set_tag(suite, arena_printf(&suite->arena, "t%dold", i).ptr, "1");
    work_group_add(&taggers.group, (size_t)rounds * 2);
    for (int i = 0; i < rounds * 2; i++)
        fiber_spawn(change_a_tag, &taggers);
    work_group_wait_uncancelable(&taggers.group);
    assert_tags(suite, (size_t)rounds);
}
