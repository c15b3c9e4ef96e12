/* provider.h — the scripted provider: plain defaults, a cloud in a file, and rules that depart from
 * the defaults. */
#pragma once

#include "base/vec.h"
#include "rpc/rpc.h"
#include "support/provider_rules.h"

#include <protobuf-c/protobuf-c.h>

struct scripted_provider {
    struct arena arena;
    str package;
    str parameter; /* the name of the package that it has become; empty: none */
    struct rules rules;
    struct value components; /* by type: what Construct does */
    str engine;              /* where users can be told something */
    bool is_configured;
    bool keeps_cloud;
    str delays;       /* "seed:ms": every call takes up to that long, before and after its work */
    uint64_t delayed; /* how often */
    str directory;    /* of the cloud */
};

/* Serves until the engine is gone. */
int provider_main(str package);
int analyzer_main(str pack);
/* Plays the converter of that name. */
int converter_main(str name);

/* --- private to provider_*.c --- */

#define PROVIDER(method) "/pulumirpc.ResourceProvider/" method

/* One call under way. */
struct provider_call {
    struct scripted_provider *provider;
    struct arena *arena; /* of the call */
    const char *rpc;
    struct rule *rule; /* NULL: nothing departs from the defaults */
};

/* Serves methods that have the provider as their context, until the engine is gone. */
int provider_serve(str package, const struct rpc_method *served);

/* Unpacks the request, traces it, finds its rule and does what that wants done first. Rules see the
 * resource's name and type where the request has them. Blocks. */
fallible provider_begin(struct provider_call *call, str bytes,
                        const ProtobufCMessageDescriptor *type, void **request);
/* For requests that are named by something else: a function, a package. */
fallible provider_begin_named(struct provider_call *call, str name, str bytes,
                              const ProtobufCMessageDescriptor *type, void **request);
/* Lets the rule have its way with the answer, and packs it. Blocks. */
fallible provider_finish(const struct provider_call *call, ProtobufCMessage *answer, str *response);
/* The same where the rule's answer replaces the default as a whole. */
fallible provider_finish_whole(const struct provider_call *call, ProtobufCMessage *answer,
                               str *response);

#define PROVIDER_CALL(method)                                              \
    {                                                                      \
        .provider = provider_, .arena = rpc_call_arena(rpc), .rpc = method \
    }

/* The methods, each in the file of its kind. */
rpc_handler provider_check, provider_diff, provider_check_config, provider_diff_config;
rpc_handler provider_create, provider_read, provider_update, provider_delete;
rpc_handler provider_construct;
rpc_stream_handler provider_list;
rpc_handler provider_plugin_info, provider_cancel; /* of policy packs, too */
