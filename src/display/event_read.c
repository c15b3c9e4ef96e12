/* event_read.c — the way back from event_json.c. */
#include "display/event_read.h"

#include "base/json.h"
#include "display/event_json.h"
#include "model/value_json.h"
#include "model/value_ops.h"

/* --- members, empty where they are missing or of another kind --- */

static struct value event_member(struct value object, const char *key)
{
    const struct value *found =
        object.kind == VALUE_OBJECT ? value_find(object, str_from(key)) : NULL;

    return found ? *found : value_null();
}

static str event_text(struct value object, const char *key)
{
    struct value member = event_member(object, key);

    return member.kind == VALUE_STRING ? value_text(member) : STR("");
}

static bool event_flag(struct value object, const char *key)
{
    struct value member = event_member(object, key);

    return member.kind == VALUE_BOOL && member.boolean;
}

static int64_t event_integer(struct value object, const char *key)
{
    struct value member = event_member(object, key);
    bool fits = member.kind == VALUE_NUMBER && member.number >= -9e15 && member.number <= 9e15;

    return fits ? (int64_t)member.number : 0;
}

static struct strs event_strings(struct arena *arena, struct value object, const char *key)
{
    struct value member = event_member(object, key);
    size_t room = member.kind == VALUE_ARRAY ? member.len : 0, len = 0;
    str *items = ARENA_ARRAY(arena, str, room + 1);

    for (size_t i = 0; i < room; i++)
        if (member.items[i].kind == VALUE_STRING)
            items[len++] = value_text(member.items[i]);
    return (struct strs){ items, len };
}

static struct pairs event_pairs(struct arena *arena, struct value object, const char *key)
{
    struct value member = event_member(object, key);
    size_t room = member.kind == VALUE_OBJECT ? member.len : 0, len = 0;
    struct pair *items = ARENA_ARRAY(arena, struct pair, room + 1);

    for (size_t i = 0; i < room; i++)
        if (member.members[i].value.kind == VALUE_STRING)
            items[len++] =
                (struct pair){ member.members[i].key, value_text(member.members[i].value) };
    return (struct pairs){ items, len };
}

static struct value event_object(struct value object, const char *key)
{
    struct value member = event_member(object, key);

    return member.kind == VALUE_OBJECT ? member : VALUE_EMPTY_OBJECT;
}

/* Words that we know are given back as our own, which live forever; others as nothing. */
static const char *event_word(struct value object, const char *key, const char *const *known,
                              size_t count)
{
    str text = event_text(object, key);

    for (size_t i = 0; i < count; i++)
        if (str_equal(text, str_from(known[i])))
            return known[i];
    return "";
}

/* --- steps --- */

static struct resource *event_read_state(struct arena *arena, struct value object)
{
    if (object.kind != VALUE_OBJECT)
        return NULL;
    struct resource *state = ARENA_NEW(arena, struct resource);
    *state = (struct resource){
        .type = event_text(object, "type"),
        .urn = event_text(object, "urn"),
        .is_custom = event_flag(object, "custom"),
        .is_delete = event_flag(object, "delete"),
        .id = event_text(object, "id"),
        .parent = event_text(object, "parent"),
        .is_tainted = event_flag(object, "taint"),
        .is_external = event_flag(object, "external"),
        .inputs = event_object(object, "inputs"),
        .outputs = event_object(object, "outputs"),
        .provider = event_text(object, "provider"),
        .init_errors = event_strings(arena, object, "initErrors"),
    };
    state->options.protect = event_flag(object, "protect");
    state->options.retain_on_delete = event_flag(object, "retainOnDelete");
    state->options.hide_diff = event_strings(arena, object, "hideDiffs");
    return state;
}

static bool event_diff_kind(str name, enum diff_kind *out)
{
    for (int kind = DIFF_ADD; kind <= DIFF_UPDATE_REPLACE; kind++) {
        *out = (enum diff_kind)kind;
        if (str_equal(name, str_from(diff_kind_names[kind])))
            return true;
    }
    return false;
}

