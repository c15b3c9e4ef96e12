/* dispatch.c — from words to a command: finds it, fills its arguments, opens what it needs, runs
 * it, reports. */
#include "cli/cli.h"

#include "base/settings.h"
#include "base/span.h"
#include "base/trace.h"
#include "cli/idle_options.h"
#include "cli/screen/input.h"
#include "cli/open.h"
#include "base/log.h"
#include "base/log_file.h"
#include "base/program.h"
#include "base/strbuf.h"
#include "base/version.h"
#include "fiber/fiber.h"
#include "fiber/process.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

const struct option global_options[] = {
    FLAG(struct global_args, help, 'h', "help", "Show this text"),
    TEXT(struct global_args, directory, 'C', "cwd", "Run as if started in this directory"),
    TEXT_PRESET(struct global_args, color, 0, "color", "auto",
                "Colour of the output: always, never, raw or auto"),
    FLAG(struct global_args, non_interactive, 0, "non-interactive",
         "Never prompt; write lines instead of a live display"),
    FLAG(struct global_args, qualifies_names, 'Q', "fully-qualify-stack-names",
         "Show stack names with organization and project"),
    FLAG(struct global_args, emoji, 'e', "emoji", "Use emojis in the output"),
    FLAG(struct global_args, skips_integrity_check, 0, "disable-integrity-checking",
         "Do not verify the state when it is read or written"),
    INTEGER(struct global_args, verbosity, 'v', "verbose", "Detail of the log, from 0 to 11"),
    FLAG(struct global_args, logs_to_stderr, 0, "logtostderr", "Write the log to standard error"),
    FLAG(struct global_args, logs_flow, 0, "logflow", "Pass the log options on to plugins"),
    TEXT(struct global_args, tracing, 0, "tracing",
         "Write a trace of steps and calls to file:PATH, for view-trace and convert-trace"),
    TEXT(struct global_args, tracing_header, 0, "tracing-header", NULL),
    TEXT(struct global_args, otel_traces, 0, "otel-traces",
         "Write a trace of steps and calls, as OTLP JSON, to file://PATH"),
    TEXT(struct global_args, profiling, 0, "profiling", "No effect here"),
    INTEGER(struct global_args, memory_profile_rate, 0, "memprofilerate", "No effect here"),
    { 0 },
};

/* Only the program itself answers --version. */
const struct option root_options[] = {
    FLAG(struct global_args, version, 0, "version", "Show the version"),
    { 0 },
};

static const struct option *const global_tables[] = { global_options, NULL };
static const struct option *const root_tables[] = { global_options, root_options, NULL };
static const struct option *const no_tables[] = { NULL };

str cli_operand(const struct cli *cli, size_t index)
{
    return index < cli->operands.len ? cli->operands.items[index] : STR("");
}

bool cli_was_given(const struct cli *cli, const char *option)
{
    return strs_has(cli->given, str_from(option));
}

/* How many words an option takes with it. An option before its command is looked up in all commands
 * below. */
static size_t words_taken(const struct command *current, str word)
{
    bool is_known = false;
    size_t count = option_words_taken(root_tables, word, &is_known);

    if (!is_known && current && current->options)
        count = option_words_taken(current->options, word, &is_known);
    for (size_t i = 0; i < command_count && !is_known; i++) {
        if (commands[i]->options)
            count = option_words_taken(commands[i]->options, word, &is_known);
    }
    return count;
}

/* The command that the leading words name, past any options; `rest` are the other words in their
 * order. */
static const struct command *find_command(struct arena *arena, struct strs words, struct strs *rest)
{
    const struct command *current = NULL;
    str *others = ARENA_ARRAY(arena, str, words.len + 1);
    size_t count = 0;
    bool is_over = false; /* an operand or "--" was seen */

    for (size_t i = 0; i < words.len; i++) {
        str word = words.items[i];
        const struct command *child = is_over ? NULL : command_find(current, word);
        if (child) {
            current = child;
            is_over = (child->needs & TAKES_RAW_WORDS) != 0;
            continue;
        }
        others[count++] = word;
        if (is_over)
            continue;
        if (word.len < 2 || word.ptr[0] != '-' || str_equal(word, STR("--"))) {
            is_over = true;
            continue;
        }
        for (size_t taken = words_taken(current, word); taken && i + 1 < words.len; taken--)
            others[count++] = words.items[++i];
    }
    *rest = (struct strs){ others, count };
    return current;
}

struct operand_rule {
    size_t least;
    size_t most;
};

