/* fuzz_marshal.c — property values under all combinations of options: what is not kept is gone, the
 * rest stays. */
#include "model/signatures.h"
#include "proto/marshal.h"
#include "proto/struct_codec.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool accepted(struct error *failure)
{
    bool is_accepted = !failure;

    check(!failure || error_message(failure).len > 0);
    error_free(failure);
    return is_accepted;
}

/* Which special kinds occur anywhere, as bits; the members of archives count as well. */
static unsigned kinds_in(struct value value)
{
    unsigned kinds = 1u << value.kind;

    if (value.kind == VALUE_SECRET)
        kinds |= kinds_in(value.secret->element);
    if (value.kind == VALUE_OUTPUT && value.output->is_known)
        kinds |= kinds_in(value.output->element);
    if (value.kind == VALUE_REFERENCE && value.reference->has_id)
        kinds |=
            kinds_in(value.reference->id) & ~(1u << VALUE_COMPUTED); /* part of the reference */
    if (value.kind == VALUE_ARCHIVE && value.asset->has_members)
        kinds |= kinds_in(value.asset->members);
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        kinds |= kinds_in(value.items[i]);
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        kinds |= kinds_in(value.members[i].value);
    return kinds;
}

enum { OPTION_COUNT = 9 };

static struct unmarshal_options options_of(unsigned bits)
{
    return (struct unmarshal_options){
        .keep_unknowns = bits & 1,
        .reject_unknowns = bits & 2,
        .keep_secrets = bits & 4,
        .keep_resources = bits & 8,
        .keep_output_values = bits & 16,
        .upgrade_to_output_values = bits & 32,
        .skip_nulls = bits & 64,
        .skip_internal_keys = bits & 128,
        .reject_assets = bits & 256,
    };
}

static struct marshal_options sending(struct unmarshal_options options)
{
    return (struct marshal_options){
        .keep_unknowns = options.keep_unknowns,
        .reject_unknowns = options.reject_unknowns,
        .keep_secrets = options.keep_secrets,
        .keep_resources = options.keep_resources,
        .keep_output_values = options.keep_output_values,
        .upgrade_to_output_values = options.upgrade_to_output_values,
        .skip_nulls = options.skip_nulls,
        .skip_internal_keys = options.skip_internal_keys,
        .reject_assets = options.reject_assets,
        .accepts_byte_strings = true,
    };
}

static void check_absent(struct value value, struct unmarshal_options options)
{
    unsigned kinds = kinds_in(value);
    bool upgrades = options.keep_output_values && options.upgrade_to_output_values;

    check(!(kinds & 1u << VALUE_COMPUTED)
          || (options.keep_unknowns && !options.reject_unknowns && !upgrades));
    check(!(kinds & 1u << VALUE_SECRET) || (options.keep_secrets && !upgrades));
    check(!(kinds & 1u << VALUE_OUTPUT) || options.keep_output_values);
    check(!(kinds & 1u << VALUE_REFERENCE) || options.keep_resources);
    check(!(kinds & (1u << VALUE_ASSET | 1u << VALUE_ARCHIVE)) || !options.reject_assets);
}

/* What was read under some options is sent under the same and read again. A value that a peer made
 * up may contain what its own options refuse later (a secret without its value, an unknown inside
 * an output that is kept), so a refusal is fine; a difference is not. */
static void check_trip(struct arena *arena, struct value value, struct unmarshal_options options)
{
    struct marshal_options send = sending(options);
    struct value again, third;
    str bytes, second;

    if (!accepted(properties_marshal(arena, value, &send, &bytes)))
        return;
    if (!accepted(properties_unmarshal(arena, bytes, &options, &again)))
        return;
    check_absent(again, options);
    check(accepted(properties_marshal(arena, again, &send, &second)));
    check(accepted(properties_unmarshal(arena, second, &options, &third)));
    check(value_equal(again, third));
}

/* With everything kept nothing is lost, neither a secret nor an unknown. */
static void check_everything(struct arena *arena, str bytes)
{
    struct unmarshal_options keep = options_of(1 | 4 | 8 | 16);
    struct marshal_options send = sending(keep);
    struct value value, again;
    str sent;

    if (!accepted(properties_unmarshal(arena, bytes, &keep, &value)))
        return;
    if (!accepted(properties_marshal(arena, value, &send,
                                     &sent))) /* deeper than it came, by a byte string */
        return;
    check(accepted(properties_unmarshal(arena, sent, &keep, &again)));
    check(value_equal(value, again));
    check(value_contains_secret(value) == value_contains_secret(again));
    check(value_contains_unknown(value) == value_contains_unknown(again));

    struct value marked = value_annotate_secrets(arena, value, again);
    for (size_t i = 0; i < value.len; i++)
        check(!value_contains_secret(value.members[i].value)
              || value_contains_secret(marked.members[i].value));
    accepted(
        properties_marshal(arena, value_restore_elided_assets(arena, value, again), &send, &sent));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes = { (const char *)data, size };

    check_everything(&arena, bytes);
    /* All combinations are too many for every input: the input chooses 16, so that over a run all
     * are met. */
    unsigned chosen = size ? data[size / 2] * 37u + (unsigned)size : 0;
    for (unsigned i = 0; i < 16; i++) {
        struct unmarshal_options options = options_of((chosen + i * 31) % (1u << OPTION_COUNT));
        struct value value;
        if (!accepted(properties_unmarshal(&arena, bytes, &options, &value)))
            continue;
        check_absent(value, options);
        check_trip(&arena, value, options);
    }
    return 0;
}
