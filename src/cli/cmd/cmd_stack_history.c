/* cmd_stack_history.c — `stack history`: what was done to a stack, newest first. */
#include "cli/stack/config_edit.h"
#include "cli/screen/json_print.h"
#include "cli/open.h"
#include "cli/screen/time_text.h"

#include "backend/history.h"
#include "base/clock.h"

#include <stdio.h>

struct history_args {
    str stack;
    str output;
    bool json;
    int64_t page;
    int64_t page_size;
    bool full_dates;
    bool show_secrets;
};

static const struct option options[] = {
    TEXT(struct history_args, stack, 's', "stack",
         "The stack to look at; the selected one by default"),
    TEXT(struct history_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct history_args, json, 'j', "json", NULL),
    INTEGER_PRESET(struct history_args, page, 0, "page", "1", "Which page to show"),
    INTEGER_PRESET(struct history_args, page_size, 0, "page-size", "10",
                   "How many entries a page has; 0: all in one"),
    FLAG(struct history_args, full_dates, 0, "full-dates",
         "Show dates instead of how long ago it was"),
    FLAG(struct history_args, show_secrets, 0, "show-secrets",
         "Show secret configuration in plaintext"),
    { 0 },
};

/* --- JSON --- */

static void write_text(struct json_writer *writer, str key, str text)
{
    json_key(writer, key);
    json_string(writer, text);
}

static fallible write_config(struct cli *cli, struct json_writer *writer, str json,
                             struct crypter *crypter)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct config config = { 0 };

    json_reader_init(&reader, cli->arena, json.len ? json : STR("{}"));
    TRY(config_read_json(&reader, &config));
    json_begin_object(writer);
    for (size_t i = 0; i < config.len; i++) {
        struct value stored = config.items[i].value, shown = stored;
        bool is_secret = config_is_secret(stored);
        struct error *failure =
            is_secret && crypter ? config_unseal(cli->arena, stored, crypter, &shown) : NULL;
        if (failure)
            shown = value_string(STR("ERROR_UNABLE_TO_DECRYPT"));
        error_ignore(
            failure,
            "an old value may be sealed with a key that is gone; the rest is still worth showing");
        json_key(writer, config_key_format(cli->arena, config.items[i].key));
        config_edit_write_json(writer, cli->arena, stored, is_secret && !crypter ? NULL : &shown);
    }
    json_end_object(writer);
    return NULL;
}

static void write_end(struct cli *cli, struct json_writer *writer,
                      const struct history_entry *entry)
{
    write_text(writer, STR("endTime"),
               clock_format_ms(cli->arena, clock_of_seconds(entry->end_time)));
    json_key(writer, STR("resourceChanges"));
    json_begin_object(writer);
    for (size_t i = 0; i < entry->change_count; i++) {
        json_key(writer, entry->changes[i].op);
        json_integer(writer, entry->changes[i].count);
    }
    json_end_object(writer);
}

static fallible write_entry(struct cli *cli, struct json_writer *writer,
                            const struct history_entry *entry, struct crypter *crypter)
{
    json_begin_object(writer);
    json_key(writer, STR("version"));
    json_integer(writer, entry->version);
    write_text(writer, STR("kind"), entry->kind);
    write_text(writer, STR("startTime"),
               clock_format_ms(cli->arena, clock_of_seconds(entry->start_time)));
    write_text(writer, STR("message"), entry->message);
    json_key(writer, STR("environment"));
    json_begin_object(writer);
    for (size_t i = 0; i < entry->environment_count; i++)
        write_text(writer, entry->environment[i].key, entry->environment[i].value);
    json_end_object(writer);
    json_key(writer, STR("config"));
    TRY(write_config(cli, writer, entry->config, crypter));
    write_text(writer, STR("result"), entry->result);
    if (!str_equal(entry->result, STR("in-progress")))
        write_end(cli, writer, entry);
    json_end_object(writer);
    return NULL;
}

static fallible cmd_stack_history_print_json(struct cli *cli, const struct history *history,
                                             struct crypter *crypter)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_array(writer);
    for (size_t i = 0; i < history->len; i++)
        TRY(write_entry(cli, writer, &history->items[i], crypter));
    json_end_array(writer);
    json_print_end(&print);
    return NULL;
}

/* --- text --- */

static long long count_of(const struct history_entry *entry, str op)
{
    for (size_t i = 0; i < entry->change_count; i++) {
        if (str_equal(entry->changes[i].op, op))
            return entry->changes[i].count;
    }
    return 0;
}

static void print_entry(struct cli *cli, const struct history_entry *entry, bool has_full_dates)
{
    bool has_succeeded = str_equal(entry->result, STR("succeeded"));
    int64_t time = clock_of_seconds(entry->start_time);
    str when = has_full_dates ? time_full(cli->arena, time) : time_ago(cli->arena, time);

    printf("Version: %lld\nUpdateKind: " STR_FMT "\n", (long long)entry->version,
           STR_ARG(entry->kind));
    cli_print(cli, arena_concat(cli->arena, has_succeeded ? STR(TAG_GREEN) : STR(TAG_RED),
                                STR("Status: "), color_quote(cli->arena, entry->result),
                                STR(TAG_RESET)));
    printf("Message: " STR_FMT "\n", STR_ARG(entry->message));
    printf("+%lld-%lld~%lld %lld Updated " STR_FMT " took %llds\n", count_of(entry, STR("create")),
           count_of(entry, STR("delete")), count_of(entry, STR("update")),
           count_of(entry, STR("same")), STR_ARG(when),
           (long long)(entry->end_time - entry->start_time));
    for (size_t i = 0; i < entry->environment_count; i++) {
        if (str_trim(entry->environment[i].value).len)
            printf("    " STR_FMT ": " STR_FMT "\n", STR_ARG(entry->environment[i].key),
                   STR_ARG(entry->environment[i].value));
    }
    putchar('\n');
}

static void print_none(size_t page)
{
    if (page > 1)
        printf("No stack updates found on page '%zu'\n", page);
    else
        puts("Stack has never been updated");
}

static fallible cmd_stack_history_open_crypter(struct cli *cli, struct crypter **out)
{
    struct stack_config config;
    struct secrets *secrets;

    TRY(error_wrap(cli_load_config(cli, cli->stack, STR(""), &config), "getting stack config"));
    TRY(error_wrap(cli_stack_secrets(cli, cli->stack, &config, &secrets), "decrypting secrets"));
    *out = secrets_crypter(secrets);
    return NULL;
}

static struct error *cmd_stack_history_run(struct cli *cli, const void *args_)
{
    const struct history_args *args = args_;
    struct crypter *crypter = NULL;
    struct history history;
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (args->page_size < 0 || args->page < 0)
        return error_new(ERROR_INVALID, "--page and --page-size must not be negative");
    size_t page = args->page < 1 ? 1 : (size_t)args->page;
    TRY(backend_history(cli->backend, cli->stack, cli->arena, page, (size_t)args->page_size,
                        &history));
    if (args->show_secrets)
        TRY(cmd_stack_history_open_crypter(cli, &crypter));
    if (is_json)
        return cmd_stack_history_print_json(cli, &history, crypter);
    if (!history.len)
        print_none(page);
    for (size_t i = 0; i < history.len; i++)
        print_entry(cli, &history.items[i], args->full_dates);
    return NULL;
}

const struct command cmd_stack_history = {
    .path = "stack history",
    .meant_by = "updates",
    .aliases = "hist",
    .summary = "Show what was done to a stack",
    .example = "stack history\n"
               "stack history --page-size 3 --output json",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct history_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_stack_history_run,
};
