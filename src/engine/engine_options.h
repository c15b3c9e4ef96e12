/* engine_options.h — what one operation is to do, with what, and to what: in parts, each of which
 * is passed on as it is. */
#pragma once

#include "backend/backend.h"
#include "engine/event.h"
#include "model/crypter.h"
#include "model/package_ref.h"
#include "plugin/plugin_world.h"
#include "plugin/policy_pack.h"
#include "plugin/run_info.h"

enum operation_kind { OPERATION_UPDATE, OPERATION_REFRESH, OPERATION_DESTROY, OPERATION_IMPORT };
enum { OPERATION_KINDS = OPERATION_IMPORT + 1 };

/* One resource of `import`. */
struct import_spec {
    str type;
    str name;
    str id;
    str parent;                 /* URN */
    str provider;               /* URN; empty: the default one */
    struct package_ref package; /* whose name is that of `type` */
    struct strs properties;
    struct value inputs;          /* of a provider: its configuration; else what cannot be read */
    struct value outputs;         /* all there is to know: nothing is read */
    struct value provider_inputs; /* of `provider`, should it not be there yet */
    bool is_component;
    bool is_remote;
    bool protect;
};

struct import_specs {
    const struct import_spec *items;
    size_t len;
};

/* What an operation does to the resources. */
struct plan_options {
    int32_t parallel;
    bool refresh;     /* read everything first */
    bool run_program; /* with refresh and destroy */
    bool continue_on_error;
    bool ignore_protect;
    bool exclude_protected;
    bool target_dependents;
    bool exclude_dependents;
    bool clear_pending_creates;
    bool legacy_diff;
    bool legacy_refresh_diff;
    bool parallel_diff;
    struct strs targets; /* URNs and globs */
    struct strs excludes;
    struct strs replaces;
};

/* How the program is run. */
struct program_options {
    bool skips_preinstall; /* missing plugins are installed when they are loaded, not before */
    bool is_inline;        /* the program is part of the process that started us */
    bool disables_resource_references;
    bool disables_output_values;
};

/* A policy pack that whoever keeps the stack requires: installed, then run like the others. */
struct required_policy {
    struct policy_pack pack;
    str config; /* JSON; may be empty */
    struct pairs variables;
};

struct policy_options {
    struct strs packs;   /* paths */
    struct strs configs; /* the JSON for each; may be fewer */
    const struct required_policy *required;
    size_t required_count;
};

/* Files of --plan and --save-plan. */
struct update_plan_options {
    str text; /* --plan: the file's content; empty: none */
    str name; /* of that file, for errors */
    bool is_wanted;
    str config_json; /* for the one that is wanted: as it is stored, secrets sealed; may be empty */
};

/* The state before the operation, and where what becomes of it is kept. */
struct state_source {
    struct snapshot *snapshot;   /* unsealed by the engine with `old_crypter` where needed */
    struct crypter *old_crypter; /* reads what is there */
    struct crypter *crypter;     /* writes; may be the same */
    str secrets_type;            /* of the manager that writes */
    str secrets_state;
    struct journal *journal; /* NULL: preview */
    struct backend *backend; /* for stack references */
    /* Opens the secrets of another stack's state; what it gives lives as long as the operation. */
    fallible (*open_crypter)(void *context, str secrets_type, str secrets_state,
                             struct crypter **out);
    void *crypter_context;
};

/* The key that seals secrets. */
struct key_source {
    /* Waits for it; fails if it is not the right one. NULL: it is. */
    fallible (*verify)(void *context);
    void *context;
};

/* Built by the command line, once; who needs a part gets a pointer to it. What it points to
 * outlives `shared`. */
struct engine_options {
    enum operation_kind kind;
    bool preview;
    const struct project_facts *project;
    const struct config_facts *config;
    const struct plugin_world *world;
    struct program_options program;
    struct plan_options plan;
    struct policy_options policies;
    struct import_specs imports;
    struct update_plan_options update_plan;
    struct state_source state;
    struct key_source key;
    struct engine_shared *shared; /* what operations of one command share; NULL: nothing */
    event_sink *sink;
    void *sink_context;
};

static inline struct run_info engine_run_info(const struct engine_options *options)
{
    return (struct run_info){
        .project = options->project,
        .config = options->config,
        .dry_run = options->preview,
        .parallel = options->plan.parallel,
    };
}
