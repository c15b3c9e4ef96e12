/* load.h — programs and plugins in folders. */
#pragma once

#include "yaml/schema/packages.h"
#include "yaml/syntax/program.h"

struct loaded {
    struct arena *arena;
    struct source source;
    struct program *program;
    struct diags diags;
    struct packages packages;
};

void loaded_init(struct loaded *loaded, struct arena *arena);
void loaded_release(struct loaded *loaded);

/* Reads the first of Main.json, Main.yaml and the project file, and the package declarations beside
 * it. What is wrong with the text is in the diagnostics; ERROR_NOT_FOUND: there is no such file.
 * Blocks the thread. */
fallible load_program(struct loaded *loaded, str directory);

/* Reads the text that is in `source` already. */
void load_text(struct loaded *loaded);

/* The program is what a command prints that is run in the folder with these variables, "K=V",
 * before those that are there. Blocks. */
fallible load_compiled(struct loaded *loaded, str directory, str command,
                       const char *const *variables);

/* PulumiPlugin.yaml and all other .yaml files of the folder, as one program of components. Blocks
 * the thread. */
fallible load_plugin(struct loaded *loaded, str directory);
