/* rows.h — what is known of each resource on display: its step, its times, its diagnostics. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "display/view.h"

struct row_diagnostic {
    enum severity severity;
    str text; /* prefix and message, tags inside, white space at the end trimmed */
    str raw;  /* without prefix, as it came */
    int32_t stream_id;
    bool is_ephemeral;
};

struct row {
    size_t index;                         /* in the list */
    struct event_step step;               /* the latest */
    const struct event_step *replacement; /* the outcome of OP_REPLACE; NULL: not known */
    uint32_t outcomes;                    /* of which ops it is known: a bit each */
    bool is_failed;
    bool is_hidden;
    bool is_reported; /* a display of lines has said how its step ended */
    int64_t started;  /* monotonic nanoseconds; 0: not */
    int64_t ended;
    size_t errors, warnings, messages, debugs;
    struct {
        VEC(struct row_diagnostic);
    } diagnostics;
};

/* A policy that was violated, or that changed a resource. */
struct row_policy {
    str urn;
    str pack; /* name@vVERSION */
    str policy;
    str message;
    const char *level;
    const char *severity; /* may be empty */
    bool is_remediation;
    str change; /* of a remediation: "diff: +a~b"; empty if it changed nothing */
};

/* A policy pack that ran. */
struct row_pack {
    str pack; /* name@vVERSION */
    str path;
};

struct rows {
    const struct view *view;
    struct map by_urn; /* URN → struct row *; the root's own name is not known until its step comes:
                          then it is under "" */
    struct {
        VEC(struct row *);
    } list; /* in order of appearance */
    struct {
        VEC(struct row_policy);
    } policies;
    struct {
        VEC(struct row_pack);
    } packs;       /* known when all is over */
    str stack_urn; /* empty: not seen yet */
    bool is_over;
    bool has_failed;
};

void rows_release(struct rows *rows);

/* Takes an event in. NULL: nothing to show; else the row. */
struct row *rows_take(struct rows *rows, const struct event *event);

bool row_has_outcome(const struct row *row, enum step_op op);
bool row_is_done(const struct rows *rows, const struct row *row);
/* The stack itself, also as long as its name is not known. */
bool row_is_root(const struct row *row);
/* A step has begun, and how it ends is not known yet. */
bool row_is_begun(const struct rows *rows, const struct row *row);
/* Something is being done to a resource that is more than its children. */
bool row_is_at_work(const struct rows *rows, const struct row *row);

/* --- its columns, with tags --- */
str row_mark(const struct rows *rows, const struct row *row, struct arena *arena);
str row_type(const struct rows *rows, const struct row *row, struct arena *arena);
str row_name(const struct rows *rows, const struct row *row, struct arena *arena);
str row_urn(const struct rows *rows, const struct row *row, struct arena *arena);
str row_status(const struct rows *rows, const struct row *row, struct arena *arena);
str row_info(const struct rows *rows, const struct row *row, struct arena *arena);

/* A policy event as a row; parts live in the arena. */
struct row_policy row_policy_of(struct arena *arena, struct mask mask, const struct event *event);
/* Should the step be seen at all? */
bool step_is_shown(const struct display_options *options, const struct event_step *step);
/* What a step points to gets into the arena, but for its resources, which stay; what they or
 * `former`, which is there, have too is shared with them. */
void step_own(struct arena *arena, struct event_step *step, const struct event_step *former);
/* A copy that lives in the arena; resources are shared. */
struct event_step *step_copy(struct arena *arena, const struct event_step *step);
