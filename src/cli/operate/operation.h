/* operation.h — what up, preview, refresh, destroy and import have in common: their options and the
 * way they run. */
#pragma once

#include "cli/service/remote.h"
#include "cli/stack/stack_secrets.h"
#include "engine/engine.h"

/* The options of all five; each command offers those that its tables list. */
struct operation_args {
    /* what is worked on */
    str stack;
    struct strs config;
    bool config_path;
    str config_file;
    struct strs targets, excludes, replaces, target_replaces;
    bool target_dependents, exclude_dependents, exclude_protected, ignore_protect;

    /* how */
    int64_t parallel;
    str message;
    bool yes, skip_preview, preview_only, expect_no_changes;
    str refresh;
    bool run_program, continue_on_error, remove;
    struct strs policy_packs, policy_pack_configs;
    bool skip_config_validation, skip_plugin_pre_install;
    struct strs attach_debugger;
    str save_plan, import_file, plan, secrets_provider;
    bool strict;
    bool clear_pending_creates, skip_pending_creates;
    struct strs import_pending_creates;

    /* what is shown */
    bool diff, json;
    str output;
    bool show_config, show_replacement_steps, show_sames, show_reads, show_policy_remediations,
        show_secrets, show_full_output;
    bool urns, suppress_outputs, suppress_progress, debug;
    str report;

    /* watch */
    bool is_watch;
    struct strs paths;

    /* import */
    str file, out, from, generate_resources;
    bool generate_code, protect;
    struct strs parent, provider, properties;

    struct remote_args remote; /* where it runs, if not here */

    /* said by SDKs */
    str client, exec_kind, exec_agent, event_log;

    /* where options that change nothing put their values (idle_options.c says so) */
    bool idle;
    str idle_text;
    struct strs idle_list;
};

/* Of all five commands. */
extern const struct option operation_options[];
/* Of the commands that work on a whole program or state: up, preview, refresh, destroy. */
extern const struct option deployment_options[];
/* Of those that run a program: up, preview. */
extern const struct option program_options[];
/* Of those that can run elsewhere: up, preview, refresh, destroy. */
extern const struct option remote_options[];
/* Of those that change something: up, refresh, destroy, import. */
extern const struct option approval_options[];

#define OPERATION_EXCLUSIVE EXCLUSIVE("target exclude", "json output")

/* What differs between the commands. */
struct operation_plan {
    enum operation_kind kind;
    bool only_previews; /* `preview`, or --preview-only */
    struct import_specs imports;
};

/* What a kind of operation is called. */
struct operation_words {
    str noun;    /* in questions and errors */
    str history; /* in the history, and by the service */
    const char *doing;
    const char *previewing;
};
const struct operation_words *operation_words(enum operation_kind kind);

/* What is left when it is over. */
struct operation_outcome {
    int64_t changes[STEP_OP_COUNT];
    struct snapshot snapshot;
    bool was_interrupted; /* by a signal */
};

/* Previews, asks, runs, records. The outcome is written even on failure. Blocks. */
fallible operation_run(struct cli *cli, const struct operation_args *args,
                       const struct operation_plan *plan, struct operation_outcome *out);

/* Refuses to continue where a confirmation is needed and the terminal is not interactive; scripts
 * see `exit_code`. */
fallible operation_check_approval(const struct cli *cli, const struct operation_args *args,
                                  int exit_code);
