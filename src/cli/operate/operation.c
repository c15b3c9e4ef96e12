/* operation.c — the phases of an operation: preview, question, run under the lock with a journal,
 * history. */
#include "cli/operate/operation_setup.h"

#include "backend/update.h"
#include "base/clock.h"
#include "base/console.h"
#include "base/exit_codes.h"
#include "base/keyboard.h"
#include "base/program.h"
#include "base/settings.h"
#include "cli/screen/input.h"
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/screen/prompt.h"
#include "cli/stack/state.h"
#include "display/display.h"
#include "display/report.h"
#include "fiber/signals.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Who wants no preview has approved, too. */
static bool is_approved(const struct operation_args *args)
{
    return args->yes || args->skip_preview || settings_bool("PULUMI_SKIP_CONFIRMATIONS");
}

fallible operation_check_approval(const struct cli *cli, const struct operation_args *args,
                                  int exit_code)
{
    str project;

    if (args->skip_preview && args->preview_only)
        return error_new(ERROR_INVALID,
                         "--skip-preview and --preview-only cannot be used together");
    if (args->yes && args->preview_only)
        return error_new(ERROR_INVALID, "--yes and --preview-only cannot be used together");
    if (cli->terminal.is_interactive || is_approved(args) || args->preview_only)
        return NULL;
    /* Who has no project either is told that first. */
    if (cli->command->needs & NEEDS_PROJECT && !cli->operands.len)
        TRY(cli_find_project(cli, &project));
    return error_with_exit_code(
        error_new(ERROR_INVALID, "--yes or --skip-preview or --preview-only must be passed in "
                                 "to proceed when running in non-interactive mode"),
        exit_code);
}

/* Somebody is there, and did not approve in advance. */
static bool is_asked(const struct operation *operation)
{
    return operation->cli->terminal.is_interactive && !is_approved(operation->args);
}

/* --- what is shown --- */

const struct operation_words *operation_words(enum operation_kind kind)
{
    static const struct operation_words words[OPERATION_KINDS] = {
        [OPERATION_UPDATE] = { STR_INIT("update"), STR_INIT("update"), "Updating",
                               "Previewing update" },
        [OPERATION_REFRESH] = { STR_INIT("refresh"), STR_INIT("refresh"), "Refreshing",
                                "Previewing refresh" },
        [OPERATION_DESTROY] = { STR_INIT("destroy"), STR_INIT("destroy"), "Destroying",
                                "Previewing destroy" },
        [OPERATION_IMPORT] = { STR_INIT("import"), STR_INIT("resource-import"), "Importing",
                               "Previewing import" },
    };

    BUG_IF(!words[kind].doing);
    return &words[kind];
}

static fallible choose_view(const struct operation_args *args, bool is_preview,
                            enum display_view *out)
{
    bool is_json;

    TRY(output_is_json(args->output, false, &is_json));
    *out = args->is_watch ? VIEW_WATCH : VIEW_PROGRESS;
    if (is_json)
        *out = VIEW_JSON_SUMMARY;
    else if (args->json)
        *out = is_preview && !settings_bool("PULUMI_ENABLE_STREAMING_JSON_PREVIEW")
                   ? VIEW_JSON_PREVIEW
                   : VIEW_JSON_EVENTS;
    else if (args->diff)
        *out = VIEW_DIFF;
    return NULL;
}

static struct display_options describe_display(struct operation *operation, bool is_preview)
{
    const struct operation_args *args = operation->args;
    struct cli *cli = operation->cli;
    const struct operation_words *words = operation_words(operation->plan->kind);

