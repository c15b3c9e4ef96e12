/* cmd_stack_export.c — `stack export`: the state as JSON. */
#include "cli/screen/input.h"
#include "backend/history.h"
#include "cli/stack/stack_secrets.h"

#include "model/checkpoint.h"

struct export_args {
    str stack;
    str file;
    bool show_secrets;
    str version;
};

static const struct option options[] = {
    TEXT(struct export_args, stack, 's', "stack",
         "The stack to export; the selected one by default"),
    TEXT(struct export_args, file, 0, "file", "Write to this file instead of standard output"),
    FLAG(struct export_args, show_secrets, 0, "show-secrets", "Write secrets in plaintext"),
    TEXT(struct export_args, version, 0, "version", "An earlier version of the state"),
    { 0 },
};

static struct error *cmd_stack_export_run(struct cli *cli, const void *args_)
{
    const struct export_args *args = args_;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4 };
    struct snapshot snapshot;
    bool has_deployment;
    struct secrets *secrets;

    if (args->version.len)
        TRY(backend_load_version(cli->backend, cli->stack, args->version, cli->arena, &snapshot,
                                 &has_deployment));
    else
        TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    if (args->show_secrets) {
        TRY(cli_state_secrets(cli, &snapshot, &secrets));
        TRY(snapshot_unseal(&snapshot, secrets_crypter(secrets), cli->arena));
    }
    if (has_deployment)
        deployment_write(&writer, &snapshot,
                         args->show_secrets ? SECRET_PLAINTEXT : SECRET_CIPHERTEXT);
    else
        strbuf_add(&text, STR("{\n    \"version\": 3,\n    \"deployment\": null\n}"));
    strbuf_add_char(&text, '\n');
    return output_write(args->file, strbuf_str(&text));
}

const struct command cmd_stack_export = {
    .path = "stack export",
    .summary = "Write the state of a stack as JSON",
    .example = "stack export --file state.json\n"
               "stack export --show-secrets",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct export_args),
    .options = OPTIONS(options),
    .run = cmd_stack_export_run,
};
