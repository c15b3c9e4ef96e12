/* backend_suite_unlocked.h — claims about a process whose lock is gone, although nobody else has
 * begun anything; a part of test_backend_suite.c, which includes it behind what it needs. */
#pragma once

static void lose_lock(struct suite *suite, struct backend *other)
{
    size_t count = 0;

    assert_ok(backend_break_locks(other, suite->stack, &count));
    assert_int_equal(count, 1);
}

CLAIM(who_lost_its_lock_writes_nothing_more)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    struct journal *journal = open_journal(suite, suite->backend);
    append(suite, journal, 1, true);
    lose_lock(suite, other);
    assert_fails(journal_append(journal, sample_record(&suite->arena, 2), true), ERROR_OTHER,
                 "another process has taken over the stack");
    assert_fails(journal_fold(journal, &late), ERROR_OTHER,
                 "another process has taken over the stack");
    journal_close(journal);
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 2);
    backend_close(other);
}

CLAIM(who_lost_its_lock_before_its_first_record_writes_nothing)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *other = suite_open(suite);
    struct journal *journal = NULL;
    struct backend_lock *lock;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    lose_lock(suite, other);
    /* Some notice at once, some with the first record. */
    struct error *failure = journal_open(suite->backend, suite->stack, &journal);
    if (!failure) {
        failure = journal_append(journal, sample_record(&suite->arena, 1), true);
        assert_fails(journal_fold(journal, &late), ERROR_OTHER,
                     "another process has taken over the stack");
        journal_close(journal);
    }
    assert_fails(failure, ERROR_OTHER, "another process has taken over the stack");
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 1);
    backend_close(other);
}

CLAIM(who_lost_its_lock_does_not_save)
{
    struct snapshot late = sample_snapshot(&suite->arena, 40);
    struct backend *other = suite_open(suite);
    struct backend_lock *lock;

    suite_create(suite, 1);
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    lose_lock(suite, other);
    assert_fails(backend_save(suite->backend, suite->stack, &late), ERROR_OTHER,
                 "another process has taken over the stack");
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 1);
    /* Its next lock is as good as any. */
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    assert_ok(backend_save(suite->backend, suite->stack, &late));
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 40);
    backend_close(other);
}

CLAIM(who_lost_its_lock_takes_nothing_away)
{
    struct stack_ref renamed = { .project = STR("p1"), .name = STR("new") };
    struct snapshot snapshot = sample_snapshot(&suite->arena, 1);
    str value = STR("2");
    struct backend *other = suite_open(suite);
    struct backend_lock *lock;
    bool exists;

    suite_create(suite, 1);
    set_tag(suite, "a", "1");
    assert_ok(backend_lock(suite->backend, suite->stack, &lock));
    lose_lock(suite, other);
    assert_fails(backend_remove_stack(suite->backend, suite->stack, true, true), ERROR_OTHER,
                 "another process has taken over the stack");
    assert_fails(backend_rename_stack(suite->backend, suite->stack, renamed, &snapshot),
                 ERROR_OTHER, "another process has taken over the stack");
    assert_fails(backend_change_tag(suite->backend, suite->stack, STR("b"), &value), ERROR_OTHER,
                 "another process has taken over the stack");
    assert_fails(backend_change_tag(suite->backend, suite->stack, STR("a"), NULL), ERROR_OTHER,
                 "another process has taken over the stack");
    assert_ok(backend_unlock(lock));
    assert_int_equal(suite_count(suite), 1);
    assert_tags(suite, 1);
    assert_ok(backend_stack_exists(other, renamed, &exists));
    assert_false(exists);
    backend_close(other);
}