static struct operand_rule operand_rule(const struct command *command)
{
    struct operand_rule rule = { 0, 0 };
    str rest = command && command->operands ? str_from(command->operands) : STR(""), word;

    while (str_next(&rest, STR(" "), &word)) {
        rule.most++;
        rule.least += word.ptr[0] != '[';
        if (str_find(word, STR("...")) != SIZE_MAX)
            rule.most = SIZE_MAX;
    }
    return rule;
}

static fallible dispatch_check_operands(struct cli *cli)
{
    const struct command *command = cli->command;
    struct operand_rule rule = operand_rule(command);
    size_t count = cli->operands.len;

    if (count > rule.most && (!command || command_has_children(command))) {
        str word = cli->operands.items[rule.most];
        const char *path =
            command ? arena_printf(cli->arena, "%s %s", program_name(), command->path).ptr
                    : program_name();
        return error_new(
            ERROR_INVALID,
            "unknown command \"" STR_FMT "\" for \"%s\"" STR_FMT "\nRun '%s --help' for usage.",
            STR_ARG(word), path, STR_ARG(command_suggestions(cli->arena, command, word)), path);
    }
    if (rule.least == rule.most && count != rule.most)
        return error_new(ERROR_INVALID, "accepts %zu arg(s), received %zu", rule.most, count);
    if (count < rule.least)
        return error_new(ERROR_INVALID, "requires at least %zu arg(s), only received %zu",
                         rule.least, count);
    if (count > rule.most)
        return error_new(ERROR_INVALID, "accepts at most %zu arg(s), received %zu", rule.most,
                         count);
    return NULL;
}

static const char *environment(const char *name)
{
    return getenv(name);
}

/* Takes out of the words what is not an option that is known, for a command that understands the
 * rest by itself. */
static struct strs dispatch_keep_known(struct cli *cli, struct strs words, struct strs *others)
{
    struct arena *arena = cli->arena;
    const struct option *const *own = cli->command->options;
    str *known = ARENA_ARRAY(arena, str, words.len + 1);
    str *rest = ARENA_ARRAY(arena, str, words.len + 1);
    size_t known_count = 0, rest_count = 0;

    for (size_t i = 0; i < words.len; i++) {
        str word = words.items[i];
        bool is_known = false;
        size_t taken = word.len > 1 && word.ptr[0] == '-'
                           ? option_words_taken(global_tables, word, &is_known)
                           : 0;
        if (!is_known && own && word.len > 1 && word.ptr[0] == '-')
            taken = option_words_taken(own, word, &is_known);
        if (!is_known) {
            rest[rest_count++] = word;
            continue;
        }
        known[known_count++] = word;
        for (; taken && i + 1 < words.len; taken--)
            known[known_count++] = words.items[++i];
    }
    *others = (struct strs){ rest, rest_count };
    return (struct strs){ known, known_count };
}

static fallible dispatch_parse(struct cli *cli, struct strs words, void **args)
{
    const struct command *command = cli->command;
    *args = arena_alloc(cli->arena, command && command->args_size ? command->args_size : 1);

    struct option_group groups[] = {
        { command && command->options ? command->options : no_tables, *args },
        { command ? global_tables : root_tables, &cli->globals },
    };
    struct parsed_line line;
    struct strs others = { 0 };
    bool takes_any = command && command->needs & (TAKES_ANY_OPTION | TAKES_RAW_WORDS);
    if (command && command->needs & TAKES_RAW_WORDS) {
        others = words;
        words.len = 0;
    } else if (takes_any) {
        words = dispatch_keep_known(cli, words, &others);
    }
    TRY(options_parse(cli->arena, groups, 2, words, environment, &line));
    cli->operands = takes_any ? others : line.operands;
    cli->given = line.given;
    if (cli->globals.help || cli->globals.version)
        return NULL;
    TRY(dispatch_check_operands(cli));
    for (const char *const *set = command ? command->exclusive : NULL; set && *set; set++)
        TRY(options_check_exclusive(*set, cli->given));
    return NULL;
}

struct call {
    struct cli *cli;
    void *args;
    struct error *failure;
};

static void run_on_loop(void *call_)
{
    struct call *call = call_;

    call->failure = cli_open(call->cli, call->args);
    if (!call->failure)
        call->failure = call->cli->command->run(call->cli, call->args);
    cli_close(call->cli);
}

static struct log_flags cli_log_flags(const struct cli *cli)
{
    return (struct log_flags){ cli->globals.verbosity, cli->globals.logs_to_stderr };
}

