/* test_display_tree.c — what decides about a live table: its columns, the lines in sight, what of a
 * frame is drawn anew, and the line below it. */
#include "unit/check.h"

#include "base/clock.h"
#include "display/frame.h"
#include "display/sight.h"
#include "display/status_line.h"
#include "display/tree_table.h"

/* --- shortening --- */

static void assert_fits(const char *text, size_t columns, const char *shown)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    assert_str_equal(color_fit_middle(&arena, str_from(text), columns), str_from(shown));
}

static void long_names_are_cut_in_their_middle(void **state)
{
    (void)state;
    assert_fits("my-bucket", 9, "my-bucket");
    assert_fits("my-long-bucket-7", 9, "my-l…et-7");
    assert_fits("my-long-bucket-7", 10, "my-lo…et-7");
    assert_fits("my-long-bucket-7", 3, "m…7");
    assert_fits("my-long-bucket-7", 2, "m…");
    assert_fits("my-long-bucket-7", 0, "");
    assert_fits("数据库数据库", 7, "数…库"); /* a wide character is not halved */
    assert_fits("e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301…e\u0301");
}

static void tags_take_no_room_and_stay(void **state)
{
    (void)state;
    assert_fits(TAG_RED "my-long-bucket-7" TAG_RESET, 9,
                TAG_RED "my-l" TAG_RESET "…" TAG_RED "et-7" TAG_RESET);
    assert_fits(TAG_LESS "{%bold%}>xyz", 5, TAG_LESS "{…yz");
}

static void what_looks_like_a_tag_is_none(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str evil = STR("<{<{%x%}>%fg 1%}>");

    (void)state;
    color_add(&out, color_quote(&arena, evil), COLOR_ALWAYS);
    assert_str_equal(strbuf_str(&out), evil);
    strbuf_clear(&out);
    color_add(&out, color_said(&arena, evil), COLOR_ALWAYS);
    assert_str_equal(strbuf_str(&out), STR("<{%fg 1%}>"));
    assert_int_equal(color_width(color_quote(&arena, evil)), evil.len);
    assert_true(color_quote(&arena, STR("a < b")).len == 5);
}

/* --- columns --- */

static size_t columns_total(const size_t *width)
{
    return 1 + width[COLUMN_MARK] + 2 + (width[COLUMN_TYPE] ? width[COLUMN_TYPE] + 2 : 0)
           + (width[COLUMN_NAME] ? width[COLUMN_NAME] + 2 : 0) + width[COLUMN_STATUS];
}

static void columns_fit_every_terminal(void **state)
{
    (void)state;
    for (size_t terminal = 39; terminal < 300; terminal++) {
        size_t width[TREE_COLUMNS] = { 2, 60, 70, 19, 40 };
        tree_columns_fit(width, terminal);
        assert_true(columns_total(width) <= terminal);
        assert_int_equal(width[COLUMN_STATUS], 19);
        assert_true(width[COLUMN_NAME] >= 8);
        assert_true(width[COLUMN_TYPE] == 0 || width[COLUMN_TYPE] >= 12);
    }
}

static void the_type_gives_way_first(void **state)
{
    size_t width[TREE_COLUMNS] = { 2, 40, 20, 17, 0 };

    (void)state;
    tree_columns_fit(width, 79);
    assert_int_equal(width[COLUMN_TYPE], 33);
    assert_int_equal(width[COLUMN_NAME], 20);
    tree_columns_fit(width, 200);
    assert_int_equal(width[COLUMN_TYPE], 33); /* what fits is not changed */
    tree_columns_fit(width, 39);
    assert_int_equal(width[COLUMN_TYPE], 0);
    assert_int_equal(width[COLUMN_NAME], 15);
}

static void urns_are_cut_but_never_dropped(void **state)
{
    size_t width[TREE_COLUMNS] = { 2, 120, 0, 17, 0 };

    (void)state;
    tree_columns_fit(width, 79);
    assert_int_equal(width[COLUMN_TYPE], 53);
    tree_columns_fit(width, 30);
    assert_int_equal(width[COLUMN_TYPE], 8);
}

/* --- lines in sight --- */

static void assert_sight(struct scroll scroll, const int64_t *since, size_t count, size_t room,
                         const size_t *wanted, size_t wanted_len)
{
    struct sight sight = { 0 };

    sight_choose(&scroll, since, count, room, &sight);
    assert_int_equal(sight.len, wanted_len);
    for (size_t i = 0; i < wanted_len; i++)
        assert_int_equal(sight.items[i], wanted[i]);
    vec_release(&sight);
}

#define SIGHT(scroll, since, room, ...)                                 \
    assert_sight(scroll, since, sizeof(since) / sizeof(*(since)), room, \
                 (const size_t[]){ __VA_ARGS__ },                       \
                 sizeof((size_t[]){ __VA_ARGS__ }) / sizeof(size_t))

static void the_end_is_in_sight_when_nothing_goes_on(void **state)
{
    const int64_t since[10] = { 0 };

    (void)state;
    SIGHT(((struct scroll){ 0 }), since, 4, 6, 7, 8, 9);
    SIGHT(((struct scroll){ .offset = 2, .most = 6 }), since, 4, 2, 3, 4, 5);
}

