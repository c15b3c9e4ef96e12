/* backend_suite_service.h — the hosted service as a place of the backend suite; a part of
 * backend_suite.h, which includes it behind what it needs. */
#pragma once

/* The hosted service, with whole states: it need not make the states of the suite out of its
 * records. */
static inline void service_set_up(struct suite *suite)
{
    service_fixture_open(&suite->service, &suite->arena);
    service_fixture_control(&suite->service, &suite->arena, "", "{\"journal\":0}");
    suite->url = suite->service.url;
}

/* The same with its journal, whose entries may have any number here. */
static inline void service_journal_set_up(struct suite *suite)
{
    service_fixture_open(&suite->service, &suite->arena);
    service_fixture_control(&suite->service, &suite->arena, "", "{\"any_entries\":true}");
    suite->url = suite->service.url;
}

static inline void service_tear_down(struct suite *suite)
{
    service_fixture_close(&suite->service, &suite->arena);
}

static inline void service_break_writes(struct suite *suite, bool of_checkpoints)
{
    (void)of_checkpoints;
    service_fixture_control(&suite->service, &suite->arena, "/fault",
                            "{\"path\":\"import|checkpoint|journalentries\",\"status\":400,"
                            "\"count\":1000000}");
}

static inline void service_mend(struct suite *suite)
{
    service_fixture_control(&suite->service, &suite->arena, "/clear", "");
}

/* What a kind does in its own way; its own tests say how. */
static inline bool suite_is_left_out(const struct suite_place *place, const char *claim)
{
    /* The service writes the history itself, knows times in seconds, and has leases of updates in
     * place of locks (test_backend_service.c). */
    static const char *const of_service[] = {
        "stacks_are_listed_with_time_and_count",
        "a_rename_takes_everything_along",
        "a_rename_that_was_cut_off_goes_on",
        "a_lock_keeps_others_out_and_names_its_owner",
        "locks_of_one_backend_nest",
        "breaking_locks_lets_the_next_one_in",
        "of_many_that_want_the_lock_one_has_it",
        "who_was_replaced_before_its_first_record_does_not_fold",
        "who_was_replaced_several_times_does_not_fold",
        "who_lost_its_lock_before_its_first_record_writes_nothing",
        "who_lost_its_lock_does_not_save",
        "who_lost_its_lock_takes_nothing_away",
        "an_entry_of_the_history_reads_back_as_it_was",
        "the_history_comes_in_pages_newest_first",
        NULL,
    };
    /* Its state is what the entries say, not what is folded. */
    static const char *const of_journal[] = {
        "folding_replaces_checkpoint_and_journal",
        "a_new_operation_goes_on_where_a_killed_one_ended",
        "who_was_replaced_writes_nothing_more",
        "fibers_use_many_stacks_of_one_backend",
        "a_fold_that_fails_keeps_everything_in_the_journal",
        NULL,
    };
    bool is_left_out = false;

    for (size_t i = 0; strncmp(place->name, "service", 7) == 0 && of_service[i]; i++)
        is_left_out |= strcmp(claim, of_service[i]) == 0;
    for (size_t i = 0; strcmp(place->name, "service journal") == 0 && of_journal[i]; i++)
        is_left_out |= strcmp(claim, of_journal[i]) == 0;
    return is_left_out;
}
