/* run_info.h — what is run: the project, its stack and its configuration, as programs, components,
 * methods and policy packs see them. */
#pragma once

#include "model/config_facts.h"
#include "proto/message.h"

/* A program, or a plugin that is source code. */
struct program_info {
    str root_directory; /* of the project file */
    str program_directory;
    str entry_point;
    struct value options; /* of the runtime; VALUE_OBJECT */
};

struct project_facts {
    str name;
    str stack;
    str organization;
    str runtime;
    struct program_info program;
};

struct run_info {
    const struct project_facts *project;
    const struct config_facts *config;
    bool dry_run;
    int32_t parallel;
    str monitor_address;
};

/* The fields that messages about a run have in common. The configuration is in the clear. */
#define message_put_run(arena, message, run)                                              \
    do {                                                                                  \
        const struct run_info *put_run_ = (run);                                          \
        (message)->project = message_cstr((arena), put_run_->project->name);              \
        (message)->stack = message_cstr((arena), put_run_->project->stack);               \
        (message)->organization = message_cstr((arena), put_run_->project->organization); \
        message_put_pairs((arena), (message), config,                                     \
                          config_facts_reveal(put_run_->config, (arena)));                \
        message_put_strs((arena), (message), config_secret_keys,                          \
                         config_facts_secret_keys(put_run_->config, (arena)));            \
        (message)->dry_run = put_run_->dry_run;                                           \
    } while (0)
