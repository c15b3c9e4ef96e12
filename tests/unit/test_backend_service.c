/* test_backend_service.c — the hosted service as a backend: leases, conflicts, events, the history,
 * secrets in batches, the texts that go over the wire. */
#include "unit/backend_fixture.h"

#include "base/exit_codes.h"
#include "unit/service_fixture.h"

#include "backend/backend_service.h"
#include "support/delta_apply.h"
#include "backend/update.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "service/service_crypter.h"

struct place {
    struct arena arena;
    struct service_fixture service;
    struct backend *backend;
    struct stack_ref stack;
    void (*test)(struct place *place);
};

static struct backend *place_open(struct place *place)
{
    const struct backend_options options = { .url = place->service.url,
                                             .home = STR("/"),
                                             .service = place->service.service,
                                             .organization = STR("acme") };
    struct backend *backend;

    assert_ok(backend_open(&options, &backend));
    return backend;
}

static void place_main(void *place_)
{
    struct place *place = place_;

    service_fixture_open(&place->service, &place->arena);
    place->stack = (struct stack_ref){ .project = STR("p1"), .name = STR("dev") };
    place->backend = place_open(place);
    assert_ok(backend_create_stack(place->backend, place->stack, NULL));
    place->test(place);
    backend_close(place->backend);
    service_fixture_close(&place->service, &place->arena);
}

static void place_run(void (*test)(struct place *place))
{
    struct place place = { .test = test };

    assert_ok(scheduler_run(place_main, &place));
    arena_release(&place.arena);
}

#define SERVICE_TEST(name)                        \
    static void name##_test(struct place *place); \
    static void name(void **state)                \
    {                                             \
        (void)state;                              \
        place_run(name##_test);                   \
    }                                             \
    static void name##_test(struct place *place)

static str place_control(struct place *place, const char *path, const char *json)
{
    return service_fixture_control(&place->service, &place->arena, path, json);
}

static struct update *place_begin(struct place *place, struct backend *backend, bool is_preview)
{
    const struct pair environment[] = { { STR("git.head"), STR("abc") } };
    const struct update_facts facts = {
        .kind = STR("update"),
        .is_preview = is_preview,
        .project = STR("p1"),
        .runtime = STR("yaml"),
        .message = STR("a \"message\""),
        .config = STR("{\"p1:a\":\"text\",\"p1:n\":{\"x\":[1,true]},\"p1:f\":3}"),
        .environment = { environment, 1 },
    };
    struct update *update;

    assert_ok(backend_begin_update(backend, place->stack, &facts, &update));
    return update;
}

static size_t count_in(str text, const char *needle)
{
    size_t count = 0, at;

    while ((at = str_find(text, str_from(needle))) != SIZE_MAX) {
        text = str_slice(text, at + strlen(needle), text.len);
        count++;
    }
    return count;
}

static size_t place_count(struct place *place)
{
    struct snapshot snapshot;
    bool has_deployment;

    assert_ok(
        backend_load(place->backend, place->stack, &place->arena, &snapshot, &has_deployment));
    return snapshot.resource_count;
}

/* The journal's first entry names the manager of secrets. */
static void append_first(struct place *place, struct journal *journal)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    (void)place;
    entry.kind = JOURNAL_SECRETS_MANAGER;
    entry.sequence_id = 1;
    entry.secrets_type = STR("passphrase");
    entry.secrets_state = STR("{\"salt\":\"x\"}");
    journal_entry_write(&writer, &entry);
    assert_ok(journal_append(journal, strbuf_str(&text), false));
}

SERVICE_TEST(one_update_at_a_time_and_previews_beside_it)
{
    struct backend *other = place_open(place);
    const struct update_facts facts = { .kind = STR("update"), .project = STR("p1") };
    struct update *second;

    struct update *update = place_begin(place, place->backend, false);
    assert_fails(backend_begin_update(other, place->stack, &facts, &second), ERROR_OTHER,
                 "It is the update that alice began at");
    assert_ok(update_end(place_begin(place, other, true), true));
    assert_fails(backend_remove_stack(other, place->stack, true, false), ERROR_OTHER, "[409]");
    assert_ok(update_end(update, true));
    assert_ok(update_end(place_begin(place, other, false), true));
    backend_close(other);
}

SERVICE_TEST(the_history_is_the_services_own)
{
    struct history history;

    assert_ok(update_end(place_begin(place, place->backend, false), false));
    assert_ok(backend_history(place->backend, place->stack, &place->arena, 1, 10, &history));
    assert_int_equal(history.len, 1);
    assert_str_equal(history.items[0].kind, STR("update"));
    assert_str_equal(history.items[0].result, STR("failed"));
    assert_int_equal(history.items[0].version, 1);
    assert_str_equal(history.items[0].message, STR("a \"message\""));
    assert_str_equal(history.items[0].environment[0].value, STR("abc"));
    assert_str_equal(history.items[0].config,
                     STR("{\"p1:a\":\"text\",\"p1:n\":{\"x\":[1,true]},\"p1:f\":\"3\"}"));
}

