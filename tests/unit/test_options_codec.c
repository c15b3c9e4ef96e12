/* test_options_codec.c — the options of resources in all messages that have them. */
#include "unit/check.h"

#include "base/duration.h"
#include "proto/message.h"
#include "proto/options_codec.h"

#include "pb/analyzer.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"

/* The fields that are no options of the resource, or none that this message passes on. A field that
 * is neither here nor in resource_fields.def was forgotten. */
static const char *const no_options[OPTION_WIRES][32] = {
    [WIRE_REGISTER] = {
        "type", "name", "parent", "custom", "remote", "object", "property_dependencies",
        "package_ref",
        /* what the program understands */
        "accept_secrets", "accept_resources", "accepts_byte_string", "supports_partial_values",
        "supports_result_reporting", "alias_specs",
        /* read together with another */
        "alias_urns", "delete_before_replace_defined",
        /* functions of the program; they are not kept */
        "transforms", "state_migrations",
        /* the monitor makes them relative to the project: source_position and stack_trace */
        "source_position", "stack_trace", "parent_stack_trace_handle",
    },
    [WIRE_TRANSFORM] = { NULL },
    [WIRE_CONSTRUCT] = {
        "project", "stack", "organization", "config", "config_secret_keys", "dry_run", "parallel",
        "monitor_endpoint", "type", "name", "parent", "inputs", "input_dependencies",
        "accepts_output_values", "stack_trace_handle",
    },
    [WIRE_READ] = {
        "id", "type", "name", "parent", "properties", "package_ref",
        "accept_secrets", "accept_resources", "accepts_byte_string",
        "source_position", "stack_trace", "parent_stack_trace_handle",
    },
    [WIRE_HOOK] = {
        "parent",
        /* the reference does not say these to hooks */
        "version", "plugin_download_url", "plugin_checksums", "providers",
        "delete_before_replace", "replacement_trigger",
    },
    [WIRE_POLICY] = { "parent", "delete_before_replace_defined" },
};

static bool is_no_option(enum option_wire wire, const char *name)
{
    for (const char *const *at = no_options[wire]; *at; at++)
        if (strcmp(*at, name) == 0)
            return true;
    return false;
}

static bool is_option(enum option_wire wire, const char *name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *field = option_field(&option_rows[i], wire);
        if (field && strcmp(field, name) == 0)
            return true;
    }
    return false;
}

static void every_field_of_a_message_is_an_option_or_known_to_be_none(void **state)
{
    (void)state;
    for (enum option_wire wire = 0; wire < OPTION_WIRES; wire++) {
        const ProtobufCMessageDescriptor *type = options_messages[wire];
        for (unsigned i = 0; i < type->n_fields; i++) {
            const char *name = type->fields[i].name;
            if (is_option(wire, name) == is_no_option(wire, name)) {
                print_error("%s.%s is neither or both\n", type->name, name);
                fail();
            }
        }
        for (const char *const *at = no_options[wire]; *at; at++)
            assert_non_null(protobuf_c_message_descriptor_get_field_by_name(type, *at));
    }
}

/* --- the types fit --- */

static bool is_list_of(const ProtobufCFieldDescriptor *field, ProtobufCType type)
{
    return field->label == PROTOBUF_C_LABEL_REPEATED && field->type == type;
}

static bool is_message(const ProtobufCFieldDescriptor *field, const char *member)
{
    return field->type == PROTOBUF_C_TYPE_MESSAGE
           && protobuf_c_message_descriptor_get_field_by_name(field->descriptor, member);
}

