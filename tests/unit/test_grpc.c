/* test_grpc.c — messages, status, timeouts and metadata, without any connection. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "rpc/grpc.h"
#include "rpc/rpc.h"

#include <stdlib.h>

#define BYTES(literal) ((str){ literal, sizeof(literal) - 1 })

/* A list of fields as it comes from the wire. */
static void make_list(struct hpack_list *list, const char *const *names_and_values)
{
    static struct hpack_decoder decoder;
    CLEANUP(strbuf_release) struct strbuf block = { 0 };

    hpack_decoder_init(&decoder);
    for (; *names_and_values; names_and_values += 2)
        hpack_add(&block, str_from(names_and_values[0]), str_from(names_and_values[1]));
    assert_true(hpack_decode(&decoder, strbuf_str(&block), HTTP2_MAX_HEADER_LIST, list));
}

#define LIST(list, ...) make_list((list), (const char *const[]){ __VA_ARGS__, NULL })

/* --- messages --- */

static void messages_may_be_cut_anywhere(void **state)
{
    (void)state;
    str body = BYTES("\0\0\0\0\3abc\0\0\0\0\0\0\0\0\0\1x");
    for (size_t cut = 0; cut <= body.len; cut++) {
        struct grpc_inbox inbox = { 0 };
        uint64_t held = 0;
        inbox.held = &held;
        assert_int_equal(grpc_inbox_add(&inbox, str_slice(body, 0, cut)), RPC_OK);
        assert_int_equal(grpc_inbox_is_cut(&inbox),
                         cut != 0 && cut != 8 && cut != 13 && cut != body.len);
        assert_int_equal(grpc_inbox_add(&inbox, str_slice(body, cut, body.len)), RPC_OK);
        static const size_t lens[] = { 3, 0, 1 };
        for (size_t i = 0; i < 3; i++) {
            struct grpc_message *message = grpc_inbox_take(&inbox);
            assert_int_equal(message->len, lens[i]);
            grpc_message_free(&inbox, message);
        }
        assert_null(grpc_inbox_take(&inbox));
        assert_int_equal(held, 0);
        grpc_inbox_release(&inbox);
    }
}

static void a_connection_holds_a_limited_sum_of_messages(void **state)
{
    (void)state;
    struct grpc_inbox inboxes[6] = { 0 };
    uint64_t held = 0;
    for (size_t i = 0; i < 6; i++) {
        inboxes[i].held = &held;
        int code = grpc_inbox_add(&inboxes[i], BYTES("\0\x18\0\0\0")); /* announces 384 MB */
        assert_int_equal(code, i < 5 ? RPC_OK : RPC_RESOURCE_EXHAUSTED);
    }
    grpc_inbox_detach(&inboxes[0]);
    assert_int_equal(held, UINT64_C(4) * 0x18000000);
    for (size_t i = 0; i < 6; i++)
        grpc_inbox_release(&inboxes[i]);
    assert_int_equal(held, 0);
}

/* --- status --- */

static void a_text_is_encoded_and_decoded(void **state)
{
    (void)state;
    static const struct {
        str text, coded;
    } cases[] = {
        { STR_INIT("plain text, with: signs"), STR_INIT("plain text, with: signs") },
        { STR_INIT("100%\n"), STR_INIT("100%25%0A") },
        { STR_INIT("\xc3\xa9"), STR_INIT("%C3%A9") },
        { STR_INIT("\x80\xff"), STR_INIT("%80%FF") },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(strbuf_release) struct strbuf coded = { 0 };
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        grpc_percent_encode(&coded, cases[i].text, 1000);
        assert_str_equal(strbuf_str(&coded), cases[i].coded);
        grpc_percent_decode(&text, strbuf_str(&coded));
        assert_str_equal(strbuf_str(&text), cases[i].text);
    }
}

static void what_is_no_escape_stays(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    grpc_percent_decode(&text, STR("%c3%a9 %zz %4 %"));
    assert_str_equal(strbuf_str(&text), STR("\xc3\xa9 %zz %4 %"));
}

static void details_are_read_with_and_without_padding(void **state)
{
    (void)state;
    static const char *const coded[] = { "YQ==", "YQ", "YWI=", "YWI", "YWJj", "!" };
    static const char *const wanted[] = { "a", "a", "ab", "ab", "abc", "" };
    for (size_t i = 0; i < 6; i++) {
        struct hpack_list list = { 0 };
        struct error *failure;
        LIST(&list, "grpc-status", "5", "grpc-status-details-bin", coded[i]);
        assert_true(grpc_read_status(&list, &failure));
        assert_int_equal(error_status(failure), RPC_NOT_FOUND);
        assert_str_equal(error_status_details(failure), str_from(wanted[i]));
        error_free(failure);
        hpack_list_release(&list);
    }
}