SERVICE_TEST(an_update_that_was_cancelled_writes_nothing_more)
{
    struct backend *other = place_open(place);
    struct snapshot snapshot = sample_snapshot(&place->arena, 9);
    struct journal *journal;
    size_t count;

    struct update *update = place_begin(place, place->backend, false);
    assert_ok(journal_open(place->backend, place->stack, &journal));
    append_first(place, journal);
    assert_ok(journal_append(journal, sample_record(&place->arena, 2), true));
    assert_ok(backend_break_locks(other, place->stack, &count));
    assert_int_equal(count, 1);
    place_control(place, "/clear", "");
    struct error *failure = journal_append(journal, sample_record(&place->arena, 3), true);
    assert_int_equal(error_exit_code(failure), EXIT_AUTHENTICATION);
    assert_fails(failure, ERROR_OTHER, "the lease of this update has ended");
    assert_fails(journal_append(journal, sample_record(&place->arena, 4), true), ERROR_OTHER,
                 "another process has taken over");
    assert_fails(journal_fold(journal, &snapshot), ERROR_OTHER, "the lease of this update");
    journal_close(journal);
    assert_ok(update_end(update, false)); /* what failed has said it */
    /* One request told us; none was sent after it. */
    assert_int_equal(count_in(place_control(place, "/log", NULL), "/update/"), 1);
    assert_int_equal(place_count(place), 1);
    backend_close(other);
}

/* The service of the test gives leases of a second here, and does not forgive. */
SERVICE_TEST(a_lease_is_renewed_while_the_update_runs)
{
    struct journal *journal;

    place_control(place, "", "{\"lease_seconds\":2}");
    struct update *update = place_begin(place, place->backend, false);
    assert_ok(journal_open(place->backend, place->stack, &journal));
    append_first(place, journal);
    while (count_in(place_control(place, "/log", NULL), "/renew_lease 200") < 3)
        assert_ok(fiber_sleep_ms(20));
    assert_ok(journal_append(journal, sample_record(&place->arena, 2), true));
    journal_close(journal);
    assert_ok(update_end(update, true));
    assert_int_equal(place_count(place), 1);
}

SERVICE_TEST(a_lease_that_cannot_be_renewed_is_told_at_the_end)
{
    place_control(place, "", "{\"lease_seconds\":2}");
    struct update *update = place_begin(place, place->backend, false);
    place_control(place, "/expire", "");
    while (count_in(place_control(place, "/log", NULL), "/renew_lease 403") < 1)
        assert_ok(fiber_sleep_ms(20));
    assert_fails(update_end(update, true), ERROR_OTHER, "the lease of this update has ended");
}

SERVICE_TEST(events_come_in_batches_and_their_loss_is_no_failure)
{
    struct update *update = place_begin(place, place->backend, false);

    place_control(place, "/fault", "{\"path\":\"events/batch\",\"status\":400}");
    for (int i = 0; i < 120; i++)
        update_add_event(
            update, arena_printf(&place->arena,
                                 "{\"sequence\":%d,\"timestamp\":1,\"stdoutEvent\":{\"message\":"
                                 "\"m%d\",\"color\":\"raw\"}}",
                                 i, i));
    fiber_yield();
    assert_ok(update_end(update, true));
    str log = place_control(place, "/log", NULL);
    size_t batches = count_in(log, "events/batch");
    assert_true(batches >= 1 && batches <= 4);
}

SERVICE_TEST(an_update_that_ends_waits_for_the_events_that_are_on_their_way)
{
    struct update *update = place_begin(place, place->backend, false);

    for (int i = 0; i < 60; i++)
        update_add_event(
            update, arena_printf(&place->arena,
                                 "{\"sequence\":%d,\"timestamp\":1,\"stdoutEvent\":{\"message\":"
                                 "\"said %d\",\"color\":\"raw\"}}",
                                 i, i));
    fiber_yield(); /* a request begins */
    assert_ok(update_end(update, true));
    assert_int_equal(count_in(place_control(place, "/stacks", NULL), "\"said "), 60);
}

struct sealing {
    struct crypter *crypter;
    struct arena arena;
    struct work_group group;
    int next;
};

static void seal_one(void *sealing_)
{
    struct sealing *sealing = sealing_;
    str plaintext = arena_printf(&sealing->arena, "secret %d", ++sealing->next % 30), ciphertext,
        opened;

    assert_ok(sealing->crypter->seal(sealing->crypter, plaintext, &sealing->arena, &ciphertext));
    assert_ok(sealing->crypter->unseal(sealing->crypter, ciphertext, &sealing->arena, &opened));
    assert_str_equal(opened, plaintext);
    work_group_done(&sealing->group);
}

SERVICE_TEST(secrets_of_many_fibers_share_requests)
{
    const struct service_place at = { STR("acme"), STR("p1"), STR("dev") };
    struct service_crypter *crypter = service_crypter_open(place->service.service, &at, false);
    struct sealing sealing = { .crypter = service_crypter_face(crypter) };

    work_group_add(&sealing.group, 100);
    for (int i = 0; i < 100; i++)
        fiber_spawn(seal_one, &sealing);
    work_group_wait_uncancelable(&sealing.group);
    fiber_yield();
    str log = place_control(place, "/log", NULL);
    assert_true(count_in(log, "encrypt") <= 3);
    assert_int_equal(count_in(log, "decrypt"), 0); /* what we sealed ourselves is known */
    arena_release(&sealing.arena);
    service_crypter_close(crypter);
}

