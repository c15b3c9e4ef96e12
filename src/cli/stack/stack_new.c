/* stack_new.c — what `stack init` and `stack select --create` have in common. */
#include "cli/stack/stack_new.h"

#include "base/fs.h"
#include "base/program.h"
#include "cli/open.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"

#include <stdio.h>

/* Values of another stack. `sealed_by`: by whom the secrets among them are sealed; NULL: there are
 * none. */
static fallible copy_config(struct cli *cli, str from, struct stack_config *config,
                            struct secrets **sealed_by)
{
    struct stack_ref other;
    struct stack_config source;

    TRY(backend_stack_ref(cli->backend, cli->arena, from, cli_project_name(cli), &other));
    TRY(cli_require_stack(cli, other));
    TRY(cli_load_config(cli, other, STR(""), &source));
    config->config = source.config;
    return config_has_secret(&source.config) ? cli_stack_secrets(cli, other, &source, sealed_by)
                                             : NULL;
}

static fallible reseal_config(struct cli *cli, struct stack_config *config,
                              struct secrets *sealed_by, struct secrets *secrets)
{
    return config_reseal(cli->arena, &config->config, secrets_crypter(sealed_by),
                         secrets_crypter(secrets));
}

/* Puts the file back as it was before us. */
static fallible stack_new_undo(const struct stack_config *config, bool existed, str original)
{
    return existed ? fs_replace(config->path, original, 0600) : fs_remove_if_present(config->path);
}

/* Killed in between, the next attempt finds the file, with its key and what was copied. A stack
 * without its file would be in the way of that attempt. */
fallible stack_new_save(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                        const struct snapshot *initial)
{
    bool existed = config->existed;
    str original = config->original;
    /* A file that would say nothing is not made. */
    bool is_empty =
        !config->config.len && !config->encryption_salt.len && !config->secrets_provider.len;
    bool is_saved = existed || !is_empty;

    if (is_saved)
        TRY(stack_config_save(config));
    struct error *failure = backend_create_stack(cli->backend, stack, initial);
    return failure && is_saved ? error_join(failure, stack_new_undo(config, existed, original))
                               : failure;
}

/* The hosted service seals only for stacks that are there. */
static fallible stack_new_save_sealed(struct cli *cli, const struct new_stack *wanted,
                                      struct stack_config *config, struct secrets *sealed_by,
                                      struct secrets *secrets, const struct snapshot *initial)
{
    TRY(backend_create_stack(cli->backend, cli->stack, initial));
    struct error *failure = reseal_config(cli, config, sealed_by, secrets);
    if (!failure)
        failure = stack_config_save(config);
    str name = cli_stack_name(cli, cli->stack);
    return error_wrap(failure,
                      "the stack '" STR_FMT
                      "' was created, but without configuration ('%s config cp --stack " STR_FMT
                      " --dest " STR_FMT "' copies it)",
                      STR_ARG(name), program_name(), STR_ARG(wanted->copy_config_from),
                      STR_ARG(name));
}

struct snapshot stack_new_state(struct cli *cli, const struct secrets *secrets)
{
    struct snapshot state = { .secrets_type = secrets_type(secrets),
                              .secrets_state = secrets_state(secrets),
                              .metadata = STR("{}") };

    state_stamp(cli, &state);
    return state;
}

static fallible stack_new_create(struct cli *cli, const struct new_stack *wanted)
{
    struct stack_config config;
    struct secrets *secrets, *sealed_by = NULL;
    str provider = wanted->secrets_provider.len ? wanted->secrets_provider : STR("default");

    TRY(cli_edit_new_config(cli, cli->stack, &config));
    TRY(error_wrap(cli_create_secrets(cli, cli->stack, &config, provider, &secrets),
                   "could not create secrets manager for new stack"));
    if (wanted->copy_config_from.len)
        TRY(copy_config(cli, wanted->copy_config_from, &config, &sealed_by));

    struct snapshot initial = stack_new_state(cli, secrets);
    if (sealed_by && str_equal(secrets_type(secrets), STR("service")))
        return stack_new_save_sealed(cli, wanted, &config, sealed_by, secrets, &initial);
    if (sealed_by)
        TRY(reseal_config(cli, &config, sealed_by, secrets));
    return stack_new_save(cli, cli->stack, &config, &initial);
}

fallible stack_new(struct cli *cli, const struct new_stack *wanted)
{
    bool exists = false;

    TRY(backend_stack_ref(cli->backend, cli->arena, wanted->name, cli_project_name(cli),
                          &cli->stack));
    if (cli->project && !str_equal(cli->stack.project, cli->project->name))
        return error_new(ERROR_INVALID,
                         "could not create stack: provided project name \"" STR_FMT
                         "\" doesn't match Pulumi.yaml",
                         STR_ARG(cli->stack.project));
    TRY(backend_stack_exists(cli->backend, cli->stack, &exists));
    if (exists)
        return error_new(ERROR_EXISTS, "stack '" STR_FMT "' already exists",
                         STR_ARG(stack_ref_qualified(cli->arena, cli->stack)));
    struct error *failure = stack_new_create(cli, wanted);
    cli_unlock_config(cli);
    TRY(failure);
    fprintf(stderr, "Created stack '" STR_FMT "'\n", STR_ARG(cli_stack_name(cli, cli->stack)));
    return wanted->is_selected ? cli_select_stack(cli, cli->stack) : NULL;
}
