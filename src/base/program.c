/* program.c — the name that the user called this program by. */
#include "base/program.h"

#include "base/settings.h"

#include <errno.h>

static bool program_is_host(str name)
{
    return str_starts_with(name, STR("pulumi-language-"));
}

const char *program_name(void)
{
    str name = str_from(program_invocation_short_name);

    if (program_is_host(name))
        name = settings_text(PROGRAM_NAME_VARIABLE);
    return str_equal(name, STR("culumi")) ? "culumi" : "pulumi";
}
