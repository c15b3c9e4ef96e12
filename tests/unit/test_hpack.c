/* test_hpack.c — header blocks. */
#include "unit/check.h"

#include "rpc/hpack.h"
#include "support/huffman.h"

enum { ROOMY = 1 << 20 };

#define BYTES(literal) ((str){ literal, sizeof(literal) - 1 })

struct fixture {
    struct hpack_decoder decoder;
    struct hpack_list list;
};

static void setup(struct fixture *fixture)
{
    *fixture = (struct fixture){ 0 };
    hpack_decoder_init(&fixture->decoder);
}

static void teardown(struct fixture *fixture)
{
    hpack_list_release(&fixture->list);
}

static void assert_field(const struct hpack_list *list, size_t index, const char *name,
                         const char *value)
{
    assert_true(index < list->len);
    assert_str_equal(hpack_list_get(list, index).name, str_from(name));
    assert_str_equal(hpack_list_get(list, index).value, str_from(value));
}

static bool decodes(struct fixture *fixture, str block)
{
    return hpack_decode(&fixture->decoder, block, ROOMY, &fixture->list);
}

#define CLAIM(name)                               \
    static void name##_(struct fixture *fixture); \
    static void name(void **state)                \
    {                                             \
        struct fixture fixture;                   \
        (void)state;                              \
        setup(&fixture);                          \
        name##_(&fixture);                        \
        teardown(&fixture);                       \
    }                                             \
    static void name##_(struct fixture *fixture)

/* --- examples of the RFC --- */

static void check_requests(struct fixture *fixture)
{
    assert_field(&fixture->list, 0, ":method", "GET");
    assert_field(&fixture->list, 3, ":authority", "www.example.com");
    assert_int_equal(fixture->decoder.size, 57);
}

static void check_last_request(struct fixture *fixture)
{
    assert_int_equal(fixture->list.len, 5);
    assert_field(&fixture->list, 1, ":scheme", "https");
    assert_field(&fixture->list, 2, ":path", "/index.html");
    assert_field(&fixture->list, 4, "custom-key", "custom-value");
    assert_int_equal(fixture->decoder.size, 164);
}

CLAIM(plain_requests_of_the_rfc)
{
    assert_true(decodes(fixture, BYTES("\x82\x86\x84\x41\x0fwww.example.com")));
    check_requests(fixture);
    assert_true(decodes(fixture, BYTES("\x82\x86\x84\xbe\x58\x08no-cache")));
    assert_field(&fixture->list, 4, "cache-control", "no-cache");
    assert_true(decodes(fixture, BYTES("\x82\x87\x85\xbf\x40\x0a"
                                       "custom-key\x0c"
                                       "custom-value")));
    check_last_request(fixture);
}

CLAIM(huffman_coded_requests_of_the_rfc)
{
    assert_true(decodes(
        fixture, BYTES("\x82\x86\x84\x41\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff")));
    check_requests(fixture);
    assert_true(decodes(fixture, BYTES("\x82\x86\x84\xbe\x58\x86\xa8\xeb\x10\x64\x9c\xbf")));
    assert_field(&fixture->list, 4, "cache-control", "no-cache");
    assert_true(decodes(fixture, BYTES("\x82\x87\x85\xbf\x40\x88\x25\xa8\x49\xe9\x5b\xa9\x7d\x7f"
                                       "\x89\x25\xa8\x49\xe9\x5b\xb8\xe8\xb4\xbf")));
    check_last_request(fixture);
}

