/* run.h — runs a program against the engine. */
#pragma once

#include "yaml/eval/eval.h"
#include "yaml/serve/load.h"

struct run {
    struct arena *arena;
    struct loaded *loaded;
    struct run_settings settings;
    const struct config_value *config;
    size_t config_len;
    struct engine_link engine;
    struct schema_loader loader;
};

struct run_result {
    str error;       /* what the engine shows as an unhandled error */
    bool has_failed; /* everything was shown already */
    str complaints;  /* for stderr: what was found before anything ran */
};

/* The error is of the run itself; what is wrong with the program is in the result. Blocks. */
fallible run_program(struct run *run, struct run_result *out);

/* Tells the engine about the packages that are declared beside the program. Blocks. */
fallible run_register_packages(struct engine_link *engine, struct packages *packages);
