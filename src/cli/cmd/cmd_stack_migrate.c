/* cmd_stack_migrate.c — `stack migrate`: copies a stack from another backend to the one in use. */
#include "cli/open.h"
#include "cli/screen/prompt.h"
#include "cli/stack/config_edit.h"
#include "cli/stack/stack_choose.h"
#include "cli/stack/stack_new.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"
#include "cli/stack/urn_edit.h"

#include "base/fs.h"
#include "base/settings.h"
#include "model/urn.h"

#include <stdio.h>

struct migrate_args {
    str stack;
    str target;
    str secrets_provider;
    bool force;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct migrate_args, stack, 's', "stack", "The stack to copy, instead of the operand"),
    TEXT(struct migrate_args, target, 0, "target", "Its name in the backend in use; the same"),
    TEXT_PRESET(struct migrate_args, secrets_provider, 0, "secrets-provider", "default",
                "How the copy encrypts secrets"),
    FLAG(struct migrate_args, force, 'f', "force", "Copy even a state that contradicts itself"),
    FLAG(struct migrate_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

/* A backend, and who we are there if it is the hosted service. */
struct migrate_end {
    struct backend *backend;
    struct service_session *session;
    str name;
};

struct migration {
    struct cli *cli;
    const struct migrate_args *args;
    struct migrate_end source, target;
    struct stack_ref from, to;
    struct stack_config from_config, to_config;
    bool shares_file; /* both stacks have the same configuration file */
    str backup;       /* of that file; empty: none was made */
    struct snapshot snapshot;
};

static void migrate_stand_at(const struct migration *migration, struct migrate_end end)
{
    migration->cli->backend = end.backend;
    migration->cli->session = end.session;
}

/* --- what is meant --- */

static fallible migrate_find_source(struct migration *migration)
{
    struct cli *cli = migration->cli;
    str name = cli_operand(cli, 1).len ? cli_operand(cli, 1) : migration->args->stack;
    bool exists = false;

    if (!name.len) {
        TRY(stack_choose(cli, false));
        migration->from = cli->stack;
        return NULL;
    }
    TRY(error_wrap(
        backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &migration->from),
        "parsing source stack \"" STR_FMT "\"", STR_ARG(name)));
    TRY(backend_stack_exists(cli->backend, migration->from, &exists));
    if (exists)
        return NULL;
    return error_new(ERROR_NOT_FOUND, "source stack \"" STR_FMT "\" not found in backend " STR_FMT,
                     STR_ARG(name), STR_ARG(cli_backend_name(cli)));
}

static fallible migrate_find_target(struct migration *migration)
{
    struct cli *cli = migration->cli;
    str name = migration->args->target.len ? migration->args->target : migration->from.name;
    bool exists = false;

    TRY(error_wrap(
        backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &migration->to),
        "parsing target stack \"" STR_FMT "\"", STR_ARG(name)));
    TRY(stack_name_check(migration->to.name));
    TRY(backend_stack_exists(cli->backend, migration->to, &exists));
    if (!exists)
        return NULL;
    return error_new(ERROR_EXISTS,
                     "target stack \"" STR_FMT "\" already exists in " STR_FMT
                     "; remove it first or pick another name with --target",
                     STR_ARG(name), STR_ARG(cli_backend_name(cli)));
}

static fallible migrate_confirm(struct migration *migration, bool *is_agreed)
{
    struct cli *cli = migration->cli;
    str note = STR("");

    if (migration->args->yes || settings_bool("PULUMI_SKIP_CONFIRMATIONS"))
        return NULL;
    if (migration->shares_file && migration->from_config.existed)
        note = arena_printf(cli->arena,
                            "Note: " STR_FMT " will be rewritten with the target's secrets "
                            "configuration. A copy of\nthe current file is saved beside it.\n",
                            STR_ARG(migration->from_config.path));
    struct error *failure = prompt_confirm_name(
        cli,
        arena_printf(cli->arena,
                     "This will migrate stack " STR_FMT " from " STR_FMT " to " STR_FMT
                     " as " STR_FMT ".\n" STR_FMT "Continue?",
                     STR_ARG(migration->from.name), STR_ARG(migration->source.name),
                     STR_ARG(migration->target.name), STR_ARG(migration->to.name), STR_ARG(note))
            .ptr,
        STR("yes"));
    if (!failure || !cli->terminal.is_interactive)
        return failure;
    error_ignore(failure, "the user has said so");
    puts("Migration cancelled");
    *is_agreed = false;
    return NULL;
}