static bool fits(const struct resource_option *option, const ProtobufCFieldDescriptor *field)
{
    bool is_list = field->label == PROTOBUF_C_LABEL_REPEATED;

    switch (option->kind) {
    case KIND_BOOL: return !is_list && field->type == PROTOBUF_C_TYPE_BOOL;
    case KIND_TEXT:
    case KIND_URN:
        return !is_list && field->type == PROTOBUF_C_TYPE_STRING
               && !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF);
    case KIND_TEXTS:
    case KIND_URNS: return is_list_of(field, PROTOBUF_C_TYPE_STRING);
    case KIND_VALUE:
        return !is_list && field->type == PROTOBUF_C_TYPE_BYTES
               && (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF);
    case KIND_TIMEOUTS: return !is_list && is_message(field, "delete");
    case KIND_HOOKS: return !is_list && is_message(field, "on_error");
    case KIND_ALIASES:
        return is_list
               && (field->type == PROTOBUF_C_TYPE_STRING
                   || field->descriptor == &pb__alias__descriptor);
    case KIND_PAIRS: return is_list && field->descriptor == &pb__string_entry__descriptor;
    case KIND_BYTE_PAIRS: return is_list && field->descriptor == &pb__bytes_entry__descriptor;
    case KIND_FRAMES:
    case KIND_PROPERTIES:
    case KIND_DEPENDENCIES:
    case FIELD_KINDS: break;
    }
    return false;
}

static void every_option_has_a_field_of_its_type_where_the_list_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        for (enum option_wire wire = 0; wire < OPTION_WIRES; wire++) {
            const struct resource_option *option = &option_rows[i];
            const char *name = option_field(option, wire);
            if (!name)
                continue;
            const ProtobufCFieldDescriptor *field =
                protobuf_c_message_descriptor_get_field_by_name(options_messages[wire], name);
            if (!field || !fits(option, field)) {
                print_error("%s: %s.%s\n", option->member, options_messages[wire]->name, name);
                fail();
            }
        }
}

static void what_children_inherit_is_a_boolean_or_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        assert_true(!option_rows[i].is_inherited || option_rows[i].kind == KIND_BOOL
                    || option_rows[i].kind == KIND_TEXT || option_rows[i].kind == KIND_URN);
}

/* --- messages with everything in them --- */

static ProtobufCMessage *new_message(struct arena *arena, const ProtobufCMessageDescriptor *type)
{
    ProtobufCMessage *message = arena_alloc(arena, type->sizeof_message);
    type->message_init(message);
    return message;
}

static void fill(struct arena *arena, ProtobufCMessage *message,
                 const ProtobufCFieldDescriptor *field);

static void *new_item(struct arena *arena, const ProtobufCFieldDescriptor *field, int number)
{
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return (void *)(uintptr_t)arena_printf(arena, "%s %d", field->name, number).ptr;
    ProtobufCMessage *message = new_message(arena, field->descriptor);
    if (message->descriptor != &pb__alias__descriptor) {
        for (unsigned i = 0; i < message->descriptor->n_fields; i++)
            fill(arena, message, &message->descriptor->fields[i]);
        return message;
    }
    Pb__Alias *alias = (Pb__Alias *)message; /* 2: it says nothing */
    if (number == 0) {
        alias->alias_case = PB__ALIAS__ALIAS_URN;
        alias->urn = (char *)"urn";
    } else if (number != 2) {
        alias->alias_case = PB__ALIAS__ALIAS_SPEC;
        alias->spec = ARENA_NEW(arena, Pb__Alias__Spec);
        pb__alias__spec__init(alias->spec);
        alias->spec->name = alias->spec->type = (char *)"n";
        alias->spec->stack = alias->spec->project = (char *)"s";
        alias->spec->parent_case = number == 1   ? PB__ALIAS__SPEC__PARENT_PARENT_URN
                                   : number == 5 ? PB__ALIAS__SPEC__PARENT__NOT_SET
                                                 : PB__ALIAS__SPEC__PARENT_NO_PARENT;
        if (number == 1)
            alias->spec->parent_urn = (char *)"p";
        else
            alias->spec->no_parent = number == 4;
    }
    return message;
}

static void fill(struct arena *arena, ProtobufCMessage *message,
                 const ProtobufCFieldDescriptor *field)
{
    void *place = (char *)message + field->offset;
    size_t count = 6;

    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        void **items = ARENA_ARRAY(arena, void *, count);
        for (size_t i = 0; i < count; i++)
            items[i] = new_item(arena, field, (int)i);
        *(void ***)place = items;
        memcpy((char *)message + field->quantifier_offset, &count, sizeof(count));
        return;
    }
    if (field->type == PROTOBUF_C_TYPE_BOOL)
        *(protobuf_c_boolean *)place = true;
    else if (field->type == PROTOBUF_C_TYPE_DOUBLE)
        *(double *)place = 1.5;
    else if (field->type == PROTOBUF_C_TYPE_BYTES)
        *(ProtobufCBinaryData *)place = message_binary(STR("\x1a\x01v"));
    else
        *(void **)place = new_item(arena, field, 0);
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
        memcpy((char *)message + field->quantifier_offset, &field->id, sizeof(field->id));
}

