/* cmd_state_edit.c — `state edit`: the state as a JSON file in the editor of the user. The stack is
 * not locked meanwhile; what others have written by then is never overwritten. */
#include "cli/open.h"
#include "cli/screen/foreground.h"
#include "cli/screen/prompt.h"
#include "cli/stack/state.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/settings.h"
#include "base/uuid.h"
#include "display/text_diff.h"
#include "model/checkpoint.h"

#include <stdio.h>
#include <sys/wait.h>

struct state_edit_args {
    str stack;
};

static const struct option options[] = {
    TEXT(struct state_edit_args, stack, 's', "stack",
         "The stack to edit; the selected one by default"),
    { 0 },
};

struct editing {
    str file;
    str original; /* text of the state as it was loaded */
    str edited;   /* text of the file, read back */
    struct snapshot snapshot;
};

static str state_edit_text(struct arena *arena, const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 2 };

    deployment_parts_write(&writer, snapshot, SECRET_CIPHERTEXT);
    strbuf_add_char(&text, '\n');
    return arena_copy(arena, strbuf_str(&text));
}

static fallible state_edit_open(struct cli *cli, struct editing *editing)
{
    str folder = settings_text("TMPDIR");
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &editing->snapshot, &has_deployment));
    editing->original = state_edit_text(cli->arena, &editing->snapshot);
    editing->file =
        arena_printf(cli->arena, STR_FMT "/pulumi-state-edit-" STR_FMT ".json",
                     STR_ARG(folder.len ? folder : STR("/tmp")), STR_ARG(uuid_new(cli->arena)));
    return fs_create(editing->file, editing->original, 0600);
}

/* The words of EDITOR are the shell's to understand. */
static fallible state_edit_run_editor(struct cli *cli, const struct editing *editing)
{
    str editor = settings_text("EDITOR");
    int status = 0;

    if (!str_trim(editor).len)
        return error_new(ERROR_INVALID, "no EDITOR environment variable set");
    const char *const argv[] = {
        "sh",
        "-c",
        arena_concat(cli->arena, editor, STR(" \"$1\"")).ptr,
        "sh",
        arena_cstr(cli->arena, editing->file),
        NULL,
    };
    TRY(foreground_run(argv, &status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    if (WIFEXITED(status))
        return error_new(ERROR_OTHER, "the editor '" STR_FMT "' failed with exit code %d",
                         STR_ARG(editor), WEXITSTATUS(status));
    return error_new(ERROR_OTHER, "the editor '" STR_FMT "' was ended by signal %d",
                     STR_ARG(editor), WTERMSIG(status));
}

/* The envelope stands on the first line, so that places in errors are those of the file. */
static fallible state_edit_read(struct cli *cli, struct editing *editing)
{
    struct strs unknown = { 0 };
    bool has_deployment = false;
    int version = 0;

    TRY(fs_read(cli->arena, editing->file, FS_ANY_SIZE, &editing->edited));
    str text =
        arena_concat(cli->arena, STR("{\"version\":4,\"deployment\":"), editing->edited, STR("}"));
    TRY(deployment_read(cli->arena, text, &editing->snapshot, &has_deployment, &version, &unknown));
    if (!has_deployment)
        return error_new(ERROR_INVALID, "the file has no state");
    return cli->globals.skips_integrity_check ? NULL : snapshot_verify(&editing->snapshot);
}

/* Lines that went and came, with two around them. */
static void state_edit_print_changes(struct cli *cli, str old, str new)
{
    enum { AROUND = 2 };
    struct text_lines lines = text_diff(cli->arena, old, new);
    size_t printed = 0; /* lines up to here are printed or left out for good */

    for (size_t i = 0; i < lines.len; i++) {
        if (lines.items[i].change == LINE_SAME)
            continue;
        size_t start = i > AROUND && i - AROUND > printed ? i - AROUND : printed;
        if (start > printed)
            puts("...");
        size_t end = i + 1;
        for (size_t gap = 0; end < lines.len && gap <= 2 * AROUND; end++)
            gap = lines.items[end].change == LINE_SAME ? gap + 1 : 0;
        for (size_t j = start; j < end; j++) {
            const struct text_line *line = &lines.items[j];
            str mark = line->change == LINE_ADDED     ? STR(TAG_GREEN "+ ")
                       : line->change == LINE_DELETED ? STR(TAG_RED "- ")
                                                      : STR("  ");
            cli_print(cli, arena_concat(cli->arena, mark, color_quote(cli->arena, line->text),
                                        STR(TAG_RESET)));
        }
        printed = end;
        i = end - 1;
    }
    putchar('\n');
}

enum state_edit_choice { EDIT_ACCEPT, EDIT_AGAIN, EDIT_RESET, EDIT_CANCEL };

static fallible state_edit_ask(struct cli *cli, bool is_valid, enum state_edit_choice *out)
{
    static const char *const choices[] = { "accept", "edit", "reset", "cancel", NULL };
    size_t answer;

    TRY(error_wrap(prompt_choice(cli,
                                 is_valid ? "Do you want to perform this edit?"
                                          : "Received invalid state. What would you like to do?",
                                 is_valid ? choices : choices + 1, is_valid ? 1 : 0, &answer),
                   "confirmation cancelled, not proceeding with the state edit"));
    *out = (enum state_edit_choice)(is_valid ? answer : answer + 1);
    if (*out == EDIT_CANCEL)
        return error_new(ERROR_CANCELED,
                         "confirmation cancelled, not proceeding with the state edit");
    return NULL;
}

/* Until the user is content; *is_changed is false if there is nothing to save. */
static fallible state_edit_loop(struct cli *cli, struct editing *editing, bool *is_changed)
{
    enum state_edit_choice choice = EDIT_AGAIN;

    while (choice != EDIT_ACCEPT) {
        TRY(state_edit_run_editor(cli, editing));
        cli_print(cli,
                  arena_concat(cli->arena, STR(TAG_HEADLINE "Previewing state edit ("),
                               color_quote(cli->arena, stack_ref_qualified(cli->arena, cli->stack)),
                               STR(")" TAG_RESET "\n")));
        struct error *failure = state_edit_read(cli, editing);
        bool is_valid = !failure;
        str text = is_valid ? state_edit_text(cli->arena, &editing->snapshot) : STR("");
        *is_changed = !str_equal(text, editing->original);
        if (is_valid && !*is_changed) {
            cli_report(cli, "warning", STR("provided state was not changed"));
            return NULL;
        }
        if (is_valid)
            state_edit_print_changes(cli, editing->original, text);
        else
            cli_report(cli, "error",
                       arena_printf(cli->arena, "provided state is not valid: " STR_FMT,
                                    STR_ARG(error_message(failure))));
        error_free(failure);
        TRY(state_edit_ask(cli, is_valid, &choice));
        if (choice == EDIT_RESET)
            TRY(fs_replace(editing->file, editing->original, 0600));
    }
    return NULL;
}

static struct error *state_edit_save(struct cli *cli, void *editing_)
{
    struct editing *editing = editing_;
    struct snapshot now;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &now, &has_deployment));
    if (!str_equal(state_edit_text(cli->arena, &now), editing->original))
        return error_new(ERROR_OTHER, "the state was changed by somebody else meanwhile; nothing "
                                      "was saved");
    state_stamp(cli, &editing->snapshot);
    return backend_save(cli->backend, cli->stack, &editing->snapshot);
}

