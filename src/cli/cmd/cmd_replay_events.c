/* cmd_replay_events.c — the hidden `replay-events`: shows an event log as the operation itself was
 * shown. */
#include "cli/open.h"
#include "cli/screen/input.h"

#include "base/duration.h"
#include "display/display.h"
#include "display/event_read.h"
#include "fiber/fiber.h"
#include "model/urn.h"

struct replay_args {
    bool is_preview, debug, diff, json;
    bool show_config, show_reads, show_replacement_steps, show_sames;
    bool suppress_outputs, suppress_progress;
    str delay, period;
};

static const struct option options[] = {
    FLAG(struct replay_args, is_preview, 'p', "preview", "The events are those of a preview"),
    FLAG(struct replay_args, debug, 'd', "debug", "Show debug messages"),
    FLAG(struct replay_args, diff, 0, "diff", "Show the changes in detail"),
    FLAG(struct replay_args, json, 'j', "json", "Print JSON"),
    FLAG(struct replay_args, show_config, 0, "show-config", "Show the configuration"),
    FLAG(struct replay_args, show_reads, 0, "show-reads", "Show resources that are only read"),
    FLAG(struct replay_args, show_replacement_steps, 0, "show-replacement-steps",
         "Show each step of a replacement"),
    FLAG(struct replay_args, show_sames, 0, "show-sames", "Show resources that do not change"),
    FLAG(struct replay_args, suppress_outputs, 0, "suppress-outputs",
         "Do not show the outputs of the stack"),
    FLAG(struct replay_args, suppress_progress, 0, "suppress-progress",
         "Do not show that something is still going on"),
    TEXT_PRESET(struct replay_args, delay, 0, "delay", "0s", "How long to wait before the first"),
    TEXT_PRESET(struct replay_args, period, 0, "period", "0s", "How long to wait between events"),
    { 0 },
};

static const struct replay_kind {
    const char *name;
    const char *labels[2]; /* of the operation, of its preview */
} replay_kinds[] = {
    { "update", { "Updating", "Previewing update" } },
    { "refresh", { "Refreshing", "Previewing refresh" } },
    { "destroy", { "Destroying", "Previewing destroy" } },
    { "import", { "Importing", "Previewing import" } },
};

static fallible replay_find_kind(str name, const struct replay_kind **out)
{
    for (size_t i = 0; i < sizeof(replay_kinds) / sizeof(*replay_kinds); i++) {
        *out = &replay_kinds[i];
        if (str_equal(name, str_from(replay_kinds[i].name)))
            return NULL;
    }
    return error_new(ERROR_INVALID,
                     "unknown kind of operation '" STR_FMT
                     "': it is update, refresh, destroy or import",
                     STR_ARG(name));
}

static fallible replay_wait(str duration, const char *option)
{
    const double longest = 3600.0 * 24 * 365;
    double seconds;

    if (!duration_parse(duration, &seconds) || !(seconds >= 0 && seconds <= longest))
        return error_new(ERROR_INVALID, "--%s '" STR_FMT "' is no duration, such as 200ms or 1m",
                         option, STR_ARG(duration));
    return seconds > 0 ? fiber_sleep_ms((uint64_t)(seconds * 1000)) : NULL;
}

/* Events are read one after the other; those that are shown share the life of all. */
struct replay {
    struct cli *cli;
    const struct replay_args *args;
    struct display *display;
};

static bool replay_is_internal(const struct event_step *step)
{
    str name = urn_name_of(step->urn);

    return type_is_provider(step->type)
           && (str_equal(name, STR("default")) || str_starts_with(name, STR("default_")));
}

static fallible replay_lines(struct replay *replay, str text)
{
    size_t number = 0;
    str line;

    while (text.len) {
        struct event event;
        bool is_known;
        line = text;
        if (!str_cut(text, STR("\n"), &line, &text))
            text = STR("");
        number++;
        if (!str_trim(line).len)
            continue;
        TRY(error_wrap(event_read(replay->cli->arena, line, &event, &is_known), "event %zu",
                       number));
        if (!is_known)
            continue; /* of a newer version */
        /* The log has default providers too, which displays leave out. */
        if (event.kind <= EVENT_RESOURCE_FAILED && event.kind >= EVENT_RESOURCE_PRE)
            event.is_internal = replay_is_internal(&event.resource.step);
        display_event(replay->display, &event);
        TRY(replay_wait(replay->args->period, "period"));
    }
    return NULL;
}

static enum display_view replay_view(const struct replay_args *args)
{
    if (args->json)
        return args->is_preview ? VIEW_JSON_PREVIEW : VIEW_JSON_EVENTS;
    return args->diff ? VIEW_DIFF : VIEW_PROGRESS;
}

static struct error *cmd_replay_events_run(struct cli *cli, const void *args_)
{
    const struct replay_args *args = args_;
    struct replay replay = { .cli = cli, .args = args };
    const struct replay_kind *kind;
    str text;

    TRY(replay_find_kind(cli_operand(cli, 0), &kind));
    TRY(error_wrap(input_read(cli->arena, cli_operand(cli, 1), INPUT_STATE_LIMIT, &text),
                   "reading events"));
    TRY(replay_wait(args->delay, "delay"));
    const struct display_options shown = {
        .view = replay_view(args),
        .color = cli->terminal.color,
        .is_interactive = cli->terminal.is_interactive,
        .is_terminal = cli->terminal.is_terminal,
        .is_preview = args->is_preview,
        .is_refresh = strcmp(kind->name, "refresh") == 0,
        .label = kind->labels[args->is_preview],
        .skips_headline = true,
        .stack = STR("replay"),
        .stack_name = STR("replay"),
        .uses_emoji = cli->globals.emoji,
        .shows_config = args->show_config,
        .shows_reads = args->show_reads,
        .shows_replacement_steps = args->show_replacement_steps,
        .shows_sames = args->show_sames,
        .shows_debug = args->debug,
        .suppresses_outputs = args->suppress_outputs,
        .suppresses_progress = args->suppress_progress,
    };
    TRY(display_open(&shown, &replay.display));
    struct error *failure = replay_lines(&replay, text);
    return error_join(failure, display_close(replay.display));
}

const struct command cmd_replay_events = {
    .path = "replay-events",
    .operands = "KIND FILE",
    .summary = "Show an event log as its operation was shown",
    .details = "KIND is update, refresh, destroy or import; FILE is what --event-log wrote.",
    .example = "replay-events update events.json\nreplay-events update events.json --diff",
    .is_hidden = true,
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct replay_args),
    .options = OPTIONS(options),
    .run = cmd_replay_events_run,
};
