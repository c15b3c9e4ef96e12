/* input.c — reads and writes what commands take and give as a whole. */
#include "cli/screen/input.h"

#include "base/strbuf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

fallible input_not_opened(const char *operation, str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    int number = errno;
    char *reason = arena_cstr(&scratch, str_from(strerror(number)));

    reason[0] = (char)tolower((unsigned char)reason[0]);
    return error_new(number == ENOENT ? ERROR_NOT_FOUND : ERROR_OTHER, "%s " STR_FMT ": %s",
                     operation, STR_ARG(name), reason);
}

static fallible input_read_all(FILE *file, size_t limit, struct strbuf *into)
{
    char chunk[16384];
    size_t len;

    while ((len = fread(chunk, 1, sizeof(chunk), file)) > 0) {
        if (len > limit - into->len)
            return error_new(ERROR_INVALID, "it is larger than %zu bytes", limit);
        strbuf_add(into, (str){ chunk, len });
    }
    return ferror(file) ? error_os("read") : NULL;
}

/* Without a name it is one of the streams that every command has. */
static str input_shown(struct arena *arena, str name, const char *otherwise)
{
    return name.len ? arena_concat(arena, STR("'"), name, STR("'")) : str_from(otherwise);
}

fallible input_read(struct arena *arena, str name, size_t limit, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    FILE *file = name.len ? fopen(arena_cstr(arena, name), "re") : stdin;

    if (!file)
        return input_not_opened("open", name);
    struct error *failure = error_wrap(input_read_all(file, limit, &text), STR_FMT,
                                       STR_ARG(input_shown(arena, name, "standard input")));
    if (name.len)
        fclose(file);
    TRY(failure);
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

/* A new file is for its owner alone: an export may hold secrets. */
static FILE *open_output(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (!file && fd >= 0)
        close(fd);
    return file;
}

fallible output_write(str name, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    FILE *file = name.len ? open_output(arena_cstr(&scratch, name)) : stdout;
    str shown = input_shown(&scratch, name, "standard output");

    if (!file)
        return input_not_opened("open", name);
    bool is_written = fwrite(text.ptr, 1, text.len, file) == text.len && fflush(file) == 0;
    struct error *failure = is_written ? NULL : error_os("write " STR_FMT, STR_ARG(shown));
    if (name.len && fclose(file) != 0)
        failure = error_join(failure, error_os("close '" STR_FMT "'", STR_ARG(name)));
    return failure;
}