CLAIM(a_full_table_drops_the_oldest_entries)
{
    /* responses of the RFC, with a table of 256 bytes */
    assert_true(decodes(fixture, BYTES("\x3f\xe1\x01\x48\x03"
                                       "302\x58\x07"
                                       "private\x61\x1d"
                                       "Mon, 21 Oct 2013 20:13:21 GMT\x6e\x17"
                                       "https://www.example.com")));
    assert_int_equal(fixture->decoder.size, 222);
    assert_true(decodes(fixture, BYTES("\x48\x03"
                                       "307\xc1\xc0\xbf")));
    assert_field(&fixture->list, 0, ":status", "307");
    assert_field(&fixture->list, 1, "cache-control", "private");
    assert_field(&fixture->list, 2, "date", "Mon, 21 Oct 2013 20:13:21 GMT");
    assert_field(&fixture->list, 3, "location", "https://www.example.com");
    assert_int_equal(fixture->decoder.count, 4);
    assert_int_equal(fixture->decoder.size, 222);
    assert_true(
        decodes(fixture, BYTES("\x88\xc1\x61\x1d"
                               "Mon, 21 Oct 2013 20:13:22 GMT\xc0\x5a\x04gzip\x77\x38"
                               "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1")));
    assert_field(&fixture->list, 5, "set-cookie",
                 "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
    assert_int_equal(fixture->decoder.count, 3);
    assert_int_equal(fixture->decoder.size, 215);
}

/* --- Huffman --- */

CLAIM(every_symbol_has_its_code)
{
    (void)fixture;
    for (unsigned symbol = 0; symbol < 256; symbol++) {
        CLEANUP(strbuf_release) struct strbuf coded = { 0 };
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        char three[3] = { (char)symbol, 'a', (char)symbol };
        huffman_encode(&coded, (str){ three, 3 });
        assert_true(hpack_huffman_decode(strbuf_str(&coded), &text));
        assert_str_equal(strbuf_str(&text), ((str){ three, 3 }));
    }
}

CLAIM(padding_must_be_short_and_all_ones)
{
    (void)fixture;
    static const struct {
        str coded;
        bool is_valid;
    } cases[] = {
        { STR_INIT(""), true },
        { STR_INIT("\x1f"), true },              /* 'a' and three ones */
        { STR_INIT("\x18"), false },             /* 'a' and three zeros */
        { STR_INIT("\x1f\xff"), false },         /* eleven ones */
        { STR_INIT("\xff"), false },             /* eight ones and no symbol */
        { STR_INIT("\xff\xff\xff\xff"), false }, /* the end-of-string code */
        { STR_INIT("\xff\xff\xff\xfc\x1f"), false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        assert_int_equal(hpack_huffman_decode(cases[i].coded, &text), cases[i].is_valid);
    }
}

/* --- table --- */

CLAIM(a_new_entry_may_take_its_name_from_the_one_it_evicts)
{
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    /* 4,000 bytes of name fill the table; the second entry names itself after it */
    strbuf_add(&block, BYTES("\x40\x7f\xa1\x1e"));
    strbuf_add_repeated(&block, 'n', 4000);
    strbuf_add(&block, BYTES("\x01"
                             "1"));
    strbuf_add(&block, BYTES("\x7e\x02"
                             "22"));
    assert_true(decodes(fixture, strbuf_str(&block)));
    assert_int_equal(fixture->list.len, 2);
    assert_int_equal(hpack_list_get(&fixture->list, 1).name.len, 4000);
    assert_int_equal(fixture->decoder.count, 1);
    assert_true(decodes(fixture, BYTES("\xbe")));
    assert_str_equal(hpack_list_get(&fixture->list, 0).value, STR("22"));
}

CLAIM(an_entry_larger_than_the_table_empties_it)
{
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    assert_true(decodes(fixture, BYTES("\x40\x01"
                                       "a\x01"
                                       "b")));
    assert_int_equal(fixture->decoder.count, 1);
    strbuf_add(&block, BYTES("\x40\x01"
                             "a\x7f\x81\x3f"));
    strbuf_add_repeated(&block, 'v', 127 + 0x1f81);
    assert_true(decodes(fixture, strbuf_str(&block)));
    assert_int_equal(fixture->decoder.count, 0);
    assert_int_equal(fixture->decoder.size, 0);
}

CLAIM(the_table_survives_thousands_of_entries)
{
    for (unsigned i = 0; i < 5000; i++) {
        CLEANUP(strbuf_release) struct strbuf block = { 0 };
        char value[130];
        unsigned len = 1 + i * 7 % 120;
        memset(value, 'a' + (int)(i % 26), sizeof(value));
        strbuf_add(&block, BYTES("\x40\x03key"));
        strbuf_add_char(&block, (char)len);
        strbuf_add(&block, (str){ value, len });
        strbuf_add_char(&block, (char)0xbe);
        assert_true(decodes(fixture, strbuf_str(&block)));
        assert_str_equal(hpack_list_get(&fixture->list, 1).value, ((str){ value, len }));
        assert_true(fixture->decoder.size <= HPACK_TABLE_SIZE);
    }
}

CLAIM(a_list_that_is_too_large_is_cut_but_the_table_stays_right)
{
    str block = BYTES("\x40\x05"
                      "first\x01"
                      "1\x40\x06second\x01"
                      "2");
    assert_true(hpack_decode(&fixture->decoder, block, 40, &fixture->list));
    assert_true(fixture->list.is_too_large);
    assert_int_equal(fixture->list.len, 1);
    assert_true(decodes(fixture, BYTES("\xbe\xbf")));
    assert_false(fixture->list.is_too_large);
    assert_field(&fixture->list, 0, "second", "2");
    assert_field(&fixture->list, 1, "first", "1");
}

CLAIM(malformed_blocks_are_refused)
{
    static const str blocks[] = {
        STR_INIT("\x80"),                         /* index 0 */
        STR_INIT("\xbe"),                         /* beyond both tables */
        STR_INIT("\xff\xff\xff\xff\xff\xff\x0f"), /* a number without end */
        STR_INIT("\xff"),                         /* a number cut off */
        STR_INIT("\x00"),                         /* a name missing */
        STR_INIT("\x00\x05"
                 "abc"), /* a name cut off */
        STR_INIT("\x00\x03"
                 "abc"),               /* a value missing */
        STR_INIT("\x00\x81\x18\x01v"), /* padding of zeros */
        STR_INIT("\x7e\x01v"),         /* name beyond the tables */
        STR_INIT("\x3f\xe2\x1f"),      /* a table larger than we permit */
        STR_INIT("\x82\x20"),          /* a change of the table behind a field */
    };
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        assert_false(decodes(fixture, blocks[i]));
}

/* --- encoder --- */

CLAIM(what_is_encoded_is_decoded)
{
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    CLEANUP(strbuf_release) struct strbuf large = { 0 };
    strbuf_add_repeated(&large, 'x', 100000);
    hpack_add_empty_table(&block);
    hpack_add_known(&block, HPACK_METHOD_POST);
    hpack_add_known(&block, HPACK_STATUS_200);
    hpack_add_named(&block, HPACK_PATH, STR("/a.B/C"));
    hpack_add_named(&block, HPACK_USER_AGENT, STR("me"));
    hpack_add(&block, STR("grpc-status"), STR("0"));
    hpack_add(&block, STR("large"), strbuf_str(&large));
    assert_true(decodes(fixture, strbuf_str(&block)));
    assert_int_equal(fixture->list.len, 6);
    assert_field(&fixture->list, 0, ":method", "POST");
    assert_field(&fixture->list, 1, ":status", "200");
    assert_field(&fixture->list, 2, ":path", "/a.B/C");
    assert_field(&fixture->list, 3, "user-agent", "me");
    assert_field(&fixture->list, 4, "grpc-status", "0");
    assert_str_equal(hpack_list_find(&fixture->list, STR("large")), strbuf_str(&large));
    assert_null(hpack_list_find(&fixture->list, STR("absent")).ptr);
    assert_int_equal(fixture->decoder.limit, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_requests_of_the_rfc),
        cmocka_unit_test(huffman_coded_requests_of_the_rfc),
        cmocka_unit_test(a_full_table_drops_the_oldest_entries),
        cmocka_unit_test(every_symbol_has_its_code),
        cmocka_unit_test(padding_must_be_short_and_all_ones),
        cmocka_unit_test(a_new_entry_may_take_its_name_from_the_one_it_evicts),
        cmocka_unit_test(an_entry_larger_than_the_table_empties_it),
        cmocka_unit_test(the_table_survives_thousands_of_entries),
        cmocka_unit_test(a_list_that_is_too_large_is_cut_but_the_table_stays_right),
        cmocka_unit_test(malformed_blocks_are_refused),
        cmocka_unit_test(what_is_encoded_is_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
