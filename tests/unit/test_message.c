/* test_message.c — compiled messages: presence, limits, lists. */
#include "unit/check.h"

#include "pb/alias.pb-c.h"
#include "pb/analyzer.pb-c.h"
#include "pb/callback.pb-c.h"
#include "pb/codegen.pb-c.h"
#include "pb/common.pb-c.h"
#include "pb/converter.pb-c.h"
#include "pb/engine.pb-c.h"
#include "pb/errors.pb-c.h"
#include "pb/events.pb-c.h"
#include "pb/health.pb-c.h"
#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"
#include "pb/resource_status.pb-c.h"
#include "pb/source.pb-c.h"
#include "pb/status.pb-c.h"
#include "proto/message.h"

static void an_absent_struct_differs_from_an_empty_one(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__ReadResponse response = PB__READ_RESPONSE__INIT;
    assert_false(message_has(&response, properties));
    assert_str_equal(MESSAGE_PACK(&arena, &response), STR(""));

    message_put_bytes(&response, properties, STR(""));
    message_put_bytes(&response, inputs, (str){ 0 });
    str bytes = MESSAGE_PACK(&arena, &response);
    assert_str_equal(bytes, STR("\x12\x00"));

    void *message;
    assert_ok(message_unpack(&arena, &pb__read_response__descriptor, bytes, &message));
    const Pb__ReadResponse *back = message;
    assert_true(message_has(back, properties));
    assert_false(message_has(back, inputs));
    assert_non_null(message_get_bytes(back, properties).ptr);
    assert_int_equal(message_get_bytes(back, properties).len, 0);
    assert_null(message_get_bytes(back, inputs).ptr);
}

static void an_optional_field_is_sent_even_if_it_is_the_default(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    message_put(&request, protect, false);
    assert_str_equal(MESSAGE_PACK(&arena, &request), STR("\x30\x00"));

    Pb__ConfigureRequest configure = PB__CONFIGURE_REQUEST__INIT;
    message_put(&configure, id, message_cstr(&arena, STR("")));
    assert_str_equal(MESSAGE_PACK(&arena, &configure), STR("\x3a\x00"));
    assert_str_equal(message_get_str(&configure, id), STR(""));
    assert_false(message_has(&configure, urn));
}

static void enums_are_packed_and_zero_is_a_member(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__ResourceMonitorFeature features[] = { PB__RESOURCE_MONITOR_FEATURE__SECRETS,
                                              PB__RESOURCE_MONITOR_FEATURE__BYTE_STRING };
    Pb__DeploymentInfo info = PB__DEPLOYMENT_INFO__INIT;
    info.n_supported_features = 2;
    info.supported_features = features;
    assert_str_equal(MESSAGE_PACK(&arena, &info), STR("\x42\x02\x00\x0d"));

    void *message;
    assert_ok(message_unpack(&arena, &pb__deployment_info__descriptor, STR("\x40\x00\x40\x0d"),
                             &message));
    assert_int_equal(((Pb__DeploymentInfo *)message)->n_supported_features, 2);
}

static void unknown_fields_and_enum_values_are_ignored(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    void *message;
    /* result = 77, then fields 1000 (varint), 1001 (bytes), 1002 (fixed64), 1003 (fixed32) */
    str bytes = STR("\x0a\x01u\x38\x4d\xc0\x3e\x05\xca\x3e\x03xyz\xd1\x3e"
                    "12345678\xdd\x3e"
                    "1234");
    assert_ok(message_unpack(&arena, &pb__register_resource_response__descriptor, bytes, &message));
    const Pb__RegisterResourceResponse *response = message;
    assert_str_equal(message_str(response->urn), STR("u"));
    assert_int_equal(response->result, 77);
}

static void bytes_that_are_no_message_are_refused_by_name(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    void *message = NULL;
    assert_fails(
        message_unpack(&arena, &pb__log_request__descriptor, STR("\x12\x7fshort"), &message),
        ERROR_INVALID, "the 7 bytes received are not a LogRequest message");
    assert_fails(message_unpack(&arena, &pb__log_request__descriptor,
                                STR("\xff\xff\xff\xff\xff\xff\xff"), &message),
                 ERROR_INVALID, "LogRequest");
    assert_null(message);
}

