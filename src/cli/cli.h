/* cli.h — what a subcommand is, and what it finds opened when it runs. */
#pragma once

#include "cli/option.h"
#include "cli/screen/terminal.h"
#include "backend/backend.h"
#include "base/vec.h"
#include "project/project.h"
#include "secrets/secrets.h"

struct cli;
struct service_session;

enum {
    NEEDS_LOOP = 1,           /* fibers: implied by the next three */
    NEEDS_PROJECT = 2,        /* a project file in the working directory or above */
    NEEDS_BACKEND = 4,        /* where stacks live; a project is loaded if there is one */
    NEEDS_STACK = 8 | 4,      /* the stack that --stack names or that is selected; it exists */
    TAKES_OLD_LAYOUT = 32,    /* with NEEDS_BACKEND: also a store that has no projects yet */
    TAKES_STACK_OPERAND = 16, /* with NEEDS_STACK: the first operand may name it too */
    IS_OPERATION = 128,       /* works with the program: the project's demands on us hold */
    MAKES_NO_STACK = 64,      /* with NEEDS_STACK: a new one would be of no use */
    TAKES_TEMPLATE = 256,     /* with an operand nothing is opened: the project has to be made */
    TAKES_ANY_OPTION = 512,   /* options that are not known are operands */
    TAKES_RAW_WORDS = 1024,   /* all words behind it are operands */
    TAKES_LOCKED_NAME = 2048, /* with NEEDS_STACK: also the lock of a stack that was never made */
};

/* One subcommand. A menu has no `run`. */
struct command {
    const char *path;     /* "stack rename" */
    const char *aliases;  /* other names of the last word, separated by spaces; NULL: none */
    const char *meant_by; /* words that people of other tools type for it, separated by spaces */
    const char *operands; /* "NAME", "[NAME]", "URN...", "[URN...]"; NULL: none */
    const char *summary;
    const char *details; /* further paragraphs of the help; NULL: none */
    const char *example; /* lines without the name of the program in front; NULL: none */
    bool is_hidden;
    unsigned needs;
    size_t args_size;                    /* of the struct the options fill */
    const struct option *const *options; /* tables, ends with NULL */
    const char *const *exclusive; /* sets of options of which one may be given, ends with NULL */
    /* What the line alone shows to be wrong, before anything is opened or asked; NULL: nothing. */
    fallible (*check)(const struct cli *cli, const void *args);
    fallible (*run)(struct cli *cli, const void *args);
};

#define OPTIONS(...) ((const struct option *const[]){ __VA_ARGS__, NULL })
#define EXCLUSIVE(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Options every command has. */
struct global_args {
    bool help;
    bool version;
    str directory;
    str color;
    bool non_interactive;
    bool qualifies_names;
    bool emoji;
    bool skips_integrity_check;
    int64_t verbosity;
    bool logs_to_stderr;
    bool logs_flow;
    str tracing;
    str tracing_header;
    str otel_traces;
    str profiling;
    int64_t memory_profile_rate;
};
extern const struct option global_options[];
/* Of the program without a command. */
extern const struct option root_options[];

struct cli;
/* What --logflow passes on to plugins. */
struct strs cli_plugin_flags(const struct cli *cli);

struct cli {
    struct arena *arena; /* lives as long as the process */
    const struct command *command;
    struct global_args globals;
    struct strs operands;
    struct strs given; /* names of options that were set */
    struct terminal terminal;
    str log_file; /* of -v; empty: none */

    /* opened as the command needs; NULL or empty otherwise */
    struct workspace workspace;
    struct passphrase_source passphrase;
    struct keyring *keyring;
    struct project *project;
    struct backend *backend;
    struct stack_ref stack;
    struct {
        VEC(struct secrets *);
    } secrets;                       /* managers in use, closed at the end */
    struct service_session *session; /* of the backend; NULL: it is a store of the user's */
    struct {
        VEC(struct service_session *);
    } sessions; /* closed at the end */
    bool edits_config;
    int config_lock; /* while edits_config */
};

/* --- the command line --- */

/* Runs the command that the words name; the exit code. */
int cli_main(struct arena *arena, struct strs words);

/* An operand, or an empty slice. */
str cli_operand(const struct cli *cli, size_t index);
bool cli_was_given(const struct cli *cli, const char *option);

/* The commands in the order of the help. */
extern const struct command *const commands[];
extern const size_t command_count;

/* The command of that path below `parent` (NULL: the root) by name or alias; NULL if there is
 * none. */
const struct command *command_find(const struct command *parent, str word);
bool command_has_children(const struct command *parent);
/* The last word of its path. */
str command_name(const struct command *command);
/* Whether `command` is directly below `parent`. */
bool command_is_child(const struct command *command, const struct command *parent);

void help_print(const struct command *command); /* NULL: the whole program */
/* The "Did you mean" block for a word that names no command, or an empty text. */
str command_suggestions(struct arena *arena, const struct command *parent, str word);
