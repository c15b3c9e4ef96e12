/* builtin_command_schema.c — what package "command" has: its resources, its function and their
 * properties. */
#include "builtin/builtin_command.h"

#define INPUT (PROPERTY_IN | PROPERTY_OUT)
#define RESULT (PROPERTY_OUT | PROPERTY_ALWAYS)
#define NEEDED (INPUT | PROPERTY_REQUIRED | PROPERTY_ALWAYS)
#define CONNECTION_TYPE "#/types/command:remote:Connection"
#define LOGGING_TYPE "#/types/command:local:Logging"
#define END \
    {       \
        0   \
    }

#define COMMON_PROPERTIES                                                                       \
    { "addPreviousOutputInEnv", BUILTIN_BOOL, INPUT, NULL,                                      \
      "Whether the next command finds the output of the last one in PULUMI_COMMAND_STDOUT and " \
      "_STDERR; it does by "                                                                    \
      "default." },                                                                             \
        { "archivePaths", BUILTIN_STRINGS, INPUT, NULL,                                         \
          "Files to return as one archive; * and ** match, ! excludes." },                      \
        { "assetPaths", BUILTIN_STRINGS, INPUT, NULL,                                           \
          "Files to return as assets; * and ** match, ! excludes." },                           \
        { "dir", BUILTIN_STRING, INPUT, NULL, "Where the command runs; it must be there." },    \
        { "environment", BUILTIN_TEXTS, INPUT, NULL, "More variables for the command." },       \
        { "interpreter", BUILTIN_STRINGS, INPUT, NULL,                                          \
          "What runs the command; /bin/sh -c by default." },                                    \
        { "logging", BUILTIN_NAMED, INPUT, LOGGING_TYPE,                                        \
          "Which output is shown as it appears; both by default." },                            \
        { "stdin", BUILTIN_STRING, INPUT, NULL,                                                 \
          "What the command reads from its standard input." },                                  \
        { "archive", BUILTIN_ARCHIVE, PROPERTY_OUT, NULL, "The files of archivePaths." },       \
        { "assets", BUILTIN_ASSETS, PROPERTY_OUT, NULL,                                         \
          "The files of assetPaths, by their path from dir." },                                 \
        { "stderr", BUILTIN_STRING, RESULT, NULL, "The standard error of the command." },       \
    {                                                                                           \
        "stdout", BUILTIN_STRING, RESULT, NULL, "The standard output of the command."           \
    }

static const struct builtin_property command_properties[] = {
    COMMON_PROPERTIES,
    { "create", BUILTIN_STRING, INPUT, NULL, "The command that makes it." },
    { "update", BUILTIN_STRING, INPUT, NULL,
      "The command that changes it; create again by default." },
    { "delete", BUILTIN_STRING, INPUT, NULL, "The command that removes it; nothing by default." },
    { "triggers", BUILTIN_ANYS, INPUT | PROPERTY_REPLACES | PROPERTY_TOLD, NULL,
      "Any change of these values makes a new resource." },
    END,
};

static const struct builtin_property run_properties[] = {
    COMMON_PROPERTIES,
    { "command", BUILTIN_STRING, INPUT | PROPERTY_REQUIRED | PROPERTY_ALWAYS, NULL,
      "The command." },
    END,
};

/* --- on other machines: described, so that programs can be checked, and refused when they are to
 * be made --- */

#define CONNECTION                                                                  \
    {                                                                               \
        "connection", BUILTIN_NAMED, NEEDED | PROPERTY_SECRET | PROPERTY_SECRET_IN, \
            CONNECTION_TYPE, "How to reach the other machine."                      \
    }
#define REMOTE_TRIGGERS(flags)                                                                     \
    {                                                                                              \
        "triggers", BUILTIN_ANYS, INPUT | flags, NULL, "Any change of these values makes it anew." \
    }

