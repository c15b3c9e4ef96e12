/* test_journal_file.c — the journal of an operation: group commit, fold, and what a crash
 * leaves. */
#include "unit/backend_cut_off.h"

#include "backend/journal_file.h"
#include "base/fault.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define JOURNAL "stacks/p1/dev.journal"

/* Appends records 1 to `count`, each durable by itself, and leaves the journal as a killed process
 * would. */
static void leave_journal(struct fixture *fixture, int count)
{
    struct journal *journal;

    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    for (int i = 1; i <= count; i++)
        assert_ok(journal_append(journal, sample_record(&fixture->arena, i), true));
    journal_close(journal);
}

static void a_journal_that_was_not_folded_is_replayed(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 2);
    leave_journal(fixture, 3);
    assert_int_equal(count_loaded(fixture), 5);
    fixture_reopen(fixture);
    assert_int_equal(count_loaded(fixture), 5);
}

static void folding_writes_the_checkpoint_and_removes_the_journal(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 7);
    struct journal *journal;

    fixture_create(fixture, 2);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 2), false));
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
    assert_false(fixture_has(fixture, JOURNAL));
    assert_int_equal(count_loaded(fixture), 7);
}

static void a_journal_without_records_leaves_no_trace(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    leave_journal(fixture, 0);
    assert_false(fixture_has(fixture, JOURNAL));
    assert_int_equal(count_loaded(fixture), 1);
}

static void records_that_nobody_waits_for_are_written_at_close(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 1);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), false));
    assert_int_equal(fixture_read(fixture, JOURNAL).len, 0);
    journal_close(journal);
    assert_int_equal(count_loaded(fixture), 2);
}

static void opening_folds_what_a_killed_operation_left(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 2);
    leave_journal(fixture, 3);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_true(str_find(fixture_read(fixture, "stacks/p1/dev.json"), STR("::new3\"")) != SIZE_MAX);
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 9), true));
    journal_close(journal);
    assert_int_equal(count_loaded(fixture), 6);
    assert_false(fixture_has(fixture, JOURNAL ".stale"));
}

static void a_journal_of_another_checkpoint_is_put_aside(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 2);
    leave_journal(fixture, 3);
    str left = fixture_read(fixture, JOURNAL);
    fixture_write(fixture, "stacks/p1/dev.json",
                  STR("{\"version\":3,\"checkpoint\":{\"stack\":\"x\",\"latest\":"
                      "{\"manifest\":{\"time\":\"t\",\"magic\":\"\",\"version\":\"\"}}}}"));
    assert_int_equal(count_loaded(fixture), 0);
    assert_true(fixture_has(fixture, JOURNAL));
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    journal_close(journal);
    assert_str_equal(fixture_read(fixture, JOURNAL ".stale"), left);
    assert_int_equal(count_loaded(fixture), 0);
}

/* Another program, which knows nothing of journals, has written its own checkpoint. */
static void what_only_a_journal_knows_stays_pending_and_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct sample_warnings warnings = { .arena = &fixture->arena };
    struct journal *journal;

    fixture->options.warn = sample_warn;
    fixture->options.warn_context = &warnings;
    fixture_reopen(fixture);
    fixture_create(fixture, 2);
    sample_cut_off(&fixture->arena, fixture->backend, fixture->stack);
    str theirs =
        arena_concat(&fixture->arena, fixture_read(fixture, "stacks/p1/dev.json"), STR("\n"));
    fixture_write(fixture, "stacks/p1/dev.json", theirs);
    assert_creates_are_pending(fixture->backend, fixture->stack, &fixture->arena);
    assert_creates_are_pending(fixture->backend, fixture->stack, &fixture->arena);
    assert_int_equal(warnings.count, 1);
    assert_true(str_find(warnings.last, STR("dev.journal.stale'")) != SIZE_MAX);
    assert_true(str_find(warnings.last, STR("::made, created with the ID 'i-1'")) != SIZE_MAX);
    assert_true(str_find(warnings.last, STR("::cut, interrupted while creating")) != SIZE_MAX);
    assert_str_equal(fixture_read(fixture, "stacks/p1/dev.json"), theirs);
    /* The next operation saves them before it moves the journal, and may be killed itself. */
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 9), true));
    journal_close(journal);
    assert_true(fixture_has(fixture, JOURNAL ".stale"));
    fixture_reopen(fixture);
    assert_creates_are_pending(fixture->backend, fixture->stack, &fixture->arena);
    assert_int_equal(warnings.count, 1);
}