/* What somebody wrote is not thrown away with a failure. */
static fallible state_edit_keep(struct cli *cli, const struct editing *editing,
                                struct error *failure)
{
    str text = STR("");
    struct error *unread = fs_read(cli->arena, editing->file, FS_ANY_SIZE, &text);
    bool is_kept = failure && error_kind(failure) != ERROR_CANCELED && !unread
                   && !str_equal(text, editing->original);

    error_ignore(unread, "what cannot be read cannot be kept");
    if (!is_kept)
        return error_join(failure, fs_remove_if_present(editing->file));
    fprintf(stderr, "Your edit is in '" STR_FMT "'\n", STR_ARG(editing->file));
    return failure;
}

static struct error *cmd_state_edit_run(struct cli *cli, const void *args)
{
    struct editing editing = { 0 };
    bool is_changed = false;

    (void)args;
    if (!cli->terminal.is_interactive)
        return error_new(ERROR_INVALID, "%s state edit must be run in interactive mode",
                         program_name());
    TRY(state_edit_open(cli, &editing));
    struct error *failure = state_edit_loop(cli, &editing, &is_changed);
    if (!failure && is_changed)
        failure = state_locked(cli, cli->stack, state_edit_save, &editing);
    return state_edit_keep(cli, &editing, failure);
}

const struct command cmd_state_edit = {
    .path = "state edit",
    .aliases = "update modify",
    .summary = "Edit the state of a stack in an editor",
    .details = "Opens the state, its secrets encrypted, in $EDITOR; shows what was changed and\n"
               "asks before it is saved. A state that is not valid is not saved.",
    .example = "state edit\nstate edit --stack dev",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct state_edit_args),
    .options = OPTIONS(options),
    .run = cmd_state_edit_run,
};