    return (struct display_options){
        .color = cli->terminal.color,
        .is_interactive = cli->terminal.is_interactive,
        .is_terminal = cli->terminal.is_terminal,
        .is_preview = is_preview,
        .is_refresh = operation->plan->kind == OPERATION_REFRESH,
        .label = is_preview ? words->previewing : words->doing,
        .stack = cli_stack_name(cli, cli->stack),
        .stack_name = cli->stack.name,
        .project = cli->stack.project,
        .uses_emoji = cli->globals.emoji,
        .shows_config = args->show_config,
        .shows_replacement_steps = args->show_replacement_steps,
        .shows_sames = args->show_sames,
        .shows_reads = args->show_reads,
        .shows_policy_remediations = args->show_policy_remediations,
        .shows_secrets = args->show_secrets,
        .shows_full_output = args->show_full_output,
        .shows_urns = args->urns,
        .shows_debug = args->debug,
        .suppresses_outputs = args->suppress_outputs,
        .suppresses_progress = args->suppress_progress,
        .event_log = args->event_log,
        .permalink = operation->update ? operation->update->permalink : STR(""),
        .secrets = operation->secret_texts,
        .expected = is_preview ? 0 : operation->expected,
    };
}

static void relay_event(void *operation_, str event)
{
    const struct operation *operation = operation_;

    update_add_event(operation->update, event);
}

static fallible open_display(struct operation *operation, bool is_preview, struct display **out)
{
    struct display_options options = describe_display(operation, is_preview);

    if (operation->update) {
        options.relay = relay_event;
        options.relay_context = operation;
    }
    TRY(choose_view(operation->args, is_preview, &options.view));
    return display_open(&options, out);
}

/* Who will be asked may want to see the details of the preview: a second display keeps them. */
static fallible open_details(struct operation *operation, struct display **out)
{
    struct display_options options = describe_display(operation, true);

    *out = NULL;
    if (!is_asked(operation) || operation->plan->only_previews)
        return NULL;
    free(operation->details);
    operation->details_file = open_memstream(&operation->details, &operation->details_len);
    if (!operation->details_file)
        return error_os("keep the details of the preview");
    options.view = VIEW_DIFF;
    options.is_details = true;
    options.shows_full_output = true;
    options.event_log = STR("");
    options.out = operation->details_file;
    return display_open(&options, out);
}

static fallible close_details(struct operation *operation, struct display *details)
{
    if (!details)
        return NULL;
    struct error *failure = display_close(details);
    fclose(operation->details_file);
    return failure;
}

/* --- signals --- */

/* What a ^C means while the engine runs. */
struct interrupts {
    struct display *display;
    bool is_preview;
    unsigned count;
};

static void operation_on_signal(int number, void *interrupts_)
{
    struct interrupts *interrupts = interrupts_;
    const char *name = number == SIGTERM ? "SIGTERM" : number == SIGHUP ? "SIGHUP" : "^C";
    const char *verb = number == SIGINT ? "press" : "send";
    char text[400];

    interrupts->count++;
    if (interrupts->count == 1)
        snprintf(text, sizeof(text),
                 "%s received; cancelling. If you would like to terminate immediately, %s %s "
                 "again.\n%s",
                 name, verb, name,
                 interrupts->is_preview ? ""
                                        : "Note that terminating immediately may lead to orphaned "
                                          "resources and other inconsistencies.\n");
    else
        snprintf(text, sizeof(text), "%s received; terminating\n", name);
    if (interrupts->count <= 2) {
        struct event event = { .kind = EVENT_STDOUT, .stdout_text = str_from(text) };
        display_event(interrupts->display, &event);
        engine_interrupt();
    }
}

/* Under the lock signals are held back; while the engine runs they cancel it. One that came before
 * does so at once. */
static fallible watch_signals(struct interrupts *interrupts)
{
    TRY(signals_watch_endings(operation_on_signal, interrupts));
    if (!interrupts->is_preview)
        signals_let();
    return NULL;
}

static fallible unwatch_signals(const struct interrupts *interrupts)
{
    if (!interrupts->is_preview)
        signals_hold();
    return signals_watch_endings(NULL, NULL);
}

/* --- one phase --- */

