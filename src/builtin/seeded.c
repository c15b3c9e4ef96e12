/* seeded.c — numbers that depend on a seed alone, the same that the published package "random"
 * draws. */
#include "builtin/seeded.h"

#include <string.h>

/* y[n] = y[n - 607] + y[n - 273], modulo 2^64. */
enum { LENGTH = SEEDED_LENGTH, LAG = 273, WARM_UP = 20 };

/* --- where it starts --- */

enum { LEHMER_MODULUS = 0x7fffffff, LEHMER_FACTOR = 48271, LEHMER_ZERO = 89482311 };

static uint64_t lehmer_next(uint64_t *x)
{
    *x = *x * LEHMER_FACTOR % LEHMER_MODULUS;
    return *x;
}

/* The numbers of a seed, each made of three that overlap by `shift` bits. */
static void spread(uint64_t *numbers, uint64_t seed, unsigned shift)
{
    for (int i = 0; i < WARM_UP; i++)
        lehmer_next(&seed);
    for (size_t i = 0; i < LENGTH; i++) {
        uint64_t high = lehmer_next(&seed), middle = lehmer_next(&seed);
        numbers[i] = high << (2 * shift) ^ middle << shift ^ lehmer_next(&seed);
    }
}

/* --- the leap --- */

/* A polynomial modulo x^607 = x^334 + 1, which is the recurrence: x^n stands for y[n]. */
struct polynomial {
    uint64_t at[2 * LENGTH];
};

static void reduce(struct polynomial *p)
{
    for (size_t i = 2 * LENGTH - 1; i >= LENGTH; i--) {
        p->at[i - LENGTH] += p->at[i];
        p->at[i - LAG] += p->at[i];
        p->at[i] = 0;
    }
}

static void square(struct polynomial *p)
{
    struct polynomial result = { 0 };

    for (size_t i = 0; i < LENGTH; i++) {
        uint64_t twice = 2 * p->at[i];
        result.at[2 * i] += p->at[i] * p->at[i];
        for (size_t k = i + 1; k < LENGTH; k++)
            result.at[i + k] += twice * p->at[k];
    }
    *p = result;
    reduce(p);
}

static void raise(struct polynomial *p, uint64_t exponent)
{
    *p = (struct polynomial){ .at = { 1 } };
    for (unsigned bit = 64; bit-- > 0;) {
        square(p);
        if (!(exponent >> bit & 1))
            continue;
        memmove(p->at + 1, p->at, LENGTH * sizeof(p->at[0]));
        p->at[0] = 0;
        reduce(p);
    }
}

/* The state is walked downwards; number n of the sequence stands at 334 - 1 - n, around. */
static size_t seed_place(uint64_t n)
{
    return (size_t)((2 * LENGTH - LAG - 1 - n % LENGTH) % LENGTH);
}

static void seed_table_fill(struct seed_table *table)
{
    const uint64_t steps = UINT64_C(7800000000000);
    uint64_t start[LENGTH], sequence[2 * LENGTH];
    struct polynomial leap;

    spread(start, 1, 10);
    for (size_t n = 0; n < LENGTH; n++)
        sequence[n] = start[seed_place(n)];
    for (size_t n = LENGTH; n < 2 * LENGTH; n++)
        sequence[n] = sequence[n - LENGTH] + sequence[n - LAG];
    raise(&leap, steps);
    for (size_t n = 0; n < LENGTH; n++) {
        uint64_t number = 0;
        for (size_t i = 0; i < LENGTH; i++)
            number += leap.at[i] * sequence[n + i];
        table->numbers[seed_place(steps + n)] = number;
    }
    table->is_filled = true;
}

/* --- drawing --- */

static uint64_t crc64_iso(str text)
{
    uint64_t crc = UINT64_MAX;

    for (size_t i = 0; i < text.len; i++) {
        crc ^= (unsigned char)text.ptr[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT64_C(0xd800000000000000) : 0);
    }
    return ~crc;
}

void seeded_init(struct seeded *seeded, struct seed_table *table, str seed)
{
    int64_t number = (int64_t)crc64_iso(seed) % LEHMER_MODULUS;

    if (number < 0)
        number += LEHMER_MODULUS;
    if (!table->is_filled)
        seed_table_fill(table);
    spread(seeded->state, number ? (uint64_t)number : LEHMER_ZERO, 20);
    for (size_t i = 0; i < LENGTH; i++)
        seeded->state[i] ^= table->numbers[i];
    seeded->tap = 0;
    seeded->feed = LENGTH - LAG;
}

static uint64_t next(struct seeded *seeded)
{
    seeded->tap = (seeded->tap + LENGTH - 1) % LENGTH;
    seeded->feed = (seeded->feed + LENGTH - 1) % LENGTH;
    seeded->state[seeded->feed] += seeded->state[seeded->tap];
    return seeded->state[seeded->feed] & INT64_MAX;
}

/* Small limits look at 31 bits of a number, large ones at 63; what is above the last whole multiple
 * is drawn again. */
uint64_t seeded_below(struct seeded *seeded, uint64_t limit)
{
    unsigned bits = limit <= INT32_MAX ? 31 : 63;
    uint64_t count = UINT64_C(1) << bits, number;

    do
        number = next(seeded) >> (63 - bits);
    while (number >= count - count % limit);
    return number % limit;
}
