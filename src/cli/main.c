/* main.c — where the program starts and ends. */
#include "cli/cli.h"

#include "base/console.h"
#include "base/crash.h"
#include "base/fd.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str *words = ARENA_ARRAY(&arena, str, (size_t)argc + 1);

    for (int i = 1; i < argc; i++)
        words[i - 1] = str_from(argv[i]);
    crash_prepare();
    fd_claim_standard();
    fd_raise_limit();
    console_open();
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    return cli_main(&arena, (struct strs){ words, argc > 0 ? (size_t)argc - 1 : 0 });
}
