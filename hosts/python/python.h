/* python.h — what the files of the Python host share. */
#pragma once

#include "common/host.h"
#include "common/language_ops.h"

enum python_toolchain { TOOLCHAIN_AUTO, TOOLCHAIN_PIP, TOOLCHAIN_POETRY, TOOLCHAIN_UV };
enum python_checker { CHECKER_NONE, CHECKER_MYPY, CHECKER_PYRIGHT };

/* How the interpreter of a program is found. */
struct python {
    const struct program *program;
    enum python_toolchain asked;     /* the option; may be TOOLCHAIN_AUTO */
    enum python_toolchain toolchain; /* never TOOLCHAIN_AUTO */
    enum python_checker checker;
    str tool;              /* path of poetry or uv; empty for pip */
    str virtualenv_option; /* as written */
    str virtualenv;        /* absolute; empty: the Python of the system */
    bool prefers_active;   /* poetry is to use the Python of the search path */
};

/* Reads the options. For poetry it asks where the environment is. Blocks. */
fallible python_open(struct host *host, struct arena *arena, const struct program *program,
                     bool is_plugin, struct python *out);
/* Whether the folder is a virtual environment. */
bool python_is_virtualenv(struct arena *arena, str folder);
/* Fails with what to do about it. */
fallible python_check_virtualenv(struct arena *arena, const struct python *python);

/* The interpreter of the system. */
fallible python_find(struct host *host, struct arena *arena, str *out);
/* A command of the program's interpreter, in its environment. */
fallible python_command(struct host *host, struct arena *arena, const struct python *python,
                        struct command *out);
/* With uv the environment is brought up to date first. Blocks. */
fallible python_sync(struct host *host, struct arena *arena, const struct python *python);

/* Makes the environment and installs what the project asks for. */
fallible python_install_into(struct host *host, struct arena *arena, const struct python *python,
                             struct sink *sink);

/* A project without pyproject.toml gets one if poetry or uv want it; `project` may be empty. */
fallible python_prepare(struct host *host, struct arena *arena, const struct python *python,
                        str project, struct sink *sink);
/* A command of poetry or uv in the program's folder. */
void python_tool_command(struct arena *arena, const struct python *python, struct command *out);
/* Runs one; the words end with NULL. Its output is shown. */
fallible python_run_tool(struct host *host, struct arena *arena, const struct python *python,
                         struct sink *sink, const char *const *words);

/* The option that keeps `uv add` from taking a package below the project for a part of it, where uv
 * has it. Blocks. */
fallible python_add_no_workspace(struct host *host, struct arena *arena,
                                 const struct python *python, struct words *words);

/* A buildable package has a name and a build backend in its pyproject.toml; empty if it is not. */
str python_package_name(struct arena *arena, str directory);

/* "1.2.3rc4" as semantic version "1.2.3-rc.4"; false if it has no such form. */
bool python_version_to_semver(struct arena *arena, str version, str *out);

/* A distribution that is installed. */
struct distribution {
    str name; /* normalized */
    str version;
    str plugin_json; /* path; empty: none */
};
struct distributions {
    VEC(struct distribution);
};
fallible python_distributions(struct host *host, struct arena *arena, const struct python *python,
                              struct distributions *out);

fallible python_required_packages(struct host *host, struct arena *arena,
                                  const struct program *program, struct packages *out);
fallible python_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                    Pb__RunResponse *out);
fallible python_run_plugin(struct host *host, struct arena *arena, const struct program *program,
                           const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code);
fallible python_install(struct host *host, struct arena *arena, const struct program *program,
                        const Pb__InstallDependenciesRequest *request, struct sink *sink);
fallible python_about(struct host *host, struct arena *arena, const struct program *program,
                      struct about *out);
fallible python_dependencies(struct host *host, struct arena *arena, const struct program *program,
                             bool with_transitive, struct dependencies *out);
fallible python_prompts(struct host *host, struct arena *arena, const struct program *program,
                        Pb__RuntimeOptionsResponse *out);
fallible python_fill_template(struct host *host, struct arena *arena, const struct program *program,
                              str project);
fallible python_print_program(const struct pcl_program *program, str *out);
fallible python_generate_package(struct host *host, struct arena *arena,
                                 const struct sdk_request *request, struct sdk_files *out);
fallible python_pack(struct host *host, struct arena *arena, str directory, str destination,
                     str *artifact);
fallible python_link(struct host *host, struct arena *arena, const struct program *program,
                     struct sdk_links links, str *instructions);