static fallible load_state(struct operation *operation, struct engine_options *options,
                           struct snapshot *snapshot)
{
    struct cli *cli = operation->cli;
    struct secrets *state_secrets;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, snapshot, &has_deployment));
    TRY(state_verify(cli, snapshot));
    TRY(cli_state_secrets(cli, snapshot, &state_secrets));
    if (state_secrets && snapshot_has_secrets(snapshot))
        TRY(error_wrap(secrets_verify(state_secrets),
                       "getting stack configuration: get stack secrets manager"));
    bool is_same = secrets_is_same(state_secrets, operation->config_secrets);
    operation->has_compared_keys = true;
    operation->changes_key = state_secrets && !is_same;
    options->state.snapshot = snapshot;
    options->state.old_crypter =
        secrets_crypter(is_same ? operation->config_secrets : state_secrets);
    return NULL;
}

/* Where events go: to the display, and in a preview maybe into an import file. */
struct listeners {
    struct display *display;
    struct display *details; /* NULL: nobody will ask */
    struct report *report;   /* NULL: none */
    struct import_skeleton *skeleton;
};

static void hear(void *listeners_, const struct event *event)
{
    struct listeners *listeners = listeners_;

    display_event(listeners->display, event);
    if (listeners->details)
        display_event(listeners->details, event);
    if (listeners->report)
        report_event(listeners->report, event);
    if (listeners->skeleton)
        import_skeleton_take(listeners->skeleton, event);
}

static fallible run_interruptible(struct operation *operation, struct engine_options *options,
                                  struct interrupts *interrupts, struct engine_result *result)
{
    TRY(watch_signals(interrupts));
    struct error *failure = engine_run(options, operation->cli->arena, result);
    return error_join(failure, unwatch_signals(interrupts));
}

static fallible run_recorded(struct operation *operation, struct engine_options *options,
                             struct interrupts *interrupts, struct engine_result *result)
{
    if (!operation->report)
        return run_interruptible(operation, options, interrupts, result);
    report_begin(operation->report, operation->secret_texts);
    struct error *failure = run_interruptible(operation, options, interrupts, result);
    report_end(operation->report);
    return failure;
}

/* Runs the engine with the display attached. */
static fallible run_engine(struct operation *operation, struct engine_options *options,
                           struct engine_result *result)
{
    struct interrupts interrupts = { .is_preview = options->preview };

    TRY(open_display(operation, options->preview, &interrupts.display));
    struct listeners listeners = { interrupts.display, NULL, operation->report,
                                   options->preview ? operation->skeleton : NULL };
    options->sink = hear;
    options->sink_context = &listeners;
    struct error *failure = NULL;
    if (options->preview)
        failure = open_details(operation, &listeners.details);
    if (!failure)
        failure = run_recorded(operation, options, &interrupts, result);
    failure = error_join(failure, close_details(operation, listeners.details));
    failure = error_join(failure, display_close(interrupts.display));
    operation->was_interrupted |= interrupts.count > 0;
    if (interrupts.count >= 2) {
        str noun = options->preview ? STR("preview") : operation_words(operation->plan->kind)->noun;
        struct error *canceled = error_new(ERROR_CANCELED, STR_FMT " cancelled", STR_ARG(noun));
        return error_join(error_with_exit_code(canceled, EXIT_TERMINATED), failure);
    }
    return failure;
}

/* Nothing is written if the preview failed. */
static fallible save_skeleton(struct operation *operation, struct error *failure)
{
    struct import_skeleton *skeleton = operation->skeleton;
    str text;

    if (!skeleton)
        return failure;
    if (!failure)
        failure = import_skeleton_text(skeleton, secrets_crypter(operation->config_secrets),
                                       operation->cli->arena, &text);
    if (!failure)
        failure = output_write(operation->args->import_file, text);
    import_skeleton_release(skeleton);
    return failure;
}

