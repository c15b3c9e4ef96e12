/* cloud_program.c — runs a program to its end and keeps what it prints. */
#include "cloud/cloud_program.h"

#include "base/fs.h"
#include "base/settings.h"
#include "fiber/process.h"
#include "fiber/process_output.h"

#include <sys/wait.h>

enum { OUTPUT_MAX = 1 << 20, LONGEST_MS = 60 * 1000, WORDS_SHOWN = 300 };

static str program_find(struct arena *arena, const char *name)
{
    str path = settings_text("PATH"), folder, rest;

    if (str_find_char(str_from(name), '/') != SIZE_MAX)
        return str_from(name);
    while (path.len > 0) {
        folder = path;
        rest = STR("");
        str_cut(path, STR(":"), &folder, &rest);
        path = rest;
        str file = fs_path_join(arena, folder, str_from(name));
        if (folder.len > 0 && fs_is_file(file) && fs_is_executable(file))
            return file;
    }
    return STR("");
}

fallible cloud_program_run(struct arena *arena, const char *const *argv, str *output)
{
    str path = program_find(arena, argv[0]);
    struct process_options options = { .path = arena_cstr(arena, path), .argv = argv };
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
