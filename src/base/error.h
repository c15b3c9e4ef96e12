/* error.h — failures as values: NULL is success, anything else is owned by whoever received it. */
#pragma once

#include "base/arena.h"

#define fallible __attribute__((warn_unused_result)) struct error *

/* Passes a failure up to the caller. Nothing else may sit between a call and its check. */
#define TRY(call)                          \
    do {                                   \
        struct error *try_error_ = (call); \
        if (try_error_)                    \
            return try_error_;             \
    } while (0)

/* A kind exists only if some caller decides on it. */
enum error_kind {
    ERROR_OTHER,
    ERROR_INVALID, /* bad input from outside: file, flag, message */
    ERROR_NOT_FOUND,
    ERROR_EXISTS,
    ERROR_OS,       /* the system said no; error_errno() has the number */
    ERROR_CANCELED, /* the fiber's scope was canceled */
    ERROR_TIMEOUT,
    ERROR_STATUS, /* a peer answered with a gRPC status; error_status() has the code */
};

struct error;

fallible error_new(enum error_kind kind, const char *format, ...) PRINTF(2, 3)
    __attribute__((returns_nonnull));

/* ERROR_OS with the text of errno appended: "create 'x': Permission denied". */
fallible error_os(const char *format, ...) PRINTF(1, 2) __attribute__((returns_nonnull));

/* ERROR_STATUS. `details` is an encoded google.rpc.Status, may be empty, is copied. */
fallible error_from_status(int code, str message, str details) __attribute__((returns_nonnull));

/* Prefixes the message with context and ": ", and passes NULL through, so it can wrap a tail call.
 * Kind and codes stay. */
fallible error_wrap(struct error *owned, const char *format, ...) PRINTF(2, 3);

/* A failure that the user has already seen: nothing more is printed for it, and the command ends
 * with error_exit_code(). Its text is for debugging. */
fallible error_reported(const char *format, ...) PRINTF(1, 2) __attribute__((returns_nonnull));
/* The user has seen this failure now. NULL passes through. */
fallible error_mark_reported(struct error *owned);
bool error_is_reported(const struct error *error);

/* The peer was lost while it did what it was asked for: the outcome is unknown. NULL passes
 * through. */
fallible error_mark_lost(struct error *owned, bool is_lost);
bool error_is_lost(const struct error *error);

/* Both, when two things failed; either may be NULL. The kind is that of the first. The result is
 * reported only if both are: of a pair of which one was reported, the other is what is left to say.
 * The exit code is the first that was set. What failed again of the same cause ("y: x" after "x")
 * is not told. */
fallible error_join(struct error *owned_first, struct error *owned_second);

/* Changes what callers decide on; the text stays, and whether it was reported. NULL passes through.
 */
fallible error_as(struct error *owned, enum error_kind kind);

/* The process should end with this code if the error reaches the top; 1 unless set. NULL passes
 * through. */
fallible error_with_exit_code(struct error *owned, int exit_code);

/* A deliberate drop; `why` is for the reader. */
void error_ignore(struct error *owned, const char *why);
void error_free(struct error *owned);
void error_freep(struct error **owned);

enum error_kind error_kind(const struct error *error);
str error_message(const struct error *error);
int error_errno(const struct error *error);
int error_exit_code(const struct error *error);

/* gRPC code of an ERROR_STATUS, and a fitting one for other kinds (2 UNKNOWN by default). */
int error_status(const struct error *error);
str error_status_details(const struct error *error);

/* Aborts with file and line; for our own invariants, never for data from outside. */
#define BUG_IF(condition)                              \
    do {                                               \
        if (__builtin_expect(!!(condition), 0))        \
            error_bug(__FILE__, __LINE__, #condition); \
    } while (0)
_Noreturn void error_bug(const char *file, int line, const char *condition);
