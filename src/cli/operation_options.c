/* operation_options.c — the options that operations share. */
#include "cli/operation.h"

const struct option operation_options[] = {
    TEXT(struct operation_args, stack, 's', "stack", "The stack to work on; the selected one by default"),
    TEXT(struct operation_args, config_file, 0, "config-file", "Use this file instead of Pulumi.<stack>.yaml"),
    INTEGER(struct operation_args, parallel, 'p', "parallel", "How many resource operations run at once"),
    TEXT(struct operation_args, message, 'm', "message", "A message to remember with the update"),
    FLAG(struct operation_args, debug, 'd', "debug", "Show debug messages"),
    FLAG(struct operation_args, diff, 0, "diff", "Show the changes in detail"),
    FLAG(struct operation_args, json, 'j', "json", "Print JSON"),
    TEXT(struct operation_args, output, 0, "output", NULL),
    FLAG(struct operation_args, urns, 0, "urns", "Show URNs instead of types and names"),
    FLAG(struct operation_args, suppress_outputs, 0, "suppress-outputs", "Do not show the outputs of the stack"),
    FLAG(struct operation_args, suppress_progress, 0, "suppress-progress",
         "Do not show that something is still going on"),
    TEXT_OR(struct operation_args, suppress_permalink, 0, "suppress-permalink", "false", "Accepted for compatibility"),
    FLAG(struct operation_args, skip_plugin_pre_install, 0, "skip-plugin-pre-install",
         "Do not install plugins before the operation"),
    TEXT(struct operation_args, event_log, 0, "event-log", "Write every event to this file or tcp://HOST:PORT"),
    TEXT(struct operation_args, exec_kind, 0, "exec-kind", NULL),
    TEXT(struct operation_args, exec_agent, 0, "exec-agent", NULL),
    FLAG(struct operation_args, neo, 0, "neo", NULL),
    FLAG(struct operation_args, copilot, 0, "copilot", NULL),
    FLAG(struct operation_args, neo_task_on_failure, 0, "neo-task-on-failure", NULL),
    { 0 },
};

const struct option deployment_options[] = {
    LIST(struct operation_args, config, 'c', "config", "A configuration value to save and use, as KEY=VALUE"),
    FLAG(struct operation_args, config_path, 0, "config-path", "The keys of --config are paths into maps or lists"),
    LIST(struct operation_args, targets, 't', "target", "Only this resource: a URN, with * and ** as wildcards"),
    FLAG(struct operation_args, target_dependents, 0, "target-dependents", "Also what depends on the targets"),
    FLAG(struct operation_args, exclude_dependents, 0, "exclude-dependents",
         "Leave out what depends on the excluded, too"),
    FLAG(struct operation_args, run_program, 0, "run-program", "Run the program even where the state alone would do"),
    FLAG(struct operation_args, show_replacement_steps, 0, "show-replacement-steps", "Show each step of a replacement"),
    FLAG(struct operation_args, show_sames, 0, "show-sames", "Show resources that do not change"),
    FLAG(struct operation_args, show_config, 0, "show-config", "Show the configuration"),
    FLAG(struct operation_args, skip_config_validation, 0, "skip-config-validation",
         "Do not check the configuration against the project"),
    LIST(struct operation_args, override_env, 0, "override-env", NULL),
    TEXT(struct operation_args, client, 0, "client", NULL),
    { 0 },
};

const struct option program_options[] = {
    TEXT_OR(struct operation_args, refresh, 'r', "refresh", "true", "Read the state of all resources first"),
    FLAG(struct operation_args, expect_no_changes, 0, "expect-no-changes", "Fail if anything changes"),
    FLAG(struct operation_args, ignore_protect, 0, "ignore-protect", "Change and delete protected resources, too"),
    LIST(struct operation_args, replaces, 0, "replace", "Replace this resource: a URN, with * and ** as wildcards"),
    LIST(struct operation_args, target_replaces, 0, "target-replace", "The same as --target and --replace"),
    CSV(struct operation_args, policy_packs, 0, "policy-pack", "Run this policy pack"),
    CSV(struct operation_args, policy_pack_configs, 0, "policy-pack-config",
        "The configuration of the policy pack at the same place"),
    FLAG(struct operation_args, show_reads, 0, "show-reads", "Show resources that are only read"),
    FLAG(struct operation_args, show_policy_remediations, 0, "show-policy-remediations", "Show what policies changed"),
    FLAG(struct operation_args, show_secrets, 0, "show-secrets", "Show secrets in plaintext"),
    FLAG(struct operation_args, show_full_output, 0, "show-full-output", "Do not shorten outputs"),
    LIST_OR(struct operation_args, attach_debugger, 0, "attach-debugger", "program",
            "Wait for a debugger: program, plugins, plugin:NAME or all"),
    { 0 },
};

const struct option approval_options[] = {
    FLAG(struct operation_args, yes, 'y', "yes", "Go on without asking"),
    { 0 },
};
