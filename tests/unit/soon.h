/* soon.h — waiting for something that can be seen, instead of for a time that is long enough. */
#pragma once

#include "fiber/fiber.h"
#include "unit/check.h"

/* On a fiber: waits until it is so. Fails after a time that no machine needs. */
#define assert_soon(condition)                                     \
    do {                                                           \
        for (int soon_ = 0; soon_ < 6000 && !(condition); soon_++) \
            assert_ok(fiber_sleep_ms(10));                         \
        assert_true(condition);                                    \
    } while (0)
