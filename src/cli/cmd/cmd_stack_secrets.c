/* cmd_stack_secrets.c — `stack change-secrets-provider`: seals the secrets of a stack with another
 * key. */
#include "cli/open.h"
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
        if (failure) {
            error_free(failure);
            return error_new(ERROR_INVALID, "the new passphrase is expected on standard input");
        }
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
};

static struct error *reseal_state(struct cli *cli, struct snapshot *snapshot, void *change_)
{
    struct change *change = change_;
    struct secrets *secrets;

    TRY(cli_state_secrets(cli, snapshot, &secrets));
    TRY(snapshot_unseal(snapshot, secrets_crypter(secrets), cli->arena));
    snapshot_forget_seals(snapshot);
    snapshot->secrets_type = secrets_type(change->new_secrets);
    snapshot->secrets_state = secrets_state(change->new_secrets);
    return snapshot_seal(snapshot, secrets_crypter(change->new_secrets), cli->arena);
}

static struct error *cmd_stack_secrets_run(struct cli *cli, const void *args)
{
    struct change change = { 0 };
    struct secret passphrase;

    (void)args;
    TRY(secrets_check_provider(cli_operand(cli, 0)));
    TRY(cli_load_config(cli, cli->stack, STR(""), &change.config));
    TRY(cli_stack_secrets(cli, cli->stack, &change.config, &change.old_secrets));
    TRY(secrets_verify(change.old_secrets));
    TRY(read_passphrase(cli, &passphrase));
    struct error *failure = secrets_create_with(cli->keyring, passphrase, &change.new_secrets);
    secret_clear(&passphrase);
    TRY(failure);
    vec_add(&cli->secrets, change.new_secrets);
    puts("Migrating old configuration and state to new secrets provider");
    TRY(config_reseal(cli->arena, &change.config.config, secrets_crypter(change.old_secrets),
                      secrets_crypter(change.new_secrets)));
    TRY(state_edit(cli, cli->stack, reseal_state, &change));
    change.config.secrets_provider = STR("");
    change.config.encrypted_key = STR("");
    change.config.encryption_salt = arena_copy(cli->arena, secrets_salt(change.new_secrets));
    return stack_config_save(&change.config);
}

const struct command cmd_stack_secrets = {
    .path = "stack change-secrets-provider",
    .operands = "PROVIDER",
    .summary = "Encrypt the secrets of a stack with another key",
    .example = "stack change-secrets-provider passphrase",
    .needs = NEEDS_STACK | MAKES_NO_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct change_args),
    .options = OPTIONS(options),
    .run = cmd_stack_secrets_run,
};
