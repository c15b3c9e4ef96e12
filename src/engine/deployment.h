/* deployment.h — one operation under way: what its parts share. Seen only inside engine/. */
#pragma once

#include "base/clock.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "engine/engine.h"
#include "engine/exec/executor.h"
#include "engine/exec/recorder.h"
#include "engine/hooks.h"
#include "engine/plan/stepgen.h"
#include "engine/registry.h"
#include "engine/views.h"
#include "fiber/sync.h"
#include "model/graph.h"
#include "model/urn.h"

struct analyzer;
struct cancel;
struct monitor;
struct engine_shared;
struct update_plan;
struct plugin_host;
struct language;

struct deployment {
    const struct engine_options *options;
    struct arena *arena;  /* lives as long as the operation */
    struct cancel *scope; /* of everything that must not end with the program's connection */

    /* what was there, and what refresh made of it */
    struct resources base;
    struct map olds;     /* URN → live struct resource * */
    struct map all_olds; /* URN → any, also those marked for deletion */
    struct map views;    /* owner's URN → struct resources * */
    struct graph *graph;

    /* what this run has made */
    struct map news; /* URN → struct resource * */
    struct map read_news;

    struct plugin_host *host;
    struct registry registry;
    struct recorder recorder;
    struct executor executor;
    struct stepgen gen;
    struct engine_shared *shared; /* Engine, ResourceStatus and friends, and the plugins */
    struct monitor *monitor;
    struct language *language;
    struct update_plan *plan;     /* the update is held to it; NULL: none */
    struct update_plan *new_plan; /* being made; NULL: none */
    struct analyzer **analyzers;  /* policy packs */
    size_t analyzer_count;
    struct package_dependencies *packages; /* default versions of providers; NULL: none */

    struct map schemas;     /* package, version, parameter → struct str * */
    struct map view_tokens; /* token → struct told *: steps that providers may tell of */
    struct registration *registrations; /* not answered yet, or still looked at */
    struct semaphore plan_lock;         /* one registration is planned at a time */
    struct work_group planning;         /* registrations under way */
    struct latch stopped;               /* the program is done, or something failed */
    struct latch shut_down;             /* all is done: the program may end */
    struct latch program_ended;
    struct error *refusal;         /* owned; why nothing may be changed; not reported yet */
    bool has_prepared_key;         /* something is to be changed */
    struct error *program_failure; /* owned; of a program that had registered everything before */
    bool has_stopped;              /* nothing new starts */
    bool has_failed;         /* something was reported that ends the run without further words */
    bool is_terminated;      /* by the user's second interrupt: calls under way are abandoned */
    bool is_closing;         /* what fails from here on only ends because its plugin does */
    bool has_hook_failure;   /* an after-hook failed: what was made stands */
    bool is_canceled;        /* by the user */
    bool is_corrupt;         /* a provider left a resource in an unknown state */
    bool is_refresh_command; /* refresh events carry their outcome */
    bool has_refresh_before_update;

    bool has_stack_outputs; /* applied at the very end */
    struct value stack_outputs;
    str stack_urn;

    int64_t changes[STEP_OP_COUNT];
    int64_t step_count;
};

/* --- deployment.c --- */

/* Plans and runs a registration and waits for its answer. Failures are reported and stop the
 * deployment; then this waits to be canceled. Blocks. */
fallible deployment_register(struct deployment *deployment, struct registration *reg);

/* RegisterResourceOutputs: the outputs of a component (or of the stack, kept for the end).
 * Blocks. */
fallible deployment_register_outputs(struct deployment *deployment, str urn, struct value outputs);

/* Something failed beyond repair: nothing new starts. Takes the error; reports it on the resource
 * unless it already was. */
void deployment_fail(struct deployment *deployment, str urn, struct error *owned);
/* Nothing new starts, without a word. */
void deployment_stop(struct deployment *deployment);

void deployment_diagnose(struct deployment *deployment, enum severity severity, str urn,
                         const char *format, ...) PRINTF(4, 5);
void deployment_emit(struct deployment *deployment, const struct event *event);

/* Applies the outputs of the stack that were kept for the end; after a failure old ones stay beside
 * them. */
fallible deployment_finish_stack(struct deployment *deployment, bool has_failed);
/* Indexes a list of resources as the state things are compared with. */
void deployment_set_base(struct deployment *deployment, struct resource **resources, size_t count);
struct provider_views deployment_views(const struct deployment *deployment, str urn);

bool deployment_is_preview(const struct deployment *deployment);

/* What a value looks like in a message; secrets hidden. */
void value_describe(struct strbuf *out, struct value value);

/* own.c: everything a state points to is copied to the deployment's arena, but for its inputs and
 * outputs. */
void resource_own(struct arena *arena, struct resource *resource);
struct strs strs_own(struct arena *arena, struct strs list);

fallible precheck(struct deployment *deployment); /* refused before anything is begun */
/* --exclude-protected: what must stay is excluded; true if that is everything. */
bool precheck_leaves_nothing(struct engine_options *options, struct arena *arena);

/* preinstall.c: plugins that the state and the program (once its packages are known) need and that
 * are not there. What fails is told of when it is loaded. Blocks. */
void deployment_preinstall(struct deployment *deployment);

/* older_packages.c: warns that a refresh or destroy uses older ones than the program. Blocks. */
void deployment_warn_of_older_packages(struct deployment *deployment);

/* policy.c: policy packs. Each does nothing where there are none. Blocks. */
fallible policy_load(struct deployment *deployment);
/* name|local|path, version … of those that ran. */
struct strs policy_packs(struct deployment *deployment);
/* Remediates, then analyses a resource before anything is done to it; a violation that forbids it
 * makes it invalid. */
fallible policy_check_resource(struct deployment *deployment, struct registration *reg);
/* After all is well: the stack as a whole. */
fallible policy_check_stack(struct deployment *deployment);

/* import.c: `import` without a program. Blocks. */
fallible import_resources(struct deployment *deployment);

/* steps the executor tells of (events.c) */
void deployment_before_step(struct deployment *deployment, const struct step *step);
void deployment_after_step(struct deployment *deployment, const struct step *step,
                           const struct error *failure);
void deployment_after_outputs(struct deployment *deployment, const struct step *step);
