/* operation_key.c — the key that seals what an operation writes: derived in the background, and
 * known to be the right one before anything is changed. */
#include "cli/operate/operation_setup.h"

#include "fiber/fiber.h"
#include "secrets/secrets.h"

static void derive_in_background(void *operation_)
{
    struct operation *operation = operation_;

    error_ignore(secrets_verify(operation->config_secrets), "told when it is needed");
    latch_open(&operation->key_done);
}

static void prepare_key(void *operation_)
{
    struct operation *operation = operation_;

    if (operation->has_begun_key || secrets_asks(operation->config_secrets))
        return;
    operation->has_begun_key = true;
    fiber_spawn_in(operation->scope, derive_in_background, operation);
}

static struct error *verify_key(void *operation_)
{
    struct operation *operation = operation_;

    return error_wrap(secrets_verify(operation->config_secrets),
                      "getting stack configuration: get stack secrets manager");
}

void operation_watch_key(struct operation *operation, struct engine_options *options)
{
    if (!operation->config_secrets || operation->plan->only_previews)
        return;
    operation->scope = cancel_current(); /* it may go on after the engine's own */
    options->key.prepare = prepare_key;
    options->key.verify = verify_key;
    options->key.context = operation;
}

fallible operation_ask_for_key(struct operation *operation)
{
    if (!operation->config_secrets || !secrets_asks(operation->config_secrets))
        return NULL;
    return verify_key(operation);
}

void operation_leave_key(struct operation *operation)
{
    if (operation->has_begun_key)
        latch_wait_uncancelable(&operation->key_done);
}
