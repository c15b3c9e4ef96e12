/* idle_options.c — options that are accepted so that scripts keep working, and change nothing here.
 * Using one prints a line that says so. */
#include "cli/idle_options.h"

#include "cli/open.h"

#define SERVICE "it is a feature of the hosted service"

static const struct idle_option {
    const char *name;
    const char *why;
} idle_options[] = {
    { "tracing-header", "use --otel-traces file://PATH for a trace of steps and calls" },
    { "profiling", "this is no Go program; `perf record` profiles it" },
    { "memprofilerate", "this is no Go program; `heaptrack` and `valgrind` profile its memory" },
    { "neo", SERVICE },
    { "copilot", SERVICE },
    { "neo-task-on-failure", SERVICE },
    { "suppress-permalink", "only the hosted service has permalinks" },
    { "follow", "there is nothing to follow" },
    { "override-env", "environments are a feature of the hosted service" },
    { "template-mode", "templates are always chosen in the same way" },
};

void idle_options_report(const struct cli *cli)
{
    for (size_t i = 0; i < sizeof(idle_options) / sizeof(*idle_options); i++) {
        const struct idle_option *option = &idle_options[i];
        if (cli_was_given(cli, option->name))
            cli_report(
                cli, "warning",
                arena_printf(cli->arena, "--%s has no effect here: %s", option->name, option->why));
    }
}
