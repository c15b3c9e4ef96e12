/* provider.h — one provider: a table of operations, served by a plugin process or in-process. */
#pragma once

#include "plugin/provider_calls.h"
#include "plugin/provider_invoke.h"

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

/* Every call blocks and puts its results into the arena. Errors of the peer are ERROR_STATUS. NULL:
 * answers "unimplemented". Create, read, update and delete write `out` on failure too: status, and
 * with RESOURCE_PARTIAL what exists. */
struct provider_ops {
    fallible (*parameterize)(struct provider *, str name, str version, str value, struct arena *);
    /* The same with the arguments of a user; reports which package it is then. */
    fallible (*parameterize_by_words)(struct provider *, struct strs words, struct arena *,
                                      str *name, str *version);
    fallible (*get_schema)(struct provider *, struct arena *, str *out);
    /* How `name` of another ecosystem ("terraform") is called here; empty if it does not know. An
     * empty name is any, and becomes the one that it knows. */
    fallible (*get_mapping)(struct provider *, str ecosystem, str *name, struct arena *, str *out);
    fallible (*check_config)(struct provider *, const struct check_request *, struct arena *,
                             struct check_answer *);
    fallible (*diff_config)(struct provider *, const struct diff_request *, struct arena *,
                            struct diff_answer *);
    /* Returns at once; the call goes on in the background and the calls below wait for it. With
     * unknown inputs nothing is sent and they are answered here (preview). */
    fallible (*configure)(struct provider *, const struct configure_request *);
    fallible (*check)(struct provider *, const struct check_request *, struct arena *,
                      struct check_answer *);
    fallible (*diff)(struct provider *, const struct diff_request *, struct arena *,
                     struct diff_answer *);
    fallible (*create)(struct provider *, const struct create_request *, struct arena *,
                       struct provider_state *);
    fallible (*read)(struct provider *, const struct read_request *, struct arena *,
                     struct provider_state *);
    fallible (*list)(struct provider *, const struct list_request *, struct arena *,
                     struct list_answer *);
    fallible (*update)(struct provider *, const struct update_request *, struct arena *,
                       struct provider_state *);
    fallible (*delete)(struct provider *, const struct delete_request *, struct arena *,
                       struct provider_state *);
    fallible (*invoke)(struct provider *, const struct invoke_request *, struct arena *,
                       struct invoke_answer *);
    fallible (*call)(struct provider *, const struct call_request *, struct arena *,
                     struct call_answer *);
    fallible (*construct)(struct provider *, const struct construct_request *, struct arena *,
                          struct construct_answer *);
    fallible (*traits)(struct provider *, struct provider_traits *); /* blocks until configured */
    void (*cancel)(struct provider *);
    void (*close)(struct provider *owned);
};

/* Implementations embed this as their first member. */
struct provider {
    const struct provider_ops *ops;
    str package;
    str version; /* of the plugin; may be empty */
};
