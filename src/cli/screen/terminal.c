/* terminal.c — decides between prompts and lines, colour and plain text, from the terminal and the
 * environment. */
#include "cli/screen/terminal.h"

#include "base/console.h"
#include "base/settings.h"

#include <unistd.h>

/* Variables by which build services make themselves known. */
static bool is_build_service(void)
{
    static const char *const names[] = {
        "PULUMI_CI_SYSTEM",
        "APPVEYOR",
        "CODEBUILD_BUILD_ARN",
        "bamboo_planKey",
        "BITBUCKET_COMMIT",
        "TF_BUILD",
        "BUILDKITE",
        "CIRCLECI",
        "CF_BUILD_URL",
        "DRONE",
        "GITHUB_ACTIONS",
        "GITLAB_CI",
        "GO_PIPELINE_LABEL",
        "HUDSON_URL",
        "JENKINS_URL",
        "MAGNUM",
        "SEMAPHORE",
        "TEAMCITY_VERSION",
        "TRAVIS",
        "SPACELIFT_STACK_ID",
        "CI",
    };

    if (settings_bool("PULUMI_DISABLE_CI_DETECTION"))
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (settings_text(names[i]).len)
            return true;
    }
    return str_equal(settings_text("CI_NAME"), STR("codeship"));
}

fallible terminal_detect(str color, bool non_interactive, struct terminal *out)
{
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)
                       && !str_equal(settings_text("TERM"), STR("dumb"));

    out->is_terminal = console_is(stdout);
    out->is_interactive = is_terminal && !non_interactive && !is_build_service();
    if (color.len == 0 || str_equal(color, STR("auto")))
        out->color = is_terminal && !settings_has("NO_COLOR") ? COLOR_ALWAYS : COLOR_NEVER;
    else if (str_equal(color, STR("always")))
        out->color = COLOR_ALWAYS;
    else if (str_equal(color, STR("never")))
        out->color = COLOR_NEVER;
    else if (str_equal(color, STR("raw")))
        out->color = COLOR_RAW;
    else
        return error_new(ERROR_INVALID,
                         "unsupported color option: '" STR_FMT
                         "'.  Supported values are: auto, always, never, raw",
                         STR_ARG(color));
    return NULL;
}
