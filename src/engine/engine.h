/* engine.h — one operation on one stack: update, preview, refresh, destroy, import. */
#pragma once

#include "engine/engine_options.h"

struct engine_result {
    int64_t changes[STEP_OP_COUNT];
    bool has_changes;         /* for --expect-no-changes */
    struct snapshot snapshot; /* what is known now; sealed; in the arena given */
    str plan;                 /* wants_plan: the file's content */
};

/* Runs it. Failures are reported as events; what is returned then is reported. The result is
 * written in every case. Blocks. */
fallible engine_run(const struct engine_options *options, struct arena *arena,
                    struct engine_result *out);

/* What a preview leaves for the update after it: the server of the Engine service, language hosts,
 * and providers that can serve again. An operation that fails leaves nothing. Closing blocks. */
struct engine_shared *engine_shared_new(void);
void engine_shared_close(struct engine_shared *owned);

/* Asks a provider what no program can ask it. It is configured as the default provider of the
 * package is in programs of the stack, and lives no longer than the question. Plugins only: what is
 * built in answers no questions. What it prints is reported as events. Blocks. */
typedef fallible engine_question(void *context, struct provider *provider);
fallible engine_ask_provider(const struct engine_options *options,
                             const struct package_ref *package, struct arena *arena,
                             engine_question *question, void *context);

/* From a signal: the first stops starting new work and notifies plugins, the second abandons calls
 * under way. May be called on the loop. */
void engine_interrupt(void);

/* Needs no plugin: it is built in. */
bool engine_has_package(str name);
/* The schema of such a package. */
fallible engine_package_schema(struct arena *arena, str name, str *out);
/* Of which package a provider is, by its type and its inputs in the state. */
fallible engine_package_of(struct arena *arena, str provider_type, struct value inputs,
                           struct package_ref *out);