static ProtobufCMessage *new_full(struct arena *arena, enum option_wire wire)
{
    const ProtobufCMessageDescriptor *type = options_messages[wire];
    ProtobufCMessage *message = new_message(arena, type);

    for (unsigned i = 0; i < type->n_fields; i++)
        if (is_option(wire, type->fields[i].name)
            || strcmp(type->fields[i].name, "delete_before_replace_defined") == 0)
            fill(arena, message, &type->fields[i]);
    return message;
}

static void what_comes_in_goes_out_byte_for_byte(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    for (enum option_wire wire = 0; wire < WIRE_POLICY; wire++) {
        ProtobufCMessage *full = new_full(&arena, wire);
        ProtobufCMessage *again = new_message(&arena, options_messages[wire]);
        struct requested_options options = { 0 };
        options_get(&arena, wire, full, &options);
        options_put(&arena, wire, &options, again);
        if (wire == WIRE_CONSTRUCT) { /* error hooks are not passed on */
            Pb__ConstructRequest *request = (Pb__ConstructRequest *)full;
            assert_true(request->resource_hooks->n_on_error > 0);
            request->resource_hooks->n_on_error = 0;
        }
        assert_str_equal(message_pack(&arena, again), message_pack(&arena, full));
    }
}

static void what_is_absent_stays_absent(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    for (enum option_wire wire = 0; wire < WIRE_POLICY; wire++) {
        struct requested_options options = { 0 };
        ProtobufCMessage *again = new_message(&arena, options_messages[wire]);
        options_get(&arena, wire, new_full(&arena, wire), &options);
        options_get(&arena, wire, new_message(&arena, options_messages[wire]), &options);
        options_put(&arena, wire, &options, again);
        assert_int_equal(message_pack(&arena, again).len, 0);
    }
}

static void present_but_empty_differs_from_absent(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    Pb__TransformResourceOptions seen = PB__TRANSFORM_RESOURCE_OPTIONS__INIT;
    Pb__ResourceHooksBinding hooks = PB__RESOURCE_HOOKS_BINDING__INIT;
    Pb__CustomTimeouts timeouts = PB__CUSTOM_TIMEOUTS__INIT;
    struct requested_options options = { 0 };

    message_put(&request, protect, false);
    request.delete_before_replace_defined = true;
    request.hooks = &hooks;
    request.custom_timeouts = &timeouts;
    options_get(&arena, WIRE_REGISTER, &request.base, &options);
    options_put(&arena, WIRE_TRANSFORM, &options, &seen.base);
    assert_true(message_has(&seen, protect) && !seen.protect);
    assert_true(message_has(&seen, delete_before_replace) && !seen.delete_before_replace);
    assert_false(message_has(&seen, retain_on_delete));
    assert_non_null(seen.hooks);
    assert_non_null(seen.custom_timeouts);
}

static void a_transform_changes_only_what_it_sees(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__TransformResourceOptions answer = PB__TRANSFORM_RESOURCE_OPTIONS__INIT;
    struct requested_options options = { 0 };

    options_get(&arena, WIRE_REGISTER, new_full(&arena, WIRE_REGISTER), &options);
    options_get(&arena, WIRE_TRANSFORM, &answer.base, &options);
    assert_false(options.given.protect || options.protect);
    assert_int_equal(options.ignore_changes.len, 0);
    assert_str_equal(options.snippet_id, STR("snippet_id 0"));
    assert_int_equal(options.env_var_mappings.len, 6);
}

