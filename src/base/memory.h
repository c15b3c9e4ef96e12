/* memory.h — heap memory for what no arena can hold; running out aborts, and the journal makes that
 * safe. */
#pragma once

#include <stddef.h>

void *memory_alloc(size_t size) __attribute__((malloc, returns_nonnull));
void *memory_zalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *memory_resize(void *owned, size_t size) __attribute__((returns_nonnull));
/* For large pieces that are filled at once: the kernel is asked for huge pages, which spares it a
 * fault for each small one. */
void *memory_alloc_large(size_t size) __attribute__((malloc, returns_nonnull));
_Noreturn void memory_exhausted(size_t size);

/* Grows the storage of a vec to hold `wanted` elements. */
void *memory_grow(void *owned, size_t *capacity, size_t wanted, size_t element_size);