/* --- reading --- */

static str migrate_urn(void *migration_, str urn)
{
    const struct migration *migration = migration_;

    if (!str_equal(urn_stack_of(urn), migration->from.name)
        || !str_equal(urn_project_of(urn), migration->from.project))
        return urn;
    return urn_edit_stack(migration->cli->arena, urn, migration->to.project, migration->to.name);
}

/* The state with its secrets open, under its new name. */
static fallible migrate_load(struct migration *migration)
{
    struct cli *cli = migration->cli;
    struct secrets *secrets;
    bool has_deployment;

    TRY(backend_load(cli->backend, migration->from, cli->arena, &migration->snapshot,
                     &has_deployment));
    if (!migration->args->force)
        TRY(state_verify(cli, &migration->snapshot));
    if (snapshot_has_secrets(&migration->snapshot)) {
        TRY(cli_state_secrets(cli, &migration->snapshot, &secrets));
        TRY(error_wrap(snapshot_unseal(&migration->snapshot, secrets_crypter(secrets), cli->arena),
                       "reading the secrets of the source stack"));
    }
    snapshot_forget_seals(&migration->snapshot);
    urn_edit_snapshot(cli->arena, &migration->snapshot, migrate_urn, migration);
    return NULL;
}

/* --- writing --- */

static fallible migrate_back_up(struct migration *migration)
{
    struct cli *cli = migration->cli;
    str path = migration->from_config.path;

    if (!migration->shares_file || !migration->from_config.existed)
        return NULL;
    TRY(config_edit_back_up(cli->arena, path, &migration->backup));
    printf("Backed up " STR_FMT " to " STR_FMT "\n", STR_ARG(path), STR_ARG(migration->backup));
    return NULL;
}

/* The service seals also what another manager has sealed so far: its key in the file, which both
 * stacks may have, has served. */
static fallible migrate_open_seal(struct migration *migration, struct secrets **out)
{
    struct cli *cli = migration->cli;
    struct stack_config *config = &migration->to_config;
    str provider = migration->args->secrets_provider;

    if (cli_secrets_by_service(cli, provider))
        config->secrets_provider = config->encrypted_key = config->encryption_salt = STR("");
    return error_wrap(cli_create_secrets(cli, migration->to, config, provider, out),
                      "could not create secrets manager for new stack");
}

/* Configuration and state, sealed by the manager of the copy. `from` is NULL where nothing of the
 * configuration is secret. */
static fallible migrate_seal(struct migration *migration, struct secrets *from, struct secrets *to)
{
    struct cli *cli = migration->cli;

    migration->to_config.config = migration->from_config.config;
    if (from)
        TRY(config_reseal(cli->arena, &migration->to_config.config, secrets_crypter(from),
                          secrets_crypter(to)));
    migration->snapshot.secrets_type = secrets_type(to);
    migration->snapshot.secrets_state = secrets_state(to);
    state_stamp(cli, &migration->snapshot);
    return snapshot_seal(&migration->snapshot, secrets_crypter(to), cli->arena);
}

static fallible migrate_write(struct migration *migration, struct secrets *from, struct secrets *to)
{
    TRY(migrate_seal(migration, from, to));
    return error_wrap(
        stack_new_save(migration->cli, migration->to, &migration->to_config, &migration->snapshot),
        "creating target stack");
}

static fallible migrate_save_state(struct cli *cli, void *migration_)
{
    const struct migration *migration = migration_;

    return backend_save(cli->backend, migration->to, &migration->snapshot);
}

static fallible migrate_fill(struct migration *migration, struct secrets *from, struct secrets *to)
{
    TRY(migrate_seal(migration, from, to));
    TRY(error_wrap(state_locked(migration->cli, migration->to, migrate_save_state, migration),
                   "writing the state of the target stack"));
    return stack_config_save(&migration->to_config);
}

