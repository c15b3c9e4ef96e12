/* memory.c — heap memory; running out aborts. */
#include "base/memory.h"

#include "base/crash.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

_Noreturn void memory_exhausted(size_t size)
{
    fprintf(stderr, "fatal: out of memory (%zu bytes wanted)\n", size);
    crash_end();
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

void *memory_alloc_large(size_t size)
{
    /* A huge page is resident from its first byte on: for a block that may stay nearly empty that
     * is more memory than the faults are worth. */
    enum { HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

    if (size < LARGE)
        return memory_alloc(size);
    if (size > SIZE_MAX - HUGE_PAGE)
        memory_exhausted(size);
    void *result = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1));
    if (!result)
        memory_exhausted(size);
#if defined(MADV_HUGEPAGE)
    madvise(result, size, MADV_HUGEPAGE); /* a hint only */
#endif
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
