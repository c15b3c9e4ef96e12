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

/* What no program can ask a provider. */
struct provider_question {
    const struct package_ref *package;
    bool is_explicit;    /* configured with these, as a provider that a program declares: */
    struct value inputs; /* VALUE_OBJECT; else as the default one is in programs of the stack */
    fallible (*ask)(void *context, struct provider *provider);
    void *context;
};
/* The provider lives no longer than the question. Plugins only: what is built in answers no
 * questions. What it prints is reported as events. Blocks. */
fallible engine_ask_provider(const struct engine_options *options,
                             const struct provider_question *question, struct arena *arena);

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
