/* new_project.h — a new project from a template: what is asked, and then what is made. Nothing is
 * written before the last question is answered. */
#pragma once

#include "cli/cli.h"
#include "cli/new/template_source.h"
#include "project/project.h"
#include "template/template.h"

struct plugin_host;
struct language;

/* The options of `new`; `up TEMPLATE` fills some of them. */
struct new_args {
    struct strs config;
    bool config_path;
    str description;
    str dir;
    bool force, generate_only, list_templates, offline, yes;
    str name;
    struct strs runtime_options;
    str secrets_provider;
    str stack;
    /* what the hosted service had */
    bool remote_stack_config, template_mode;
    str ai, language;
};

/* A value of the stack's configuration that the template asks for. */
struct new_answer {
    str key;              /* as the template has it */
    str label;            /* of the question */
    str value;            /* empty: not stored */
    struct secret hidden; /* instead, if it is secret */
    bool is_secret;
    str preset;
};

struct new_project {
    struct cli *cli;
    const struct new_args *args;
    bool asks;      /* somebody can answer */
    bool is_guided; /* asked which template, too: then all is shown before it is made */
    bool is_brief;  /* `up TEMPLATE`: nothing is said about the project */
    str target;     /* its folder, absolute */

    struct template_finding finding;
    struct template *template;
    str template_name;    /* remembered in the project; empty: not */
    struct project model; /* what the template's manifest says */

    str name;
    str description;
    str stack; /* as the user writes it */
    bool uses_existing_stack;
    struct {
        VEC(struct project_option);
    } options; /* of the runtime */
    struct new_answer *answers;
    size_t answer_count;

    struct plugin_host *host; /* of the language, while options are asked and files are made */
    struct language *language;
    struct template_copy copy;
    bool has_made_stack;
};

/* What every kind begins with. `args` lasts as long as it does, and says yes where the environment
 * does. *here: where the command was called. */
fallible new_project_open(struct cli *cli, struct new_args *args, struct new_project *out,
                          str *here);
void new_project_release(struct new_project *new);

/* Options that cannot be; before anything else. */
fallible new_project_check(struct new_project *new);
/* A folder that has something in it is refused, unless --force. */
fallible new_project_check_target(const struct new_project *new);
/* The template that the operand names, or that is chosen from a list. Blocks. */
fallible new_project_choose(struct new_project *new, str operand);

/* --- questions: new_questions.c --- */

/* Name, description, stack, options of the runtime, configuration: from the options, from answers,
 * or as the template presets them. Blocks. */
fallible new_project_ask(struct new_project *new);
/* "'x' is not a valid project name: …" */
fallible new_project_name_check(str name);

/* --- runtime: new_runtime.c --- */

/* Which options of the runtime are open, until none is. Blocks. */
fallible new_runtime_ask(struct new_project *new);
/* Lets the language's host finish the files. Blocks. */
fallible new_runtime_finish(struct new_project *new);

/* --- making it --- */

/* Files, project, stack, configuration: all of it, or none. The project is open afterwards.
 * Blocks. */
fallible new_project_make(struct new_project *new);
/* Dependencies and plugins. What was made stays if it fails. Blocks. */
fallible new_project_install(struct new_project *new);
/* Around another installation: `owned` is how it went. Language hosts say themselves what they
 * do. */
void new_project_begin_install(struct new_project *new);
fallible new_project_end_install(struct new_project *new, struct error *owned);

/* --- what is said: new_report.c --- */

/* What the questions are about; before the first. */
void new_report_welcome(const struct cli *cli, const char *noun);
/* The values, as they are going to be. */
void new_report_summary(const struct new_project *new);
/* What to do next. */
void new_report_end(const struct new_project *new, str start_directory);
/* "cd DIR" to where it was made. */
str new_report_cd(const struct new_project *new);
/* "Your new THING is ready to go! " */
void new_report_ready(const struct cli *cli, const char *noun);
