/* cloud_program.c — runs a program to its end and keeps what it prints. */
#include "cloud/cloud_program.h"

#include "base/fs.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <sys/wait.h>

enum { OUTPUT_MAX = 1 << 20, LONGEST_MS = 60 * 1000, GRACE_MS = 1000, WORDS_SHOWN = 300 };

struct program_output {
    struct stream *from;
    struct strbuf text;
    struct latch done;
};

static void program_collect(void *output_)
{
    struct program_output *output = output_;
    char chunk[4096];
    size_t len = 1;

    while (len > 0) {
        struct error *failure = stream_read(output->from, chunk, sizeof(chunk), &len);
        if (failure) {
            error_ignore(failure, "the end of its output, one way or another");
            break;
        }
        if (output->text.len + len <= OUTPUT_MAX)
            strbuf_add(&output->text, (str){ chunk, len });
        explicit_bzero(chunk, len);
    }
    latch_open(&output->done);
}

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

/* Nothing of it is left afterwards. */
static fallible program_finish(struct process *process, struct program_output *out,
                               struct program_output *err, int *status)
{
    struct error *failure = process_wait_ms(process, LONGEST_MS, status);

    if (failure)
        process_end(process, GRACE_MS);
    if (!latch_wait_uncancelable_ms(&out->done, GRACE_MS))
        stream_shutdown(process_stdout(process));
    if (!latch_wait_uncancelable_ms(&err->done, GRACE_MS))
        stream_shutdown(process_stderr(process));
    latch_wait_uncancelable(&out->done);
    latch_wait_uncancelable(&err->done);
    process_close(process, 0);
    return failure;
}

static void program_output_release(struct program_output *output)
{
    if (output->text.len > 0)
        explicit_bzero(output->text.ptr, output->text.len);
    strbuf_release(&output->text);
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
    CLEANUP(program_output_release)
    struct program_output out = { .from = process_stdout(process) };
    CLEANUP(program_output_release)
    struct program_output err = { .from = process_stderr(process) };
    fiber_spawn(program_collect, &out);
    fiber_spawn(program_collect, &err);
    TRY(error_wrap(program_finish(process, &out, &err, &status), "'%s'", argv[0]));
    str words = str_slice(str_trim(strbuf_str(&err.text)), 0, WORDS_SHOWN), rest;
    str_cut(words, STR("\n"), &words, &rest);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_new(ERROR_OTHER, "'%s' failed: " STR_FMT, argv[0], STR_ARG(words));
    *output = arena_copy(arena, strbuf_str(&out.text));
    return NULL;
}