static void urns_of_old_programs_come_before_aliases(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__RegisterResourceRequest *request =
        (Pb__RegisterResourceRequest *)new_full(&arena, WIRE_REGISTER);
    char *old[] = { (char *)"old" };
    struct requested_options options = { 0 };

    request->alias_urns = old, request->n_alias_urns = 1;
    options_get(&arena, WIRE_REGISTER, &request->base, &options);
    assert_int_equal(options.aliases.len, 7);
    assert_str_equal(options.aliases.items[0].urn, STR("old"));
    assert_str_equal(options.aliases.items[1].urn, STR("urn"));
}

/* --- checks --- */

static const str URN = STR_INIT("urn:pulumi:dev::web::a:b:C::x");

static void options_are_kept_once_they_are_checked(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct requested_options options = {
        .protect = true,
        .deleted_with = URN,
        .custom_timeouts = { .create = STR("1m30s"), .read = STR("") },
        .replacement_trigger = { .encoded = STR("\x1a\x01v") },
    };
    struct resource_options kept = { 0 };

    options.ignore_changes = (struct strs){ &URN, 1 };
    assert_ok(options_settle(&arena, &options, &kept));
    assert_true(kept.protect);
    assert_str_equal(kept.deleted_with, URN);
    assert_true(kept.custom_timeouts.create == 90 && kept.custom_timeouts.read == 0);
    assert_str_equal(value_text(kept.replacement_trigger), STR("v"));
    assert_int_equal(kept.ignore_changes.len, 1);
}

static void what_is_wrong_with_an_option_is_said_with_its_name(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource_options kept = { 0 };
    struct requested_options options = { .custom_timeouts = { .delete = STR("soon") },
                                         .replacement_trigger = { .encoded = STR("\x1a") } };

    assert_fails(options_settle(&arena, &options, &kept), ERROR_OTHER,
                 "unable to parse customTimeout Value soon");
    assert_fails(options_settle_values(&arena, &options), ERROR_OTHER,
                 "unmarshaling replacement trigger: ");
    options.deleted_with = STR("x");
    assert_fails(options_settle(&arena, &options, &kept), ERROR_INVALID,
                 "invalid DeletedWith URN: ");
}

static void a_null_value_was_not_given(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct requested_options options = { .replacement_trigger = { .encoded =
                                                                      (str){ "\x08\x00", 2 } } };
    Pb__ConstructRequest request;

    pb__construct_request__init(&request);
    assert_ok(options_settle_values(&arena, &options));
    options_put(&arena, WIRE_CONSTRUCT, &options, &request.base);
    assert_false(message_has(&request, replacement_trigger));
}

/* --- states --- */

static void hooks_see_the_options_of_a_state(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource resource = { .provider = STR("p"),
                                 .dependencies = { &URN, 1 },
                                 .aliases = { &URN, 1 } };
    struct requested_options options;
    Pb__ResourceOptions seen = PB__RESOURCE_OPTIONS__INIT;

    options_of_state(&arena, &resource, &options);
    options_put(&arena, WIRE_HOOK, &options, &seen.base);
    assert_true(message_has(&seen, protect) && !seen.protect);
    assert_true(message_has(&seen, retain_on_delete));
    assert_null(seen.hooks);
    assert_null(seen.custom_timeouts);
    assert_string_equal(seen.provider, "p");
    assert_int_equal(seen.n_depends_on, 1);
    assert_string_equal(seen.aliases[0]->urn, URN.ptr);

    resource.options.custom_timeouts.update = 5400;
    resource.options.hooks[HOOK_ON_ERROR] = (struct strs){ &URN, 1 };
    resource.options.import_id = STR("id");
    options_of_state(&arena, &resource, &options);
    options_put(&arena, WIRE_HOOK, &options, &seen.base);
    assert_string_equal(seen.custom_timeouts->update, "1h30m0s");
    assert_string_equal(seen.custom_timeouts->create, "");
    assert_int_equal(seen.hooks->n_on_error, 1);
    assert_string_equal(seen.import, "id");
}

