/* command.c — child processes of a host: run to their end, their output passed on or kept. */
#include "common/command.h"

#include "base/fs.h"
#include "common/debugger.h"
#include "common/host.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "fiber/socket.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    INTERRUPT_GRACE_MS = 4000, /* less than the engine grants us */
    PIPES_GRACE_MS = 1000,     /* a grandchild may hold them */
    CAPTURE_MAX = 64 * 1024 * 1024,
    CHUNK = 16 * 1024,
};

void command_release(struct command *command)
{
    words_release(&command->args);
    words_release(&command->environment);
}

/* --- to our own --- */

static fallible write_ours(enum output_kind kind, str bytes)
{
    int fd = kind == OUTPUT_STDOUT ? STDOUT_FILENO : STDERR_FILENO;

    for (size_t done = 0; done < bytes.len;) {
        ssize_t count = write(fd, bytes.ptr + done, bytes.len - done);
        if (count < 0 && errno != EINTR)
            return error_os("write output");
        done += count > 0 ? (size_t)count : 0;
    }
    return NULL;
}

fallible sink_write(struct sink *sink, enum output_kind kind, str bytes)
{
    return sink ? sink->write(sink, kind, bytes) : write_ours(kind, bytes);
}

/* --- running --- */

struct reader {
    struct stream *from;
    struct sink *to;
    enum output_kind kind;
    struct latch *done;
    size_t *readers; /* under way */
};

/* Reads to the end even if nobody wants the rest: the child must not wait for us. */
static void pass_on(void *reader_)
{
    struct reader *reader = reader_;
    bool is_wanted = true;
    char chunk[CHUNK];
    size_t len = 1;

    while (len > 0) {
        struct error *failure = stream_read(reader->from, chunk, sizeof(chunk), &len);
        if (failure) {
            error_ignore(failure, "the end of its output, one way or another");
            break;
        }
        if (len > 0 && is_wanted)
            failure = sink_write(reader->to, reader->kind, (str){ chunk, len });
        if (failure) {
            error_ignore(failure, "the reader is gone");
            is_wanted = false;
        }
    }
    if (--*reader->readers == 0)
        latch_open(reader->done);
}

static fallible command_start(struct command *command, struct arena *arena, struct process **out)
{
    CLEANUP(words_release) struct words argv = { 0 };

    words_add(&argv, arena, command->path);
    words_add_all(&argv, words_end(&command->args));
    struct process_options options = {
        .path = argv.items[0],
        .argv = words_end(&argv),
        .environment = command->environment.len > 0 ? words_end(&command->environment) : NULL,
        .directory = command->directory.len > 0 ? arena_cstr(arena, command->directory) : NULL,
        .pipes_stdin = command->has_input,
        .has_no_terminal = !command->is_program,
    };
    return process_open(&options, out);
}

static void forget_program(struct host *host, const struct running *running)
{
    for (size_t i = 0; i < host->programs.len; i++) {
        if (host->programs.items[i] == running) {
            vec_remove(&host->programs, i);
            return;
        }
    }
}

/* The last words of a process come through; a grandchild that holds its pipes cannot hold us. */
static void finish_output(struct process *process, struct latch *done)
{
    if (latch_wait_uncancelable_ms(done, PIPES_GRACE_MS))
        return;
    stream_shutdown(process_stdout(process));
    stream_shutdown(process_stderr(process));
    latch_wait_uncancelable(done);
}

static int exit_code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

fallible command_run(struct host *host, struct command *command, struct sink *sink, int *exit_code)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct process *process;
    struct latch done = { 0 };
    size_t readers = 2;
    int status = 0;

    TRY(fiber_canceled());
    TRY(command_start(command, &scratch, &process));
    struct running running = { .process = process };
    if (command->is_program)
        vec_add(&host->programs, &running);
    struct reader out = { process_stdout(process), sink, OUTPUT_STDOUT, &done, &readers };
    struct reader err = { process_stderr(process), sink, OUTPUT_STDERR, &done, &readers };
    fiber_spawn_in(host->scope, pass_on, &out);
    fiber_spawn_in(host->scope, pass_on, &err);

    if (command->debugger)
        debugger_watch(command->debugger, process);
    struct error *failure = process_wait(process, &status);
    if (failure)
        process_end(process, command->is_killed ? 0 : INTERRUPT_GRACE_MS);
    if (command->debugger)
        debugger_unwatch(command->debugger);
    finish_output(process, &done);
    forget_program(host, &running);
    process_close(process, 0);
    *exit_code = exit_code_of(status);
    return failure;
}

/* --- keeping what it prints --- */

struct kept {
    struct sink sink;
    struct strbuf text[2]; /* by output_kind */
};

static void kept_release(struct kept *kept)
{
    strbuf_release(&kept->text[OUTPUT_STDOUT]);
    strbuf_release(&kept->text[OUTPUT_STDERR]);
}

static fallible output_keep(struct sink *sink, enum output_kind kind, str bytes)
{
    struct kept *kept = (struct kept *)sink;
    if (kept->text[kind].len + bytes.len <= CAPTURE_MAX)
        strbuf_add(&kept->text[kind], bytes);
    return NULL;
}

fallible command_capture(struct host *host, struct arena *arena, struct command *command,
                         struct captured *captured)
{
    CLEANUP(kept_release) struct kept kept = { .sink = { output_keep } };

    TRY(command_run(host, command, &kept.sink, &captured->exit_code));
    captured->out = arena_copy(arena, strbuf_str(&kept.text[OUTPUT_STDOUT]));
    captured->err = arena_copy(arena, strbuf_str(&kept.text[OUTPUT_STDERR]));
    return NULL;
}

fallible command_read(struct host *host, struct arena *arena, struct command *command, str *out)
{
    struct captured captured;

    TRY(command_capture(host, arena, command, &captured));
    str said = str_trim(captured.err.len > 0 ? captured.err : captured.out);
    if (captured.exit_code != 0)
        return error_new(ERROR_OTHER, "'" STR_FMT "' failed with exit code %d: " STR_FMT,
                         STR_ARG(fs_path_name(command->path)), captured.exit_code, STR_ARG(said));
    *out = str_trim(captured.out);
    return NULL;
}