static void event_read_diffs(struct arena *arena, struct value object, struct event_step *step)
{
    struct property_diff *items = ARENA_ARRAY(arena, struct property_diff,
                                              (object.kind == VALUE_OBJECT ? object.len : 0) + 1);
    size_t len = 0;

    step->has_detailed_diff = object.kind == VALUE_OBJECT;
    for (size_t i = 0; step->has_detailed_diff && i < object.len; i++) {
        struct value diff = object.members[i].value;
        items[len] = (struct property_diff){ .path = object.members[i].key,
                                             .is_input = event_flag(diff, "inputDiff") };
        len += event_diff_kind(event_text(diff, "diffKind"), &items[len].kind);
    }
    step->detailed_diff = (struct property_diffs){ items, len };
}

static fallible event_read_step(struct arena *arena, struct value object, struct event_step *out)
{
    str op = event_text(object, "op");
    int number = 0;

    while (number < STEP_OP_COUNT && !str_equal(op, str_from(step_op_names[number])))
        number++;
    if (number == STEP_OP_COUNT)
        return error_new(ERROR_INVALID, "there is no operation '" STR_FMT "'", STR_ARG(op));
    *out = (struct event_step){
        .op = (enum step_op)number,
        .urn = event_text(object, "urn"),
        .type = event_text(object, "type"),
        .old = event_read_state(arena, event_member(object, "old")),
        .new = event_read_state(arena, event_member(object, "new")),
        .keys = event_strings(arena, object, "keys"),
        .diffs = event_strings(arena, object, "diffs"),
        .is_logical = event_flag(object, "logical"),
        .provider = event_text(object, "provider"),
    };
    event_read_diffs(arena, event_member(object, "detailedDiff"), out);
    if (!out->old && !out->new)
        return error_new(ERROR_INVALID, "a step has neither an old nor a new state");
    return NULL;
}

static fallible event_read_resource(struct arena *arena, struct value body, struct event *out)
{
    out->resource.is_planning = event_flag(body, "planning");
    out->resource.status = (int)(event_integer(body, "status") & INT32_MAX);
    out->resource.steps = event_integer(body, "steps");
    return event_read_step(arena, event_member(body, "metadata"), &out->resource.step);
}

/* --- the others --- */

static void event_read_diagnostic(struct value body, struct event *out)
{
    str severity = event_text(body, "severity");

    out->diagnostic.urn = event_text(body, "urn");
    out->diagnostic.message = event_text(body, "message");
    out->diagnostic.is_ephemeral = event_flag(body, "ephemeral");
    out->diagnostic.stream_id = (int32_t)(event_integer(body, "streamID") & INT32_MAX);
    out->diagnostic.severity = SEVERITY_INFO;
    for (int i = SEVERITY_DEBUG; i <= SEVERITY_ERROR; i++)
        if (str_equal(severity, str_from(severity_names[i])))
            out->diagnostic.severity = (enum severity)i;
}

static void event_read_policy(struct value body, struct event *out)
{
    static const char *const levels[] = { "advisory", "mandatory", "remediate", "disabled" };
    static const char *const severities[] = { "low", "medium", "high", "critical" };

    out->policy.urn = event_text(body, "resourceUrn");
    out->policy.message = event_text(body, "message");
    out->policy.policy = event_text(body, "policyName");
    out->policy.pack = event_text(body, "policyPackName");
    out->policy.pack_version = event_text(body, "policyPackVersion");
    out->policy.level = event_word(body, "enforcementLevel", levels, 4);
    out->policy.severity = event_word(body, "severity", severities, 4);
    out->policy.before = event_object(body, "before");
    out->policy.after = event_object(body, "after");
}

static void event_read_policy_summary(struct arena *arena, struct value body, struct event *out)
{
    out->policy_summary.urn = event_text(body, "resourceUrn");
    out->policy_summary.pack = event_text(body, "policyPackName");
    out->policy_summary.pack_version = event_text(body, "policyPackVersion");
    out->policy_summary.passed = event_strings(arena, body, "passed");
    out->policy_summary.failed = event_strings(arena, body, "failed");
}

static void event_read_progress(struct value body, struct event *out)
{
    static const char *const types[] = { "plugin-download", "plugin-install", "policypack-download",
                                         "policypack-install" };
    int64_t received = event_integer(body, "received"), total = event_integer(body, "total");

    out->progress.type = event_word(body, "type", types, 4);
    out->progress.id = event_text(body, "id");
    out->progress.message = event_text(body, "message");
    out->progress.completed = received > 0 ? (uint64_t)received : 0;
    out->progress.total = total > 0 ? (uint64_t)total : 0;
    out->progress.is_first = received == 0;
    out->progress.is_done = event_flag(body, "done");
}