static void those_at_work_stay_in_sight(void **state)
{
    const int64_t since[10] = { 0, 50, 0, 40, 0, 60, 0, 0, 0, 0 };

    (void)state;
    SIGHT(((struct scroll){ 0 }), since, 4, 1, 3, 8, 9); /* the two that take longest */
    SIGHT(((struct scroll){ 0 }), since, 8, 1, 3, 4, 5, 6, 7, 8, 9);
    SIGHT(((struct scroll){ .offset = 6, .most = 7 }), since, 6, 1, 3, 5, 6, 7, 8);
    SIGHT(((struct scroll){ .offset = 0, .most = 7 }), since, 6, 0, 1, 2, 3, 4, 5);
}

static void work_never_takes_the_whole_screen(void **state)
{
    const int64_t since[10] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

    (void)state;
    SIGHT(((struct scroll){ 0 }), since, 4, 0, 1, 8, 9);
    SIGHT(((struct scroll){ 0 }), since, 1, 9);
}

static void a_room_for_all_shows_all(void **state)
{
    const int64_t since[3] = { 0, 7, 0 };

    (void)state;
    SIGHT(((struct scroll){ 0 }), since, 5, 0, 1, 2);
}

/* --- drawing --- */

static void assert_drawn(struct frame *frame, const char *text, size_t rows, size_t columns,
                         const char *wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct frame_lines lines = { 0 };
    str rest = str_from(text), line;

    while (str_cut(rest, STR("\n"), &line, &rest))
        vec_add(&lines, line);
    frame_draw(frame, &lines, rows, columns, COLOR_NEVER, &out);
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_str_equal(strbuf_str(&out), arena_concat(&arena, STR("\x1b[?2026h\x1b[?25l"),
                                                    str_from(wanted), STR("\x1b[?2026l")));
    vec_release(&lines);
}

static void only_lines_that_changed_are_drawn(void **state)
{
    struct frame frame = { 0 };

    (void)state;
    assert_drawn(&frame, "a\nb\nc\n", 24, 80, "\ra\x1b[K\r\nb\x1b[K\r\nc\x1b[K\r\n");
    assert_drawn(&frame, "a\nb\nc\n", 24, 80, "\r");
    assert_drawn(&frame, "a\nB\nc\n", 24, 80, "\r\x1b[2AB\x1b[K\r\n\n");
    assert_drawn(&frame, "a\nB\nc\nd\n", 24, 80, "\rd\x1b[K\r\n");
    assert_drawn(&frame, "A\nB\n", 24, 80, "\r\x1b[4AA\x1b[K\r\n\n\x1b[J");
    frame_forget(&frame);
    assert_drawn(&frame, "A\nB\n", 24, 80, "\rA\x1b[K\r\nB\x1b[K\r\n");
    frame_release(&frame);
}

static void after_a_resize_all_is_drawn_from_where_the_frame_begins(void **state)
{
    struct frame frame = { 0 };

    (void)state;
    assert_drawn(&frame, "0123456789\nb\n", 24, 80, "\r0123456789\x1b[K\r\nb\x1b[K\r\n");
    /* the first line takes two rows now */
    assert_drawn(&frame, "a\nb\n", 24, 8, "\x1b[3A\r\x1b[J\ra\x1b[K\r\nb\x1b[K\r\n");
    /* a frame that filled the screen may be anywhere */
    assert_drawn(&frame, "a\nb\n", 3, 8, "\x1b[H\r\x1b[J\ra\x1b[K\r\nb\x1b[K\r\n");
    frame_release(&frame);
}

/* --- the line below --- */

#define S ((int64_t)NS_PER_S)
#define URN_OF(name) STR_INIT("urn:pulumi:dev::p::aws:s3/bucket:Bucket::" name)

static void assert_text(str got, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    assert_str_equal(color_strip(&arena, got), str_from(wanted));
}

static void counts_and_time_are_below_the_table(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_text(status_text(&arena, &(struct status){ .total = 7 }), "0/7 done, 0s");
    assert_text(
        status_text(&arena,
                    &(struct status){
                        .done = 12, .total = 340, .running = 3, .failed = 1, .elapsed = 65 * S }),
        "12/340 done, 3 running, 1 failed, 1m5s");
    assert_text(status_text(&arena, &(struct status){ .elapsed = 3725 * S }), "0/0 done, 1h2m5s");
}

static void what_is_awaited_is_said_after_ten_quiet_seconds(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    int64_t noon = 1763380800 * S; /* 2025-11-17T12:00:00Z */
    struct status status = { .quiet = 10 * S - 1,
                             .wait = { STR("aws"), STR("Create"), URN_OF("my-bucket"), noon } };

    (void)state;
    assert_text(status_waiting_text(&arena, &status, noon + 25 * S), "");
    status.quiet = 10 * S;
    assert_text(status_waiting_text(&arena, &status, noon + 25 * S),
                "waiting for aws: Create of my-bucket (aws:s3:Bucket) since 12:00:00, 25s");
    status.others = 3;
    status.wait.urn = STR("");
    status.wait.call = STR("Configure");
    assert_text(status_waiting_text(&arena, &status, noon + 61 * S),
                "waiting for aws: Configure since 12:00:00, 1m1s, and 3 more");
    status.wait.call = STR("");
    assert_text(status_waiting_text(&arena, &status, noon), "");
}