static void policies_see_seconds_and_urns(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource resource = { .aliases = { &URN, 1 }, .options.protect = true };
    struct requested_options options;
    Pb__AnalyzerResourceOptions seen = PB__ANALYZER_RESOURCE_OPTIONS__INIT;

    options_of_state(&arena, &resource, &options);
    options_put(&arena, WIRE_POLICY, &options, &seen.base);
    assert_true(seen.protect);
    assert_false(seen.delete_before_replace_defined);
    assert_non_null(seen.custom_timeouts);
    assert_string_equal(seen.aliases[0], URN.ptr);

    resource.options.custom_timeouts.delete = 0.25;
    options_of_state(&arena, &resource, &options);
    options.given.delete_before_replace = true;
    options_put(&arena, WIRE_POLICY, &options, &seen.base);
    assert_true(seen.custom_timeouts->delete_ == 0.25);
    assert_true(seen.delete_before_replace_defined && !seen.delete_before_replace);
}

/* --- inheritance --- */

static void a_child_inherits_what_it_does_not_set(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct arena short_lived = { 0 };
    struct requested_options parent = { .protect = true,
                                        .deleted_with = arena_copy(&short_lived, URN),
                                        .version = STR("1.0.0"),
                                        .given = { .protect = true } };
    struct requested_options child = { 0 }, other = { .given = { .protect = true } };
    const struct requested_options *bequest = options_bequest(&arena, &parent);

    arena_release(&short_lived);
    options_inherit(&child, bequest);
    assert_true(child.given.protect && child.protect);
    assert_false(child.given.retain_on_delete);
    assert_str_equal(child.deleted_with, URN);
    assert_int_equal(child.version.len, 0);
    options_inherit(&other, bequest);
    assert_true(other.given.protect && !other.protect);
    assert_null(options_bequest(&arena, &(struct requested_options){ .version = STR("1.0.0") }));
}

/* --- durations --- */

static void durations_are_those_of_the_reference(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    static const struct {
        const char *text;
        double seconds;
    } good[] = { { "1h30m0s", 5400 }, { "1m30s", 90 }, { "2.5s", 2.5 }, { "0.5ms", 5e-4 },
                 { "-3s", -3 },       { "0", 0 },      { "5us", 5e-6 }, { "+1h", 3600 },
                 { ".5s", 0.5 },      { "5.m", 300 },  { "5µs", 5e-6 }, { "5μs", 5e-6 } };
    static const char *const bad[] = { "",     "5",      "s",    "5x",   "1h-",
                                       "-",    "5 s",    "1e5s", "0x1s", "infs",
                                       "nans", "1e999s", ".s",   "1..s", "9999999999s" };
    double seconds;

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(duration_parse(str_from(good[i].text), &seconds));
        assert_float_equal(seconds, good[i].seconds, 1e-12);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(duration_parse(str_from(bad[i]), &seconds));
    assert_str_equal(duration_format(&arena, 5400), STR("1h30m0s"));
    assert_str_equal(duration_format(&arena, 90), STR("1m30s"));
    assert_str_equal(duration_format(&arena, 2.5), STR("2.5s"));
    assert_str_equal(duration_format(&arena, 0.1), STR("100ms"));
    assert_str_equal(duration_format(&arena, 60.000001), STR("1m0.000001s"));
    assert_str_equal(duration_format(&arena, 1e-8), STR("0.00001ms"));
    assert_str_equal(duration_format(&arena, 1e300), STR("2562047h47m16s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_message_is_an_option_or_known_to_be_none),
        cmocka_unit_test(every_option_has_a_field_of_its_type_where_the_list_says_so),
        cmocka_unit_test(what_children_inherit_is_a_boolean_or_text),
        cmocka_unit_test(what_comes_in_goes_out_byte_for_byte),
        cmocka_unit_test(what_is_absent_stays_absent),
        cmocka_unit_test(present_but_empty_differs_from_absent),
        cmocka_unit_test(a_transform_changes_only_what_it_sees),
        cmocka_unit_test(urns_of_old_programs_come_before_aliases),
        cmocka_unit_test(options_are_kept_once_they_are_checked),
        cmocka_unit_test(what_is_wrong_with_an_option_is_said_with_its_name),
        cmocka_unit_test(a_null_value_was_not_given),
        cmocka_unit_test(hooks_see_the_options_of_a_state),
        cmocka_unit_test(policies_see_seconds_and_urns),
        cmocka_unit_test(a_child_inherits_what_it_does_not_set),
        cmocka_unit_test(durations_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
