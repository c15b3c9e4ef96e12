/* cmd_stack_import.c — `stack import`: replaces the state by one that was exported, after looking
 * at it closely. */
#include "cli/screen/input.h"
#include "cli/open.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"

#include "model/checkpoint.h"
#include "model/urn.h"

#include <stdio.h>

struct import_args {
    str stack;
    str file;
    bool force;
};

static const struct option options[] = {
    TEXT(struct import_args, stack, 's', "stack",
         "The stack to import into; the selected one by default"),
    TEXT(struct import_args, file, 0, "file", "Read this file instead of standard input"),
    FLAG(struct import_args, force, 'f', "force", "Import even what looks wrong"),
    { 0 },
};

/* What is wrong with the file, numbered; with --force each is only a warning. */
struct complaints {
    struct cli *cli;
    bool is_forced;
    struct strbuf text;
    size_t count;
};

static void cmd_stack_import_complain(struct complaints *complaints, str message)
{
    if (complaints->is_forced) {
        cli_report(complaints->cli, "warning", message);
        return;
    }
    complaints->count++;
    strbuf_printf(&complaints->text, "\n    %zu) ", complaints->count);
    strbuf_add(&complaints->text, message);
}

static fallible check(struct cli *cli, const struct snapshot *snapshot, bool is_forced)
{
    struct complaints complaints = { .cli = cli, .is_forced = is_forced };

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        str urn = snapshot->resources[i]->urn, stack = urn_stack_of(urn);
        if (!str_equal(stack, cli->stack.name))
            cmd_stack_import_complain(
                &complaints,
                arena_printf(cli->arena,
                             "resource '" STR_FMT "' is from a different stack (" STR_FMT
                             " != " STR_FMT ")",
                             STR_ARG(urn), STR_ARG(stack), STR_ARG(cli->stack.name)));
    }
    struct error *failure = cli->globals.skips_integrity_check ? NULL : snapshot_verify(snapshot);
    if (failure) {
        cmd_stack_import_complain(&complaints,
                                  arena_printf(cli->arena, "state file contains errors: " STR_FMT,
                                               STR_ARG(error_message(failure))));
        error_free(failure);
    }
    if (!complaints.count)
        return NULL;
    cmd_stack_import_complain(
        &complaints,
        STR("importing this file could be dangerous; rerun with --force to proceed anyway"));
    failure =
        error_new(ERROR_INVALID, "%zu errors occurred:%s", complaints.count, complaints.text.ptr);
    strbuf_release(&complaints.text);
    return failure;
}

static void drop_pending(struct cli *cli, struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->pending_count; i++) {
        const struct pending_operation *operation = &snapshot->pending[i];
        cli_report(cli, "warning",
                   arena_printf(cli->arena,
                                "removing pending operation '%s' on '" STR_FMT "' from snapshot",
                                pending_names[operation->kind], STR_ARG(operation->resource->urn)));
    }
    snapshot->pending_count = 0;
}

static fallible read_deployment(struct cli *cli, str text, struct snapshot *out,
                                bool *has_deployment)
{
    str name = cli_stack_name(cli, cli->stack);
    struct strs unknown = { 0 };
    int version = 0;

    TRY(error_wrap(deployment_read(cli->arena, text, out, has_deployment, &version, &unknown),
                   "could not deserialize deployment"));
    if (version > 4)
        return error_new(ERROR_INVALID,
                         "the stack '" STR_FMT
                         "' is newer than what this version of the Pulumi CLI understands. "
                         "Please update your version of the Pulumi CLI",
                         STR_ARG(name));
    if (version < 1)
        return error_new(ERROR_INVALID,
                         "the stack '" STR_FMT
                         "' is too old to be used by this version of the Pulumi CLI",
                         STR_ARG(name));
    if (unknown.len) {
        CLEANUP(strbuf_release) struct strbuf list = { 0 };
        for (size_t i = 0; i < unknown.len; i++) {
            strbuf_add(&list, i ? STR(", ") : STR(""));
            strbuf_add(&list, unknown.items[i]);
        }
        return error_new(ERROR_INVALID,
                         "the stack '" STR_FMT
                         "' uses features that are not supported by this version of the "
                         "Pulumi CLI: %s. Please update your version of the Pulumi CLI",
                         STR_ARG(name), list.ptr);
    }
    return *has_deployment
               ? NULL
               : error_new(ERROR_INVALID,
                           "could not deserialize deployment: unexpected end of JSON input");
}

/* Every later operation would fail by a manager that there is not. An account of the service is
 * asked for only where something is sealed by it. */
static fallible check_manager(struct cli *cli, const struct snapshot *snapshot)
{
    struct secrets *secrets;

    return str_equal(snapshot->secrets_type, STR("service"))
               ? NULL
               : cli_state_secrets(cli, snapshot, &secrets);
}

/* Plaintext secrets are sealed by the manager the file names, or by the stack's own. Ciphertexts
 * are opened once, to prove that they can be. */
static fallible cmd_stack_import_seal(struct cli *cli, struct snapshot *snapshot)
{
    struct secrets *secrets;

    if (!snapshot_has_secrets(snapshot))
        return error_wrap(check_manager(cli, snapshot), "could not deserialize deployment");
    TRY(cli_state_secrets(cli, snapshot, &secrets));
    if (!secrets) {
        struct stack_config config;
        TRY(cli_load_config(cli, cli->stack, STR(""), &config));
        TRY(cli_stack_secrets(cli, cli->stack, &config, &secrets));
        snapshot->secrets_type = secrets_type(secrets);
        snapshot->secrets_state = secrets_state(secrets);
    }
    TRY(snapshot_unseal(snapshot, secrets_crypter(secrets), cli->arena));
    return snapshot_seal(snapshot, secrets_crypter(secrets), cli->arena);
}

static struct error *cmd_stack_import_save(struct cli *cli, void *snapshot)
{
    return backend_save(cli->backend, cli->stack, snapshot);
}

static struct error *cmd_stack_import_run(struct cli *cli, const void *args_)
{
    const struct import_args *args = args_;
    struct snapshot snapshot;
    bool has_deployment;
    str text;

    TRY(error_wrap(input_read(cli->arena, args->file, INPUT_STATE_LIMIT, &text),
                   "could not open file"));
    TRY(error_wrap(read_deployment(cli, text, &snapshot, &has_deployment), "'" STR_FMT "'",
                   STR_ARG(args->file.len ? args->file : STR("standard input"))));
    TRY(cmd_stack_import_seal(cli, &snapshot));
    TRY(check(cli, &snapshot, args->force));
    drop_pending(cli, &snapshot);
    TRY(state_locked(cli, cli->stack, cmd_stack_import_save, &snapshot));
    puts("Import complete.");
    return NULL;
}

const struct command cmd_stack_import = {
    .path = "stack import",
    .summary = "Replace the state of a stack by an exported one",
    .example = "stack import --file state.json",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct import_args),
    .options = OPTIONS(options),
    .run = cmd_stack_import_run,
};
