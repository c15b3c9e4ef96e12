/* arena.c — memory with one lifetime. Under ASan each allocation is its own malloc, so that
 * overruns and uses after release are caught. */
#include "base/arena.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define ONE_BLOCK_EACH 1
#else
#define ONE_BLOCK_EACH 0
#endif

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = (4 << 20) - ALIGN };

struct arena_block {
    struct arena_block *next;
    size_t size; /* of the payload */
};

static char *payload(struct arena_block *block)
{
    return (char *)block + ALIGN;
}

static struct arena_block *arena_add_block(struct arena *arena, size_t size)
{
    struct arena_block *block = memory_alloc_large(ALIGN + size);

    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->total += size;
    return block;
}

void *arena_alloc_raw(struct arena *arena, size_t size)
{
    if (ONE_BLOCK_EACH)
        return payload(arena_add_block(arena, size));

    size_t rounded = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (rounded < size)
        memory_exhausted(size);
    if (arena->next && (size_t)(arena->end - arena->next) >= rounded) {
        void *result = arena->next;
        arena->next += rounded;
        return result;
    }
    size_t wanted = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    if (wanted > LARGEST_BLOCK)
        wanted = LARGEST_BLOCK;
    if (rounded > wanted / 4) {
        /* A large piece gets a block of its own, behind the current one, which stays in use. */
        struct arena_block *current = arena->blocks;
        struct arena_block *own = arena_add_block(arena, rounded);
        if (current) {
            arena->blocks = current;
            own->next = current->next;
            current->next = own;
        }
        return payload(own);
    }
    struct arena_block *block = arena_add_block(arena, wanted);
    arena->next = payload(block) + rounded;
    arena->end = payload(block) + wanted;
    return payload(block);
}

void *arena_alloc(struct arena *arena, size_t size)
{
    void *result = arena_alloc_raw(arena, size);
    memset(result, 0, size);
    return result;
}

void *arena_alloc_array(struct arena *arena, size_t size, size_t count)
{
    size_t total;
    if (__builtin_mul_overflow(size, count, &total))
        memory_exhausted(SIZE_MAX);
    return arena_alloc(arena, total);
}

void arena_release(struct arena *arena)
{
    struct arena_block *block = arena->blocks;

    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (struct arena){ 0 };
}

void arena_adopt(struct arena *arena, struct arena *taken)
{
    struct arena_block *last = taken->blocks;

    if (!last)
        return;
    while (last->next)
        last = last->next;
    if (arena->blocks) {
        /* Behind the current block, which stays in use. */
        last->next = arena->blocks->next;
        arena->blocks->next = taken->blocks;
    } else {
        arena->blocks = taken->blocks;
        arena->next = taken->next;
        arena->end = taken->end;
    }
    arena->total += taken->total;
    *taken = (struct arena){ 0 };
}

void *arena_copy_bytes(struct arena *arena, const void *bytes, size_t size)
{
    void *result = arena_alloc_raw(arena, size);
    if (size)
        memcpy(result, bytes, size);
    return result;
}

void *arena_grow(struct arena *arena, const void *items, size_t len, size_t size)
{
    bool is_full = (len & (len - 1)) == 0;

    if (!is_full)
        return (void *)items;
    void *grown = arena_alloc_array(arena, size, len ? 2 * len : 1);
    if (len)
        memcpy(grown, items, len * size);
    return grown;
}

char *arena_cstr(struct arena *arena, str text)
{
    char *result = arena_alloc_raw(arena, text.len + 1);
    if (text.len)
        memcpy(result, text.ptr, text.len);
    result[text.len] = '\0';
    return result;
}

str arena_copy(struct arena *arena, str text)
{
    return (str){ arena_cstr(arena, text), text.len };
}

str arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    char small[256];

    va_start(arguments, format);
    int len = vsnprintf(small, sizeof(small), format, arguments);
    va_end(arguments);
    if (len < 0)
        return STR("");
    if ((size_t)len < sizeof(small))
        return arena_copy(arena, (str){ small, (size_t)len });

    char *text = arena_alloc_raw(arena, (size_t)len + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)len + 1, format, arguments);
    va_end(arguments);
    return (str){ text, (size_t)len };
}

str arena_concat_list(struct arena *arena, const str *parts, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += parts[i].len;

    char *text = arena_alloc_raw(arena, len + 1);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len)
            memcpy(text + at, parts[i].ptr, parts[i].len);
        at += parts[i].len;
    }
    text[len] = '\0';
    return (str){ text, len };
}
