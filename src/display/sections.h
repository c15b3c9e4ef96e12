/* sections.h — what is printed when everything is over: diagnostics, outputs, counts. */
#pragma once

#include "display/rows.h"

/* "Diagnostics:", by resource; nothing if there are none. */
void section_diagnostics(struct strbuf *out, const struct rows *rows);
/* "Policies:", by pack; nothing if none ran. True if one forbids something. */
bool section_policies(struct strbuf *out, const struct rows *rows);
/* One violation or remediation; lines of the message begin with `line_start`. */
void policy_add(struct strbuf *out, const struct row_policy *policy, str line_start);
/* "Policy Packs run:", a table; nothing if none ran. `packs`: name → version. */
void section_packs_run(struct strbuf *out, struct pairs packs);
/* "Outputs:" of the stack. */
void section_outputs(struct strbuf *out, const struct rows *rows);

/* What a summary event says, kept. */
struct summary {
    bool is_known;
    bool is_preview;
    int64_t duration_seconds;
    int64_t changes[STEP_OP_COUNT];
};
void summary_take(struct summary *summary, const struct event *event);
/* "Configuration:", from the prelude. */
void section_config(struct strbuf *out, const struct event *event);
/* "Resources:" and "Duration:". */
void section_summary(struct strbuf *out, const struct summary *summary, size_t errored);

/* The outputs of a resource that differ from its inputs and from what they were; empty if there are
 * none. */
void outputs_text(struct strbuf *out, const struct view *view, const struct event_step *step,
                  unsigned indent);
