/* operation_setup.h — from options, project and stack to the options of the engine. Seen only by
 * operation*.c. */
#pragma once

#include "cli/operate/import_file.h"
#include "cli/operate/operation.h"
#include "cli/service/environment.h"
#include "fiber/sync.h"

#include <stdio.h>

struct cancel;

/* One operation from the first to the last phase. */
struct operation {
    struct cli *cli;
    const struct operation_args *args;
    const struct operation_plan *plan;
    struct stack_config stack_config;
    struct config config;           /* the stack's, and the project's under it */
    struct secrets *config_secrets; /* for what is written */
    struct stack_environment environment;
    struct project_facts project;
    struct config_facts facts; /* the configuration as programs are given it */
    struct plugin_world world;
    struct secret_list secret_texts; /* plaintexts that nobody may see */
    bool refreshes;
    struct report *report;            /* --report; NULL: none */
    struct import_skeleton *skeleton; /* --import-file; NULL: none */
    char *details;                    /* of the preview, shown on request; NULL: none */
    size_t details_len;
    FILE *details_file;
    size_t expected;    /* resources, after a preview; 0: not known */
    int64_t start_time; /* Unix seconds */
    bool was_interrupted;
    struct {
        bool is_gathered;
        struct pairs environment;
        str message;
        str config;           /* JSON */
    } memory;                 /* what is remembered of it beside its result */
    bool has_compared_keys;   /* the next one counts */
    bool changes_key;         /* what is saved is sealed by another manager than what was loaded */
    struct update *update;    /* in a backend that keeps track; NULL: there is none */
    struct pack_world *packs; /* what policy packs that are required run in */
    bool has_begun_key;
    struct latch key_done;
};

/* operation_report.c: --report. Fails at once where the file cannot be written. */
fallible operation_open_report(struct operation *operation);
/* Writes the page, whatever became of the operation. */
fallible operation_close_report(struct operation *operation);

/* Reads and checks the configuration, opens the managers of secrets. operation_close is due, also
 * if it fails. Blocks. */
fallible operation_setup(struct operation *operation);
/* Nothing of it goes on in the background, no file of the environment is left. Blocks. */
void operation_close(struct operation *operation);

/* All that does not change between preview and update. */
fallible operation_engine_options(struct operation *operation, struct engine_options *out);

/* operation_record.c: gathers once who runs what, and how. Blocks. */
void operation_remember(struct operation *operation);

/* operation_follow.c: announces the phase to a backend that keeps track of operations. Blocks. */
fallible operation_begin(struct operation *operation, bool is_preview);
fallible operation_end(struct operation *operation, struct error *failure);

/* operation_packs.c: the policy packs that the phase which has begun is told to run. Blocks. */
fallible operation_take_packs(struct operation *operation, struct engine_options *options);
void operation_close_packs(struct operation *operation);

/* Remembers how it went. Blocks. */
fallible operation_record(struct operation *operation, bool has_succeeded, const int64_t *changes);

/* operation_key.c. Begins to derive the key, and returns. Where a person has to be asked for the
 * passphrase, or none was given, it is known at once: blocks then. */
fallible operation_begin_key(struct operation *operation);
/* The engine waits for it before the first change, and at its end. */
void operation_watch_key(struct operation *operation, struct engine_options *options);
