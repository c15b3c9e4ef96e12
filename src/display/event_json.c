/* event_json.c — writes one event as the JSON object of event logs. */
#include "display/event_json.h"

#include "model/path.h"
#include "model/value_json.h"

const char *const severity_names[] = {
    [SEVERITY_DEBUG] = "debug",     [SEVERITY_INFO] = "info",   [SEVERITY_INFO_ERROR] = "info#err",
    [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error",
};

str diagnostic_prefix(enum severity severity, enum color_mode color)
{
    bool is_plain = color == COLOR_NEVER;

    switch (severity) {
    case SEVERITY_DEBUG: return is_plain ? STR("debug: ") : STR(TAG_DEBUG "debug: " TAG_RESET);
    case SEVERITY_WARNING:
        return is_plain ? STR("warning: ") : STR(TAG_WARNING "warning: " TAG_RESET);
    case SEVERITY_ERROR: return is_plain ? STR("error: ") : STR(TAG_ERROR "error: " TAG_RESET);
    case SEVERITY_INFO:
    case SEVERITY_INFO_ERROR: return STR("");
    }
    return STR("");
}

/* --- pieces --- */

static void member_string(struct json_writer *writer, str key, str text)
{
    json_key(writer, key);
    json_string(writer, text);
}

static void member_text_if(struct json_writer *writer, str key, str text)
{
    if (text.len)
        member_string(writer, key, text);
}

static void member_true_if(struct json_writer *writer, str key, bool is_true)
{
    if (is_true) {
        json_key(writer, key);
        json_bool(writer, true);
    }
}

static void member_integer(struct json_writer *writer, str key, int64_t number)
{
    json_key(writer, key);
    json_integer(writer, number);
}

static void member_strings_if(struct json_writer *writer, str key, struct strs list)
{
    if (!list.len)
        return;
    json_key(writer, key);
    json_strings(writer, list.items, list.len);
}

static void member_color(struct json_writer *writer, enum color_mode color)
{
    static const char *const names[] = {
        [COLOR_NEVER] = "never", [COLOR_ALWAYS] = "always", [COLOR_RAW] = "raw"
    };

    member_string(writer, STR("color"), str_from(names[color]));
}

/* Terminal escapes that programs print have no place in a log. */
static str without_escapes(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (str_find(text, STR("\x1b[")) == SIZE_MAX)
        return text;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '\x1b' || i + 1 >= text.len || text.ptr[i + 1] != '[') {
            strbuf_add_char(&out, text.ptr[i]);
            continue;
        }
        size_t end = i + 2;
        while (end < text.len
               && ((text.ptr[end] >= '0' && text.ptr[end] <= '9') || text.ptr[end] == ';'))
            end++;
        if (end < text.len && (text.ptr[end] == 'm' || text.ptr[end] == 'K'))
            i = end;
        else
            strbuf_add_char(&out, text.ptr[i]);
    }
    return arena_copy(arena, strbuf_str(&out));
}

static str shown_text(const struct event_json *form, struct arena *arena, str text)
{
    text = mask_text(form->mask, arena, without_escapes(arena, text));
    return form->color == COLOR_NEVER ? color_strip(arena, text) : text;
}

/* --- steps --- */

static void write_properties(struct json_writer *writer, const struct event_json *form,
                             struct value properties)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (properties.kind == VALUE_NULL)
        properties = VALUE_EMPTY_OBJECT;
    value_write(writer, mask_value(form->mask, &scratch, properties),
                form->shows_secrets ? SECRET_BARE : SECRET_BLINDED);
}

/* Paths in their canonical spelling. */
static void write_hidden_diffs(struct json_writer *writer, struct strs paths)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!paths.len)
        return;
    json_key(writer, STR("hideDiffs"));
    json_begin_array(writer);
    for (size_t i = 0; i < paths.len; i++) {
        struct path path = { 0 };
        error_ignore(path_parse(&scratch, paths.items[i], &path),
                     "a path that cannot be read hides nothing");
        json_string(writer, path_format(&scratch, path));
    }
    json_end_array(writer);
}

