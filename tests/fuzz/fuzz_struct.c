/* fuzz_struct.c — what decodes as a Struct encodes to bytes that decode to the same value, and
 * encoding is stable. */
#include "proto/message.h"
#include "support/struct_value.h"

#include "pb/analyzer.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(struct error *failure)
{
    if (failure)
        abort();
}

/* Decodes; false if the bytes are refused, which needs a reason. */
static bool accepted(struct error *failure)
{
    if (failure && error_message(failure).len == 0)
        abort();
    bool is_accepted = !failure;
    error_free(failure);
    return is_accepted;
}

static void check_struct(struct arena *arena, str bytes)
{
    struct value value, again;
    str first, second;

    if (!accepted(struct_decode(arena, bytes, TEXT_BORROWED, &value)))
        return;
    must(struct_encode(arena, value, &first));
    must(struct_decode(arena, first, TEXT_COPIED, &again));
    must(struct_encode(arena, again, &second));
    if (!value_equal(value, again) || !str_equal(first, second) || first.len > bytes.len * 4)
        abort();
}

static void check_value(struct arena *arena, str bytes)
{
    struct value value, again;
    str first, second;

    if (!accepted(struct_decode_value(arena, bytes, TEXT_BORROWED, &value)))
        return;
    must(struct_encode_value(arena, value, &first));
    must(struct_decode_value(arena, first, TEXT_BORROWED, &again));
    must(struct_encode_value(arena, again, &second));
    if (value.kind != again.kind || !str_equal(first, second))
        abort();
}

/* Compiled messages: packing what was unpacked and unpacking it again changes nothing. */
static void check_message(struct arena *arena, const ProtobufCMessageDescriptor *type, str bytes)
{
    void *message, *again;

    if (!accepted(message_unpack(arena, type, bytes, &message)))
        return;
    str first = message_pack(arena, message);
    must(message_unpack(arena, type, first, &again));
    if (!str_equal(first, message_pack(arena, again)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes = { (const char *)data, size };

    check_struct(&arena, bytes);
    check_value(&arena, bytes);
    check_message(&arena, &pb__register_resource_request__descriptor, bytes);
    check_message(&arena, &pb__diff_response__descriptor, bytes);
    check_message(&arena, &pb__analyzer_info__descriptor, bytes);
    return 0;
}
