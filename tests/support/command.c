/* command.c — runs a program to its end. */
#include "support/command.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <sys/wait.h>

/* What is still on its way when a program has ended; a child it left behind may hold the pipe for
 * ever. */
enum { LAST_WORDS_MS = 5000 };

struct reader {
    struct stream *stream;
    struct strbuf text;
    struct latch done;
};

static void read_all(void *reader_)
{
    struct reader *reader = reader_;
    struct error *failure = NULL;
    char chunk[16384];
    size_t len = 1;

    while (!failure && len) {
        failure = stream_read(reader->stream, chunk, sizeof(chunk), &len);
        if (!failure)
            strbuf_add(&reader->text, (str){ chunk, len });
    }
    error_ignore(failure, "what was read counts");
    latch_open(&reader->done);
}

static void finish_reading(struct reader *reader)
{
    if (!latch_wait_uncancelable_ms(&reader->done, LAST_WORDS_MS)) {
        stream_shutdown(reader->stream);
        latch_wait_uncancelable(&reader->done);
    }
}

static const char *const *make_argv(struct arena *arena, const struct command *command)
{
    static const char *const join[] = { "/bin/sh", "-c", "exec \"$@\" 2>&1", "sh" };
    size_t extra = command->joins_output ? sizeof(join) / sizeof(*join) : 0;
    const char **argv = ARENA_ARRAY(arena, const char *, extra + command->words.len + 1);

    for (size_t i = 0; i < extra; i++)
        argv[i] = join[i];
    for (size_t i = 0; i < command->words.len; i++)
        argv[extra + i] = arena_cstr(arena, command->words.items[i]);
    return argv;
}

static fallible wait_for_end(struct process *process, const struct command *command,
                             struct command_result *out)
{
    int status = 0;
    struct error *failure = process_wait_ms(process, command->timeout_ms, &status);

    if (failure && error_kind(failure) == ERROR_TIMEOUT) {
        error_ignore(failure, "the result says it");
        process_end(process, 0);
        out->has_timed_out = true;
        failure = process_wait(process, &status);
    }
    TRY(failure);
    out->signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return NULL;
}

fallible command_run(struct arena *arena, const struct command *command, struct command_result *out)
{
    const char *const *argv = make_argv(arena, command);
    struct process_options options = {
        .path = argv[0],
        .argv = argv,
        .environment = command->environment,
        .directory = arena_cstr(arena, command->directory),
    };
    struct command_result result = { 0 };
    struct process *process;

    TRY(process_open(&options, &process));
    struct reader output = { .stream = process_stdout(process) };
    struct reader errors = { .stream = process_stderr(process) };
    fiber_spawn(read_all, &output);
    fiber_spawn(read_all, &errors);
    struct error *failure = wait_for_end(process, command, &result);
    finish_reading(&output);
    finish_reading(&errors);
    process_close(process, 0);
    result.output = arena_copy(arena, strbuf_str(&output.text));
    result.errors = arena_copy(arena, strbuf_str(&errors.text));
    strbuf_release(&output.text);
    strbuf_release(&errors.text);
    if (!failure)
        *out = result;
    return failure;
}
