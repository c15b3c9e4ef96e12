/* deployment.h — one operation under way, as seen by the code that registers resources with it. */
#pragma once

#include "base/error.h"
#include "model/value.h"

struct deployment;
struct registration;

/* Plans and runs a registration and waits for its answer. Failures are reported and stop the
 * deployment; then this waits to be canceled. Blocks. */
fallible deployment_register(struct deployment *deployment, struct registration *reg);

/* RegisterResourceOutputs: the outputs of a component (or of the stack, kept for the end).
 * Blocks. */
fallible deployment_register_outputs(struct deployment *deployment, str urn, struct value outputs);

/* Applies the outputs of the stack that were kept for the end; after a failure old ones stay beside
 * them. */
fallible deployment_finish_stack(struct deployment *deployment, bool has_failed);
