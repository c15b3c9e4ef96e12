/* golang.h — what the files of the Go host share. */
#pragma once

#include "common/host.h"
#include "common/language_ops.h"

/* A module that go.mod requires. */
struct module {
    str path;
    str version;
    bool is_indirect;
    bool is_replaced;
    str replacement;         /* a folder, or the path of another module */
    str replacement_version; /* empty: a folder */
    str directory;           /* of its source; empty: not known */
};

struct modules {
    str root; /* where go.mod is */
    VEC(struct module);
};

/* Reads the go.mod that holds in the folder. Texts live in the arena. */
fallible go_modules_read(struct arena *arena, str directory, struct modules *out);
/* The modules as the go.work that holds there, if there is one, changes them. */
fallible go_workspace_read(struct arena *arena, struct modules *modules);
void go_modules_release(struct modules *modules);

/* The go command. */
fallible go_find(struct host *host, struct arena *arena, str *out);

fallible go_required_packages(struct host *host, struct arena *arena, const struct program *program,
                              struct packages *out);
fallible go_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                Pb__RunResponse *out);
fallible go_run_plugin(struct host *host, struct arena *arena, const struct program *program,
                       const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code);
fallible go_install(struct host *host, struct arena *arena, const struct program *program,
                    const Pb__InstallDependenciesRequest *request, struct sink *sink);
fallible go_about(struct host *host, struct arena *arena, const struct program *program,
                  struct about *out);
fallible go_dependencies(struct host *host, struct arena *arena, const struct program *program,
                         bool with_transitive, struct dependencies *out);
fallible go_print_program(const struct pcl_program *program, str *out);

fallible go_generate_package(struct host *host, struct arena *arena,
                             const struct sdk_request *request, struct sdk_files *out);
fallible go_pack(struct host *host, struct arena *arena, str directory, str destination,
                 str *artifact);
fallible go_link(struct host *host, struct arena *arena, const struct program *program,
                 struct sdk_links links, str *instructions);
