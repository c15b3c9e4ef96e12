/* cmd_events_filter.c — the hidden `events` and `events filter`: an event log without what is not
 * about changes. */
#include "cli/cli.h"
#include "cli/screen/input.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "model/value_json.h"
#include "model/value_ops.h"

#include <stdio.h>

const struct command cmd_events = {
    .path = "events",
    .summary = "Work with event logs",
    .example = "events filter --changes-only < events.json",
    .is_hidden = true,
};

struct filter_args {
    bool changes_only;
};

static const struct option options[] = {
    FLAG(struct filter_args, changes_only, 0, "changes-only",
         "Leave out steps that change nothing, and properties that do not change"),
    { 0 },
};

static const struct value *filter_find(struct value object, str key)
{
    return object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;
}

static bool filter_differs(const void *other, struct member member)
{
    const struct value *twin = filter_find(*(const struct value *)other, member.key);

    return !twin || !value_identical(member.value, *twin);
}

/* One of the two, without the members that are the same in both. */
static struct value filter_changed(struct arena *arena, struct value own, struct value other)
{
    return own.kind == VALUE_OBJECT ? value_keep(arena, own, filter_differs, &other) : own;
}

static struct value filter_state(struct arena *arena, struct value state, struct value other)
{
    static const char *const keys[] = { "inputs", "outputs" };

    for (size_t i = 0; state.kind == VALUE_OBJECT && i < 2; i++) {
        const struct value *own = filter_find(state, str_from(keys[i]));
        const struct value *twin = filter_find(other, str_from(keys[i]));
        if (own && twin)
            state = value_with(arena, state, str_from(keys[i]), filter_changed(arena, *own, *twin));
    }
    return state;
}

/* A step of the event, cut down. False: it changes nothing. */
static bool filter_step(struct arena *arena, str key, struct value *document)
{
    const struct value *body = filter_find(*document, key);
    const struct value *meta = body ? filter_find(*body, STR("metadata")) : NULL;

    if (!meta)
        return true;
    if (str_equal(value_find_text(*meta, STR("op")), STR("same")))
        return false;
    const struct value *old = filter_find(*meta, STR("old")), *new = filter_find(*meta, STR("new"));
    if (!old || !new)
        return true;
    struct value cut = value_with(arena, *meta, STR("old"), filter_state(arena, *old, *new));
    cut = value_with(arena, cut, STR("new"), filter_state(arena, *new, *old));
    *document = value_with(arena, *document, key, value_with(arena, *body, STR("metadata"), cut));
    return true;
}

static fallible filter_line(str line, bool *is_kept)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct json_reader reader;
    struct value document;

    json_reader_init(&reader, &arena, line);
    struct error *failure = value_read_plain(&reader, &document);
    json_reader_release(&reader);
    TRY(failure);
    *is_kept = filter_step(&arena, STR("resourcePreEvent"), &document)
               && filter_step(&arena, STR("resOutputsEvent"), &document);
    if (!*is_kept)
        return NULL;
    value_write(&writer, document, SECRET_BARE);
    printf("%s\n", text.ptr);
    return NULL;
}

static struct error *cmd_events_filter_run(struct cli *cli, const void *args_)
{
    const struct filter_args *args = args_;
    str text, line;
    size_t number = 0;

    TRY(input_read(cli->arena, STR(""), INPUT_STATE_LIMIT, &text));
    if (!args->changes_only) {
        fwrite(text.ptr, 1, text.len, stdout);
        return NULL;
    }
    while (text.len) {
        bool is_kept;
        line = text;
        if (!str_cut(text, STR("\n"), &line, &text))
            text = STR("");
        number++;
        if (str_trim(line).len)
            TRY(error_wrap(filter_line(line, &is_kept), "event %zu", number));
    }
    return NULL;
}

const struct command cmd_events_filter = {
    .path = "events filter",
    .summary = "Read events and write those that matter",
    .details = "Reads standard input and writes standard output, a JSON object a line.",
    .example = "events filter --changes-only < events.json",
    .is_hidden = true,
    .args_size = sizeof(struct filter_args),
    .options = OPTIONS(options),
    .run = cmd_events_filter_run,
};
