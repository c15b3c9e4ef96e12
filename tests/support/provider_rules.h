/* provider_rules.h — how the scripted provider departs from its defaults.
 *
 * on: the call; name, type: of the resource (or function, or package), any if absent; nth: only the
 * nth such call error, code: fail so                     init: reasons of a half-made resource
 * sleepMs: wait first                      respond: fields of the answer
 * until: {on, name}: hold the call back until that call of the provider was seen
 * needs: {on, name}: fail unless that call was seen before
 * props, drop: outputs to set and remove   publish: steps of views
 * tells: a message for the user, by the engine
 * repeat: List answers every page with the continuation "1"
 * crash: the provider dies                 signal: for the engine; both before the work, or `after`
 * it */
#pragma once

#include "base/error.h"
#include "model/value.h"

#include <protobuf-c/protobuf-c.h>

struct rule {
    struct value script;
    size_t seen; /* calls that matched so far */
};

struct rules {
    struct rule *items;
    size_t len;
};

/* `list`: null or an array. */
struct rules rules_new(struct arena *arena, struct value list);

/* The first that applies to this call, counting; NULL if none does. */
struct rule *rules_find(struct rules *rules, const char *rpc, str name, str type);

/* All of these do nothing for NULL. */

/* Has a message shown by the engine at that address. Blocks. */
fallible rule_tell(const struct rule *rule, struct arena *arena, str address);
/* Waits, disturbs, or fails the call. Blocks. */
fallible rule_begin(const struct rule *rule);
/* Disturbs late, and lays its answer over this one. Blocks. */
fallible rule_finish(const struct rule *rule, struct arena *arena, ProtobufCMessage *answer);
bool rule_has(const struct rule *rule, str key);
/* The outputs as the rule wants them. */
struct value rule_edit(const struct rule *rule, struct arena *arena, struct value outputs);
/* Reports steps of views to the engine. Blocks. */
fallible rule_publish(const struct rule *rule, struct arena *arena, str address, str token);
/* The failure of a resource that exists but is not whole, if the rule wants one; else NULL.
 * `inputs` may be absent. */
fallible rule_init_failure(const struct rule *rule, struct arena *arena, str id,
                           struct value outputs, str inputs);
