/* builtin_command_run.c — runs a command: its environment, its input and output, and the files it
 * leaves. */
#include "builtin/builtin_command.h"

#include "base/fd.h"
#include "base/fs.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "builtin/builtin_table.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "fiber/process.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "archive/asset_hash.h"

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is left in a pipe of a command that was killed is read for a moment: a process that has left
 * the group may hold the pipe for ever. */
enum { MOST_OUTPUT = 64 << 20, END_GRACE_MS = 2000, LAST_WORDS_MS = 500 };

struct command {
    const struct builtin_world *world;
    const struct command_request *request;
    struct arena *arena;
    str directory;
    struct strbuf both; /* stdout and stderr as they came, for messages */
};

/* One of its two outputs. */
struct output_reader {
    struct command *command;
    struct stream *stream;
    bool is_logged;
    struct strbuf text;
    size_t logged; /* bytes that were shown */
    struct error *failure;
    struct latch done;
};

/* --- output --- */

/* Whole lines; at the end also one that has no end. */
static void log_lines(struct output_reader *reader, bool is_over)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    while (true) {
        str rest = str_slice(strbuf_str(&reader->text), reader->logged, reader->text.len);
        str line = rest, tail;
        bool is_whole = str_cut(rest, STR("\n"), &line, &tail);
        if (!is_whole && (!is_over || rest.len == 0))
            return;
        reader->logged += line.len + (is_whole ? 1 : 0);
        if (reader->is_logged)
            reader->command->world->show_status(reader->command->world->context,
                                                reader->command->request->urn,
                                                arena_cstr(&scratch, line));
    }
}

static fallible output_read(struct output_reader *reader)
{
    char chunk[16384];
    size_t len;

    do {
        TRY(stream_read(reader->stream, chunk, sizeof(chunk), &len));
        if (reader->text.len + len > MOST_OUTPUT)
            return error_new(ERROR_OTHER, "the command prints more than %d bytes", MOST_OUTPUT);
        strbuf_add(&reader->text, (str){ chunk, len });
        strbuf_add(&reader->command->both, (str){ chunk, len });
        log_lines(reader, false);
    } while (len);
    log_lines(reader, true);
    return NULL;
}

static void output_reader_run(void *reader_)
{
    struct output_reader *reader = reader_;
    reader->failure = output_read(reader);
    latch_open(&reader->done);
}

/* --- what it is given --- */

static const char *const *arguments_of(struct command *command)
{
    const struct value *given = value_find(command->request->inputs, STR("interpreter"));
    struct value interpreter = given ? builtin_open(*given) : value_null();
    size_t count = interpreter.kind == VALUE_ARRAY ? interpreter.len : 0;
    const char **arguments = ARENA_ARRAY(command->arena, const char *, count + 4);
    size_t len = 0;

    for (size_t i = 0; i < count; i++)
        arguments[len++] =
            arena_cstr(command->arena, value_text(builtin_open(interpreter.items[i])));
    if (len == 0) {
        arguments[len++] = "/bin/sh";
        arguments[len++] = "-c";
    }
    arguments[len] = arena_cstr(command->arena, command->request->command);
    return arguments;
}

static str variable_name(const char *variable)
{
    str name = str_from(variable), rest;
    str_cut(name, STR("="), &name, &rest);
    return name;
}

/* A later one of the same name wins. */
static void put_variable(struct command *command, const char **all, size_t *len, str name,
                         str value)
{
    const char *variable = arena_concat(command->arena, name, STR("="), value).ptr;

    for (size_t i = 0; i < *len; i++) {
        if (str_equal(variable_name(all[i]), name)) {
            all[i] = variable;
            return;
        }
    }
    all[(*len)++] = variable;
}

static const char *const *command_environment_of(struct command *command)
{
    const struct value *given = value_find(command->request->inputs, STR("environment"));
    struct value more = given ? builtin_open(*given) : value_null();
    size_t len = 0, more_count = more.kind == VALUE_OBJECT ? more.len : 0;
    const char *const *base = command->world->environment;

    while (base && base[len])
        len++;
    const char **all = ARENA_ARRAY(command->arena, const char *, len + more_count + 3);
    for (size_t i = 0; i < len; i++)
        all[i] = base[i];
    for (size_t i = 0; i < more_count; i++)
        put_variable(command, all, &len, more.members[i].key,
                     value_text(builtin_open(more.members[i].value)));
    if (!builtin_bool(command->request->inputs, "addPreviousOutputInEnv", true))
        return all;
    str before = builtin_text(command->request->previous, "stdout", STR("")),
        complaints = builtin_text(command->request->previous, "stderr", STR(""));
    if (before.len)
        put_variable(command, all, &len, STR("PULUMI_COMMAND_STDOUT"), before);
    if (complaints.len)
        put_variable(command, all, &len, STR("PULUMI_COMMAND_STDERR"), complaints);
    return all;
}