static void a_failure_always_has_a_text(void **state)
{
    (void)state;
    static const struct {
        const char *status;
        const char *message;
        const char *wanted;
    } cases[] = {
        { "999", "", "the peer answered with status 999 (Unknown) and gave no reason" },
        { "5", "", "the peer answered with status 5 (NotFound) and gave no reason" },
        { "x", "", "the peer answered with status 2 (Unknown) and gave no reason" },
        { "5", "a%ffb",
          "a\xef\xbf\xbd"
          "b" },
        { "5", "a\xc3", "a\xef\xbf\xbd" },
        { "5", "\xc3\xa9", "\xc3\xa9" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct hpack_list list = { 0 };
        struct error *failure;
        LIST(&list, "grpc-status", cases[i].status, "grpc-message", cases[i].message);
        assert_true(grpc_read_status(&list, &failure));
        assert_str_equal(error_message(failure), str_from(cases[i].wanted));
        error_free(failure);
        hpack_list_release(&list);
    }
}

static size_t size_of_status(size_t message_len, size_t details_len, bool *has_details)
{
    static struct hpack_decoder decoder;
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    CLEANUP(strbuf_release) struct strbuf message = { 0 };
    CLEANUP(strbuf_release) struct strbuf details = { 0 };
    struct hpack_list list = { 0 };

    strbuf_add_repeated(&message, '\n', message_len);
    strbuf_add_repeated(&details, 'd', details_len);
    grpc_add_status(&block, RPC_INTERNAL, strbuf_str(&message), strbuf_str(&details));
    hpack_decoder_init(&decoder);
    assert_true(hpack_decode(&decoder, strbuf_str(&block), HTTP2_MAX_HEADER_LIST, &list));
    *has_details = hpack_list_find(&list, STR("grpc-status-details-bin")).ptr != NULL;
    size_t size = list.size;
    hpack_list_release(&list);
    return size;
}

static void trailers_stay_below_the_limit(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 100, 3000, 5000, 5300, 6000, 100000 };
    for (size_t i = 0; i < 7; i++)
        for (size_t k = 0; k < 7; k++) {
            bool has_details;
            assert_true(size_of_status(sizes[i], sizes[k], &has_details) < GRPC_MAX_TRAILERS - 100);
            assert_int_equal(has_details, sizes[k] > 0 && sizes[k] <= 5300);
        }
}

static void an_answer_that_is_not_grpc_has_a_fitting_status(void **state)
{
    (void)state;
    static const struct {
        const char *http, *type;
        int code;
    } cases[] = {
        { "200", "application/grpc", RPC_OK },
        { "200", "application/grpc+proto", RPC_OK },
        { "200", "application/grpc;charset=x", RPC_OK },
        { "200", "application/grpcweb", RPC_UNKNOWN },
        { "200", "text/html", RPC_UNKNOWN },
        { "400", "", RPC_INTERNAL },
        { "401", "", RPC_UNAUTHENTICATED },
        { "403", "", RPC_PERMISSION_DENIED },
        { "404", "", RPC_UNIMPLEMENTED },
        { "502", "", RPC_UNAVAILABLE },
        { "500", "", RPC_UNKNOWN },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct hpack_list list = { 0 };
        LIST(&list, ":status", cases[i].http, "content-type", cases[i].type);
        struct error *failure = grpc_check_answer(&list);
        assert_int_equal(failure ? error_status(failure) : RPC_OK, cases[i].code);
        error_free(failure);
        hpack_list_release(&list);
    }
}

/* --- headers --- */

static void timeouts_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t milliseconds;
    } cases[] = {
        { "1n", 1 },          { "1000001n", 2 },
        { "9990320u", 9991 }, { "15m", 15 },
        { "2S", 2000 },       { "3M", 180000 },
        { "1H", 3600000 },    { "99999999H", UINT64_C(359999996400000) },
        { "0m", 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t milliseconds;
        assert_true(grpc_parse_timeout(str_from(cases[i].text), &milliseconds));
        assert_int_equal(milliseconds, cases[i].milliseconds);
    }
    static const char *const malformed[] = { "", "1", "m", "-1m", "1x", "123456789m", "1 m" };
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        uint64_t milliseconds;
        assert_false(grpc_parse_timeout(str_from(malformed[i]), &milliseconds));
    }
}

static void a_timeout_has_at_most_eight_digits(void **state)
{
    (void)state;
    char room[GRPC_TIMEOUT_ROOM];
    assert_str_equal(grpc_format_timeout(room, 0), STR("0m"));
    assert_str_equal(grpc_format_timeout(room, 10000), STR("10000m"));
    assert_str_equal(grpc_format_timeout(room, 99999999), STR("99999999m"));
    assert_str_equal(grpc_format_timeout(room, 100000000), STR("100000S"));
    assert_str_equal(grpc_format_timeout(room, UINT64_MAX), STR("99999999H"));
}

static void metadata_is_what_the_transport_does_not_use(void **state)
{
    (void)state;
    struct hpack_list list = { 0 };
    LIST(&list, ":path", "/a/b", "te", "trailers", "content-type", "application/grpc", "key",
         "value", "grpc-timeout", "1S", "empty", "", "key", "second");
    struct grpc_metadata *metadata = grpc_metadata_copy(&list);
    hpack_list_release(&list);
    assert_str_equal(grpc_metadata_find(metadata, STR("key")), STR("value"));
    assert_str_equal(grpc_metadata_find(metadata, STR("empty")), STR(""));
    assert_str_equal(grpc_metadata_find(metadata, STR("te")), STR(""));
    assert_str_equal(grpc_metadata_find(metadata, STR(":path")), STR(""));
    free(metadata);
    assert_str_equal(grpc_metadata_find(NULL, STR("key")), STR(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_may_be_cut_anywhere),
        cmocka_unit_test(a_connection_holds_a_limited_sum_of_messages),
        cmocka_unit_test(a_text_is_encoded_and_decoded),
        cmocka_unit_test(what_is_no_escape_stays),
        cmocka_unit_test(details_are_read_with_and_without_padding),
        cmocka_unit_test(a_failure_always_has_a_text),
        cmocka_unit_test(trailers_stay_below_the_limit),
        cmocka_unit_test(an_answer_that_is_not_grpc_has_a_fitting_status),
        cmocka_unit_test(timeouts_have_units),
        cmocka_unit_test(a_timeout_has_at_most_eight_digits),
        cmocka_unit_test(metadata_is_what_the_transport_does_not_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
