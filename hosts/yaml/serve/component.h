/* component.h — components written in YAML: their schema, and making one. */
#pragma once

#include "yaml/serve/run.h"

struct Pb__ConstructRequest;

/* The schema of a plugin, as JSON. */
fallible component_schema(struct arena *arena, const struct program *plugin, str *out);

struct component_run {
    struct arena *arena;
    struct loaded *loaded; /* the plugin */
    str directory;
    struct engine_link engine;
    struct schema_loader loader;
};

/* Registers the component and everything in it. The error says what is wrong with it. Blocks. */
fallible component_construct(struct component_run *run, const struct Pb__ConstructRequest *request,
                             str *response);