/* The input as a file in memory, so that writing it does not block. */
static fallible open_input(str text, int *out)
{
    *out = memfd_create("stdin", MFD_CLOEXEC);
    if (*out < 0)
        return error_os("create a file in memory");
    while (text.len) {
        ssize_t written = write(*out, text.ptr, text.len);
        if (written <= 0)
            return error_os("write the standard input of a command");
        text = str_slice(text, (size_t)written, text.len);
    }
    return NULL;
}

/* A name without a slash is looked for in PATH. */
static const char *command_find_program(struct command *command, const char *name,
                                        const char *const *environment)
{
    str rest = STR(""), folder;

    if (strchr(name, '/'))
        return fs_path_absolute(command->arena, command->directory, str_from(name)).ptr;
    for (size_t i = 0; environment[i]; i++)
        if (str_equal(variable_name(environment[i]), STR("PATH")))
            rest = str_from(environment[i] + strlen("PATH="));
    while (rest.len) {
        folder = rest;
        if (!str_cut(rest, STR(":"), &folder, &rest))
            rest = (str){ 0 };
        str path = fs_path_join(command->arena, folder, str_from(name));
        if (fs_is_file(path) && fs_is_executable(path))
            return path.ptr;
    }
    return name;
}

/* --- running --- */

static fallible describe_end(struct command *command, int status)
{
    str printed = strbuf_str(&command->both);

    if (status == 0)
        return NULL;
    if (WIFSIGNALED(status))
        return error_new(ERROR_OTHER, "signal: %s: running \"" STR_FMT "\":\n" STR_FMT,
                         strsignal(WTERMSIG(status)), STR_ARG(command->request->command),
                         STR_ARG(printed));
    return error_new(ERROR_OTHER, "exit status %d: running \"" STR_FMT "\":\n" STR_FMT,
                     WEXITSTATUS(status), STR_ARG(command->request->command), STR_ARG(printed));
}

static str without_newline(struct arena *arena, const struct strbuf *text)
{
    str all = strbuf_str(text);
    return arena_copy(arena, str_ends_with(all, STR("\n")) ? str_slice(all, 0, all.len - 1) : all);
}

static fallible describe_timeout(struct command *command)
{
    return error_new(
        ERROR_OTHER,
        "killed after %.6g s, the time that customTimeouts gives it: running \"" STR_FMT
        "\":\n" STR_FMT,
        command->request->timeout, STR_ARG(command->request->command),
        STR_ARG(strbuf_str(&command->both)));
}

/* Both outputs are read side by side, and to their end, before the command is reported as ended. */
static fallible command_watch(struct command *command, struct process *process,
                              struct output_reader *out, struct output_reader *err)
{
    struct cancel *readers = cancel_open(cancel_current());
    double seconds = command->request->timeout;
    int status = 0;

    out->stream = process_stdout(process);
    err->stream = process_stderr(process);
    fiber_spawn_in(readers, output_reader_run, out);
    fiber_spawn_in(readers, output_reader_run, err);
    struct error *failure = seconds > 0
                                ? process_wait_ms(process, (uint64_t)ceil(seconds * 1000), &status)
                                : process_wait(process, &status);
    bool is_late = failure && error_kind(failure) == ERROR_TIMEOUT;
    if (failure) {
        process_end(process, is_late ? 0 : END_GRACE_MS);
        if (!latch_wait_uncancelable_ms(&out->done, LAST_WORDS_MS)
            || !latch_wait_uncancelable_ms(&err->done, LAST_WORDS_MS))
            cancel_fire(readers);
    }
    latch_wait_uncancelable(&out->done);
    latch_wait_uncancelable(&err->done);
    cancel_close(readers);
    struct error *unread = error_join(out->failure, err->failure);
    if (!is_late)
        return failure || unread ? error_join(failure, unread) : describe_end(command, status);
    error_ignore(failure, "reported with what the command printed");
    error_ignore(unread, "it was killed");
    return describe_timeout(command);
}

/* --- ending it --- */

struct builtin_run {
    struct cancel *scope;
    struct builtin_run *next;
};

void builtin_cancel(const struct builtin_world *world)
{
    if (world->runs)
        world->runs->is_canceled = true;
    for (const struct builtin_run *run = world->runs ? world->runs->first : NULL; run;
         run = run->next)
        cancel_fire(run->scope);
}

static void runs_forget(struct builtin_runs *runs, const struct builtin_run *run)
{
    struct builtin_run **place = &runs->first;

    while (*place != run)
        place = &(*place)->next;
    *place = run->next;
}

static fallible run_process(struct command *command, struct output_reader *out,
                            struct output_reader *err)
{
    CLEANUP(fd_close) int input = -1;
    struct process *process = NULL;
    const char *const *arguments = arguments_of(command);
    str text = builtin_text(command->request->inputs, "stdin", STR(""));
    struct process_options options = {
        .argv = arguments,
        .environment = command_environment_of(command),
        .directory = arena_cstr(command->arena, command->directory),
        .leaves_daemons = true,
    };