/* The hosted service seals only for stacks that are there. */
static fallible migrate_write_to_service(struct migration *migration, struct secrets *from,
                                         struct secrets *to)
{
    struct backend *backend = migration->target.backend;
    struct snapshot initial = stack_new_state(migration->cli, to);

    TRY(error_wrap(backend_create_stack(backend, migration->to, &initial),
                   "creating target stack"));
    struct error *failure = migrate_fill(migration, from, to);
    return failure ? error_join(failure, backend_remove_stack(backend, migration->to, true, true))
                   : NULL;
}

static fallible migrate_copy(struct migration *migration)
{
    struct cli *cli = migration->cli;
    struct secrets *from = NULL, *to;

    migrate_stand_at(migration, migration->source);
    TRY(migrate_load(migration));
    if (config_has_secret(&migration->from_config.config)) {
        TRY(cli_stack_secrets(cli, migration->from, &migration->from_config, &from));
        TRY(secrets_verify(from));
    }
    migrate_stand_at(migration, migration->target);
    TRY(migrate_open_seal(migration, &to));
    TRY(migrate_back_up(migration));
    bool is_by_service = str_equal(secrets_type(to), STR("service"));
    struct error *failure = is_by_service ? migrate_write_to_service(migration, from, to)
                                          : migrate_write(migration, from, to);
    if (failure)
        return migration->backup.len ? error_join(failure, fs_remove(migration->backup)) : failure;
    printf("Created stack '" STR_FMT "'\n", STR_ARG(migration->to.name));
    return NULL;
}

static fallible migrate_between(struct migration *migration)
{
    struct cli *cli = migration->cli;
    bool is_agreed = true;

    migrate_stand_at(migration, migration->source);
    TRY(migrate_find_source(migration));
    migrate_stand_at(migration, migration->target);
    TRY(migrate_find_target(migration));
    TRY(cli_edit_new_config(cli, migration->to, &migration->to_config));
    migrate_stand_at(migration, migration->source);
    TRY(cli_load_config(cli, migration->from, STR(""), &migration->from_config));
    migrate_stand_at(migration, migration->target);
    migration->shares_file = str_equal(migration->from_config.path, migration->to_config.path);
    TRY(migrate_confirm(migration, &is_agreed));
    if (!is_agreed)
        return NULL;
    TRY(migrate_copy(migration));
    printf("Migrated stack " STR_FMT " from " STR_FMT " to " STR_FMT
           ".\nSource stack state on " STR_FMT " is untouched.\n",
           STR_ARG(migration->from.name), STR_ARG(migration->source.name),
           STR_ARG(migration->target.name), STR_ARG(migration->source.name));
    return NULL;
}

static struct error *cmd_stack_migrate_run(struct cli *cli, const void *args_)
{
    struct migration migration = {
        .cli = cli, .args = args_, .target = { cli->backend, cli->session, cli_backend_name(cli) }
    };
    str url = cli_operand(cli, 0);

    TRY(secrets_check_provider(migration.args->secrets_provider));
    if (str_equal(url, backend_url(migration.target.backend)))
        return error_new(ERROR_INVALID,
                         "source and target backends are the same (" STR_FMT
                         "); nothing to migrate",
                         STR_ARG(url));
    cli->session = NULL;
    TRY(error_wrap(cli_open_backend(cli, url), "opening source backend \"" STR_FMT "\"",
                   STR_ARG(url)));
    migration.source = (struct migrate_end){ cli->backend, cli->session, cli_backend_name(cli) };
    struct error *failure = migrate_between(&migration);
    cli_unlock_config(cli);
    migrate_stand_at(&migration, migration.target);
    backend_close(migration.source.backend);
    return failure;
}

const struct command cmd_stack_migrate = {
    .path = "stack migrate",
    .operands = "URL [STACK]",
    .summary = "Copy a stack from another backend to the one in use",
    .details = "State and configuration are encrypted anew for the copy; URNs follow its name.\n"
               "The source stays as it is. History and tags are not copied.",
    .example = "stack migrate file://~ dev\n"
               "stack migrate file:///srv/old dev --target production --yes",
    .needs = NEEDS_BACKEND | NEEDS_PROJECT,
    .args_size = sizeof(struct migrate_args),
    .options = OPTIONS(options),
    .run = cmd_stack_migrate_run,
};
