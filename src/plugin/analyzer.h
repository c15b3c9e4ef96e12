/* analyzer.h — policy packs: plugins that check resources before they are created, and at the stack
 * when all are. */
#pragma once

#include "plugin/plugin.h"

struct analyzer;

enum policy_level { POLICY_ADVISORY, POLICY_MANDATORY, POLICY_DISABLED, POLICY_REMEDIATE };
extern const char *const policy_level_names[];    /* "advisory", … */
extern const char *const policy_severity_names[]; /* by number on the wire; the first is empty */

struct policy_violation {
    str policy;
    str pack;
    str pack_version;
    str description;
    str message;
    enum policy_level level;
    int severity;
    str urn; /* empty: the resource that was asked about */
};
struct policy_violations {
    struct policy_violation *items;
    size_t len;
    struct strs not_applicable; /* policies that had nothing to check */
};

struct remediation {
    str policy;
    str pack;
    str pack_version;
    str description;
    bool has_properties;
    struct value properties;
    str diagnostic; /* not empty: it could not remediate */
};
struct remediations {
    struct remediation *items;
    size_t len;
    struct strs not_applicable;
};

/* A resource as policies see it. */
struct analyzed {
    const struct resource *resource;
    struct value properties; /* inputs; outputs for the stack */
    bool has_delete_before_replace;
    bool deletes_before_replace;
    const struct resource *provider; /* NULL: none */
};

struct analyzer_spec {
    str path;               /* a directory with PulumiPolicy.yaml, or a program */
    str name;               /* for messages; empty: the path */
    str version;            /* that whoever requires it calls it by; empty: it says itself */
    str config;             /* JSON as in --policy-pack-config; may be empty */
    struct pairs variables; /* of its process, beside those of all plugins */
};

/* Starts the pack and configures it. Closed with the host. Blocks. */
fallible plugin_load_analyzer(struct plugin_host *host, const struct analyzer_spec *spec,
                              const struct run_info *run, struct analyzer **out);
str analyzer_name(const struct analyzer *analyzer);
str analyzer_version(const struct analyzer *analyzer);
str analyzer_path(const struct analyzer *analyzer);
/* Its policies about resources, or about the stack, that are not disabled; older packs do not say
 * which is which. */
struct strs analyzer_policies(const struct analyzer *analyzer, bool of_stack, struct arena *arena);

/* All block; results live in the arena. */
fallible analyzer_remediate(struct analyzer *analyzer, const struct analyzed *resource,
                            struct arena *arena, struct remediations *out);
fallible analyzer_analyze(struct analyzer *analyzer, const struct analyzed *resource,
                          struct arena *arena, struct policy_violations *out);
fallible analyzer_analyze_stack(struct analyzer *analyzer, const struct analyzed *resources,
                                size_t count, struct arena *arena, struct policy_violations *out);