SERVICE_TEST(what_will_be_unsealed_is_asked_for_in_one_go)
{
    const struct service_place at = { STR("acme"), STR("p1"), STR("dev") };
    struct service *service = place->service.service;
    struct service_crypter *first = service_crypter_open(service, &at, false);
    struct service_crypter *second = service_crypter_open(service, &at, false);
    struct crypter *sealer = service_crypter_face(first), *opener = service_crypter_face(second);
    const str plaintexts[] = { STR_INIT("one"), STR_INIT("two"), STR_INIT("one"),
                               STR_INIT("\xff") };
    str ciphertexts[4], opened;

    assert_ok(sealer->seal_ahead(sealer, (struct strs){ plaintexts, 4 }));
    for (size_t i = 0; i < 4; i++)
        assert_ok(sealer->seal(sealer, plaintexts[i], &place->arena, &ciphertexts[i]));
    assert_ok(opener->unseal_ahead(opener, (struct strs){ ciphertexts, 4 }));
    for (size_t i = 0; i < 4; i++) {
        assert_ok(opener->unseal(opener, ciphertexts[i], &place->arena, &opened));
        assert_str_equal(opened, plaintexts[i]);
    }
    str log = place_control(place, "/log", NULL);
    assert_int_equal(count_in(log, "batch-encrypt"), 1);
    assert_int_equal(count_in(log, "crypt"), 2);
    assert_fails(opener->unseal(opener, STR("AAAA"), &place->arena, &opened), ERROR_OTHER,
                 "failed to decrypt: [400]");
    service_crypter_close(first);
    service_crypter_close(second);
}

/* --- texts --- */

static void a_delta_leads_from_one_text_to_the_other(void **state)
{
    static const char *const texts[] = {
        "{\"version\":3,\"deployment\":{\"time\":1,\"resources\":[{\"a\":1},{\"b\":2},{\"c\":3}],"
        "\"x\":1}}",
        "{\"version\":3,\"deployment\":{\"time\":2,\"resources\":[{\"n\":1},{\"a\":1},{\"b\":2},{"
        "\"c\":3}],\"x\":1}}",
        "{\"version\":3,\"deployment\":{\"time\":2,\"resources\":[{\"a\":1},{\"c\":3}],\"x\":2}}",
        "{\"version\":3,\"deployment\":{\"time\":3,\"resources\":[{\"a\":1}],\"x\":1}}",
        "{\"version\":3,\"deployment\":{\"time\":3,\"resources\":[{\"a\":1},{\"a\":1}],\"x\":1}}",
        "{\"version\":3,\"deployment\":{\"time\":4}}",
    };
    struct arena arena = { 0 };

    (void)state;
    for (size_t i = 0; i < 36; i++) {
        str old = str_from(texts[i / 6]), new = str_from(texts[i % 6]);
        CLEANUP(strbuf_release) struct strbuf result = { 0 };
        struct delta delta;
        assert_ok(delta_find(&arena, old, new, &delta));
        delta_apply(&delta, old, &result);
        assert_str_equal(strbuf_str(&result), new);
        assert_true(i / 6 != i % 6 || delta.len == 0);
    }
    arena_release(&arena);
}

static void the_site_for_people_follows_from_the_api(void **state)
{
    struct arena arena = { 0 };

    (void)state;
    assert_str_equal(service_console_url(&arena, STR("https://api.example.com/"), STR("")),
                     STR("https://app.example.com"));
    assert_str_equal(service_console_url(&arena, STR("https://example.com"), STR("")), STR(""));
    assert_str_equal(service_console_url(&arena, STR("https://x"), STR("c.example.com")),
                     STR("https://c.example.com"));
    assert_str_equal(service_console_url(&arena, STR("http://localhost:8080"), STR("")),
                     STR("http://localhost:3000"));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_update_at_a_time_and_previews_beside_it),
        cmocka_unit_test(the_history_is_the_services_own),
        cmocka_unit_test(an_update_that_was_cancelled_writes_nothing_more),
        cmocka_unit_test(a_lease_is_renewed_while_the_update_runs),
        cmocka_unit_test(a_lease_that_cannot_be_renewed_is_told_at_the_end),
        cmocka_unit_test(events_come_in_batches_and_their_loss_is_no_failure),
        cmocka_unit_test(an_update_that_ends_waits_for_the_events_that_are_on_their_way),
        cmocka_unit_test(secrets_of_many_fibers_share_requests),
        cmocka_unit_test(what_will_be_unsealed_is_asked_for_in_one_go),
        cmocka_unit_test(a_delta_leads_from_one_text_to_the_other),
        cmocka_unit_test(the_site_for_people_follows_from_the_api),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
