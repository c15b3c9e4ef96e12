/* idle_options.c — options that are accepted so that scripts keep working, and change nothing here.
 * Using one prints a line that says so. */
#include "cli/idle_options.h"

#include "cli/open.h"

#include <string.h>

#define ANYWHERE NULL
#define SERVICE "it is a feature of the hosted service"

static const struct idle_option {
    const char *command; /* ANYWHERE: wherever it is accepted */
    const char *name;
    const char *why;
} idle_options[] = {
    { ANYWHERE, "tracing-header", "traces are written to files only" },
    { ANYWHERE, "profiling", "this is no Go program; `perf record` profiles it" },
    { ANYWHERE, "memprofilerate",
      "this is no Go program; `heaptrack` and `valgrind` profile its memory" },
    { ANYWHERE, "neo", SERVICE },
    { ANYWHERE, "copilot", SERVICE },
    { ANYWHERE, "neo-task-on-failure", SERVICE },
    { ANYWHERE, "suppress-permalink", "only the hosted service has permalinks" },
    { ANYWHERE, "follow", "there is nothing to follow" },
    { ANYWHERE, "override-env", "environments are a feature of the hosted service" },
    { ANYWHERE, "template-mode", "templates are always chosen in the same way" },
    { "convert", "mappings", "names of providers are mapped by the providers" },
    { "convert", "strict", "PCL is written as the converter made it" },
    { "convert", "generate-only", "PCL has no dependencies to install" },
};

void idle_options_report(const struct cli *cli)
{
    for (size_t i = 0; i < sizeof(idle_options) / sizeof(*idle_options); i++) {
        const struct idle_option *option = &idle_options[i];
        bool is_meant = !option->command || strcmp(cli->command->path, option->command) == 0;
        if (is_meant && cli_was_given(cli, option->name))
            cli_report(
                cli, "warning",
                arena_printf(cli->arena, "--%s has no effect here: %s", option->name, option->why));
    }
}
