/* stack_secrets.c — which manager keeps the secrets of a stack, and where that is written down. */
#include "cli/stack/stack_secrets.h"

#include "cli/hosted.h"
#include "cli/open.h"
#include "model/snapshot.h"

fallible cli_load_config(struct cli *cli, struct stack_ref stack, str config_file,
                         struct stack_config *out)
{
    str path = config_file;

    if (!path.len) {
        if (!cli->project)
            return error_new(
                ERROR_NOT_FOUND,
                "no Pulumi.yaml project file found; the configuration of a stack lies beside it");
        path = stack_config_path(cli->arena, cli->project, stack.name);
    }
    TRY(stack_config_load(cli->arena, path, cli_project_name(cli), out));
    for (size_t i = 0; i < out->warning_count; i++)
        cli_report(cli, "warning", out->warnings[i]);
    return NULL;
}

fallible cli_refuse_environments(const struct cli *cli, const struct stack_config *config)
{
    if (!config->has_environment)
        return NULL;
    return hosted_no_environments(cli_host_name(cli));
}

/* Keeps a manager until the command ends. */
static struct secrets *stack_secrets_keep(struct cli *cli, struct secrets *owned)
{
    vec_add(&cli->secrets, owned);
    return owned;
}

fallible cli_create_secrets(struct cli *cli, struct stack_config *config, str provider,
                            struct secrets **out)
{
    struct secrets *made;

    TRY(secrets_check_provider(provider));
    if (config->encryption_salt.len) {
        TRY(secrets_open_config(cli->keyring, provider, config->encryption_salt, &made));
        *out = stack_secrets_keep(cli, made);
        TRY(secrets_verify(made));
    } else {
        TRY(secrets_create(cli->keyring, &made));
        *out = stack_secrets_keep(cli, made);
    }
    config->secrets_provider = STR("");
    config->encrypted_key = STR("");
    config->encryption_salt = arena_copy(cli->arena, secrets_salt(made));
    return NULL;
}

static bool names_a_provider(const struct stack_config *config)
{
    return config->secrets_provider.len && !str_equal(config->secrets_provider, STR("default"))
           && !str_equal(config->secrets_provider, STR("passphrase"));
}

/* What the state uses: a file that has lost its salt must not give the state another one. A state
 * without secrets that the passphrase does not open has nothing to lose: it gets a new salt. */
static fallible fall_back(struct cli *cli, struct stack_ref stack, struct secrets **out)
{
    struct snapshot snapshot;
    bool has_deployment;

    *out = NULL;
    TRY(backend_load(cli->backend, stack, cli->arena, &snapshot, &has_deployment));
    if (snapshot_has_secrets(&snapshot))
        return cli_state_secrets(cli, &snapshot, out);
    struct error *failure = cli_state_secrets(cli, &snapshot, out);
    if (!failure && *out)
        failure = secrets_verify(*out);
    if (failure) {
        error_ignore(failure, "a state without secrets can change its manager");
        *out = NULL;
    }
    return NULL;
}

/* The state remembers it too, so a file that cannot be written is no reason to stop. */
static void write_back(struct cli *cli, struct stack_config *config, const struct secrets *secrets)
{
    config->secrets_provider = STR("");
    config->encrypted_key = STR("");
    config->encryption_salt = arena_copy(cli->arena, secrets_salt(secrets));
    struct error *failure = stack_config_save(config);
    if (failure)
        cli_report(cli, "warning", error_message(failure));
    error_free(failure);
}

fallible cli_stack_secrets(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                           struct secrets **out)
{
    if (names_a_provider(config) || config->encryption_salt.len) {
        struct secrets *opened;
        TRY(secrets_open_config(cli->keyring, config->secrets_provider, config->encryption_salt,
                                &opened));
        *out = stack_secrets_keep(cli, opened);
        return NULL;
    }
    TRY(fall_back(cli, stack, out));
    if (*out) {
        write_back(cli, config, *out);
        return NULL;
    }
    TRY(cli_create_secrets(cli, config, STR("default"), out));
    return stack_config_save(config);
}

fallible cli_state_secrets(struct cli *cli, const struct snapshot *snapshot, struct secrets **out)
{
    struct secrets *opened;

    *out = NULL;
    if (!snapshot->secrets_type.len)
        return NULL;
    TRY(secrets_open(cli->keyring, snapshot->secrets_type, snapshot->secrets_state, &opened));
    *out = stack_secrets_keep(cli, opened);
    return NULL;
}
