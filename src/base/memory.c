/* memory.c — heap memory; running out aborts. */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void memory_exhausted(size_t size)
{
    fprintf(stderr, "fatal: out of memory (%zu bytes wanted)\n", size);
    abort();
}

void *memory_alloc(size_t size)
{
    void *result = malloc(size ? size : 1);
    if (!result)
        memory_exhausted(size);
    return result;
}

void *memory_zalloc(size_t size)
{
    void *result = calloc(1, size ? size : 1);
    if (!result)
        memory_exhausted(size);
    return result;
}

void *memory_resize(void *owned, size_t size)
{
    void *result = realloc(owned, size ? size : 1);
    if (!result)
        memory_exhausted(size);
    return result;
}

void *memory_grow(void *owned, size_t *capacity, size_t wanted, size_t element_size)
{
    size_t bytes;

    if (wanted <= *capacity)
        return owned;
    size_t larger = *capacity ? *capacity * 2 : 8;
    if (larger < wanted)
        larger = wanted;
    if (__builtin_mul_overflow(larger, element_size, &bytes))
        memory_exhausted(SIZE_MAX);
    *capacity = larger;
    return memory_resize(owned, bytes);
}
