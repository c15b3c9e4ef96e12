/* seeded.h — numbers that depend on a seed alone, the same that the published package "random"
 * draws.
 *
 * That package takes them from the generator of Go's math/rand, whose seed is the CRC-64 of the
 * text. The generator is an additive lagged Fibonacci one; what it starts from is mixed with a
 * table of 607 numbers, which is the state of the same generator after 7.8e12 steps. Here that
 * table is computed, with a polynomial that leaps over the steps. */
#pragma once

#include "base/str.h"

#include <stdint.h>

enum { SEEDED_LENGTH = 607 };

/* Takes some milliseconds to fill, so it is kept. */
struct seed_table {
    bool is_filled;
    uint64_t numbers[SEEDED_LENGTH];
};

struct seeded {
    uint64_t state[SEEDED_LENGTH];
    size_t tap;
    size_t feed;
};

void seeded_init(struct seeded *seeded, struct seed_table *table, str seed);
/* Below `limit`, which is at least 1 and below 2^63. */
uint64_t seeded_below(struct seeded *seeded, uint64_t limit);
