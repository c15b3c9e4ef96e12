/* error.c — failures as values. */
#include "base/error.h"

#include "base/crash.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATUS_CANCELED = 1, STATUS_UNKNOWN = 2, STATUS_INVALID = 3, STATUS_DEADLINE = 4 };

struct error {
    enum error_kind kind;
    int number;    /* errno or gRPC code, by kind */
    int exit_code; /* 0: not set */
    bool is_reported;
    bool is_lost;
    struct strbuf message;
    struct strbuf details;
};

static struct error *new_error(enum error_kind kind, const char *format, va_list arguments)
{
    struct error *error = memory_zalloc(sizeof(*error));
    char *text = NULL;

    error->kind = kind;
    int len = vasprintf(&text, format, arguments);
    if (len < 0)
        memory_exhausted(0);
    strbuf_add(&error->message, (str){ text, (size_t)len });
    free(text);
    return error;
}

fallible error_new(enum error_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct error *error = new_error(kind, format, arguments);
    va_end(arguments);
    return error;
}

fallible error_os(const char *format, ...)
{
    int number = errno;
    va_list arguments;

    va_start(arguments, format);
    struct error *error = new_error(ERROR_OS, format, arguments);
    va_end(arguments);
    error->number = number;
    strbuf_printf(&error->message, ": %s", strerror(number));
    return error;
}

fallible error_from_status(int code, str message, str details)
{
    struct error *error = memory_zalloc(sizeof(*error));

    error->kind = ERROR_STATUS;
    error->number = code;
    strbuf_add(&error->message, message);
    strbuf_add(&error->details, details);
    return error;
}

fallible error_wrap(struct error *owned, const char *format, ...)
{
    va_list arguments;
    char *prefix = NULL;

    if (!owned)
        return NULL;
    va_start(arguments, format);
    int len = vasprintf(&prefix, format, arguments);
    va_end(arguments);
    if (len < 0)
        memory_exhausted(0);

    struct strbuf message = { 0 };
    strbuf_add(&message, (str){ prefix, (size_t)len });
    strbuf_add(&message, STR(": "));
    strbuf_add(&message, strbuf_str(&owned->message));
    strbuf_release(&owned->message);
    owned->message = message;
    free(prefix);
    return owned;
}

fallible error_reported(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct error *error = new_error(ERROR_OTHER, format, arguments);
    va_end(arguments);
    error->is_reported = true;
    return error;
}

fallible error_mark_reported(struct error *owned)
{
    if (owned)
        owned->is_reported = true;
    return owned;
}

fallible error_mark_lost(struct error *owned, bool is_lost)
{
    if (owned)
        owned->is_lost = is_lost;
    return owned;
}

bool error_is_lost(const struct error *error)
{
    return error->is_lost;
}

bool error_is_reported(const struct error *error)
{
    return error->is_reported;
}

/* "writing the history: no space" after "no space". */
static bool is_told_again(str text, str told)
{
    return told.len > 0 && str_ends_with(text, told)
           && str_ends_with(str_slice(text, 0, text.len - told.len), STR(": "));
}

static void error_append(struct error *error, str text)
{
    str before = strbuf_str(&error->message);
    bool is_long = str_find_char(before, '\n') < before.len; /* more than a line */

    if (!text.len || is_told_again(text, before))
        return;
    if (before.len)
        strbuf_add(&error->message, is_long ? STR("\n") : STR("; "));
    strbuf_add(&error->message, text);
}

fallible error_join(struct error *owned_first, struct error *owned_second)
{
    if (!owned_first)
        return owned_second;
    if (!owned_second)
        return owned_first;

    int exit_code = owned_first->exit_code ? owned_first->exit_code : owned_second->exit_code;
    bool is_second_news = owned_first->is_reported && !owned_second->is_reported;
    struct error *kept = is_second_news ? owned_second : owned_first;
    struct error *other = is_second_news ? owned_first : owned_second;
    if (kept->is_reported == other->is_reported)
        error_append(kept, strbuf_str(&other->message));
    kept->exit_code = exit_code;
    error_free(other);
    return kept;
}

fallible error_as(struct error *owned, enum error_kind kind)
{
    if (owned)
        owned->kind = kind;
    return owned;
}

fallible error_with_exit_code(struct error *owned, int exit_code)
{
    if (owned)
        owned->exit_code = exit_code;
    return owned;
}

void error_ignore(struct error *owned, const char *why)
{
    (void)why;
    error_free(owned);
}

void error_free(struct error *owned)
{
    if (!owned)
        return;
    strbuf_release(&owned->message);
    strbuf_release(&owned->details);
    free(owned);
}

void error_freep(struct error **owned)
{
    error_free(*owned);
    *owned = NULL;
}

enum error_kind error_kind(const struct error *error)
{
    return error->kind;
}

str error_message(const struct error *error)
{
    return strbuf_str(&error->message);
}

int error_errno(const struct error *error)
{
    return error->kind == ERROR_OS ? error->number : 0;
}

int error_exit_code(const struct error *error)
{
    return error->exit_code ? error->exit_code : 1;
}

int error_status(const struct error *error)
{
    switch (error->kind) {
    case ERROR_STATUS: return error->number;
    case ERROR_CANCELED: return STATUS_CANCELED;
    case ERROR_INVALID: return STATUS_INVALID;
    case ERROR_TIMEOUT: return STATUS_DEADLINE;
    case ERROR_OTHER:
    case ERROR_NOT_FOUND:
    case ERROR_EXISTS:
    case ERROR_OS: return STATUS_UNKNOWN;
    }
    return STATUS_UNKNOWN;
}

str error_status_details(const struct error *error)
{
    return strbuf_str(&error->details);
}

_Noreturn void error_bug(const char *file, int line, const char *condition)
{
    fprintf(stderr, "fatal: this is a bug in culumi: %s:%d: %s\n", file, line, condition);
    crash_end();
}