static struct row *row_add(struct rows *rows, struct arena *arena, str urn, bool is_custom,
                           int64_t started)
{
    struct resource *resource = ARENA_NEW(arena, struct resource);
    struct row *row = ARENA_NEW(arena, struct row);

    resource->is_custom = is_custom;
    row->step = (struct event_step){ .op = OP_CREATE, .urn = urn, .new = resource };
    row->step.provider = STR("urn:pulumi:dev::p::pulumi:providers:aws::default::id");
    row->started = started;
    vec_add(&rows->list, row);
    return row;
}

static void rows_are_counted_without_the_stack(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rows rows = { 0 };
    struct status status = { 0 };

    (void)state;
    clock_fake(100 * S);
    row_add(&rows, &arena, STR("urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev"), false, 1);
    row_add(&rows, &arena, (str)URN_OF("younger"), true, 90 * S);
    row_add(&rows, &arena, (str)URN_OF("older"), true, 80 * S);
    row_add(&rows, &arena, (str)URN_OF("component"), false, 1);
    row_add(&rows, &arena, (str)URN_OF("bad"), true, 1)->is_failed = true;
    struct row *done = row_add(&rows, &arena, (str)URN_OF("done"), true, 1);
    done->outcomes |= 1u << OP_CREATE;
    status_take(&status, &rows, 0, NULL);
    assert_int_equal(status.total, 5);
    assert_int_equal(status.done, 1);
    assert_int_equal(status.failed, 1);
    assert_int_equal(status.running, 2);
    assert_str_equal(status.wait.plugin, STR("aws"));
    assert_str_equal(status.wait.call, STR("create"));
    assert_str_equal(status.wait.urn, (str)URN_OF("older"));
    assert_true(status.wait.since == 80 * S);
    assert_int_equal(status.others, 1);
    status = (struct status){ 0 };
    status_take(&status, &rows, 40, NULL);
    assert_int_equal(status.total, 40);
    vec_release(&rows.list);
    clock_fake(0);
}

static void a_call_to_a_provider_is_awaited_before_all_else(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rows rows = { 0 };
    struct awaited run = { .method = "/pulumirpc.LanguageRuntime/Run", .plugin = STR("nodejs") };
    struct awaited check = { .method = "/pulumirpc.ResourceProvider/Check",
                             .plugin = STR("aws"),
                             .subject = URN_OF("checked") };
    struct awaited later = check;
    struct status status = { 0 };

    (void)state;
    clock_fake(100 * S);
    row_add(&rows, &arena, (str)URN_OF("older"), true, 1);
    awaited_begin(&run);
    awaited_begin(&check);
    awaited_begin(&later);
    status_take(&status, &rows, 0, awaited_first());
    assert_str_equal(status.wait.call, STR("Check"));
    assert_str_equal(status.wait.urn, (str)URN_OF("checked"));
    assert_int_equal(status.others, 1);
    awaited_end(&check);
    awaited_end(&later);
    rows.list.len = 0;
    status = (struct status){ 0 };
    status_take(&status, &rows, 0, awaited_first());
    assert_str_equal(status.wait.plugin, STR("nodejs"));
    assert_str_equal(status.wait.call, STR("Run"));
    awaited_end(&run);
    assert_null(awaited_first());
    vec_release(&rows.list);
    clock_fake(0);
}

static int zone_set(void **state)
{
    (void)state;
    static char utc[] = "TZ=UTC";
    putenv(utc);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_names_are_cut_in_their_middle),
        cmocka_unit_test(tags_take_no_room_and_stay),
        cmocka_unit_test(what_looks_like_a_tag_is_none),
        cmocka_unit_test(columns_fit_every_terminal),
        cmocka_unit_test(the_type_gives_way_first),
        cmocka_unit_test(urns_are_cut_but_never_dropped),
        cmocka_unit_test(the_end_is_in_sight_when_nothing_goes_on),
        cmocka_unit_test(those_at_work_stay_in_sight),
        cmocka_unit_test(work_never_takes_the_whole_screen),
        cmocka_unit_test(a_room_for_all_shows_all),
        cmocka_unit_test(only_lines_that_changed_are_drawn),
        cmocka_unit_test(after_a_resize_all_is_drawn_from_where_the_frame_begins),
        cmocka_unit_test(counts_and_time_are_below_the_table),
        cmocka_unit_test(what_is_awaited_is_said_after_ten_quiet_seconds),
        cmocka_unit_test(rows_are_counted_without_the_stack),
        cmocka_unit_test(a_call_to_a_provider_is_awaited_before_all_else),
    };

    return cmocka_run_group_tests(tests, zone_set, NULL);
}