static void event_read_summary(struct arena *arena, struct value body, struct event *out)
{
    static const char *const results[] = { "succeeded", "failed", "canceled" };
    struct value changes = event_object(body, "resourceChanges");
    int64_t *counts = ARENA_ARRAY(arena, int64_t, STEP_OP_COUNT);

    for (int op = 0; op < STEP_OP_COUNT; op++)
        counts[op] = event_integer(changes, step_op_names[op]);
    out->summary.changes = counts;
    out->summary.is_preview = event_flag(body, "isPreview");
    out->summary.maybe_corrupt = event_flag(body, "maybeCorrupt");
    out->summary.duration_seconds = event_integer(body, "durationSeconds");
    out->summary.result = event_word(body, "result", results, 3);
    out->summary.packs = event_pairs(arena, body, "PolicyPacks");
}

static const struct {
    const char *key;
    enum event_kind kind;
} event_keys[] = {
    { "preludeEvent", EVENT_PRELUDE },
    { "resourcePreEvent", EVENT_RESOURCE_PRE },
    { "resOutputsEvent", EVENT_RESOURCE_OUTPUTS },
    { "resOpFailedEvent", EVENT_RESOURCE_FAILED },
    { "diagnosticEvent", EVENT_DIAGNOSTIC },
    { "stdoutEvent", EVENT_STDOUT },
    { "policyLoadEvent", EVENT_POLICY_LOAD },
    { "policyEvent", EVENT_POLICY },
    { "policyRemediationEvent", EVENT_POLICY_REMEDIATION },
    { "policyAnalyzeSummaryEvent", EVENT_POLICY_ANALYZE_SUMMARY },
    { "policyRemediateSummaryEvent", EVENT_POLICY_REMEDIATE_SUMMARY },
    { "policyAnalyzeStackSummaryEvent", EVENT_POLICY_STACK_SUMMARY },
    { "progressEvent", EVENT_PROGRESS },
    { "startDebuggingEvent", EVENT_START_DEBUGGING },
    { "summaryEvent", EVENT_SUMMARY },
    { "cancelEvent", EVENT_CANCEL },
};

static fallible event_read_body(struct arena *arena, struct value body, struct event *out)
{
    switch (out->kind) {
    case EVENT_PRELUDE: out->prelude.config = event_pairs(arena, body, "config"); break;
    case EVENT_RESOURCE_PRE:
    case EVENT_RESOURCE_OUTPUTS:
    case EVENT_RESOURCE_FAILED: return event_read_resource(arena, body, out);
    case EVENT_DIAGNOSTIC: event_read_diagnostic(body, out); break;
    case EVENT_STDOUT: out->stdout_text = event_text(body, "message"); break;
    case EVENT_POLICY:
    case EVENT_POLICY_REMEDIATION: event_read_policy(body, out); break;
    case EVENT_POLICY_ANALYZE_SUMMARY:
    case EVENT_POLICY_REMEDIATE_SUMMARY:
    case EVENT_POLICY_STACK_SUMMARY: event_read_policy_summary(arena, body, out); break;
    case EVENT_PROGRESS: event_read_progress(body, out); break;
    case EVENT_START_DEBUGGING: out->debugging = event_object(body, "config"); break;
    case EVENT_SUMMARY: event_read_summary(arena, body, out); break;
    case EVENT_POLICY_LOAD:
    case EVENT_CANCEL: break;
    }
    return NULL;
}

static fallible event_parse(struct arena *arena, str line, struct value *out)
{
    struct json_reader reader;
    struct json_token end;

    json_reader_init(&reader, arena, line);
    struct error *failure = value_read(&reader, out);
    if (!failure)
        failure = json_next(&reader, &end);
    json_reader_release(&reader);
    return failure;
}

fallible event_read(struct arena *arena, str line, struct event *out, bool *is_known)
{
    struct value document;

    *out = (struct event){ 0 };
    *is_known = false;
    TRY(event_parse(arena, line, &document));
    if (document.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "an event is a JSON object");
    for (size_t i = 0; i < sizeof(event_keys) / sizeof(*event_keys) && !*is_known; i++) {
        const struct value *body = value_find(document, str_from(event_keys[i].key));
        if (!body)
            continue;
        *is_known = true;
        out->kind = event_keys[i].kind;
        TRY(error_wrap(event_read_body(arena, *body, out), "%s", event_keys[i].key));
    }
    return NULL;
}
