/* test_journal.c — entries of the journal as JSON. */
#include "unit/check.h"

#include "model/checkpoint.h"
#include "model/journal.h"

static str written(struct arena *arena, const struct journal_entry *entry)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    journal_entry_write(&writer, entry);
    return arena_copy(arena, strbuf_str(&out));
}

static void assert_kept(str text)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct journal_entry entry;
    assert_ok(journal_entry_read(&arena, text, &entry));
    assert_str_equal(written(&arena, &entry), text);
}

#define HEAD(kind) "{\"version\":1,\"kind\":" kind ",\"sequenceID\":7,\"operationID\":3,"
#define RESOURCE "{\"urn\":\"u\",\"custom\":false,\"type\":\"t\",\"aliases\":[\"old\"]}"

static void unset_places_are_null_or_absent(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    entry.kind = JOURNAL_BEGIN;
    entry.sequence_id = 7;
    entry.operation_id = 3;
    assert_str_equal(written(&arena, &entry),
                     STR(HEAD("0") "\"removeOld\":null,\"removeNew\":null}"));
    entry.remove_old = 0;
    assert_str_equal(written(&arena, &entry), STR(HEAD("0") "\"removeOld\":0,\"removeNew\":null}"));
}

static void every_member_is_kept(void **state)
{
    (void)state;
    assert_kept(STR(HEAD("1") "\"removeOld\":0,\"removeNew\":4,\"pendingReplacementOld\":1,"
                              "\"pendingReplacementNew\":2,"
                              "\"deleteOld\":0,\"deleteNew\":5,\"state\":" RESOURCE
                              ",\"isRefresh\":true}"));
    assert_kept(
        STR(HEAD("0") "\"removeOld\":null,\"removeNew\":null,\"operation\":{\"resource\":" RESOURCE
                      ",\"type\":\"creating\"},\"dropsPendingCreates\":true}"));
    assert_kept(STR(HEAD(
        "6") "\"removeOld\":null,\"removeNew\":null,\"secretsProvider\":{\"type\":\"passphrase\","
             "\"state\":{\"salt\":\"x\"}}}"));
    assert_kept(STR(HEAD(
        "8") "\"removeOld\":null,\"removeNew\":null,\"extensionRef\":\"r\",\"extension\":{\"name\":"
             "\"n\",\"version\":\"1\",\"value\":\"\"}}"));
    assert_kept(
        STR(HEAD("9") "\"removeOld\":null,\"removeNew\":null,\"snippets\":[{\"uuid\":\"x\"}]}"));
    assert_kept(STR(HEAD(
        "5") "\"removeOld\":null,\"removeNew\":null,\"newSnapshot\":{\"manifest\":{\"time\":\"t\","
             "\"magic\":\"\",\"version\":\"\"},"
             "\"resources\":[{\"urn\":\"u\",\"custom\":false,\"type\":\"t\"}],\"metadata\":{}}}"));
    assert_kept(
        STR(HEAD("1") "\"removeOld\":null,\"removeNew\":null,\"requiresByteString\":true}"));
}

static void byte_strings_in_open_secrets_are_announced(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    struct resource resource = { .urn = STR("u"), .type = STR("t") };
    struct value secret = value_secret(&arena, value_string(STR("\xff")));
    secret.secret->ciphertext = STR("c");
    resource.inputs = value_with(&arena, value_null(), STR("s"), secret);
    entry.kind = JOURNAL_SUCCESS;
    entry.state = &resource;
    struct journal_entry again;
    assert_ok(journal_entry_read(&arena, written(&arena, &entry), &again));
    assert_true(again.requires_byte_string);
}

static void unknown_members_are_ignored_and_nonsense_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct journal_entry entry;
    assert_ok(journal_entry_read(&arena, STR(HEAD("2") "\"later\":[1]}"), &entry));
    assert_int_equal(entry.kind, JOURNAL_FAILURE);
    assert_int_equal(entry.remove_old, JOURNAL_NONE);
    assert_fails(journal_entry_read(&arena, STR("{\"version\":2,\"kind\":0}"), &entry),
                 ERROR_INVALID, "unknown version");
    assert_fails(journal_entry_read(&arena, STR("{\"kind\":10}"), &entry), ERROR_INVALID,
                 "unknown kind");
    assert_fails(journal_entry_read(&arena, STR("{\"removeOld\":-1}"), &entry), ERROR_INVALID,
                 "journal entry: 'removeOld': line 1 column 14: expected a whole number");
    assert_fails(journal_entry_read(&arena, STR("{\"removeOld\":1.5}"), &entry), ERROR_INVALID,
                 "expected a whole number");
    assert_fails(journal_entry_read(&arena, STR("{\"operationID\":null}"), &entry), ERROR_INVALID,
                 "needs a sequence id");
    assert_fails(journal_entry_read(&arena, STR("{\"kind\":5}"), &entry), ERROR_INVALID,
                 "needs a snapshot");
    assert_fails(journal_entry_read(&arena, STR("{\"kind\":6}"), &entry), ERROR_INVALID,
                 "needs a secrets provider");
    assert_fails(journal_entry_read(&arena, STR("{\"kind\":8}"), &entry), ERROR_INVALID,
                 "needs an extension");
    assert_fails(journal_entry_read(&arena, STR("{\"kind\":1"), &entry), ERROR_INVALID,
                 "unexpected end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unset_places_are_null_or_absent),
        cmocka_unit_test(every_member_is_kept),
        cmocka_unit_test(byte_strings_in_open_secrets_are_announced),
        cmocka_unit_test(unknown_members_are_ignored_and_nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
