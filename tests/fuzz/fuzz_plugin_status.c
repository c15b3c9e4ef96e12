/* fuzz_plugin_status.c — a failure of a provider stays a failure, whatever details come with it. */
#include "plugin/provider/provider_errors.h"
#include "rpc/rpc.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct error *failed(str details)
{
    return error_from_status(RPC_INTERNAL, STR("it broke"), details);
}

static void check_and_free(struct error *error)
{
    if (!error || error_kind(error) != ERROR_STATUS || error_status(error) != RPC_INTERNAL
        || error_message(error).len == 0)
        abort();
    error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str details = { (const char *)data, size };
    struct member members[] = { { STR("a"), value_number(1) },
                                { STR("s"), value_secret(&arena, value_string(STR("hush"))) } };
    struct value inputs = value_object(&arena, members, 2);
    struct provider_failure failure;

    check_and_free(provider_error(failed(details)));
    check_and_free(provider_raw_error(failed(details)));
    check_and_free(provider_configure_error(failed(details)));
    check_and_free(provider_resource_error(failed(details), &arena, &failure));
    if (failure.status != RESOURCE_PARTIAL
        && (failure.status != RESOURCE_UNKNOWN || failure.id.len > 0))
        abort();

    struct error *refused = provider_inputs_error(failed(details), inputs);
    if (str_find(details, STR("hush")) == SIZE_MAX
        && str_find(error_message(refused), STR("hush")) != SIZE_MAX)
        abort();
    check_and_free(refused);
    return 0;
}