static void text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    static const struct {
        str bytes;
        const char *why;
    } cases[] = {
        { STR_INIT("\x12\x02n\xff"), "string field contains invalid UTF-8: 'name' of the" },
        { STR_INIT("\x12\x01n\x12\x02n\xfe"), "invalid UTF-8: 'name'" }, /* the last one wins */
        { STR_INIT("\x12\x03\xed\xa0\x80"), "invalid UTF-8: 'name'" },
        { STR_INIT("\x3a\x01u\x3a\x01\x80"), "invalid UTF-8: 'dependencies'" },
        { STR_INIT("\x4a\x03\x0a\x01\xc0"), "invalid UTF-8: 'key' of the UrnsEntry" },
        { STR_INIT("\x4a\x05\x12\x03\x0a\x01\xc0"), "invalid UTF-8: 'urns' of the Urns" },
        { STR_INIT("\x12\x03n\0a"), "NUL byte: 'name'" }, /* would be the same name as n\0b */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        void *message = NULL;
        struct error *failure = message_unpack(&arena, &pb__register_resource_request__descriptor,
                                               cases[i].bytes, &message);
        assert_non_null(failure);
        assert_int_equal(error_kind(failure), ERROR_INVALID);
        assert_true(str_find(error_message(failure), str_from(cases[i].why)) != SIZE_MAX);
        error_free(failure);
        assert_null(message);
        assert_fails(message_request(&arena, &pb__register_resource_request__descriptor,
                                     cases[i].bytes, &message),
                     ERROR_STATUS, "grpc: error unmarshalling request: string field contains");
    }
    void *message;
    assert_ok(message_unpack(&arena, &pb__log_request__descriptor, STR("\x12\x03n\0a"), &message));
}

static void field_numbers_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    static const str cases[] = {
        STR_INIT("\x00\x01"),                      /* 0, a number */
        STR_INIT("\x02\x01x"),                     /* 0, text */
        STR_INIT("\x12\x01n\x05\x01\x02\x03\x04"), /* 0, behind a good one */
        STR_INIT("\x4a\x03\x02\x01x"),             /* 0, in the message inside */
        STR_INIT("\x80\x80\x80\x80\x10\x01"),      /* 2 to the power of 29 */
        STR_INIT("\x92\x80\x80\x80\x80\x01\x01n"), /* would be 2 if cut to 32 bits */
        STR_INIT("\x13\x14"),                      /* a group */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        void *message = NULL;
        assert_fails(
            message_unpack(&arena, &pb__register_resource_request__descriptor, cases[i], &message),
            ERROR_INVALID, "message");
        assert_null(message);
    }
}

static void a_bomb_of_empty_submessages_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    enum { SIZE = 1 << 20 };
    char *bytes = arena_alloc(&arena, SIZE);
    for (size_t i = 0; i < SIZE; i += 2) {
        bytes[i] = 0x0a; /* ConvertStateResponse.resources */
        bytes[i + 1] = 0;
    }
    void *message;
    assert_fails(message_unpack(&arena, &pb__convert_state_response__descriptor,
                                (str){ bytes, SIZE }, &message),
                 ERROR_INVALID, "ConvertStateResponse");
}

static void lists_of_text_survive_the_trip(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str texts[] = { STR("a"), STR(""), STR("ccc") };
    Pb__ErrorResourceInitFailed failed = PB__ERROR_RESOURCE_INIT_FAILED__INIT;
    message_put_strs(&arena, &failed, reasons, ((struct strs){ texts, 3 }));

    void *message;
    assert_ok(message_unpack(&arena, &pb__error_resource_init_failed__descriptor,
                             MESSAGE_PACK(&arena, &failed), &message));
    struct strs reasons = message_get_strs(&arena, (Pb__ErrorResourceInitFailed *)message, reasons);
    assert_int_equal(reasons.len, 3);
    assert_str_equal(reasons.items[1], STR(""));
    assert_str_equal(reasons.items[2], STR("ccc"));
}

static Pb__UrnsEntry *urns_entry(struct arena *arena, const char *key, char *urn)
{
    Pb__UrnsEntry *entry = ARENA_NEW(arena, Pb__UrnsEntry);
    pb__urns_entry__init(entry);
    entry->key = arena_cstr(arena, str_from(key));
    if (urn) {
        entry->value = ARENA_NEW(arena, Pb__Urns);
        pb__urns__init(entry->value);
        entry->value->n_urns = 1;
        entry->value->urns = ARENA_ARRAY(arena, char *, 1);
        entry->value->urns[0] = urn;
    }
    return entry;
}

