/* engine_world.h — one operation of the engine with everything around it made up: the state of
 * before, the program, the provider and the hooks. No process, no socket, no file. */
#pragma once

#include "unit/check.h"

#include "backend/backend_ops.h"
#include "base/vec.h"
#include "engine/deploy/deployment_parts.h"
#include "unit/engine_cloud.h"
#include "unit/engine_samples.h"

/* One call of the provider. Values are written as in samples. */
struct call {
    str what; /* "create a" */
    str id;
    str olds; /* inputs of before */
    str old_outputs;
    str news;
    str ignore_changes;
    str pending; /* what the state would say was under way if all ended now: "creating a" */
    str seed;
    str proposed_name;
    enum autonaming_mode autonaming_mode;
    bool has_autonaming;
    bool preview;
    double timeout;
    size_t view_count;
};

/* What a registration was answered. */
struct reply {
    str name;
    enum registration_result result;
    str id;
    str outputs;
    bool is_unknown;
    bool is_recorded; /* by then: in the state with this ID, and nothing of it is pending */
};

struct world_provider {
    struct provider provider;
    struct world *world;
};

/* A line of the journal. */
struct record {
    str text;
    bool is_durable; /* whoever wrote it waited until it was */
    size_t calls;    /* that the provider had had by then */
};

/* Keeps its lines in memory. */
struct world_journal {
    struct journal journal;
    struct backend backend;
    struct world *world;
    struct snapshot base; /* what the lines are on top of */
    bool is_far;          /* a line takes a round trip */
    size_t fails_at;      /* the number of the line that cannot be written; 0: none */
    size_t dies_at; /* the engine is killed before it writes the line of that number; 0: not */
    bool is_dead;
    bool has_begun; /* `base` is that of this run */
};

struct world {
    struct arena arena;
    struct project_facts project;
    struct config_facts config;
    struct plugin_world plugins;
    struct engine_options options; /* may be changed before world_run, as may these */
    struct deployment deployment;
    struct snapshot base;
    bool is_continued; /* `base` is what the last run left */
    bool has_wrong_key;
    struct world_provider provider;
    struct world_journal journal;
    struct crypter crypter;
    struct cloud *cloud;        /* NULL: whatever the provider is asked for exists */
    const char *default_inputs; /* of the default provider */
    bool supports_autonaming;
    bool program_fails;   /* it ends in error after its last registration */
    const char *hooks;    /* that are registered; "h!" ignores errors, "h?" runs in previews too */
    const char *bad_hook; /* fails */
    size_t retries;       /* so often an error hook asks for another attempt */

    struct {
        VEC(struct sample);
    } olds;
    struct {
        VEC(struct action);
    } actions; /* of the program, in order */
    struct {
        VEC(struct script);
    } scripts;
    struct {
        VEC(struct pending_operation);
    } pending;
    struct map old_urns; /* name → str * */
    struct map new_urns;

    /* of the last run */
    struct {
        VEC(struct call);
    } calls;
    struct {
        VEC(struct reply);
    } replies;
    struct {
        VEC(str);
    } ended;              /* calls */
    size_t ended_in_time; /* so many of them before plugins would have been closed */
    struct strbuf call_text;
    struct strbuf steps; /* as they begin: "create a, replace b(x)", with the keys that replace */
    struct strbuf outcomes; /* as their outputs are known */
    struct strbuf diagnostics;
    struct strbuf history;
    struct {
        VEC(struct record);
    } records;
    int64_t changes[STEP_OP_COUNT];
    struct snapshot result;
    str plan; /* with options.update_plan.is_wanted */
    bool has_failed;
    bool has_default_provider; /* the program has registered it */
    struct cancel *program_scope;
    struct work_group program; /* what it has begun */
    struct work_group main_program;
};

int world_setup(void **state);
int world_teardown(void **state);
#define RULE(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)

#include "unit/engine_world_ops.h"
