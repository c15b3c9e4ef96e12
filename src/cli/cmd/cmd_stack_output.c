/* cmd_stack_output.c — `stack output`: what the program exported, for people, scripts and
 * shells. */
#include "cli/screen/json_print.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/stack_outputs.h"

#include "model/value_json.h"

#include <stdio.h>

struct output_args {
    str stack;
    bool json;
    bool shell;
    bool show_secrets;
};

static const struct option options[] = {
    TEXT(struct output_args, stack, 's', "stack",
         "The stack to look at; the selected one by default"),
    FLAG(struct output_args, json, 'j', "json", "Print JSON"),
    FLAG(struct output_args, shell, 0, "shell", "Print assignments for a shell"),
    FLAG(struct output_args, show_secrets, 0, "show-secrets", "Show secrets in plaintext"),
    { 0 },
};

/* One word for a shell: backslashes where they suffice, single quotes around blanks. */
static void add_shell_word(struct strbuf *out, str word)
{
    bool has_blank = false;

    if (!word.len)
        strbuf_add(out, STR("''"));
    for (size_t i = 0; i < word.len; i++)
        has_blank = has_blank || word.ptr[i] == ' ' || word.ptr[i] == '\t' || word.ptr[i] == '\n';
    for (size_t i = 0; !has_blank && i < word.len; i++) {
        if (strchr("\\'\"`${[|&;<>()*?!", word.ptr[i]) || (i == 0 && word.ptr[i] == '~'))
            strbuf_add_char(out, '\\');
        strbuf_add_char(out, word.ptr[i]);
    }
    for (bool is_quoted = false; has_blank && (word.len || is_quoted);) {
        bool is_quote = word.len && word.ptr[0] == '\'';
        if (is_quoted == (is_quote || !word.len)) {
            strbuf_add_char(out, '\'');
            is_quoted = !is_quoted;
        }
        if (!word.len)
            break;
        strbuf_add(out, is_quote ? STR("\\'") : str_slice(word, 0, 1));
        word = str_slice(word, 1, word.len);
    }
}

static void print_shell(struct cli *cli, str name, struct value value, bool shows_secrets)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };

    strbuf_add(&line, name);
    strbuf_add_char(&line, '=');
    add_shell_word(&line, stack_output_text(cli->arena, value, shows_secrets));
    strbuf_add_char(&line, '\n');
    fwrite(line.ptr, 1, line.len, stdout);
}

static void cmd_stack_output_print_json(struct value value, bool shows_secrets)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    value_write(writer, value, shows_secrets ? SECRET_BARE : SECRET_MASKED);
    json_print_end(&print);
}

static void print_one(struct cli *cli, const struct output_args *args, str name, struct value value)
{
    if (args->json) {
        cmd_stack_output_print_json(value, args->show_secrets);
    } else if (args->shell) {
        print_shell(cli, name, value, args->show_secrets);
    } else {
        str text = stack_output_text(cli->arena, value, args->show_secrets);
        fwrite(text.ptr, 1, text.len, stdout);
        putchar('\n');
    }
}

static void print_all(struct cli *cli, const struct output_args *args, struct value outputs)
{
    if (args->json)
        cmd_stack_output_print_json(outputs, args->show_secrets);
    else if (!args->shell)
        stack_outputs_print(cli, outputs, args->show_secrets);
    for (size_t i = 0; args->shell && i < outputs.len; i++)
        print_shell(cli, outputs.members[i].key, outputs.members[i].value, args->show_secrets);
}

static struct error *cmd_stack_output_run(struct cli *cli, const void *args_)
{
    const struct output_args *args = args_;
    struct snapshot snapshot;
    bool has_deployment;
    struct secrets *secrets;

    if (args->json && args->shell)
        return error_new(ERROR_INVALID, "only one of --json and --shell may be set");
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct value outputs = stack_outputs_find(&snapshot);
    if (args->show_secrets) {
        TRY(cli_state_secrets(cli, &snapshot, &secrets));
        TRY(value_unseal(outputs, secrets_crypter(secrets), cli->arena));
    }
    if (!cli->operands.len) {
        print_all(cli, args, outputs);
        return NULL;
    }
    str name = cli_operand(cli, 0);
    const struct value *value = value_find(outputs, name);
    if (!value)
        return error_new(ERROR_NOT_FOUND,
                         "current stack does not have output property '" STR_FMT "'",
                         STR_ARG(name));
    print_one(cli, args, name, *value);
    return NULL;
}

const struct command cmd_stack_output = {
    .path = "stack output",
    .operands = "[NAME]",
    .summary = "Show the outputs of a stack",
    .example = "stack output\n"
               "stack output url\n"
               "stack output --json --show-secrets",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct output_args),
    .options = OPTIONS(options),
    .run = cmd_stack_output_run,
};
