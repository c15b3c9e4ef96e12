/* check.h — cmocka and the assertions of this house. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/str.h"

/* For tests of what the thread sanitizer itself does not stand. */
#if defined(__SANITIZE_THREAD__)
enum { UNDER_TSAN = 1 };
#else
enum { UNDER_TSAN = 0 };
#endif

#define assert_ok(call)                                                                           \
    do {                                                                                          \
        struct error *check_error_ = (call);                                                      \
        if (check_error_) {                                                                       \
            print_error("unexpected error: " STR_FMT "\n", STR_ARG(error_message(check_error_))); \
            error_free(check_error_);                                                             \
            fail();                                                                               \
        }                                                                                         \
    } while (0)

#define assert_fails(call, wanted_kind, wanted_text)                                               \
    do {                                                                                           \
        struct error *check_error_ = (call);                                                       \
        assert_non_null(check_error_);                                                             \
        bool check_same_ = error_kind(check_error_) == (wanted_kind)                               \
                           && str_find(error_message(check_error_), STR(wanted_text)) != SIZE_MAX; \
        if (!check_same_)                                                                          \
            print_error("other error: " STR_FMT "\n", STR_ARG(error_message(check_error_)));       \
        error_free(check_error_);                                                                  \
        assert_true(check_same_);                                                                  \
    } while (0)

#define assert_str_equal(got, wanted)                                                     \
    do {                                                                                  \
        str check_got_ = (got), check_wanted_ = (wanted);                                 \
        if (!str_equal(check_got_, check_wanted_)) {                                      \
            print_error("got '" STR_FMT "', wanted '" STR_FMT "'\n", STR_ARG(check_got_), \
                        STR_ARG(check_wanted_));                                          \
            fail();                                                                       \
        }                                                                                 \
    } while (0)
