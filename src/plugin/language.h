/* language.h — language hosts: what a program needs, running it, installing what it is built on. */
#pragma once

#include "plugin/plugin.h"

struct run_request {
    const struct run_info *run;
    const struct program_info *program;
    str loader_address;
    str mapper_address;
};
struct run_answer {
    str error;
    bool bail;
};

/* Starts (or attaches to) the host of that runtime. Blocks. */
fallible plugin_load_language(struct plugin_host *host, str runtime, struct language **out);
fallible language_required_packages(struct language *language, const struct program_info *program,
                                    struct arena *arena, struct package_refs *out);
/* Blocks until the program has ended. */
fallible language_run(struct language *language, const struct run_request *request,
                      struct arena *arena, struct run_answer *out);
/* What the program has printed so far is reported, also a last line without an end. Blocks. */
void language_settle(struct language *language);
/* Asks it to stop the program; UNIMPLEMENTED is fine. */
void language_cancel(struct language *language);
struct about_answer {
    str executable;
    str version;
    struct pairs facts;
};
fallible language_about(struct language *language, const struct program_info *program,
                        struct arena *arena, struct about_answer *out);
/* What the program is built on: name → version. Blocks. */
fallible language_dependencies(struct language *language, const struct program_info *program,
                               bool is_transitive, struct arena *arena, struct pairs *out);

/* A program that was written in PCL, as the language writes it. */
struct program_answer {
    str text;       /* empty: it could not be printed */
    str complaints; /* what the host says against it, in lines */
};
/* The host asks the loader at that address for schemas. ERROR_NOT_FOUND: it prints no programs.
 * Blocks. */
fallible language_generate_program(struct language *language, str pcl, str loader_address,
                                   struct arena *arena, struct program_answer *out);

/* Where the output of package managers goes, as it comes. */
struct dependency_output {
    void *context;
    void (*write)(void *context, bool is_error, str bytes);
};
struct dependency_request {
    const struct program_info *program;
    bool is_plugin;
    bool is_terminal;
    bool uses_version_tools; /* of the language: fnm, pyenv */
    struct dependency_output output;
};
/* What the program is built on, by the language's own tools. A host that does not know the call is
 * fine. Blocks. */
fallible language_install_dependencies(struct language *language,
                                       const struct dependency_request *request);
/* The same for a plugin that is source code; nothing for any other directory. Blocks. */
fallible plugin_install_dependencies(struct plugin_host *host, str folder,
                                     const struct dependency_output *output);

/* --- a new program --- */

struct runtime_choice {
    str value;
    str shown;
};
/* What a new program has to be asked about its runtime. */
struct runtime_prompt {
    str key;
    str description;
    const struct runtime_choice *choices; /* none: anything may be answered */
    size_t choice_count;
    str preset;     /* value; empty: none */
    bool is_number; /* the answer */
};
struct runtime_prompts {
    struct runtime_prompt *items;
    size_t len;
};
/* Which options are still open, given those of `program`; none where the host does not know the
 * call. Blocks. */
fallible language_runtime_prompts(struct language *language, const struct program_info *program,
                                  struct arena *arena, struct runtime_prompts *out);
/* Lets the host finish the files of a new program. Blocks. */
fallible language_fill_template(struct language *language, const struct program_info *program,
                                str project_name);