static void dependencies_are_sorted_and_the_last_of_equal_keys_wins(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    char one[] = "one", two[] = "two";
    Pb__UrnsEntry *entries[] = { urns_entry(&arena, "z", one), urns_entry(&arena, "a", one),
                                 urns_entry(&arena, "m", NULL), urns_entry(&arena, "a", two) };
    struct property_dependencies list = message_dependencies(&arena, entries, 4);
    assert_int_equal(list.len, 3);
    assert_str_equal(list.items[0].key, STR("a"));
    assert_str_equal(list.items[0].urns.items[0], STR("two"));
    assert_int_equal(list.items[1].urns.len, 0);
    assert_str_equal(list.items[2].key, STR("z"));

    Pb__UrnsEntry **back = message_urns_entries(&arena, list);
    assert_string_equal(back[2]->key, "z");
    assert_int_equal(back[1]->value->n_urns, 0);
    assert_string_equal(back[0]->value->urns[0], "two");
}

enum { DEEPEST = 16 };

static void walk(const ProtobufCMessageDescriptor *type, unsigned depth)
{
    assert_true(depth < DEEPEST);
    for (unsigned i = 0; i < type->n_fields; i++) {
        if (type->fields[i].type == PROTOBUF_C_TYPE_MESSAGE)
            walk(type->fields[i].descriptor, depth + 1);
    }
}

static void no_message_contains_itself(void **state)
{
    (void)state;
    const ProtobufCServiceDescriptor *services[] = {
        &pb__resource_monitor__descriptor, &pb__resource_provider__descriptor,
        &pb__language_runtime__descriptor, &pb__engine__descriptor,
        &pb__analyzer__descriptor,         &pb__callbacks__descriptor,
        &pb__converter__descriptor,        &pb__loader__descriptor,
        &pb__mapper__descriptor,           &pb__events__descriptor,
        &pb__health__descriptor,           &pb__package_resolver__descriptor,
        &pb__resource_status__descriptor,
    };
    for (size_t i = 0; i < sizeof(services) / sizeof(*services); i++) {
        for (unsigned method = 0; method < services[i]->n_methods; method++) {
            walk(services[i]->methods[method].input, 0);
            walk(services[i]->methods[method].output, 0);
        }
    }
    const ProtobufCMessageDescriptor *others[] = {
        &pb__status__descriptor,
        &pb__error_resource_init_failed__descriptor,
        &pb__input_properties_error__descriptor,
        &pb__transform_request__descriptor,
        &pb__transform_response__descriptor,
        &pb__transform_invoke_request__descriptor,
        &pb__transform_invoke_response__descriptor,
        &pb__resource_hook_request__descriptor,
        &pb__error_hook_request__descriptor,
        &pb__state_migration_response__descriptor,
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        walk(others[i], 0);
}

/* A message may have as many as it has room for; each copied all that were there. */
static void many_checksums_are_read_at_once(void **state)
{
    enum { MANY = 5000, MOST_BYTES = 16 << 20 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(arena_release) struct arena apart = { 0 };
    struct pair *pairs = ARENA_ARRAY(&arena, struct pair, MANY);

    for (int i = 0; i < MANY; i++)
        pairs[i] = (struct pair){ arena_printf(&arena, "k%d", i / 2), STR("\xab") };
    pairs[1].value = STR("\xcd");
    struct value checksums = checksums_of(&apart, (struct pairs){ pairs, MANY });
    assert_int_equal(checksums.len, MANY / 2);
    assert_str_equal(value_text(*value_find(checksums, STR("k0"))), STR("cd"));
    assert_true(apart.total < MOST_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_absent_struct_differs_from_an_empty_one),
        cmocka_unit_test(an_optional_field_is_sent_even_if_it_is_the_default),
        cmocka_unit_test(enums_are_packed_and_zero_is_a_member),
        cmocka_unit_test(unknown_fields_and_enum_values_are_ignored),
        cmocka_unit_test(bytes_that_are_no_message_are_refused_by_name),
        cmocka_unit_test(text_that_is_not_utf8_is_refused),
        cmocka_unit_test(field_numbers_that_do_not_exist_are_refused),
        cmocka_unit_test(a_bomb_of_empty_submessages_is_refused),
        cmocka_unit_test(lists_of_text_survive_the_trip),
        cmocka_unit_test(dependencies_are_sorted_and_the_last_of_equal_keys_wins),
        cmocka_unit_test(no_message_contains_itself),
        cmocka_unit_test(many_checksums_are_read_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
