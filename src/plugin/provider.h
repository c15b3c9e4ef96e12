/* provider.h — one provider: a table of operations, served by a plugin process or in-process. */
#pragma once

#include "model/diff.h"
#include "model/resource.h"

struct provider;

/* What was made of it, by Handshake or Configure. */
struct provider_traits {
    bool accepts_secrets;
    bool accepts_resources;
    bool accepts_outputs;
    bool accepts_byte_strings;
    bool supports_preview;
    bool supports_autonaming;
};

struct check_failure {
    str property;
    str reason;
};
struct check_failures {
    const struct check_failure *items;
    size_t len;
};

enum autonaming_mode { AUTONAMING_PROPOSE, AUTONAMING_ENFORCE, AUTONAMING_DISABLE };

struct check_request {
    str urn;
    struct value olds; /* VALUE_OBJECT; empty on create */
    struct value news;
    bool allows_unknowns; /* preview */
    str seed;             /* 32 bytes */
    bool has_autonaming;
    enum autonaming_mode autonaming_mode;
    str proposed_name;
};
struct check_answer {
    struct value inputs;
    struct check_failures failures;
};

enum diff_changes { CHANGES_UNKNOWN, CHANGES_NONE, CHANGES_SOME };

struct diff_request {
    str urn;
    str id;
    struct value old_inputs;
    struct value old_outputs;
    struct value news;
    bool allows_unknowns;
    struct strs ignore_changes;
};
struct diff_answer {
    enum diff_changes changes;
    struct strs replace_keys;
    struct strs stable_keys;
    struct strs changed_keys;
    bool has_detailed_diff;
    struct property_diffs detailed_diff;
    bool deletes_before_replace;
    bool is_unavailable; /* provider not configured (preview): counts as an update, with a warning */
};

/* How a provider left a resource when a call failed. */
enum resource_status { RESOURCE_OK, RESOURCE_PARTIAL, RESOURCE_UNKNOWN };

/* State a provider reports, whole or half made. */
struct provider_state {
    str id;
    bool exists;     /* Read: properties were present */
    bool has_inputs; /* Read */
    struct value inputs;
    struct value outputs;
    bool refreshes_before_update;
    struct strs init_errors; /* status RESOURCE_PARTIAL */
    enum resource_status status;
};

/* Old state of the views of a resource. */
struct provider_views {
    struct resource *const *items;
    size_t len;
};

struct create_request {
    str urn;
    struct value inputs;
    double timeout;
    bool preview;
    str status_address;
    str status_token;
};
struct read_request {
    str urn;
    str id;
    struct value inputs; /* VALUE_NULL: absent */
    struct value state;  /* VALUE_NULL: absent */
    double timeout;
    struct provider_views old_views;
    str status_address;
    str status_token;
};
struct update_request {
    str urn;
    str id;
    struct value old_inputs;
    struct value old_outputs;
    struct value news;
    double timeout;
    struct strs ignore_changes;
    bool preview;
    struct provider_views old_views;
    str status_address;
    str status_token;
};
struct delete_request {
    str urn;
    str id;
    struct value old_inputs;
    struct value old_outputs;
    double timeout;
    struct provider_views old_views;
    str status_address;
    str status_token;
};

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

/* The options are as in the request of the program, in wire form where the engine does not look into them. */
struct construct_request {
    const struct run_info *run;
    str type;
    str name;
    str parent;
    struct value inputs;
    struct property_dependencies input_dependencies;
    const void *options; /* Pb__RegisterResourceRequest: everything else is passed on from there */
    struct strs dependencies;
    str stack_trace_handle;
};
struct construct_answer {
    str urn;
    struct value outputs;
    struct property_dependencies output_dependencies;
};

struct configure_request {
    str urn;
    str id; /* the unknown sentinel in a preview that would create it */
    str name;
    str type;
    struct value inputs; /* without __internal */
};

/* Every call blocks and puts its results into the arena. Errors of the peer are ERROR_STATUS. NULL: answers
 * "unimplemented". Create, read, update and delete write `out` on failure too: status, and with RESOURCE_PARTIAL what
 * exists. */
struct provider_ops {
    struct error *(*parameterize)(struct provider *, str name, str version, str value, struct arena *);
    struct error *(*get_schema)(struct provider *, struct arena *, str *out);
    struct error *(*check_config)(struct provider *, const struct check_request *, struct arena *,
                                  struct check_answer *);
    struct error *(*diff_config)(struct provider *, const struct diff_request *, struct arena *, struct diff_answer *);
    /* Returns at once; the call goes on in the background and the calls below wait for it. With unknown inputs nothing
     * is sent and they are answered here (preview). */
    struct error *(*configure)(struct provider *, const struct configure_request *);
    struct error *(*check)(struct provider *, const struct check_request *, struct arena *, struct check_answer *);
    struct error *(*diff)(struct provider *, const struct diff_request *, struct arena *, struct diff_answer *);
    struct error *(*create)(struct provider *, const struct create_request *, struct arena *, struct provider_state *);
    struct error *(*read)(struct provider *, const struct read_request *, struct arena *, struct provider_state *);
    struct error *(*update)(struct provider *, const struct update_request *, struct arena *, struct provider_state *);
    struct error *(*delete)(struct provider *, const struct delete_request *, struct arena *, struct provider_state *);
    struct error *(*invoke)(struct provider *, const struct invoke_request *, struct arena *, struct invoke_answer *);
    struct error *(*call)(struct provider *, const struct call_request *, struct arena *, struct call_answer *);
    struct error *(*construct)(struct provider *, const struct construct_request *, struct arena *,
                               struct construct_answer *);
    struct error *(*traits)(struct provider *, struct provider_traits *); /* blocks until configured */
    void (*cancel)(struct provider *);
    void (*close)(struct provider *owned);
};

/* Implementations embed this as their first member. */
struct provider {
    const struct provider_ops *ops;
    str package;
    str version; /* of the plugin; may be empty */
};
