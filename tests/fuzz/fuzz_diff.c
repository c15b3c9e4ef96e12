/* fuzz_diff.c — two objects, and what a provider says of their difference. Equal objects do not
 * differ; every path of a difference can be read, and they are sorted; whatever is said, the change
 * can be shown. The objects in JSON and a DiffResponse, parted by NUL bytes. */
#include "fuzz/fuzz_support.h"

#include "display/detailed_diff.h"
#include "display/diff_summary.h"
#include "model/value_json.h"
#include "plugin/provider/provider_values.h"
#include "proto/message.h"

static bool read_object(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    json_reader_init(&reader, arena, text);
    return fuzz_accepts(value_read(&reader, out)) && out->kind == VALUE_OBJECT;
}

/* Those of the engine's own comparison. */
static struct property_diffs check_diffs(struct arena *arena, struct value old, struct value new)
{
    struct property_diffs diffs = value_diff_all(arena, old, new);

    for (size_t i = 0; i < diffs.len; i++)
        REQUIRE(i == 0 || str_compare(diffs.items[i - 1].path, diffs.items[i].path) <= 0);
    REQUIRE(value_diff(arena, old, old).len == 0 && value_diff_all(arena, new, new).len == 0);
    REQUIRE(diffs.len == value_diff_all(arena, new, old).len);
    REQUIRE(value_diff(arena, old, new).len <= diffs.len);
    REQUIRE(diffs.len == 0 || !value_equal(old, new));
    return diffs;
}

static bool read_answer(struct arena *arena, str bytes, struct event_step *step)
{
    struct diff_answer answer;
    void *message;

    if (!fuzz_accepts(message_unpack(arena, &pb__diff_response__descriptor, bytes, &message)))
        return false;
    provider_read_diff(arena, message, &answer);
    step->keys = answer.replace_keys;
    step->diffs = answer.changed_keys;
    step->has_detailed_diff = answer.has_detailed_diff;
    step->detailed_diff = answer.detailed_diff;
    return true;
}

/* What others said is without control characters only at the terminal; here it must be text. */
static void show_step(struct arena *arena, const struct event_step *step, unsigned flags)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct property_printer printer = {
        .out = &out,
        .op = step->op,
        .has_mark = flags & 1,
        .shows_secrets = flags & 2,
        .truncates = flags & 4,
        .matches_lists = flags & 8,
        .hides_sames = flags & 16,
    };
    struct diff_node *root = detailed_diff_build(arena, (struct mask){ 0 }, step, flags & 32);

    detailed_diff_print(&printer, root);
    property_print_change(&printer, step->old->inputs, step->new->inputs,
                          flags & 64 ? &step->diffs : NULL);
    property_print_object(&printer, step->new->inputs);
    diff_summary(arena, step);
    replacement_reason(arena, step);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    struct resource old = { .outputs = VALUE_EMPTY_OBJECT },
                    new = { .outputs = VALUE_EMPTY_OBJECT };
    struct event_step step = { .op = OP_UPDATE, .old = &old, .new = &new };
    unsigned flags = fuzz_choice(&input, 128);

    if (!read_object(&arena, fuzz_part(&input), &old.inputs)
        || !read_object(&arena, fuzz_part(&input), &new.inputs))
        return 0;
    old.outputs = old.inputs;
    step.has_detailed_diff = true;
    step.detailed_diff = check_diffs(&arena, old.inputs, new.inputs);
    show_step(&arena, &step, flags);
    if (read_answer(&arena, input, &step))
        show_step(&arena, &step, flags);
    return 0;
}
