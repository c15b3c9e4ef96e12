/* browser.c — shows a page by xdg-open. */
#include "cli/screen/browser.h"

#include "base/settings.h"
#include "fiber/process.h"

bool browser_show(struct cli *cli, str page)
{
    const char *const argv[] = { "env", "xdg-open", arena_cstr(cli->arena, page), NULL };
    const struct process_options options = {
        .path = "/usr/bin/env",
        .argv = argv,
        .has_no_terminal = true,
        .leaves_daemons = true,
    };
    struct process *process;
    int status = 1;

    if (!settings_has("DISPLAY") && !settings_has("WAYLAND_DISPLAY"))
        return false;
    struct error *failure = process_open(&options, &process);
    if (!failure) {
        failure = process_wait(process, &status);
        process_close(process, 0);
    }
    bool is_shown = !failure && status == 0;
    error_ignore(failure, "then the user opens it");
    return is_shown;
}