static void a_journal_that_was_folded_before_it_was_removed_tells_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct sample_warnings warnings = { .arena = &fixture->arena };
    struct snapshot snapshot;
    bool has_deployment;

    fixture->options.warn = sample_warn;
    fixture->options.warn_context = &warnings;
    fixture_reopen(fixture);
    fixture_create(fixture, 2);
    sample_cut_off(&fixture->arena, fixture->backend, fixture->stack);
    str left = fixture_read(fixture, JOURNAL);
    assert_ok(backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot,
                           &has_deployment));
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    fixture_write(fixture, JOURNAL, left);
    assert_ok(backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot,
                           &has_deployment));
    assert_int_equal(snapshot.resource_count, 3);
    assert_int_equal(snapshot.pending_count, 1);
    assert_int_equal(warnings.count, 0);
}

static void a_second_stale_journal_does_not_replace_the_first(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 1);
    str *names;
    size_t len;

    fixture_create(fixture, 2);
    leave_journal(fixture, 1);
    str left = fixture_read(fixture, JOURNAL);
    for (int i = 0; i < 2; i++) {
        assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
        fixture_write(fixture, JOURNAL, left);
        assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
        journal_close(journal);
    }
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, "stacks/p1"), &names, &len));
    assert_int_equal(len, 4); /* dev.json, dev.json.bak, two stale journals */
}

static void saving_makes_the_journal_obsolete(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 1);

    fixture_create(fixture, 2);
    leave_journal(fixture, 3);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_false(fixture_has(fixture, JOURNAL));
    assert_int_equal(count_loaded(fixture), 1);
}

/* --- damage --- */

static size_t whole_records(str bytes, size_t len)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct journal_contents contents;
    assert_ok(journal_format_read(&scratch, bytes, &contents));
    size_t count = 0, end = contents.end;
    for (size_t i = contents.count; i > 0; i--) {
        if (end <= len)
            count++;
        end -= JOURNAL_FRAME_HEADER + contents.records[i - 1].len;
    }
    return count;
}

static void cut_anywhere_it_gives_the_state_of_the_last_whole_record(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 2);
    leave_journal(fixture, 4);
    str bytes = fixture_read(fixture, JOURNAL);
    for (size_t len = 0; len <= bytes.len; len++) {
        assert_int_equal(truncate(fixture_path(fixture, JOURNAL).ptr, 0), 0);
        fixture_write(fixture, JOURNAL, str_slice(bytes, 0, len));
        assert_int_equal(count_loaded(fixture), 2 + whole_records(bytes, len));
    }
}

/* Records written one after the other, so only the last may be taken for an unfinished write. */
static void a_flipped_bit_is_never_taken_for_good(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    leave_journal(fixture, 3);
    str bytes = fixture_read(fixture, JOURNAL);
    size_t last = bytes.len - sample_record(&fixture->arena, 3).len - JOURNAL_FRAME_HEADER;
    char *copy = arena_copy_bytes(&fixture->arena, bytes.ptr, bytes.len);
    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        struct journal_contents contents;
        copy[bit / 8] = (char)(copy[bit / 8] ^ (1 << (bit % 8)));
        struct error *failure = journal_format_read(&scratch, (str){ copy, bytes.len }, &contents);
        bool is_refused = failure || contents.is_damaged;
        error_free(failure);
        assert_true(bit / 8 < last ? is_refused : (is_refused || contents.count == 2));
        copy[bit / 8] = (char)(copy[bit / 8] ^ (1 << (bit % 8)));
    }
}

