/* cmd_help.c — `help`: the help of a command, or the explanation of a topic. */
#include "cli/cli.h"
#include "cli/help_topics.h"

#include <stdio.h>

static const struct help_topic *help_topic_find(str name)
{
    for (size_t i = 0; i < help_topic_count; i++)
        if (str_equal(str_from(help_topics[i].name), name))
            return &help_topics[i];
    return NULL;
}

static struct error *cmd_help_run(struct cli *cli, const void *args)
{
    const struct command *command = NULL;
    const struct help_topic *topic =
        cli->operands.len == 1 ? help_topic_find(cli->operands.items[0]) : NULL;

    (void)args;
    if (topic) {
        fputs(topic->text, stdout);
        return NULL;
    }
    for (size_t i = 0; i < cli->operands.len; i++) { /* as far as the words are known */
        const struct command *child = command_find(command, cli->operands.items[i]);
        if (!child)
            break;
        command = child;
    }
    help_print(command);
    if (command)
        return NULL;
    puts("\nTopics:");
    for (size_t i = 0; i < help_topic_count; i++)
        printf("  help %-23s%s\n", help_topics[i].name, help_topics[i].summary);
    return NULL;
}

const struct command cmd_help = {
    .path = "help",
    .operands = "[COMMAND...]",
    .summary = "Show the help of a command or explain a topic",
    .details = "Topics: backends, secrets, environment, paths, imports, exit-codes.",
    .example = "help up\nhelp stack export\nhelp backends",
    .needs = TAKES_ANY_OPTION,
    .run = cmd_help_run,
};
