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

/* What the executor, journal and events need to know of a kind; one file each defines one. */
struct step_kind {
    /* Does it. On failure step->status tells how the provider left the resource. Blocks. */
    struct error *(*apply)(const struct step_tools *tools, struct step *step);
    bool is_pending; /* recorded before it starts, so that a crash leaves a trace */
    enum pending_kind pending;
    bool is_silent; /* no events of its own */
};

extern const struct step_kind step_same, step_create, step_update, step_delete, step_replace,
    step_read, step_refresh, step_import, step_remove_pending_replace, step_diff, step_extend,
    step_view;

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
    bool is_skipped_create;    /* same: nothing is made, nothing is saved */
    bool is_untargeted;        /* same: state stays as it is */
    bool is_planned;           /* import by command */
    bool is_persisted;         /* refresh within the run of a program */
    bool is_internal;          /* hidden even though it is not a default provider */
    struct resource *original; /* import: the managed one it replaces */
    struct strs import_properties;
    str seed;
    const struct extension *extension; /* extend */
    struct provider *provider;         /* extend: whom */
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
};

struct step *step_new(struct arena *arena, const struct step_kind *kind, enum step_op op,
                      struct resource *old, struct resource *new, struct registration *reg);

/* The resource a step is about: the newest state it has. */
struct resource *step_resource(const struct step *step);
str step_urn(const struct step *step);
str step_type(const struct step *step);
/* Counts in summaries and is visible as an operation of the program. */
bool step_is_logical(const struct step *step);
/* Default providers and what serves them. */
bool step_is_hidden(const struct step *step);
/* same, update or delete: what a refresh found. */
enum step_op step_refresh_result(const struct engine_options *options, const struct step *step);

/* The provider that serves the step's resource. */
fallible step_provider(const struct step_tools *tools, const struct step *step,
                       struct provider **out);
