/* language_ops.h — what a language does in its own way; the rest of a host is the same for all. */
#pragma once

#include "base/error.h"
#include "common/command.h"
#include "common/sdk.h"
#include "model/value.h"
#include "pcl/pcl_print.h"

#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"

struct host;

/* Where a program is and what its project file says about the runtime. */
struct program {
    str root;
    str directory;
    str entry_point;      /* "." or a file */
    struct value options; /* VALUE_OBJECT */
};

fallible program_open(struct arena *arena, const Pb__ProgramInfo *info, struct program *out);
/* Empty if it is not set. Fails on what is no text. */
fallible program_option_text(const struct program *program, const char *name, str *out);
fallible program_option_bool(const struct program *program, const char *name, bool otherwise,
                             bool *out);

/* Packages that a program needs. */
struct packages {
    VEC(Pb__PackageDependency *);
};

struct dependencies {
    VEC(Pb__DependencyInfo *);
};
void dependencies_add(struct dependencies *list, struct arena *arena, str name, str version);

/* Facts for `about`: key, value, key, value … */
struct about {
    str executable;
    str version;
    VEC(struct pair);
};
void about_add(struct about *about, str key, str value);

/* Everything lives in the arena of the call. A NULL member answers that it is not implemented. All
 * of them block. */
struct language_ops {
    const char *runtime;      /* "nodejs" */
    const char *program_file; /* "index.ts": what a program that we print is called */
    pcl_print *print_program;
    fallible (*required_packages)(struct host *host, struct arena *arena,
                                  const struct program *program, struct packages *out);
    /* Runs the program to its end; *out is its exit code, or an explanation of its failure. */
    fallible (*run)(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                    Pb__RunResponse *out);
    fallible (*install)(struct host *host, struct arena *arena, const struct program *program,
                        const Pb__InstallDependenciesRequest *request, struct sink *sink);
    fallible (*about)(struct host *host, struct arena *arena, const struct program *program,
                      struct about *out);
    fallible (*dependencies)(struct host *host, struct arena *arena, const struct program *program,
                             bool with_transitive, struct dependencies *out);
    fallible (*prompts)(struct host *host, struct arena *arena, const struct program *program,
                        Pb__RuntimeOptionsResponse *out);
    fallible (*fill_template)(struct host *host, struct arena *arena, const struct program *program,
                              str project);
    /* The command of a plugin that is source code. */
    fallible (*run_plugin)(struct host *host, struct arena *arena, const struct program *program,
                           const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code);
    /* Puts the files of an SDK for the package. */
    fallible (*generate_package)(struct host *host, struct arena *arena,
                                 const struct sdk_request *request, struct sdk_files *out);
    /* Makes of an SDK what the package manager of the language installs; *artifact is its path. */
    fallible (*pack)(struct host *host, struct arena *arena, str directory, str destination,
                     str *artifact);
    /* Makes SDKs known to the program, for the next installation; *instructions says to the user
     * how to import them. */
    fallible (*link)(struct host *host, struct arena *arena, const struct program *program,
                     struct sdk_links links, str *instructions);
};

/* --- what all languages say the same way --- */

/* PULUMI_CONFIG: {"ns:key": "text"}; with `marks_config` keys are "ns:config:key". */
str run_config_json(struct arena *arena, Pb__StringEntry *const *config, size_t len,
                    bool marks_config);
/* PULUMI_CONFIG_SECRET_KEYS: a list. */
str run_secret_keys_json(struct arena *arena, const Pb__RunRequest *request);
/* What an exit code means: 32 says that the user knows already. */
void run_answer(struct arena *arena, int exit_code, str words_before_code, Pb__RunResponse *out);
