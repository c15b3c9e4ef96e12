/* totals.c — how many claims of a group of tests held. */
#include "support/totals.h"

#include "base/settings.h"

#include <stdio.h>

fallible totals_report(size_t passed, size_t failed, size_t skipped)
{
    str path = settings_text("TOTALS");

    printf("%zu passed, %zu failed", passed, failed);
    if (skipped)
        printf(", %zu skipped", skipped);
    printf("\n");
    if (path.len == 0)
        return NULL;
    FILE *file = fopen(path.ptr, "a");
    bool is_written = file && fprintf(file, "%zu %zu %zu\n", passed, failed, skipped) > 0;
    if (file)
        is_written = fclose(file) == 0 && is_written;
    return is_written ? NULL : error_new(ERROR_OS, "cannot write '" STR_FMT "'", STR_ARG(path));
}