static void event_write_state(struct json_writer *writer, const struct event_json *form,
                              const struct resource *state)
{
    if (!state) {
        json_null(writer);
        return;
    }
    json_begin_object(writer);
    member_string(writer, STR("type"), state->type);
    member_string(writer, STR("urn"), state->urn);
    member_true_if(writer, STR("custom"), state->is_custom);
    member_true_if(writer, STR("delete"), state->is_delete);
    member_string(writer, STR("id"), state->id);
    member_string(writer, STR("parent"), state->parent);
    member_true_if(writer, STR("protect"), state->options.protect);
    member_true_if(writer, STR("taint"), state->is_tainted);
    member_true_if(writer, STR("external"), state->is_external);
    member_true_if(writer, STR("retainOnDelete"), state->options.retain_on_delete);
    json_key(writer, STR("inputs"));
    write_properties(writer, form, state->inputs);
    json_key(writer, STR("outputs"));
    write_properties(writer, form, state->outputs);
    member_string(writer, STR("provider"), state->provider);
    member_strings_if(writer, STR("initErrors"), state->init_errors);
    write_hidden_diffs(writer, state->options.hide_diff);
    json_end_object(writer);
}

static void write_detailed_diff(struct json_writer *writer, const struct event_step *step)
{
    json_key(writer, STR("detailedDiff"));
    if (!step->has_detailed_diff) {
        json_null(writer);
        return;
    }
    json_begin_object(writer);
    for (size_t i = 0; i < step->detailed_diff.len; i++) {
        const struct property_diff *diff = &step->detailed_diff.items[i];
        json_key(writer, diff->path);
        json_begin_object(writer);
        member_string(writer, STR("diffKind"), str_from(diff_kind_names[diff->kind]));
        json_key(writer, STR("inputDiff"));
        json_bool(writer, diff->is_input);
        json_end_object(writer);
    }
    json_end_object(writer);
}

static void event_write_step(struct json_writer *writer, const struct event_json *form,
                             const struct event_step *step)
{
    json_key(writer, STR("metadata"));
    json_begin_object(writer);
    member_string(writer, STR("op"), str_from(step_op_names[step->op]));
    member_string(writer, STR("urn"), step->urn);
    member_string(writer, STR("type"), step->type);
    json_key(writer, STR("old"));
    event_write_state(writer, form, step->old);
    json_key(writer, STR("new"));
    event_write_state(writer, form, step->new);
    member_strings_if(writer, STR("keys"), step->keys);
    member_strings_if(writer, STR("diffs"), step->diffs);
    write_detailed_diff(writer, step);
    member_true_if(writer, STR("logical"), step->is_logical);
    member_string(writer, STR("provider"), step->provider);
    json_end_object(writer);
}

static void write_resource_event(struct json_writer *writer, const struct event_json *form,
                                 const struct event *event)
{
    event_write_step(writer, form, &event->resource.step);
    if (event->kind == EVENT_RESOURCE_FAILED) {
        member_integer(writer, STR("status"), event->resource.status);
        member_integer(writer, STR("steps"), event->resource.steps);
    } else {
        member_true_if(writer, STR("planning"), event->resource.is_planning);
    }
}

/* --- the others --- */

static void write_prelude(struct json_writer *writer, const struct event *event)
{
    json_key(writer, STR("config"));
    json_begin_object(writer);
    for (size_t i = 0; i < event->prelude.config.len; i++)
        member_string(writer, event->prelude.config.items[i].key,
                      event->prelude.config.items[i].value);
    json_end_object(writer);
}

