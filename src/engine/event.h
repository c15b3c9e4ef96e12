/* event.h — what the engine reports while it works: typed, in order, the only way text reaches the
 * display. */
#pragma once

#include "base/pairs.h"
#include "model/diff.h"
#include "model/resource.h"

enum event_kind {
    EVENT_PRELUDE,
    EVENT_RESOURCE_PRE,
    EVENT_RESOURCE_OUTPUTS,
    EVENT_RESOURCE_FAILED,
    EVENT_DIAGNOSTIC,
    EVENT_STDOUT,
    EVENT_POLICY_LOAD,
    EVENT_POLICY,
    EVENT_POLICY_REMEDIATION,
    EVENT_POLICY_ANALYZE_SUMMARY,
    EVENT_POLICY_REMEDIATE_SUMMARY,
    EVENT_POLICY_STACK_SUMMARY,
    EVENT_PROGRESS,
    EVENT_START_DEBUGGING,
    EVENT_SUMMARY,
    EVENT_CANCEL, /* always the last */
};

/* What steps do, as the outside names it; the order is that of summaries. */
enum step_op {
#define STEP_OP(id, ...) OP_##id,
#include "engine/step_ops.def"
#undef STEP_OP
    STEP_OP_COUNT
};
extern const char *const step_op_names[STEP_OP_COUNT];

/* What is common to several of them. */
enum step_op_trait {
    TRAIT_REMOVES = 1 << 0,       /* the old state leaves */
    TRAIT_MARKS_OLD = 1 << 1,     /* an old state that is left is to be deleted */
    TRAIT_NOT_RECORDED = 1 << 2,  /* other steps do the work */
    TRAIT_REPLACES = 1 << 3,      /* it only exists because something is replaced */
    TRAIT_PART = 1 << 4,          /* it is one of the steps of a replacement */
    TRAIT_NEVER_LOGICAL = 1 << 5, /* it is no operation of the program */
    TRAIT_STATE_ONLY = 1 << 6,    /* nothing but the state changes: it is not shown */
    TRAIT_READS = 1 << 7,         /* it is about something that others manage */
    TRAIT_IMPORTS = 1 << 8,
    TRAIT_KNOWS_OUTPUTS = 1 << 9,    /* its outputs are known in a preview, too */
    TRAIT_ENDS_OLD = 1 << 10,        /* the old resource goes, unless it is retained */
    TRAIT_WHOLE = 1 << 11,           /* a whole resource comes or goes */
    TRAIT_MAY_BE_SAME = 1 << 12,     /* where it was planned, nothing need be done */
    TRAIT_MAY_BE_UPDATE = 1 << 13,   /* where it was planned, an update may do */
    TRAIT_ENDS_AS_REPLACE = 1 << 14, /* a finished one is shown as a replacement */
};
/* Whether it has one of these traits, given as a sum. */
bool step_op_has(enum step_op op, unsigned traits);

enum severity {
    SEVERITY_DEBUG,
    SEVERITY_INFO,
    SEVERITY_INFO_ERROR,
    SEVERITY_WARNING,
    SEVERITY_ERROR
};

/* A step as events show it. old and new may be NULL. */
struct event_step {
    enum step_op op;
    str urn;
    str type;
    const struct resource *old;
    const struct resource *new;
    struct strs keys;  /* that force a replacement */
    struct strs diffs; /* that changed */
    bool has_detailed_diff;
    struct property_diffs detailed_diff;
    bool is_logical;
    str provider; /* reference or empty */
};

struct event {
    enum event_kind kind;
    bool is_internal; /* default providers: in the event log, not on the screen */
    union {
        struct {
            struct pairs config; /* with [secret] for whatever is secret */
        } prelude;
        struct {
            struct event_step step;
            bool is_planning; /* preview */
            int status;       /* EVENT_RESOURCE_FAILED */
            int64_t steps;    /* EVENT_RESOURCE_FAILED: run so far */
        } resource;
        struct {
            str urn; /* empty: about the stack as a whole */
            enum severity severity;
            str message;       /* without prefix, and a newline behind it */
            int32_t stream_id; /* messages of one stream are parts of one text; 0: of none */
            bool is_ephemeral;
        } diagnostic;
        str stdout_text;
        struct value debugging; /* what an editor needs to attach */
        struct {
            str urn; /* may be empty */
            str message;
            str policy;
            str pack;
            str pack_version;
            const char *level;    /* advisory, mandatory, remediate, disabled */
            const char *severity; /* empty: not given */
            struct value before;  /* EVENT_POLICY_REMEDIATION */
            struct value after;
        } policy;
        struct {
            str urn; /* empty: the stack */
            str pack;
            str pack_version;
            struct strs passed; /* names of policies, sorted */
            struct strs failed;
        } policy_summary;
        struct {
            const char *type; /* plugin-download, plugin-install, policypack-… */
            str id;           /* of what goes on: the same for all its events */
            str message;
            uint64_t completed;
            uint64_t total; /* 0: not known */
            bool is_first;
            bool is_done;
        } progress;
        struct {
            bool is_preview;
            bool maybe_corrupt;
            int64_t duration_seconds;
            const int64_t *changes; /* STEP_OP_COUNT counts */
            const char *result;     /* succeeded, failed, canceled */
            struct pairs packs;     /* policy packs: name[|local|path] → version */
        } summary;
    };
};

/* Takes each event as it happens; what it points to is valid for the call only, except resources,
 * which live as long as the operation. */
typedef void event_sink(void *context, const struct event *event);
