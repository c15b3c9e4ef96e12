/* page_event.c — reads a line of an event log and writes what the page shows of it. */
#include "page/page_event.h"

#include "model/urn.h"
#include "model/value_json.h"
#include "page/page_value.h"

static void write_step_event(struct json_writer *writer, const struct page_event *event);
static void write_body_event(struct json_writer *writer, const struct page_event *event);

/* What the page calls each kind; others are not shown. */
static const struct page_event_kind {
    str key;
    str name;
    void (*write)(struct json_writer *writer, const struct page_event *event);
} page_event_kinds[] = {
    { STR_INIT("preludeEvent"), STR_INIT("prelude"), write_body_event },
    { STR_INIT("resourcePreEvent"), STR_INIT("pre"), write_step_event },
    { STR_INIT("resOutputsEvent"), STR_INIT("outputs"), write_step_event },
    { STR_INIT("resOpFailedEvent"), STR_INIT("failed"), write_step_event },
    { STR_INIT("diagnosticEvent"), STR_INIT("diagnostic"), write_body_event },
    { STR_INIT("stdoutEvent"), STR_INIT("stdout"), write_body_event },
    { STR_INIT("policyEvent"), STR_INIT("policy"), write_body_event },
    { STR_INIT("policyRemediationEvent"), STR_INIT("remediation"), write_body_event },
    { STR_INIT("policyAnalyzeSummaryEvent"), STR_INIT("policySummary"), write_body_event },
    { STR_INIT("policyRemediateSummaryEvent"), STR_INIT("policySummary"), write_body_event },
    { STR_INIT("policyAnalyzeStackSummaryEvent"), STR_INIT("policySummary"), write_body_event },
    { STR_INIT("summaryEvent"), STR_INIT("summary"), write_body_event },
};

static const struct page_event_kind *page_event_kind_of(str key)
{
    for (size_t i = 0; i < sizeof(page_event_kinds) / sizeof(page_event_kinds[0]); i++)
        if (str_equal(page_event_kinds[i].key, key))
            return &page_event_kinds[i];
    return NULL;
}

/* Numbers are doubles: 2^53 is more than any sequence or second. */
static bool page_event_integer(struct value object, str key, int64_t *out)
{
    const struct value *number = value_find(object, key);

    if (!number || number->kind != VALUE_NUMBER || !(number->number >= 0)
        || number->number > 9007199254740992.0 / 1024)
        return false;
    *out = (int64_t)number->number;
    return true;
}

fallible page_event_read(struct arena *arena, str line, struct page_event *out)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_token token;
    struct value object;

    json_reader_init(&reader, arena, line);
    TRY(error_wrap(value_read_plain(&reader, &object), "no event"));
    TRY(error_wrap(json_next(&reader, &token), "no event")); /* nothing may follow */
    *out = (struct page_event){ .kind = STR("") };
    if (object.kind != VALUE_OBJECT || !page_event_integer(object, STR("sequence"), &out->sequence)
        || !page_event_integer(object, STR("timestamp"), &out->timestamp))
        return error_new(ERROR_INVALID, "no event: an object with a sequence and a timestamp");
    if (out->timestamp > INT64_MAX / 1000000000)
        return error_new(ERROR_INVALID, "no event: the timestamp is too large");
    for (uint32_t i = 0; i < object.len; i++) {
        const struct member *member = &object.members[i];
        if (member->value.kind != VALUE_OBJECT || !page_event_kind_of(member->key))
            continue;
        out->kind = member->key;
        out->body = member->value;
    }
    return NULL;
}

/* --- writing --- */

static void page_event_member(struct json_writer *writer, struct value from, str key)
{
    const struct value *value = value_find(from, key);

    if (!value || value->kind == VALUE_NULL || (value->kind == VALUE_STRING && !value->len))
        return;
    json_key(writer, key);
    page_value_write_plain(writer, *value);
}

static void page_event_members(struct json_writer *writer, struct value from, const str *keys,
                               size_t len)
{
    for (size_t i = 0; i < len; i++)
        page_event_member(writer, from, keys[i]);
}

static void write_body_event(struct json_writer *writer, const struct page_event *event)
{
    static const str left_out[] = { STR_INIT("color"), STR_INIT("prefix"),
                                    STR_INIT("policyPackVersionTag") };
    const struct strs dull = { left_out, sizeof(left_out) / sizeof(left_out[0]) };

    for (uint32_t i = 0; i < event->body.len; i++)
        if (!strs_has(dull, event->body.members[i].key))
            page_event_member(writer, event->body, event->body.members[i].key);
}

/* Before a step its inputs are what matters, after it its outputs; of what stays the same nothing
 * does, but for the outputs of the stack. */
static void page_event_state(struct json_writer *writer, const struct page_event *event,
                             struct value step, str which, bool has_properties)
{
    static const str keys[] = { STR_INIT("id"), STR_INIT("parent"), STR_INIT("protect"),
                                STR_INIT("external"), STR_INIT("initErrors") };
    const struct value *state = value_find(step, which);

    if (!state || state->kind != VALUE_OBJECT)
        return;
    json_key(writer, which);
    json_begin_object(writer);
    page_event_members(writer, *state, keys, sizeof(keys) / sizeof(keys[0]));
    if (has_properties) {
        page_event_member(writer, *state, STR("inputs"));
        if (!str_equal(event->kind, STR("resourcePreEvent")))
            page_event_member(writer, *state, STR("outputs"));
    }
    json_end_object(writer);
}

static void write_step_event(struct json_writer *writer, const struct page_event *event)
{
    static const str keys[] = { STR_INIT("op"),      STR_INIT("urn"),     STR_INIT("type"),
                                STR_INIT("keys"),    STR_INIT("diffs"),   STR_INIT("detailedDiff"),
                                STR_INIT("logical"), STR_INIT("provider") };
    const struct value *step = value_find(event->body, STR("metadata"));

    page_event_member(writer, event->body, STR("planning"));
    page_event_member(writer, event->body, STR("status"));
    if (!step || step->kind != VALUE_OBJECT)
        return;
    bool is_same = str_equal(value_find_text(*step, STR("op")), STR("same"));
    bool is_stack = str_equal(value_find_text(*step, STR("type")), ROOT_STACK_TYPE);
    page_event_members(writer, *step, keys, sizeof(keys) / sizeof(keys[0]));
    page_event_state(writer, event, *step, STR("old"), !is_same || is_stack);
    page_event_state(writer, event, *step, STR("new"), !is_same || is_stack);
    if (event->depends_on.len) {
        json_key(writer, STR("dependsOn"));
        json_strings(writer, event->depends_on.items, event->depends_on.len);
    }
}

void page_event_write(struct json_writer *writer, const struct page_event *event)
{
    const struct page_event_kind *kind = page_event_kind_of(event->kind);

    if (!kind)
        return;
    json_begin_object(writer);
    json_key(writer, STR("e"));
    json_string(writer, kind->name);
    json_key(writer, STR("t"));
    json_number(writer, event->milliseconds);
    kind->write(writer, event);
    json_end_object(writer);
}