static void write_diagnostic(struct json_writer *writer, const struct event_json *form,
                             const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text = shown_text(form, &scratch, event->diagnostic.message);

    if (form->color != COLOR_NEVER) {
        bool has_end = str_ends_with(text, STR("\n"));
        str body = has_end ? str_slice(text, 0, text.len - 1) : text;
        text = arena_concat(&scratch, STR(TAG_RESET), body, STR(TAG_RESET),
                            has_end ? STR("\n") : STR(""));
    }
    member_text_if(writer, STR("urn"), event->diagnostic.urn);
    member_text_if(writer, STR("prefix"),
                   diagnostic_prefix(event->diagnostic.severity, form->color));
    member_string(writer, STR("message"), text);
    member_color(writer, form->color);
    member_string(writer, STR("severity"), str_from(severity_names[event->diagnostic.severity]));
    member_true_if(writer, STR("ephemeral"), event->diagnostic.is_ephemeral);
}

static void write_stdout(struct json_writer *writer, const struct event_json *form,
                         const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    member_string(writer, STR("message"), shown_text(form, &scratch, event->stdout_text));
    member_color(writer, form->color);
}

static void write_pack(struct json_writer *writer, const struct event *event)
{
    member_string(writer, STR("policyName"), event->policy.policy);
    member_string(writer, STR("policyPackName"), event->policy.pack);
    member_string(writer, STR("policyPackVersion"), event->policy.pack_version);
    member_string(writer, STR("policyPackVersionTag"), event->policy.pack_version);
}

static void write_policy(struct json_writer *writer, const struct event_json *form,
                         const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    member_text_if(writer, STR("resourceUrn"), event->policy.urn);
    member_string(writer, STR("message"), shown_text(form, &scratch, event->policy.message));
    member_color(writer, form->color);
    write_pack(writer, event);
    member_string(writer, STR("enforcementLevel"), str_from(event->policy.level));
    member_text_if(writer, STR("severity"), str_from(event->policy.severity));
}

static void write_properties_if(struct json_writer *writer, const struct event_json *form, str key,
                                struct value properties)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (properties.len == 0)
        return;
    json_key(writer, key);
    value_write(writer, mask_value(form->mask, &scratch, properties), SECRET_BLINDED);
}

static void write_remediation(struct json_writer *writer, const struct event_json *form,
                              const struct event *event)
{
    member_text_if(writer, STR("resourceUrn"), event->policy.urn);
    member_string(writer, STR("color"), STR("raw")); /* there is no text in it */
    write_pack(writer, event);
    write_properties_if(writer, form, STR("before"), event->policy.before);
    write_properties_if(writer, form, STR("after"), event->policy.after);
}

static void write_policy_summary(struct json_writer *writer, const struct event *event)
{
    if (event->kind != EVENT_POLICY_STACK_SUMMARY)
        member_string(writer, STR("resourceUrn"), event->policy_summary.urn);
    member_string(writer, STR("policyPackName"), event->policy_summary.pack);
    member_string(writer, STR("policyPackVersion"), event->policy_summary.pack_version);
    member_string(writer, STR("policyPackVersionTag"), event->policy_summary.pack_version);
    member_strings_if(writer, STR("passed"), event->policy_summary.passed);
    member_strings_if(writer, STR("failed"), event->policy_summary.failed);
}

static void write_summary(struct json_writer *writer, const struct event *event)
{
    json_key(writer, STR("maybeCorrupt"));
    json_bool(writer, event->summary.maybe_corrupt);
    member_integer(writer, STR("durationSeconds"), event->summary.duration_seconds);
    json_key(writer, STR("resourceChanges"));
    json_begin_object(writer);
    for (int op = 0; op < STEP_OP_COUNT; op++) {
        if (event->summary.changes[op])
            member_integer(writer, str_from(step_op_names[op]), event->summary.changes[op]);
    }
    json_end_object(writer);
    json_key(writer, STR("PolicyPacks"));
    json_begin_object(writer);
    for (size_t i = 0; i < event->summary.packs.len; i++)
        member_string(writer, event->summary.packs.items[i].key,
                      event->summary.packs.items[i].value);
    json_end_object(writer);
    json_key(writer, STR("isPreview"));
    json_bool(writer, event->summary.is_preview);
    member_string(writer, STR("result"), str_from(event->summary.result));
}

