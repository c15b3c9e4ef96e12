/* project.h — the project file (Pulumi.yaml), stack config files and the workspace on disk: the
 * face of this folder. */
#pragma once

#include "model/value.h"
#include "project/config.h"
#include "project/workspace.h"

/* One entry of the project's `config` section. */
struct project_config {
    str declared_key; /* as written, for messages */
    struct config_key key;
    bool is_own;   /* in the project's namespace: declares a type; others give a value */
    str type;      /* string, integer, boolean, array, object; empty: not typed */
    str type_text; /* for messages: array<string> */
    const struct project_config *items; /* of an array: only type and items are set */
    bool is_secret;
    str description;
    bool has_default;
    struct value default_value;
    bool has_value;
    struct value value;
};

struct project_package {
    str name;
    str source;
    str version;
    const str *parameters;
    size_t parameter_count;
    bool is_extension; /* the parameters extend the plugin's package instead of replacing it */
    str download_url;
    bool is_full; /* written as an object, not as source@version */
};

enum project_plugin_kind { PROJECT_PROVIDER, PROJECT_ANALYZER, PROJECT_LANGUAGE };
struct project_plugin {
    enum project_plugin_kind kind;
    str name;
    str path;
    str version;
};

/* `template.config.<key>` of a template. */
struct project_template_config {
    str key;
    str description;
    str default_value;
    bool is_secret;
};

struct project {
    str path;      /* absolute, of the project file */
    str directory; /* absolute, of the project file */
    str text;      /* of the file */
    str name;
    str runtime;
    struct value runtime_options; /* VALUE_OBJECT */
    str main;
    str description;
    bool has_description;
    str author;
    str website;
    str license;
    str stack_config_dir;
    str backend_url;
    bool refreshes_always;               /* options.refresh: always */
    str required_version;                /* requiredPulumiVersion */
    const struct project_config *config; /* sorted by key */
    size_t config_count;
    const struct project_package *packages;
    size_t package_count;
    const struct project_plugin *plugins;
    size_t plugin_count;
    bool is_template;
    str template_display_name;
    str template_description;
    str template_quickstart;
    bool template_is_important;
    const struct project_template_config *template_config;
    size_t template_config_count;
    struct value document; /* the whole file as a plain value, e.g. for `runtime: yaml` programs */
};

/* The nearest project file in `directory` (absolute) or above. ERROR_NOT_FOUND with the reference's
 * text. Blocks. */
fallible project_find(struct arena *arena, str directory, str *path);
/* Reads and validates. `path` is absolute. Blocks. */
fallible project_load(struct arena *arena, str path, struct project *out);
fallible project_parse(struct arena *arena, str path, str text, struct project *out);
/* Writes an option of the runtime into the project file, whose comments, order and style stay, and
 * into the project. Blocks. */
fallible project_set_runtime_option(struct arena *arena, struct project *project, str key,
                                    str value);

/* The text of a project file, or of the manifest of a plugin, with that package under `packages`;
 * comments, order and style of the rest stay. */
fallible project_put_package(struct arena *arena, str path, str text,
                             const struct project_package *package, str *out);

struct project_option {
    str key;
    str value;
    bool is_number;
};
/* What a project made from a template is called, and the options of its runtime that were chosen.
 */
struct project_instance {
    str name;
    str description;   /* empty: none */
    str template_name; /* remembered as a tag; empty: not */
    const struct project_option *options;
    size_t option_count;
};
/* The project file that is made from the text of a template's: without `template`; comments, order
 * and style of the rest stay. `path` is for messages. */
fallible project_instantiate(struct arena *arena, str path, str text,
                             const struct project_instance *instance, str *out);

/* The same for the manifest of a policy pack or a package, which has no more than options to set.
 */
fallible project_instantiate_source(struct arena *arena, str path, str text,
                                    const struct project_option *options, size_t option_count,
                                    str *out);
/* What the manifest of a policy pack or a package says about its runtime. */
fallible project_read_runtime(struct arena *arena, str path, str text, str *runtime,
                              struct value *options);

/* Where the program runs and what is run there: `main` may be a directory or a file. Reads the
 * disk: blocks. */
fallible project_program(struct arena *arena, const struct project *project, str *directory,
                         str *entry_point);

/* 1 to 100 of [A-Za-z0-9_.-]. */
fallible project_name_check(str name);

/* Does `version` (like v3.260.0) satisfy requiredPulumiVersion? */
fallible project_check_version(const struct project *project, str version);

/* Adds to a stack's config what the project gives and the stack does not: values and defaults, in
 * the clear. `crypter` (may be NULL) will seal what environments bring, once they are supported. */
fallible project_apply_config(struct arena *arena, const struct project *project,
                              struct config *config, struct crypter *crypter);
/* Missing values, wrong types, secrets in the clear. Call it after project_apply_config. Unseals
 * what it has to check. Blocks. */
fallible project_validate_config(struct arena *arena, const struct project *project, str stack_name,
                                 const struct config *config, struct crypter *crypter);
