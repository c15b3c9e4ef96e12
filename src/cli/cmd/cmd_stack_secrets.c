/* cmd_stack_secrets.c — `stack change-secrets-provider`: seals the secrets of a stack with another
 * key. */
#include "base/fault.h"
#include "cli/service/service_secrets.h"
#include "cli/screen/prompt.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"

#include <stdio.h>

struct change_args {
    str stack;
};

static const struct option options[] = {
    TEXT(struct change_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    { 0 },
};

/* A person is asked twice; a program gives one line of standard input. */
static fallible read_passphrase(struct cli *cli, struct secret *out)
{
    struct secret again;
    str line;

    if (!cli->terminal.is_interactive) {
        struct error *failure = prompt_line(cli->arena, "", &line);
        if (failure && error_kind(failure) == ERROR_CANCELED) {
            error_free(failure);
            return error_new(ERROR_INVALID, "the new passphrase is expected on standard input");
        }
        TRY(failure);
        *out = secret_hide(line);
        return NULL;
    }
    TRY(prompt_passphrase(cli, STR("Enter your new passphrase to protect config/secrets"),
                          cli->arena, out));
    TRY(prompt_passphrase(cli, STR("Re-enter your new passphrase to confirm"), cli->arena, &again));
    bool is_same = secret_equal(*out, again);
    secret_clear(&again);
    return is_same ? NULL : error_new(ERROR_INVALID, "passphrases do not match");
}

struct change {
    struct stack_config config;
    struct secrets *old_secrets, *new_secrets;
    struct secret passphrase; /* the new one, if it is one that was asked for */
};

static struct error *reseal_state(struct cli *cli, struct snapshot *snapshot, void *change_)
{
    struct change *change = change_;
    struct secrets *secrets;

    TRY(cli_state_secrets(cli, snapshot, &secrets));
    /* The state is written before the configuration: an earlier change that was cut off in between
     * has left it with the new passphrase. */
    if (secrets && secret_reveal(change->passphrase).len
        && !secrets_is_same(secrets, change->old_secrets))
        secrets_try(secrets, change->passphrase);
    TRY(snapshot_unseal(snapshot, secrets_crypter(secrets), cli->arena));
    snapshot_forget_seals(snapshot);
    snapshot->secrets_type = secrets_type(change->new_secrets);
    snapshot->secrets_state = secrets_state(change->new_secrets);
    return snapshot_seal(snapshot, secrets_crypter(change->new_secrets), cli->arena);
}

/* A new manager, also where the old one is of the same kind: its key is another. */
static fallible create_secrets(struct cli *cli, str provider, struct change *change)
{
    if (cli_secrets_by_service(cli, provider))
        return service_secrets_new(cli, cli->stack, &change->new_secrets);
    if (secrets_is_key_service(provider))
        return secrets_create(cli->keyring, provider, &change->new_secrets);
    TRY(read_passphrase(cli, &change->passphrase));
    return secrets_create_with(cli->keyring, change->passphrase, &change->new_secrets);
}

/* A passphrase has to be known before another is asked for. A key service is asked only for what it
 * has sealed: a stack without secrets can leave one that is gone. */
static fallible verify_old(const struct change *change)
{
    bool is_by_passphrase = !secrets_names(change->old_secrets).provider.len;

    if (is_by_passphrase || config_has_secret(&change->config.config))
        return secrets_verify(change->old_secrets);
    return NULL;
}

static fallible change_provider(struct cli *cli, str provider, struct change *change)
{
    TRY(create_secrets(cli, provider, change));
    vec_add(&cli->secrets, change->new_secrets);
    puts("Migrating old configuration and state to new secrets provider");
    TRY(config_reseal(cli->arena, &change->config.config, secrets_crypter(change->old_secrets),
                      secrets_crypter(change->new_secrets)));
    TRY(state_edit(cli, cli->stack, reseal_state, change));
    fault_point("secrets.between");
    cli_note_secrets(cli, &change->config, change->new_secrets);
    return stack_config_save(&change->config);
}

static struct error *cmd_stack_secrets_run(struct cli *cli, const void *args)
{
    struct change change = { 0 };
    str provider = cli_operand(cli, 0);

    (void)args;
    if (!provider.len)
        return error_new(ERROR_INVALID, "the secrets provider is empty");
    if (!cli_secrets_by_service(cli, provider))
        TRY(secrets_check_provider(provider));
    TRY(cli_edit_config(cli, cli->stack, STR(""), &change.config));
    TRY(cli_stack_secrets(cli, cli->stack, &change.config, &change.old_secrets));
    TRY(verify_old(&change));
    struct error *failure = change_provider(cli, provider, &change);
    secret_clear(&change.passphrase);
    return failure;
}

const struct command cmd_stack_secrets = {
    .path = "stack change-secrets-provider",
    .operands = "PROVIDER",
    .summary = "Encrypt the secrets of a stack with another key",
    .example = "stack change-secrets-provider passphrase",
    .details = "PROVIDER is passphrase, or the URL of a key: awskms://KEY?region=REGION, "
               "azurekeyvault://VAULT.vault.azure.net/keys/KEY, "
               "gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/KEY, hashivault://KEY. "
               "The provider that the stack has already gets a new key.",
    .needs = NEEDS_STACK | MAKES_NO_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct change_args),
    .options = OPTIONS(options),
    .run = cmd_stack_secrets_run,
};