/* A stack of one resource and a journal of three records, the middle of which is damaged. */
static str leave_damaged_journal(struct fixture *fixture)
{
    fixture_create(fixture, 1);
    leave_journal(fixture, 3);
    str bytes = fixture_read(fixture, JOURNAL);
    char *copy = arena_copy_bytes(&fixture->arena, bytes.ptr, bytes.len);
    copy[bytes.len / 2] ^= 1;
    fixture_write(fixture, JOURNAL, (str){ copy, bytes.len });
    return (str){ copy, bytes.len };
}

static void damage_in_the_middle_is_refused_and_nothing_is_touched(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;
    struct snapshot snapshot;
    bool has_deployment;

    str damaged = leave_damaged_journal(fixture);
    assert_fails(
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment),
        ERROR_INVALID, "dev.journal' of an operation that was cut off is damaged at byte");
    assert_fails(journal_open(fixture->backend, fixture->stack, &journal), ERROR_INVALID,
                 "nothing was changed");
    assert_str_equal(fixture_read(fixture, JOURNAL), damaged);
}

/* What follows the damage is not known, and cannot be kept as pending operations. */
static void damage_of_a_journal_that_another_program_left_behind_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct sample_warnings warnings = { .arena = &fixture->arena };
    struct journal *journal;

    fixture->options.warn = sample_warn;
    fixture->options.warn_context = &warnings;
    fixture_reopen(fixture);
    str damaged = leave_damaged_journal(fixture);
    str theirs =
        arena_concat(&fixture->arena, fixture_read(fixture, "stacks/p1/dev.json"), STR("\n"));
    fixture_write(fixture, "stacks/p1/dev.json", theirs);
    assert_int_equal(count_loaded(fixture), 1);
    assert_int_equal(warnings.count, 1);
    assert_true(str_find(warnings.last, STR("where it is damaged")) != SIZE_MAX);
    assert_true(str_find(warnings.last, STR("dev.journal.stale'")) != SIZE_MAX);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    journal_close(journal);
    assert_str_equal(fixture_read(fixture, JOURNAL ".stale"), damaged);
}

/* The bytes of a journal without those from `start` to `end`. */
static bool is_refused_without(str bytes, size_t start, size_t end)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str rest = arena_concat(&scratch, str_slice(bytes, 0, start), str_slice(bytes, end, bytes.len));
    struct journal_contents contents;

    struct error *failure = journal_format_read(&scratch, rest, &contents);
    bool is_refused = failure || contents.is_damaged;
    error_free(failure);
    return is_refused;
}

static void bytes_that_were_cut_out_of_the_middle_are_noticed(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    leave_journal(fixture, 3);
    str bytes = fixture_read(fixture, JOURNAL);
    size_t last = bytes.len - sample_record(&fixture->arena, 3).len - JOURNAL_FRAME_HEADER;
    for (size_t start = 1; start < last; start++)
        for (size_t end = start + 1; end <= last; end++)
            assert_true(is_refused_without(bytes, start, end));
}

/* Of a record that went as a whole nothing tells; what is left of one ends where another begins. */
static void bytes_that_were_cut_out_of_the_last_batch_are_noticed(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 1);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    size_t first = fixture_read(fixture, JOURNAL).len;
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 2), false));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 3), true));
    journal_close(journal);

    str bytes = fixture_read(fixture, JOURNAL);
    size_t second = bytes.len - sample_record(&fixture->arena, 3).len - JOURNAL_FRAME_HEADER;
    for (size_t start = first + 1; start < second; start++)
        for (size_t end = start + 1; end <= second; end++)
            assert_true(is_refused_without(bytes, start, end));
}

