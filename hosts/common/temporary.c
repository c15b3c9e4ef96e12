/* temporary.c — files and directories below $TMPDIR. */
#include "common/temporary.h"

#include "base/settings.h"

#include <stdlib.h>
#include <unistd.h>

static char *temporary_pattern(struct arena *arena, const char *prefix)
{
    str folder = settings_text("TMPDIR");

    if (folder.len == 0)
        folder = STR("/tmp");
    return arena_cstr(arena, arena_printf(arena, STR_FMT "/%sXXXXXX", STR_ARG(folder), prefix));
}

fallible temporary_file(struct arena *arena, const char *prefix, str *out)
{
    char *path = temporary_pattern(arena, prefix);
    int fd = mkstemp(path);

    if (fd < 0)
        return error_os("create the temporary file '%s'", path);
    close(fd);
    *out = str_from(path);
    return NULL;
}

fallible temporary_directory(struct arena *arena, const char *prefix, str *out)
{
    char *path = temporary_pattern(arena, prefix);

    if (!mkdtemp(path))
        return error_os("create the temporary directory '%s'", path);
    *out = str_from(path);
    return NULL;
}