static fallible save_plan(struct operation *operation, const struct engine_result *result)
{
    str path = operation->args->save_plan;

    if (!path.len || (operation->args->expect_no_changes && result->has_changes))
        return NULL;
    TRY(output_write(path, result->plan));
    fprintf(stderr,
            "Update plan written to '" STR_FMT "'\nRun `%s up --plan='" STR_FMT
            "'` to constrain the update to the operations planned by this preview\n",
            STR_ARG(path), program_name(), STR_ARG(path));
    return NULL;
}

static fallible run_preview(struct operation *operation, struct engine_options *options,
                            struct engine_result *result)
{
    struct snapshot snapshot;

    TRY(operation_take_packs(operation, options));
    TRY(load_state(operation, options, &snapshot));
    if (operation->args->import_file.len)
        operation->skeleton = import_skeleton_new(operation->cli->arena);
    TRY(save_skeleton(operation, run_engine(operation, options, result)));
    return save_plan(operation, result);
}

static fallible preview(struct operation *operation, struct engine_options *options,
                        struct engine_result *result)
{
    options->preview = true;
    options->update_plan.is_wanted = operation->args->save_plan.len || operation->args->strict;
    TRY(operation_begin(operation, true));
    return operation_end(operation, run_preview(operation, options, result));
}

/* Even a failed operation leaves a state and a history. */
static fallible operation_finish(struct operation *operation, struct journal *journal,
                                 struct engine_result *result, struct error *failure)
{
    struct cli *cli = operation->cli;

    state_stamp(cli, &result->snapshot);
    struct error *folding =
        snapshot_seal(&result->snapshot, secrets_crypter(operation->config_secrets), cli->arena);
    if (!folding)
        folding = journal_fold(journal, &result->snapshot);
    failure = error_join(failure, folding);
    /* It is saved all the same: it says what exists. */
    if (!cli->globals.skips_integrity_check)
        failure =
            error_join(failure, error_wrap(snapshot_verify(&result->snapshot),
                                           "the " STR_FMT " left a state that is not whole; "
                                           "run `%s state repair`",
                                           STR_ARG(operation_words(operation->plan->kind)->noun),
                                           program_name()));
    journal_close(journal);
    return error_join(failure, operation_record(operation, failure == NULL, result->changes));
}

struct phase {
    struct operation *operation;
    struct engine_options *options;
    struct engine_result *result;
};

static fallible run_begun(struct cli *cli, struct phase *phase)
{
    struct snapshot snapshot;
    struct journal *journal;

    TRY(operation_take_packs(phase->operation, phase->options));
    TRY(load_state(phase->operation, phase->options, &snapshot));
    TRY(journal_open(cli->backend, cli->stack, &journal));
    phase->options->state.journal = journal;
    /* What is saved at the end, if the engine does not even begin. */
    *phase->result = (struct engine_result){ .snapshot = snapshot };
    struct error *failure = run_engine(phase->operation, phase->options, phase->result);
    return operation_finish(phase->operation, journal, phase->result, failure);
}

static struct error *operation_run_locked(struct cli *cli, void *phase_)
{
    struct phase *phase = phase_;

    TRY(operation_begin(phase->operation, false));
    return operation_end(phase->operation, run_begun(cli, phase));
}

static fallible operation_update(struct operation *operation, struct engine_options *options,
                                 struct engine_result *result)
{
    struct phase phase = { operation, options, result };

    options->preview = false;
    options->update_plan.is_wanted = false;
    operation->start_time = clock_now() / NS_PER_S;
    return state_locked(operation->cli, operation->cli->stack, operation_run_locked, &phase);
}

/* --- the question in between --- */

static const char *operation_question(const struct operation *operation)
{
    const char *note = operation->plan->kind == OPERATION_REFRESH
                           ? "\nNo resources will be modified as part of this refresh; just your "
                             "stack's state will be.\n"
                           : "";

    return arena_printf(operation->cli->arena, "Do you want to perform this " STR_FMT "?%s",
                        STR_ARG(operation_words(operation->plan->kind)->noun), note)
        .ptr;
}

