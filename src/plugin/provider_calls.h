/* provider_calls.h — configuration and resources: what providers are asked and what they answer. */
#pragma once

#include "model/diff.h"
#include "model/resource.h"

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
    bool is_unavailable; /* provider not configured (preview): an update, with a warning */
};

/* How a provider left a resource when a call failed. */
enum resource_status { RESOURCE_OK, RESOURCE_PARTIAL, RESOURCE_UNKNOWN };

/* State a provider reports, complete or partial. */
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

/* What there is of a type, page by page. */
struct list_request {
    str token;
    struct value query; /* VALUE_OBJECT */
    int64_t limit;      /* 0: none */
    str continuation;   /* empty: the first page */
};
struct listed {
    str id;
    str name; /* may be empty */
};
struct list_answer {
    struct listed *items;
    size_t len;
    str continuation; /* of the next page; empty: there is none */
};

struct configure_request {
    str urn;
    str id; /* the unknown sentinel in a preview that would create it */
    str name;
    str type;
    struct value inputs; /* without __internal */
};