/* After a power cut any sectors of what was not synced may be missing. */
static void no_power_cut_is_taken_for_damage(void **state)
{
    enum { SECTOR = 8, RECORDS = 6 };
    CLEANUP(strbuf_release) struct strbuf journal = { 0 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    uint32_t random = 1;
    (void)state;

    journal_format_header(&journal, STR("any"), (struct journal_base){ 0 });
    journal_format_record(&journal, STR("promised"));
    journal_format_seal(&journal, journal_format_start(), 0);
    size_t safe = journal.len;
    for (int i = 0; i < RECORDS; i++)
        journal_format_record(&journal,
                              arena_printf(&arena, "{\"promised\":\"to nobody %*d\"}", 7 * i, i));
    journal_format_seal(&journal, safe, safe);
    for (int round = 0; round < 20000; round++) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        struct journal_contents contents;
        char *copy = arena_copy_bytes(&scratch, journal.ptr, journal.len);
        for (size_t at = safe; at < journal.len; at++) {
            if (at % SECTOR == 0)
                random = random * 1103515245 + 12345;
            if (random >> 16 & 1)
                copy[at] = 0;
        }
        assert_ok(journal_format_read(&scratch, (str){ copy, journal.len }, &contents));
        assert_false(contents.is_damaged);
        assert_true(contents.count >= 1);
    }
}

static void a_hole_in_a_batch_that_was_never_promised_is_an_unfinished_write(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 1);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    size_t start = fixture_read(fixture, JOURNAL).len;
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 2), false));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 3), true));
    journal_close(journal);

    str bytes = fixture_read(fixture, JOURNAL);
    char *copy = arena_copy_bytes(&fixture->arena, bytes.ptr, bytes.len);
    memset(copy + start, 0, 30);
    fixture_write(fixture, JOURNAL, (str){ copy, bytes.len });
    assert_int_equal(count_loaded(fixture), 2);
}

static void a_file_that_is_no_journal_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot;
    bool has_deployment;

    fixture_create(fixture, 1);
    fixture_write(fixture, JOURNAL, STR("something else entirely"));
    assert_fails(
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment),
        ERROR_INVALID, "not a journal");
}

static void a_record_that_is_no_entry_is_named_and_kept(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot;
    struct journal *journal;
    bool has_deployment;

    fixture_create(fixture, 1);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    assert_ok(journal_append(journal, STR("{\"kind\":"), true));
    journal_close(journal);
    assert_fails(
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment),
        ERROR_INVALID, "which does not know what the operation that was cut off did: record 2: ");
    assert_true(fixture_has(fixture, JOURNAL));
}

/* --- many fibers --- */

enum { FIBERS = 100, APPENDS = 10, MOST_SYNCS = FIBERS * APPENDS / 10 };

struct crowd {
    struct fixture *fixture;
    struct journal *journal;
    struct work_group group;
    int next;
};

static void append_some(void *crowd_)
{
    struct crowd *crowd = crowd_;

    for (int i = 0; i < APPENDS; i++)
        assert_ok(journal_append(crowd->journal,
                                 sample_record(&crowd->fixture->arena, ++crowd->next), true));
    work_group_done(&crowd->group);
}

static void run_crowd(void *crowd_)
{
    struct crowd *crowd = crowd_;

    assert_ok(journal_open(crowd->fixture->backend, crowd->fixture->stack, &crowd->journal));
    work_group_add(&crowd->group, FIBERS);
    for (int i = 0; i < FIBERS; i++)
        fiber_spawn(append_some, crowd);
    work_group_wait_uncancelable(&crowd->group);
    journal_close(crowd->journal);
}

static void records_of_many_fibers_share_a_sync(void **state)
{
    struct fixture *fixture = *state;
    struct crowd crowd = { .fixture = fixture };

    fixture_create(fixture, 0);
    /* One sync more would fail, and the records that wait for it. */
    str fault = arena_printf(&fixture->arena, "journal.sync:%d", MOST_SYNCS + 1);
    fault_arm(STR(""), fault);
    assert_ok(scheduler_run(run_crowd, &crowd));
    fault_arm(STR(""), STR(""));
    assert_int_equal(count_loaded(fixture), FIBERS * APPENDS);
}

static void a_step_costs_the_same_whatever_the_size_of_the_stack(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 5000);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    size_t before = fixture_read(fixture, JOURNAL).len;
    str record = sample_record(&fixture->arena, 2);
    assert_ok(journal_append(journal, record, true));
    assert_int_equal(fixture_read(fixture, JOURNAL).len - before,
                     record.len + JOURNAL_FRAME_HEADER);
    journal_close(journal);
}

