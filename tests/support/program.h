/* program.h — plays the entries of a script against a resource monitor: the whole program in the
 * language host, the inside of a component in the provider. */
#pragma once

#include "base/map.h"
#include "model/resource.h"

struct callbacks;
struct rpc_client;

/* What a program knows of something that it registered, read or called. */
struct binding {
    str urn;
    str id;
    struct value outputs; /* a plain object */
    bool is_known;        /* else: what is not among the outputs is unknown, not absent */
    struct strs dependencies;
};

struct program {
    struct arena *arena;
    struct rpc_client *monitor;
    struct rpc_client *engine; /* NULL inside a component */
    struct callbacks *callbacks;
    str root; /* parent of everything that names none */
    bool is_preview;
    bool is_late; /* it has waited for the shutdown */
    bool has_bailed;
    struct map bindings; /* label to struct binding */
};

void program_release(struct program *program);

/* Plays one entry after the other; stops at the first that fails unless that is tolerated.
 * Blocks. */
fallible program_run(struct program *program, struct value entries);

/* --- bindings --- */

void program_bind(struct program *program, str label, struct binding binding);
const struct binding *program_find(const struct program *program, str label); /* NULL if absent */
/* The URN of a label, or the text itself if nothing has that label. */
str program_urn(const struct program *program, str label);
/* "URN::ID" of a provider resource, or the text itself. */
str program_provider(const struct program *program, str label);

/* --- values --- */

/* URNs, each once. */
struct urns {
    struct map set;
};
void urns_release(struct urns *urns);
void urns_add(struct urns *urns, str urn);
struct strs urns_sorted(struct arena *arena, const struct urns *urns);

/* "${label.path}" and the $-forms become what they refer to; `dependencies` (may be NULL) gets the
 * URNs behind them. Null becomes an empty object where `value` is the whole. */
fallible program_resolve(const struct program *program, struct value value,
                         struct urns *dependencies, struct value *out);
fallible program_resolve_object(const struct program *program, struct value object,
                                struct urns *dependencies, struct value *out);

/* --- entries --- */

fallible program_register(struct program *program, struct value entry);
fallible program_read(struct program *program, struct value entry);
fallible program_invoke(struct program *program, struct value entry);
fallible program_call(struct program *program, struct value entry);
fallible program_outputs(struct program *program, str urn, struct value values);
fallible program_log(struct program *program, struct value entry);
fallible program_print(struct program *program, struct value entry);
fallible program_package(struct program *program, struct value entry);
fallible program_callback(struct program *program, struct value entry);
fallible program_feature(struct program *program, struct value entry);
fallible program_deployment_info(struct program *program);
fallible program_schema(struct program *program, struct value entry);
fallible program_mapping(struct program *program, struct value entry);
fallible program_bench(struct program *program, struct value parameters);
