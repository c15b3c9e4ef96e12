/* scenario_file.h — a scenario as its file describes it. */
#pragma once

#include "model/resource.h"

struct yaml_node;

/* One step of a scenario: what to run, and the world it runs in. */
struct operation {
    str verb;                /* up, preview, refresh, destroy, import, cli, state */
    struct strs args;        /* for the command line */
    struct value program;    /* null: as before */
    struct value rules;      /* of the provider, for this operation */
    struct value components; /* null: as before */
    struct value cloud_set;  /* drift before it: id to { type, props } */
    struct strs cloud_delete;
    struct value edits; /* of the state, for `state` */
    bool is_unordered;  /* compare lists as sets */
    unsigned parallel;
    struct value environment;
    struct strs sections; /* to compare; none: all but those that must be asked for */
    struct strs also;     /* sections to compare besides */
};

struct scenario {
    str name;
    struct strs packages;
    struct strs packs; /* policy packs: ../bin/pulumi-analyzer-PACK */
    struct value config;
    struct value secrets;
    struct value files;              /* of the project folder: name → what is in it */
    const struct yaml_node *project; /* further keys of the project file; may be NULL */
    struct operation *operations;
    size_t operation_count;
};

/* Keys that mean nothing fail, because a misspelt one would silently test nothing. */
fallible scenario_load(struct arena *arena, str path, struct scenario *out);
