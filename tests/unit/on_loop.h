/* on_loop.h — tests that run in a fiber: ON_LOOP(claim) { (void)unused; … } is a test of cmocka. */
#pragma once

#include "unit/check.h"

#include "fiber/fiber.h"

#define ON_LOOP(name)                                   \
    static void name##_on_loop(void *unused);           \
    static void name(void **state)                      \
    {                                                   \
        (void)state;                                    \
        assert_ok(scheduler_run(name##_on_loop, NULL)); \
    }                                                   \
    static void name##_on_loop(void *unused)