static void write_progress(struct json_writer *writer, const struct event *event)
{
    member_string(writer, STR("type"), str_from(event->progress.type));
    member_string(writer, STR("id"), event->progress.id);
    member_string(writer, STR("message"), event->progress.message);
    member_integer(writer, STR("received"), (int64_t)event->progress.completed);
    member_integer(writer, STR("total"), (int64_t)event->progress.total);
    json_key(writer, STR("done"));
    json_bool(writer, event->progress.is_done);
}

static str event_key(enum event_kind kind)
{
    switch (kind) {
    case EVENT_PRELUDE: return STR("preludeEvent");
    case EVENT_RESOURCE_PRE: return STR("resourcePreEvent");
    case EVENT_RESOURCE_OUTPUTS: return STR("resOutputsEvent");
    case EVENT_RESOURCE_FAILED: return STR("resOpFailedEvent");
    case EVENT_DIAGNOSTIC: return STR("diagnosticEvent");
    case EVENT_STDOUT: return STR("stdoutEvent");
    case EVENT_POLICY_LOAD: return STR("policyLoadEvent");
    case EVENT_POLICY: return STR("policyEvent");
    case EVENT_POLICY_REMEDIATION: return STR("policyRemediationEvent");
    case EVENT_POLICY_ANALYZE_SUMMARY: return STR("policyAnalyzeSummaryEvent");
    case EVENT_POLICY_REMEDIATE_SUMMARY: return STR("policyRemediateSummaryEvent");
    case EVENT_POLICY_STACK_SUMMARY: return STR("policyAnalyzeStackSummaryEvent");
    case EVENT_PROGRESS: return STR("progressEvent");
    case EVENT_START_DEBUGGING: return STR("startDebuggingEvent");
    case EVENT_SUMMARY: return STR("summaryEvent");
    case EVENT_CANCEL: return STR("cancelEvent");
    }
    return STR("");
}

void event_json_write(struct json_writer *writer, const struct event_json *form,
                      const struct event *event, int64_t sequence, int64_t timestamp)
{
    json_begin_object(writer);
    member_integer(writer, STR("sequence"), sequence);
    member_integer(writer, STR("timestamp"), timestamp);
    json_key(writer, event_key(event->kind));
    json_begin_object(writer);
    switch (event->kind) {
    case EVENT_PRELUDE: write_prelude(writer, event); break;
    case EVENT_RESOURCE_PRE:
    case EVENT_RESOURCE_OUTPUTS:
    case EVENT_RESOURCE_FAILED: write_resource_event(writer, form, event); break;
    case EVENT_DIAGNOSTIC: write_diagnostic(writer, form, event); break;
    case EVENT_STDOUT: write_stdout(writer, form, event); break;
    case EVENT_SUMMARY: write_summary(writer, event); break;
    case EVENT_PROGRESS: write_progress(writer, event); break;
    case EVENT_START_DEBUGGING:
        json_key(writer, STR("config"));
        value_write(writer, event->debugging, SECRET_MASKED);
        break;
    case EVENT_POLICY: write_policy(writer, form, event); break;
    case EVENT_POLICY_REMEDIATION: write_remediation(writer, form, event); break;
    case EVENT_POLICY_ANALYZE_SUMMARY:
    case EVENT_POLICY_REMEDIATE_SUMMARY:
    case EVENT_POLICY_STACK_SUMMARY: write_policy_summary(writer, event); break;
    case EVENT_POLICY_LOAD:
    case EVENT_CANCEL: break;
    }
    json_end_object(writer);
    json_end_object(writer);
}
