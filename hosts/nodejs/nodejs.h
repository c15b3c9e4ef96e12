/* nodejs.h — what the files of the Node.js host share. */
#pragma once

#include "common/host.h"
#include "common/language_ops.h"

/* The runtime options of a project. */
struct node_options {
    bool is_typescript;
    bool is_production;
    str tsconfig;        /* absolute or empty */
    str node_arguments;  /* to be split */
    str package_manager; /* "auto" by default */
};
fallible node_options_read(struct arena *arena, const struct program *program,
                           struct node_options *out);

/* node itself. */
fallible node_find(struct host *host, struct arena *arena, str *out);
/* The file of a module of the SDK, "@pulumi/pulumi/cmd/run", as a program in that folder would find
 * it. Blocks. */
fallible node_find_module(struct host *host, struct arena *arena, str node, str directory,
                          str module, str *out);

fallible node_required_packages(struct host *host, struct arena *arena,
                                const struct program *program, struct packages *out);
fallible node_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                  Pb__RunResponse *out);
fallible node_run_plugin(struct host *host, struct arena *arena, const struct program *program,
                         const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code);
fallible node_install(struct host *host, struct arena *arena, const struct program *program,
                      const Pb__InstallDependenciesRequest *request, struct sink *sink);
fallible node_about(struct host *host, struct arena *arena, const struct program *program,
                    struct about *out);
fallible node_dependencies(struct host *host, struct arena *arena, const struct program *program,
                           bool with_transitive, struct dependencies *out);
fallible node_prompts(struct host *host, struct arena *arena, const struct program *program,
                      Pb__RuntimeOptionsResponse *out);
fallible node_fill_template(struct host *host, struct arena *arena, const struct program *program,
                            str project);
fallible node_print_program(const struct pcl_program *program, str *out);
fallible node_generate_package(struct host *host, struct arena *arena,
                               const struct sdk_request *request, struct sdk_files *out);
fallible node_pack(struct host *host, struct arena *arena, str directory, str destination,
                   str *artifact);
fallible node_link(struct host *host, struct arena *arena, const struct program *program,
                   struct sdk_links links, str *instructions);

/* Made to be an identifier that is no word of the language. */
str node_identifier(struct arena *arena, str name);
/* A literal in double quotes. */
void node_put_quoted(struct strbuf *out, str text);