static const struct builtin_property remote_command_properties[] = {
    { "addPreviousOutputInEnv", BUILTIN_BOOL, INPUT, NULL, "As for commands of this machine." },
    CONNECTION,
    { "create", BUILTIN_STRING, INPUT, NULL, "The command that makes it." },
    { "update", BUILTIN_STRING, INPUT, NULL,
      "The command that changes it; create again by default." },
    { "delete", BUILTIN_STRING, INPUT, NULL, "The command that removes it; nothing by default." },
    { "environment", BUILTIN_TEXTS, INPUT, NULL, "More variables for the command." },
    { "logging", BUILTIN_NAMED, INPUT, "#/types/command:remote:Logging",
      "Which output is shown as it appears." },
    { "stdin", BUILTIN_STRING, INPUT, NULL, "What the command reads from its standard input." },
    REMOTE_TRIGGERS(PROPERTY_REPLACES | PROPERTY_TOLD),
    { "stderr", BUILTIN_STRING, RESULT, NULL, "The standard error of the command." },
    { "stdout", BUILTIN_STRING, RESULT, NULL, "The standard output of the command." },
    END,
};

static const struct builtin_property copy_file_properties[] = {
    CONNECTION,
    { "localPath", BUILTIN_STRING, NEEDED, NULL, "The file on this machine." },
    { "remotePath", BUILTIN_STRING, NEEDED, NULL, "Where it goes." },
    REMOTE_TRIGGERS(PROPERTY_REPLACES),
    END,
};

static const struct builtin_property copy_to_remote_properties[] = {
    CONNECTION,
    { "source", BUILTIN_ASSET, NEEDED, NULL, "An asset or an archive." },
    { "remotePath", BUILTIN_STRING, NEEDED, NULL, "Where it goes." },
    REMOTE_TRIGGERS(PROPERTY_REPLACES | PROPERTY_TOLD),
    END,
};

#define LOGGING                                                                                    \
    "{\"type\":\"string\",\"enum\":[{\"name\":\"stdout\",\"value\":\"stdout\"},{\"name\":"         \
    "\"stderr\",\"value\":"                                                                        \
    "\"stderr\"},{\"name\":\"stdoutAndStderr\",\"value\":\"stdoutAndStderr\"},{\"name\":\"none\"," \
    "\"value\":\"none\"}]"                                                                         \
    "}"
#define MACHINE                                                                                   \
    "\"agentSocketPath\":{\"type\":\"string\"},\"dialErrorLimit\":{\"type\":\"integer\","         \
    "\"default\":10},\"host\":{"                                                                  \
    "\"type\":"                                                                                   \
    "\"string\"},\"hostKey\":{\"type\":\"string\"},\"password\":{\"type\":\"string\",\"secret\":" \
    "true},"                                                                                      \
    "\"perDialTimeout\":{"                                                                        \
    "\"type\":\"integer\",\"default\":15},\"port\":{\"type\":\"number\",\"default\":22},"         \
    "\"privateKey\":{\"type\":"                                                                   \
    "\"string\",\"secret\":true},\"privateKeyPassword\":{\"type\":\"string\",\"secret\":true},"   \
    "\"user\":{\"type\":"                                                                         \
    "\"string\","                                                                                 \
    "\"default\":\"root\"}"

static const struct builtin_token tokens[] = {
    { "command:local:Command", false, command_properties,
      "Commands that make, change and remove something on this machine." },
    { "command:local:run", true, run_properties,
      "Runs a command on this machine, in previews too." },
    { "command:remote:Command", false, remote_command_properties,
      "Commands on another machine; not supported here." },
    { "command:remote:CopyFile", false, copy_file_properties,
      "A file on another machine; not supported here." },
    { "command:remote:CopyToRemote", false, copy_to_remote_properties,
      "Files on another machine; not supported here." },
    { 0 },
};

const struct builtin_package command_package = {
    .name = "command",
    .version = "1.2.1",
    .description = "Commands of this machine as resources.",
    .types = "{\"command:local:Logging\":" LOGGING ",\"command:remote:Logging\":" LOGGING
             ",\"command:remote:Connection\":{\"type\":\"object\",\"required\":[\"host\"],"
             "\"properties\":{" MACHINE
             ",\"proxy\":{\"$ref\":\"#/types/command:remote:ProxyConnection\"}}},"
             "\"command:remote:ProxyConnection\":{\"type\":\"object\",\"required\":[\"host\"],"
             "\"properties\":{" MACHINE "}}}",
    .tokens = tokens,
};