    if (!fs_is_directory(command->directory))
        return error_new(ERROR_OTHER,
                         "chdir " STR_FMT ": no such file or directory: running \"" STR_FMT "\"",
                         STR_ARG(command->directory), STR_ARG(command->request->command));
    if (text.len) {
        TRY(open_input(text, &input));
        options.stdin_path = arena_printf(command->arena, "/proc/self/fd/%d", input).ptr;
    }
    options.path = command_find_program(command, arguments[0], options.environment);
    TRY(error_wrap(process_open(&options, &process), "running \"" STR_FMT "\"",
                   STR_ARG(command->request->command)));
    struct error *failure = command_watch(command, process, out, err);
    process_close(process, END_GRACE_MS);
    return failure;
}

/* When only the command was canceled, it has failed like any other. */
static fallible run_cancelable(struct command *command, struct output_reader *out,
                               struct output_reader *err)
{
    struct builtin_runs nobody = { 0 },
                        *runs = command->world->runs ? command->world->runs : &nobody;
    struct builtin_run run = { cancel_open(cancel_current()), runs->first };

    runs->first = &run;
    if (runs->is_canceled)
        cancel_fire(run.scope);
    struct cancel *former = cancel_enter(run.scope);
    struct error *failure = run_process(command, out, err);
    cancel_enter(former);
    runs_forget(runs, &run);
    bool is_canceled = failure && error_kind(failure) == ERROR_CANCELED && !cancel_is_fired(former);
    cancel_close(run.scope);
    if (!is_canceled)
        return failure;
    error_ignore(failure, "reported with what the command printed");
    return error_new(ERROR_OTHER,
                     "ended because the operation was canceled: running \"" STR_FMT "\":\n" STR_FMT,
                     STR_ARG(command->request->command), STR_ARG(strbuf_str(&command->both)));
}

/* --- files it leaves --- */

struct file_work {
    struct arena arena;
    str directory;
    struct value patterns;
    bool is_archive;
    struct value result;
    struct error *failure;
};

static fallible file_work_collect(struct file_work *work)
{
    struct strs paths;

    TRY(local_glob(&work->arena, work->directory, work->patterns, &paths));
    struct member *members = ARENA_ARRAY(&work->arena, struct member, paths.len + 1);
    for (size_t i = 0; i < paths.len; i++) {
        struct asset *asset = ARENA_NEW(&work->arena, struct asset);
        asset->path = fs_path_join(&work->arena, work->directory, paths.items[i]);
        members[i] = (struct member){ paths.items[i], { .kind = VALUE_ASSET, .asset = asset } };
    }
    struct value files = value_object(&work->arena, members, paths.len);
    if (work->is_archive) {
        struct asset *archive = ARENA_NEW(&work->arena, struct asset);
        archive->has_members = true;
        archive->members = files;
        files = (struct value){ .kind = VALUE_ARCHIVE, .asset = archive };
    }
    const struct asset_places places = { .base_directory = work->directory };
    return value_compute_hashes(&work->arena, &places, files, &work->result);
}

static void collect_on_thread(void *work_)
{
    struct file_work *work = work_;
    work->failure = file_work_collect(work);
}

static fallible add_files(struct command *command, const char *input, const char *output,
                          bool is_archive, struct value *results)
{
    const struct value *patterns = value_find(command->request->inputs, str_from(input));
    struct file_work work = { .directory = command->directory, .is_archive = is_archive };

    if (!patterns)
        return NULL;
    work.patterns = builtin_open(*patterns);
    offload(collect_on_thread, &work);
    arena_adopt(command->arena, &work.arena);
    TRY(work.failure);
    *results = value_with(command->arena, *results, str_from(output), work.result);
    return NULL;
}

static fallible take_results(struct command *command, const struct strbuf *out,
                             const struct strbuf *err, struct value *results)
{
    const struct member members[] = {
        { STR("stderr"), value_string(without_newline(command->arena, err)) },
        { STR("stdout"), value_string(without_newline(command->arena, out)) },
    };

    *results = value_object(command->arena, members, 2);
    TRY(add_files(command, "assetPaths", "assets", false, results));
    return add_files(command, "archivePaths", "archive", true, results);
}

fallible local_command_run(const struct builtin_world *world, const struct command_request *request,
                           struct arena *arena, struct value *results)
{
    str logging = builtin_text(request->inputs, "logging", STR("stdoutAndStderr"));
    bool logs_both = str_equal(logging, STR("stdoutAndStderr"));
    struct command command = { .world = world, .request = request, .arena = arena };
    struct output_reader out = { .command = &command,
                                 .is_logged = logs_both || str_equal(logging, STR("stdout")) };
    struct output_reader err = { .command = &command,
                                 .is_logged = logs_both || str_equal(logging, STR("stderr")) };

    command.directory =
        fs_path_absolute(arena, world->directory, builtin_text(request->inputs, "dir", STR(".")));
    struct error *failure = run_cancelable(&command, &out, &err);
    if (!failure)
        failure = take_results(&command, &out.text, &err.text, results);
    strbuf_release(&out.text);
    strbuf_release(&err.text);
    strbuf_release(&command.both);
    return failure;
}
