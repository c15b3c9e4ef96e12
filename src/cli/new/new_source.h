/* new_source.h — a new policy pack or package: like a project, without a stack. */
#pragma once

#include "cli/new/new_project.h"

/* What differs between them. */
struct new_source {
    enum template_kind kind;
    const char *plugin_kind; /* "analyzer", "resource" */
    const char *command;     /* "policy new" */
    bool is_named;           /* it has a name and a description of its own */
    /* What is said when its files are there, and when all is done. */
    void (*report_made)(const struct new_project *new);
    void (*report_end)(const struct new_project *new, str start_directory);
};

/* Blocks. */
fallible new_source_run(struct cli *cli, const struct new_args *args,
                        const struct new_source *source);