static void report_missing_log(const struct cli *cli)
{
    struct log_flags flags = cli_log_flags(cli);

    if (flags.verbosity > 0 && !flags.to_stderr && !cli->log_file.len)
        cli_report(cli, "warning",
                   STR("-v has no effect: its log file cannot be created; TMPDIR names the folder, "
                       "--logtostderr needs none"));
}

struct strs cli_plugin_flags(const struct cli *cli)
{
    enum { MOST = 2 };
    str *flags = ARENA_ARRAY(cli->arena, str, MOST);
    size_t count =
        cli->globals.logs_flow ? log_flags_pass(cli_log_flags(cli), cli->arena, flags) : 0;

    return (struct strs){ flags, count };
}

/* What "file:PATH" and "file://PATH" name; false if it is something else. */
static bool trace_path(str url, str *path)
{
    *path = str_slice(url, strlen("file:"), url.len);
    if (str_starts_with(*path, STR("//")))
        *path = str_slice(*path, 2, path->len);
    return str_starts_with(url, STR("file:")) && path->len > 0;
}

static fallible open_spans(struct cli *cli)
{
    str command = arena_printf(cli->arena, "pulumi %s", cli->command->path);
    str otel = cli->globals.otel_traces, other = cli->globals.tracing, path;

    if (otel.len && !trace_path(otel, &path))
        return error_new(ERROR_INVALID,
                         "--otel-traces '" STR_FMT "' is not supported: expected file://PATH",
                         STR_ARG(otel));
    if (otel.len)
        TRY(span_open(path, command));
    if (other.len && trace_path(other, &path))
        return span_open(path, command);
    if (other.len)
        cli_report(cli, "warning",
                   arena_printf(cli->arena,
                                "--tracing '" STR_FMT "' has no effect here: expected file:PATH",
                                STR_ARG(other)));
    return NULL;
}

static void warn_of_exhaustion(size_t waiting)
{
    fprintf(stderr,
            "warning: too much is under way at once; %zu tasks wait until others have ended\n",
            waiting);
}

static fallible dispatch_run(struct cli *cli, struct strs words)
{
    struct call call = { .cli = cli };
    struct strs rest;

    cli->command = find_command(cli->arena, words, &rest);
    TRY(dispatch_parse(cli, rest, &call.args));
    if (cli->globals.version) {
        puts(PULUMI_VERSION);
        return NULL;
    }
    if (cli->globals.help || !cli->command || !cli->command->run) {
        help_print(cli->command);
        return cli->globals.help ? NULL : error_reported("a command is missing");
    }
    cli->log_file = log_flags_open(cli_log_flags(cli), "pulumi", cli->arena);
    log_info("command", "%s, version %s", cli->command->path, PULUMI_VERSION);
    TRY(terminal_detect(cli->globals.color, cli->globals.non_interactive, &cli->terminal));
    report_missing_log(cli);
    if (cli->globals.directory.len && chdir(arena_cstr(cli->arena, cli->globals.directory)) < 0)
        return input_not_opened("chdir", cli->globals.directory);
    idle_options_report(cli);
    if (cli->command->check)
        TRY(cli->command->check(cli, call.args));
    if (!cli->command->needs)
        return cli->command->run(cli, call.args);
    TRY(open_spans(cli));
    TRY(trace_open(settings_text("CULUMI_TRACE")));
    scheduler_set_seed(
        settings_number("CULUMI_SEED", 0)); /* another order of what is ready, for tests */
    scheduler_on_exhaustion(warn_of_exhaustion);
    if (!settings_bool("CULUMI_KEEP_DAEMONS"))
        process_guard_enable();
    struct error *failure = scheduler_run(run_on_loop, &call);
    failure = error_join(failure, call.failure);
    return error_join(failure, span_close(failure != NULL));
}

/* A display that could not be written left its mark on the stream. */
static fallible output_finish(void)
{
    if (fflush(stdout) != 0)
        return error_os("write the output");
    return ferror(stdout) ? error_new(ERROR_OTHER, "the output could not be written in full")
                          : NULL;
}

int cli_main(struct arena *arena, struct strs words)
{
    struct cli cli = { .arena = arena };
    struct error *failure = dispatch_run(&cli, words);

    failure = error_join(failure, output_finish());
    log_info("command", "%s", failure ? "failed" : "done");
    if (cli.log_file.len)
        fprintf(stderr, "The log file for this run is at " STR_FMT "\n", STR_ARG(cli.log_file));
    if (!failure)
        return 0;
    int code = error_exit_code(failure);
    if (!error_is_reported(failure))
        cli_report(&cli, "error", error_message(failure));
    error_free(failure);
    return code ? code : 1;
}
