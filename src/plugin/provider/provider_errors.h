/* provider_errors.h — what a provider's failures say, in the wording that users know. */
#pragma once

#include "plugin/provider/provider_grpc.h"

/* The message, and the deeper cause if the provider gave one. */
fallible provider_error(struct error *owned);

/* With the code in front, as for calls whose failure is passed on unread: "rpc error: code =
 * Unknown desc = …". */
fallible provider_raw_error(struct error *owned);

/* Configure: one line for each key that is missing. */
fallible provider_configure_error(struct error *owned);

/* Construct and Call: one line for each property that is wrong, with its value. */
fallible provider_inputs_error(struct error *owned, struct value inputs);

/* A failed create, read, update or delete. With `is_partial` the resource exists; the bytes are
 * Structs, NULL if absent. */
struct provider_failure {
    enum resource_status status;
    str id;
    str properties;
    str inputs;
    struct strs reasons;
    bool refreshes_before_update;
};
/* Writes `out`; the error that is returned has the text for users. */
fallible provider_resource_error(struct error *owned, struct arena *arena,
                                 struct provider_failure *out);

bool provider_is_unimplemented(const struct error *error);
