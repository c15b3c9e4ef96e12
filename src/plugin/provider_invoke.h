/* provider_invoke.h — functions, methods and components of providers: what is asked and what is
 * answered. */
#pragma once

#include "model/goal.h"
#include "plugin/provider_calls.h"

struct invoke_request {
    str token;
    struct value args;
    bool preview;
};
struct invoke_answer {
    struct value result;
    struct check_failures failures;
};

/* Who runs what, for components and methods. */
struct run_info {
    str project;
    str stack;
    str organization;
    const str *config; /* key, value, key, value … in clear */
    size_t config_len; /* number of slices */
    struct strs config_secret_keys;
    bool dry_run;
    int32_t parallel;
    str monitor_address;
};

struct call_request {
    str token;
    struct value args;
    struct property_dependencies arg_dependencies;
    const struct run_info *run;
    str stack_trace_handle;
};
struct call_answer {
    struct value result;
    struct property_dependencies return_dependencies;
    struct check_failures failures;
};

struct construct_request {
    const struct run_info *run;
    str type;
    str name;
    str parent;
    struct value inputs;
    struct property_dependencies input_dependencies;
    const struct requested_options *options; /* passed on as they came; NULL: none */
    str stack_trace_handle;
};
struct construct_answer {
    str urn;
    struct value outputs;
    struct property_dependencies output_dependencies;
};
