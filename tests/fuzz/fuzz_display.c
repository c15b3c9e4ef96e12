/* fuzz_display.c — event logs of any content, shown by every view. What a terminal gets has no
 * control characters but our own, JSON is JSON, and messages show no secret of the configuration.
 * The first byte chooses the view, the next two its options. */
#include "fuzz/fuzz_support.h"

#include "base/clock.h"
#include "base/json.h"
#include "display/event_read.h"
#include "display/view.h"

enum { IS_JSON = 4 }; /* views from there on */

static const char secret_text[] = "hunter2hunter2";

static struct view *choose_view(struct arena *arena, unsigned choice)
{
    static struct view *(*const views[])(struct arena *) = {
        view_lines_new,       view_tree_new,         view_watch_new,        view_diff_new,
        view_json_events_new, view_json_preview_new, view_json_summary_new,
    };

    return views[choice % (sizeof(views) / sizeof(views[0]))](arena);
}

static struct display_options choose_options(unsigned bits)
{
    return (struct display_options){
        .is_terminal = true,
        .color = bits & 1 ? COLOR_ALWAYS : COLOR_NEVER,
        .is_interactive = bits & 2,
        .is_preview = bits & 4,
        .is_refresh = bits & 8,
        .is_details = bits & 16,
        .uses_emoji = bits & 32,
        .shows_config = bits & 64,
        .shows_replacement_steps = bits & 128,
        .shows_sames = bits & 256,
        .shows_reads = bits & 512,
        .shows_policy_remediations = bits & 1024,
        .shows_full_output = bits & 4096,
        .shows_urns = bits & 8192,
        .shows_debug = bits & 16384,
        .suppresses_outputs = bits & 32768,
        .label = "Updating",
        .stack = STR("dev"),
        .stack_name = STR("dev"),
        .project = STR("web"),
    };
}

static void show_event(struct view *view, const struct event *event)
{
    view->ops->event(view, event, 1, 2);
    if (view->ops->tick)
        view->ops->tick(view);
}

/* A whole message: names, and parts of a text, may spell what is a secret elsewhere. */
static bool is_message(const struct event *event)
{
    return event->kind == EVENT_DIAGNOSTIC && event->diagnostic.stream_id == 0
           && str_find(event->diagnostic.urn, str_from(secret_text)) == SIZE_MAX;
}

/* Lines that are no events are left out; the last event ends it. Was all of it messages? */
static bool show_lines(struct arena *arena, struct view *view, str text)
{
    const struct event last = { .kind = EVENT_CANCEL };
    bool is_said = true;
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        struct event event;
        bool is_known;
        if (fuzz_accepts(event_read(arena, line, &event, &is_known)) && is_known
            && event.kind != EVENT_CANCEL) {
            is_said = is_said && is_message(&event);
            show_event(view, &event);
        }
    }
    view->ops->event(view, &last, 1, 2);
    if (view->ops->finish)
        view->ops->finish(view);
    return is_said;
}

/* Our own sequences colour, move the cursor and erase. */
static size_t skip_sequence(str text, size_t at)
{
    REQUIRE(at + 2 < text.len && text.ptr[at + 1] == '[');
    at += 2;
    while (at < text.len && strchr("0123456789;?", text.ptr[at]))
        at++;
    REQUIRE(at < text.len && strchr("ABCDGHJKmhl", text.ptr[at]));
    return at;
}

static void check_shown(str text)
{
    REQUIRE(str_is_utf8(text));
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == 0x1b)
            i = skip_sequence(text, i);
        else
            REQUIRE((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t' || c == '\r');
        REQUIRE(c != 0xc2 || (unsigned char)text.ptr[i + 1] >= 0xa0);
    }
}

static void check_json(struct arena *arena, str text)
{
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, arena, text);
    REQUIRE(json_skip(&reader, NULL) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    struct secret secret = secret_hide(str_from(secret_text));
    char *shown = NULL;
    size_t len = 0;

    unsigned choice = fuzz_choice(&input, 7), bits = fuzz_choice(&input, 256);
    bits |= fuzz_choice(&input, 256) << 8;
    struct display_options options = choose_options(bits);
    struct view *view = choose_view(&arena, choice);
    clock_fake(NS_PER_S);
    options.out = open_memstream(&shown, &len);
    options.secrets = (struct secret_list){ &secret, 1 };
    options.shows_secrets = bits & 2048 && choice < IS_JSON; /* a log does not know their texts */
    view->options = &options;
    view->arena = &arena;
    view->mask = mask_new(&arena, options.secrets);
    bool is_said = show_lines(&arena, view, input);
    REQUIRE(fclose(options.out) == 0);
    REQUIRE(!is_said || str_find((str){ shown, len }, str_from(secret_text)) == SIZE_MAX);
    if (choice < IS_JSON)
        check_shown((str){ shown, len });
    else if (len)
        check_json(&arena, (str){ shown, len });
    free(shown);
    return 0;
}
