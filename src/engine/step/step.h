/* step.h — one thing to do to one resource: a kind with its function, the states before and
 * after. */
#pragma once

#include "engine/event.h"
#include "model/snapshot.h"
#include "plugin/provider.h"

struct engine_options;
struct estate;
struct hooks;
struct registration;
struct registry;
struct report;
struct step;
struct view_report;
struct views;

/* What steps work with. */
struct step_tools {
    const struct engine_options *options;
    struct arena *arena; /* of the operation */
    struct report *report;
    struct estate *estate;
    struct registry *registry;
    struct hooks *hooks;
    struct views *views;
};

/* What the executor, the journal and events need to know of a kind. */
enum step_trait {
    STEP_PENDS = 1 << 0,           /* recorded before it starts, so that a crash leaves a trace */
    STEP_LOOKS_UP = 1 << 1,        /* of something that others manage: the world is not changed */
    STEP_CREATES = 1 << 2,         /* there are no outputs before */
    STEP_DELETES = 1 << 3,         /* the old state is what it is about */
    STEP_REFRESHES = 1 << 4,       /* finds out what the old state is by now */
    STEP_IMPORTS = 1 << 5,         /* `original` is the old state; `old` is what was read */
    STEP_EXTENDS = 1 << 6,         /* about a provider's extension, not about a resource */
    STEP_FOR_PLANNING = 1 << 7,    /* no events, no record: a failure belongs to planning */
    STEP_ANSWERS_LATER = 1 << 8,   /* planning of its registration goes on behind it */
    STEP_NEVER_LOGICAL = 1 << 9,   /* it is no operation of the program */
    STEP_ALWAYS_LOGICAL = 1 << 10, /* also as part of a replacement */
    STEP_NAMED_BY_OP = 1 << 11,    /* a provider has done the work; its op says what it was */
    STEP_ASKS_NOBODY = 1 << 12,    /* it never waits for its turn */
};

/* One file each defines one; step_kinds.def lists them. */
struct step_kind {
    unsigned traits;
    enum pending_kind pending; /* STEP_PENDS: what it is recorded as */
    /* Does it. On failure step->status says how the provider left the resource. Blocks. */
    fallible (*apply)(const struct step_tools *tools, struct step *step);
    /* The outputs of its component were registered; may be NULL. Blocks. */
    void (*after_outputs)(const struct step_tools *tools, const struct step *step);
};

#define STEP_KIND(name) extern const struct step_kind step_##name;
#include "engine/step/step_kinds.def"
#undef STEP_KIND

struct step {
    const struct step_kind *kind;
    enum step_op op;
    struct resource *old;     /* may be NULL */
    struct resource *new;     /* may be NULL */
    struct registration *reg; /* whom to answer; may be NULL */

    /* why */
    struct strs keys;
    struct strs diffs;
    bool has_detailed_diff;
    struct property_diffs detailed_diff;

    /* how */
    bool is_replacing;         /* part of a replacement: not logical */
    bool marks_delete;         /* create, read, import: the old one is to be deleted later */
    bool marks_pending;        /* delete: the new one is not there yet */
    bool is_skipped_create;    /* same: nothing is created, nothing is saved */
    bool is_untargeted;        /* same: state stays as it is */
    bool is_from_command;      /* import: not by a registration */
    bool is_during_program;    /* refresh: while the program runs */
    bool is_internal;          /* hidden even though it is not a default provider */
    bool has_no_owner;         /* view: there is nothing new that it could belong to */
    struct resource *original; /* import, view: the one that it takes the place of */
    struct strs import_properties;
    str seed;
    const struct extension *extension; /* extend */
    struct provider *provider;         /* extend: whom */
    struct extended *extended;         /* extend: what others see of it */
    struct view_report *views;         /* what its provider says of its views while it runs */
    str view_error;                    /* view: what went wrong with it */
    enum step_op view_result;          /* view in a refresh */

    /* what came out */
    bool is_deleted;          /* refresh: it is gone */
    struct diff_answer diff;  /* refresh, diff */
    struct error *diff_error; /* diff */
    enum resource_status status;
    bool is_protected; /* delete: refused; the others go on */
    int64_t operation_id;
    struct intent *intent; /* the recorder's, while the outcome is not known */
};

struct step *step_new(struct arena *arena, const struct step_kind *kind, enum step_op op,
                      struct resource *old, struct resource *new, struct registration *reg);

/* Whether its kind has one of these traits, given as a sum. */
bool step_is(const struct step *step, unsigned traits);
/* The resource a step is about: the newest state it has. */
struct resource *step_resource(const struct step *step);
str step_urn(const struct step *step);
str step_type(const struct step *step);
str step_provider_ref(const struct step *step);
/* Counts in summaries and is visible as an operation of the program. */
bool step_is_logical(const struct step *step);
/* Default providers and what serves them. */
bool step_is_hidden(const struct step *step);
/* same, update or delete: what a refresh found. */
enum step_op step_refresh_result(const struct engine_options *options, const struct step *step);

/* The provider that serves the step's resource. */
fallible step_provider(const struct step_tools *tools, const struct step *step,
                       struct provider **out);