/* --- failing disks --- */

static void what_could_not_be_written_goes_out_with_the_next_record(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 0);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    fault_arm(STR(""), STR("journal.write:1"));
    assert_fails(journal_append(journal, sample_record(&fixture->arena, 2), true), ERROR_OS,
                 "cannot record what happens (what was recorded before is safe");
    fault_arm(STR(""), STR("journal.sync:1"));
    assert_fails(journal_append(journal, sample_record(&fixture->arena, 3), true), ERROR_OS,
                 "sync '");
    fault_arm(STR(""), STR(""));
    assert_in_range(count_loaded(fixture), 1,
                    3); /* the last two may or may not be there: nobody was told so */
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 4), true));
    assert_int_equal(count_loaded(fixture), 4);
    journal_close(journal);
}

static void a_full_disk_is_told_while_there_is_still_room_for_outcomes(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 0);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    fault_arm(STR(""), STR("journal.reserve:1"));
    assert_fails(journal_append(journal, sample_record(&fixture->arena, 1), true), ERROR_OS,
                 "no more space for the journal (all until now is recorded");
    fault_arm(STR(""), STR(""));
    assert_int_equal(count_loaded(fixture), 1);
    journal_close(journal);
}

static void a_file_size_limit_stops_the_journal_with_advice(void **state)
{
    struct fixture *fixture = *state;
    struct rlimit former, limit;
    struct journal *journal;

    fixture_create(fixture, 0);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &former), 0);
    limit = (struct rlimit){ 64, former.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct error *failure = journal_append(journal, sample_record(&fixture->arena, 1), true);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &former), 0);
    assert_fails(failure, ERROR_OS, "free some space there and run the command again");
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 2), true));
    assert_int_equal(count_loaded(fixture), 2);
    journal_close(journal);
}

static void a_fold_that_fails_keeps_everything_in_the_journal(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 9);
    struct journal *journal;

    fixture_create(fixture, 1);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 2), false));
    fault_arm(STR(""), STR("fs.write:1"));
    assert_fails(journal_fold(journal, &snapshot), ERROR_OS, "the former state is untouched");
    fault_arm(STR(""), STR(""));
    journal_close(journal);
    assert_int_equal(count_loaded(fixture), 3);
}

static void a_journal_that_was_taken_away_is_noticed(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 9);
    struct journal *journal;

    fixture_create(fixture, 1);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    assert_ok(fs_remove(fixture_path(fixture, JOURNAL)));
    assert_fails(journal_append(journal, sample_record(&fixture->arena, 2), true), ERROR_OTHER,
                 "was taken away by another process");
    assert_fails(journal_fold(journal, &snapshot), ERROR_OTHER,
                 "was taken away by another process");
    journal_close(journal);
    assert_int_equal(count_loaded(fixture), 1);
}

/* --- killed --- */

/* One operation: three durable records, then the fold. */
static void operate(struct fixture *fixture)
{
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 4);
    struct journal *journal;

    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    for (int i = 1; i <= 3; i++)
        assert_ok(journal_append(journal, sample_record(&fixture->arena, i), true));
    assert_ok(journal_fold(journal, &snapshot));
    journal_close(journal);
}

