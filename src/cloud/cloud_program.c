/* cloud_program.c — runs a program to its end and keeps what it prints. */
#include "cloud/cloud_program.h"

#include "base/fs.h"
#include "base/settings.h"
#include "fiber/process.h"
#include "fiber/process_output.h"

#include <sys/wait.h>

enum { OUTPUT_MAX = 1 << 20, LONGEST_MS = 60 * 1000, WORDS_SHOWN = 300 };

fallible cloud_program_run(struct arena *arena, const char *const *argv, str *output)
{
    str name = str_from(argv[0]);
    str path = str_find_char(name, '/') != SIZE_MAX
                   ? name
                   : fs_find_program(arena, settings_text("PATH"), name);
    struct process_options options = { .path = arena_cstr(arena, path),
                                       .argv = argv,
                                       .has_no_terminal = true };
    struct process *process;
    int status = 0;

    if (path.len == 0)
        return error_new(ERROR_NOT_FOUND, "there is no '%s' in PATH", argv[0]);
    TRY(process_open(&options, &process));
    CLEANUP(process_output_release) struct process_output out = { .limit = OUTPUT_MAX };
    CLEANUP(process_output_release) struct process_output err = { .limit = OUTPUT_MAX };
    TRY(error_wrap(process_collect(process, LONGEST_MS, &out, &err, &status), "'%s'", argv[0]));
    str words = str_slice(str_trim(strbuf_str(&err.text)), 0, WORDS_SHOWN), rest;
    str_cut(words, STR("\n"), &words, &rest);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_new(ERROR_OTHER, "'%s' failed: " STR_FMT, argv[0], STR_ARG(words));
    *output = arena_copy(arena, strbuf_str(&out.text));
    return NULL;
}
