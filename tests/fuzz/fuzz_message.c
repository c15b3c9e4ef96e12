/* fuzz_message.c — every message that a peer sends us: what is accepted has only UTF-8 in its
 * texts, and packs to bytes that unpack to the same. Options of resources are put into a message of
 * their kind so that they are read again as they were. */
#include "fuzz/fuzz_support.h"

#include "proto/message.h"
#include "proto/options_codec.h"

#include "pb/analyzer.pb-c.h"
#include "pb/callback.pb-c.h"
#include "pb/codegen.pb-c.h"
#include "pb/engine.pb-c.h"
#include "pb/errors.pb-c.h"
#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"
#include "pb/resource_status.pb-c.h"
#include "pb/status.pb-c.h"

/* Those that are unpacked anywhere in src and hosts. */
static const ProtobufCMessageDescriptor *const types[] = {
    &pb__about_request__descriptor,
    &pb__about_response__descriptor,
    &pb__analyze_response__descriptor,
    &pb__analyzer_handshake_response__descriptor,
    &pb__analyzer_info__descriptor,
    &pb__analyzer_stack_configure_response__descriptor,
    &pb__call_response__descriptor,
    &pb__callback__descriptor,
    &pb__callback_invoke_response__descriptor,
    &pb__check_request__descriptor,
    &pb__check_response__descriptor,
    &pb__configure_error_missing_keys__descriptor,
    &pb__configure_response__descriptor,
    &pb__construct_request__descriptor,
    &pb__construct_response__descriptor,
    &pb__create_response__descriptor,
    &pb__deployment_info__descriptor,
    &pb__diff_response__descriptor,
    &pb__error_cause__descriptor,
    &pb__error_hook_response__descriptor,
    &pb__error_resource_init_failed__descriptor,
    &pb__generate_package_request__descriptor,
    &pb__generate_package_response__descriptor,
    &pb__generate_program_request__descriptor,
    &pb__get_mapping_response__descriptor,
    &pb__get_program_dependencies_request__descriptor,
    &pb__get_program_dependencies_response__descriptor,
    &pb__get_required_packages_request__descriptor,
    &pb__get_required_packages_response__descriptor,
    &pb__get_required_plugins_response__descriptor,
    &pb__get_schema_response__descriptor,
    &pb__input_properties_error__descriptor,
    &pb__install_dependencies_request__descriptor,
    &pb__install_dependencies_response__descriptor,
    &pb__invoke_response__descriptor,
    &pb__language_handshake_request__descriptor,
    &pb__language_handshake_response__descriptor,
    &pb__loader_get_schema_request__descriptor,
    &pb__loader_get_schema_response__descriptor,
    &pb__log_request__descriptor,
    &pb__mapper_get_mapping_request__descriptor,
    &pb__parameterize_response__descriptor,
    &pb__plugin_info__descriptor,
    &pb__provider_handshake_response__descriptor,
    &pb__publish_view_steps_request__descriptor,
    &pb__read_resource_request__descriptor,
    &pb__read_resource_response__descriptor,
    &pb__read_response__descriptor,
    &pb__register_error_hook_request__descriptor,
    &pb__register_package_request__descriptor,
    &pb__register_package_response__descriptor,
    &pb__register_resource_hook_request__descriptor,
    &pb__register_resource_outputs_request__descriptor,
    &pb__register_resource_request__descriptor,
    &pb__register_resource_response__descriptor,
    &pb__remediate_response__descriptor,
    &pb__require_pulumi_version_request__descriptor,
    &pb__require_pulumi_version_response__descriptor,
    &pb__resource_call_request__descriptor,
    &pb__resource_hook_response__descriptor,
    &pb__resource_invoke_request__descriptor,
    &pb__resource_invoke_response__descriptor,
    &pb__run_plugin_request__descriptor,
    &pb__run_plugin_response__descriptor,
    &pb__run_request__descriptor,
    &pb__run_response__descriptor,
    &pb__runtime_options_request__descriptor,
    &pb__set_root_resource_request__descriptor,
    &pb__start_debugging_request__descriptor,
    &pb__status__descriptor,
    &pb__supports_feature_request__descriptor,
    &pb__template_request__descriptor,
    &pb__transform_invoke_response__descriptor,
    &pb__transform_response__descriptor,
    &pb__update_response__descriptor,
    &pb__transform_resource_options__descriptor, /* a part of others, with options */
};

static void check_texts(const ProtobufCMessage *message);

static void check_field(const ProtobufCFieldDescriptor *field, const void *member)
{
    if (field->type == PROTOBUF_C_TYPE_STRING && *(char *const *)member)
        REQUIRE(str_is_utf8(str_from(*(char *const *)member)));
    if (field->type == PROTOBUF_C_TYPE_MESSAGE && *(ProtobufCMessage *const *)member)
        check_texts(*(ProtobufCMessage *const *)member);
}

static void check_list(const ProtobufCFieldDescriptor *field, const ProtobufCMessage *message)
{
    const char *base = (const char *)message;
    size_t count = *(const size_t *)(base + field->quantifier_offset);
    void *const *items = *(void *const *const *)(base + field->offset);

    if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE)
        for (size_t i = 0; i < count; i++)
            check_field(field, &items[i]);
}

static void check_texts(const ProtobufCMessage *message)
{
    const char *base = (const char *)message;

    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        bool is_choice = field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
        if (field->label == PROTOBUF_C_LABEL_REPEATED)
            check_list(field, message);
        else if (!is_choice || *(const uint32_t *)(base + field->quantifier_offset) == field->id)
            check_field(field, base + field->offset);
    }
}

static str pack_options(struct arena *arena, enum option_wire wire,
                        const struct requested_options *options)
{
    const ProtobufCMessageDescriptor *type = options_messages[wire];
    ProtobufCMessage *message = arena_alloc(arena, type->sizeof_message);

    type->message_init(message);
    options_put(arena, wire, options, message);
    return message_pack(arena, message);
}

static void check_options(struct arena *arena, enum option_wire wire,
                          const ProtobufCMessage *message)
{
    struct requested_options options = { 0 }, again = { 0 };
    struct resource_options kept = { 0 };
    void *unpacked;

    options_get(arena, wire, message, &options);
    str once = pack_options(arena, wire, &options);
    REQUIRE(fuzz_accepts(message_unpack(arena, options_messages[wire], once, &unpacked)));
    options_get(arena, wire, unpacked, &again);
    REQUIRE(str_equal(once, pack_options(arena, wire, &again)));
    fuzz_accepts(options_settle(arena, &options, &kept));
}

/* The first byte chooses the type. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes = { (const char *)data, size };
    const ProtobufCMessageDescriptor *type =
        types[fuzz_choice(&bytes, sizeof(types) / sizeof(types[0]))];
    void *message;

    struct error *refusal = message_request(&arena, type, bytes, &message);
    bool is_accepted = fuzz_accepts(message_unpack(&arena, type, bytes, &message));
    REQUIRE(is_accepted == !refusal);
    error_free(refusal);
    if (!is_accepted)
        return 0;
    check_texts(message);
    for (int wire = 0; wire <= WIRE_READ; wire++) /* we only send those behind it */
        if (type == options_messages[wire])
            check_options(&arena, (enum option_wire)wire, message);
    str packed = message_pack(&arena, message);
    REQUIRE(fuzz_accepts(message_unpack(&arena, type, packed, &message)));
    REQUIRE(str_equal(packed, message_pack(&arena, message)));
    return 0;
}
