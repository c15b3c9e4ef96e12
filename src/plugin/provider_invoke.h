/* provider_invoke.h — functions, methods and components of providers: what is asked and what is
 * answered. */
#pragma once

#include "model/goal.h"
#include "plugin/provider_calls.h"
#include "plugin/run_info.h"

struct invoke_request {
    str token;
    struct value args;
    bool preview;
};
struct invoke_answer {
    struct value result;
    struct check_failures failures;
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