/* They were made for this terminal, colours and all. */
static void print_details(const struct operation *operation)
{
    console_write(stdout, (str){ operation->details, operation->details_len });
    console_write(stdout, STR("\n"));
}

static fallible operation_ask(struct operation *operation)
{
    static const char *const choices[] = { "yes", "no", "details", NULL };
    static const char *const fewer[] = { "yes", "no", NULL };
    enum { YES, NO, DETAILS };
    size_t answer = DETAILS;

    if (!is_asked(operation))
        return NULL;
    /* Control-C while the details are printed answers the question that follows them. */
    enum keyboard_mode former = keyboard_enter(KEYBOARD_KEYS);
    struct error *failure = NULL;
    while (!failure && answer == DETAILS) {
        failure = prompt_choice(operation->cli, operation_question(operation),
                                operation->details ? choices : fewer, NO, &answer);
        if (!failure && answer == DETAILS)
            print_details(operation);
    }
    keyboard_enter(former);
    if (failure)
        return error_wrap(failure, "confirmation cancelled, not proceeding with the " STR_FMT,
                          STR_ARG(operation_words(operation->plan->kind)->noun));
    if (answer == YES)
        return NULL;
    printf("confirmation declined, not proceeding with the " STR_FMT "\n",
           STR_ARG(operation_words(operation->plan->kind)->noun));
    return error_reported("confirmation declined");
}

/* Resources that the preview has counted, without the stack itself. */
static size_t resources_expected(const struct engine_result *result)
{
    int64_t sum = 0;

    for (size_t i = 0; i < STEP_OP_COUNT; i++)
        sum += result->changes[i];
    return sum > 0 ? (size_t)sum - 1 : 0;
}

static fallible run_phases(struct operation *operation, struct engine_options *options,
                           struct engine_result *result)
{
    const struct operation_args *args = operation->args;

    if (args->plan.len)
        TRY(input_read(operation->cli->arena, args->plan, INPUT_STATE_LIMIT,
                       &options->update_plan.text));
    if (operation->plan->only_previews)
        return preview(operation, options, result);
    if (!args->skip_preview)
        TRY(preview(operation, options, result));
    operation->expected = resources_expected(result);
    TRY(operation_ask(operation));
    if (args->strict && !args->plan.len)
        options->update_plan.text = result->plan;
    return operation_update(operation, options, result);
}

fallible operation_run(struct cli *cli, const struct operation_args *args,
                       const struct operation_plan *plan, struct operation_outcome *out)
{
    CLEANUP(operation_close)
    struct operation operation = { .cli = cli, .args = args, .plan = plan };
    struct engine_options options;
    struct engine_result result = { 0 };

    *out = (struct operation_outcome){ 0 };
    TRY(operation_setup(&operation));
    TRY(operation_engine_options(&operation, &options));
    TRY(operation_open_report(&operation));
    operation_watch_key(&operation, &options);
    options.shared = engine_shared_new();
    struct error *failure = run_phases(&operation, &options, &result);
    failure = error_join(failure, operation_close_report(&operation));
    engine_shared_close(options.shared);
    free(operation.details);
    out->was_interrupted = operation.was_interrupted;
    memcpy(out->changes, result.changes, sizeof(out->changes));
    out->snapshot = result.snapshot;
    TRY(failure);
    if (args->expect_no_changes && result.has_changes) {
        str what = str_equal(command_name(cli->command), STR("preview"))
                       ? STR("preview")
                       : operation_words(plan->kind)->noun;
        return error_with_exit_code(error_new(ERROR_OTHER,
                                              "no changes were expected for " STR_FMT
                                              " but changes were proposed",
                                              STR_ARG(what)),
                                    EXIT_NO_CHANGES_EXPECTED);
    }
    return NULL;
}