/* Runs it in a child that dies at the n-th hit of the point; false once it survives. */
static bool operate_and_die(struct fixture *fixture, const char *point, int hit)
{
    pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (child == 0) {
        fault_arm(arena_printf(&fixture->arena, "%s:%d", point, hit), STR(""));
        operate(fixture);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void killed_at_any_point_it_knows_all_that_was_promised(void **state)
{
    static const struct {
        const char *point;
        size_t least[4]; /* resources that must be known after the n-th hit */
    } cases[] = {
        { "journal.before-write", { 1, 2, 3 } }, { "journal.after-write", { 1, 2, 3 } },
        { "journal.after-sync", { 2, 3, 4 } },   { "checkpoint.before-rename", { 4 } },
        { "checkpoint.backed-up", { 4 } },       { "checkpoint.after-rename", { 4 } },
        { "journal.before-unlink", { 4 } },
    };
    struct fixture *fixture = *state;
    struct snapshot initial = sample_snapshot(&fixture->arena, 1);

    fixture_create(fixture, 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int hit = 1;
        for (; operate_and_die(fixture, cases[i].point, hit); hit++) {
            size_t known = count_loaded(fixture);
            assert_in_range(known, cases[i].least[hit - 1], 4);
            operate(fixture);
            assert_int_equal(count_loaded(fixture), 4);
            assert_false(fixture_has(fixture, JOURNAL));
            assert_ok(backend_save(fixture->backend, fixture->stack, &initial));
        }
        assert_true(hit > 1);
        assert_ok(backend_save(fixture->backend, fixture->stack, &initial));
    }
}

/* --- read while written --- */

enum { ROUNDS = 25, PER_ROUND = 3 };

/* Each round appends to the journal and folds it; the number of resources only grows. */
static void grow(struct fixture *fixture)
{
    for (int round = 1; round <= ROUNDS; round++) {
        struct snapshot snapshot = sample_snapshot(&fixture->arena, (size_t)(round * PER_ROUND));
        struct journal *journal;
        assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
        for (int i = 1; i <= PER_ROUND; i++)
            assert_ok(journal_append(journal, sample_record(&fixture->arena, i), true));
        assert_ok(journal_fold(journal, &snapshot));
        journal_close(journal);
    }
}

static void a_reader_without_lock_never_sees_an_older_state_again(void **state)
{
    struct fixture *fixture = *state;
    size_t last = 0;
    int status;

    fixture_create(fixture, 0);
    pid_t child = fork();
    if (child == 0) {
        grow(fixture);
        _exit(0);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        size_t now = count_loaded(fixture);
        assert_true(now >= last);
        last = now;
    }
    assert_int_equal(status, 0);
    assert_int_equal(count_loaded(fixture), ROUNDS * PER_ROUND);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_journal_that_was_not_folded_is_replayed),
        TEST(folding_writes_the_checkpoint_and_removes_the_journal),
        TEST(a_journal_without_records_leaves_no_trace),
        TEST(records_that_nobody_waits_for_are_written_at_close),
        TEST(opening_folds_what_a_killed_operation_left),
        TEST(a_journal_of_another_checkpoint_is_put_aside),
        TEST(what_only_a_journal_knows_stays_pending_and_is_told),
        TEST(a_journal_that_was_folded_before_it_was_removed_tells_nothing),
        TEST(a_second_stale_journal_does_not_replace_the_first),
        TEST(saving_makes_the_journal_obsolete),
        TEST(cut_anywhere_it_gives_the_state_of_the_last_whole_record),
        TEST(a_flipped_bit_is_never_taken_for_good),
        TEST(damage_in_the_middle_is_refused_and_nothing_is_touched),
        TEST(damage_of_a_journal_that_another_program_left_behind_is_told),
        TEST(bytes_that_were_cut_out_of_the_middle_are_noticed),
        TEST(bytes_that_were_cut_out_of_the_last_batch_are_noticed),
        TEST(no_power_cut_is_taken_for_damage),
        TEST(a_hole_in_a_batch_that_was_never_promised_is_an_unfinished_write),
        TEST(a_file_that_is_no_journal_is_refused),
        TEST(a_record_that_is_no_entry_is_named_and_kept),
        TEST(records_of_many_fibers_share_a_sync),
        TEST(a_step_costs_the_same_whatever_the_size_of_the_stack),
        TEST(what_could_not_be_written_goes_out_with_the_next_record),
        TEST(a_full_disk_is_told_while_there_is_still_room_for_outcomes),
        TEST(a_file_size_limit_stops_the_journal_with_advice),
        TEST(a_fold_that_fails_keeps_everything_in_the_journal),
        TEST(a_journal_that_was_taken_away_is_noticed),
        TEST(a_reader_without_lock_never_sees_an_older_state_again),
        TEST(killed_at_any_point_it_knows_all_that_was_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
