/* operation_key.c — the key that seals what an operation writes: derived while program and plugins
 * start, and known to be the right one before anything is changed or said to be well. */
#include "cli/operate/operation_setup.h"

#include "fiber/fiber.h"
#include "secrets/secrets.h"

static struct error *verify_key(void *operation_)
{
    struct operation *operation = operation_;

    return error_wrap(secrets_verify(operation->config_secrets),
                      "getting stack configuration: get stack secrets manager");
}

static void derive_in_background(void *operation_)
{
    struct operation *operation = operation_;

    error_ignore(secrets_verify(operation->config_secrets), "reported when it is needed");
    latch_open(&operation->key_done);
}

fallible operation_begin_key(struct operation *operation)
{
    struct secrets *secrets = operation->config_secrets;

    if (!secrets)
        return NULL;
    if (secrets_asks(secrets))
        return verify_key(operation);
    operation->has_begun_key = true;
    fiber_spawn(derive_in_background, operation);
    return NULL;
}

void operation_watch_key(struct operation *operation, struct engine_options *options)
{
    if (!operation->has_begun_key)
        return;
    options->key.verify = verify_key;
    options->key.context = operation;
}

void operation_close(struct operation *operation)
{
    if (operation->has_begun_key)
        latch_wait_uncancelable(&operation->key_done);
    environment_remove_files(&operation->environment);
    operation_close_packs(operation);
}
