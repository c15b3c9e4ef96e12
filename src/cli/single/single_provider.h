/* single_provider.h — the provider that a line of `do` wants instead of the default one of its
 * package. */
#pragma once

#include "cli/single/single_run.h"

struct single_provider {
    bool is_wanted;      /* else nothing of this counts */
    bool is_in_state;    /* as it stands here: nothing of it changes */
    str urn;             /* empty unless it is one of the stack, or will be */
    str name;            /* of its resource */
    struct value inputs; /* VALUE_OBJECT: expressions of a YAML program */
    str version;         /* of its plugin; empty: any */
    str download_url;
};

/* For a question, which keeps nothing: the provider with this URN in the stack (empty: none), with
 * what the line says on top. Blocks. */
fallible single_provider_ask(struct cli *cli, const struct single_line *line,
                             const struct single_wishes *wishes, struct single_provider *out);

/* For a change: that provider itself if the line says nothing else about it; else a new one beside
 * the resource that `urn` names. */
fallible single_provider_change(struct cli *cli, const struct single_line *line,
                                const struct single_wishes *wishes, const struct snapshot *snapshot,
                                str base, str urn, struct single_provider *out);

/* As a member of "resources"; others refer to it as ${provider}. */
#define SINGLE_PROVIDER STR("provider")
void single_provider_put(struct json_writer *writer, const struct single_provider *provider,
                         str package);
