/* arena.h — memory with one lifetime: allocate many, release all at once. Out of memory aborts. */
#pragma once

#include "base/str.h"

#define PRINTF(text, first) __attribute__((format(printf, text, first)))
#define CLEANUP(release) __attribute__((cleanup(release)))

struct arena_block;

/* The zero value is an empty arena. */
struct arena {
    struct arena_block *blocks;
    char *next;
    char *end;
    size_t total; /* bytes held, for limits and statistics */
};

void arena_release(struct arena *arena);

/* Takes over all that the other holds; nothing moves, and the other is empty afterwards. For what a
 * helper thread allocated. */
void arena_adopt(struct arena *arena, struct arena *taken);

/* Zeroed memory, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((malloc, returns_nonnull));

/* The same without clearing, for what is written at once. */
void *arena_alloc_raw(struct arena *arena, size_t size) __attribute__((malloc, returns_nonnull));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc_array((arena), sizeof(type), (count)))
void *arena_alloc_array(struct arena *arena, size_t size, size_t count)
    __attribute__((malloc, returns_nonnull));

/* A copy that ends in a NUL byte, so that `.ptr` can go to the system. */
str arena_copy(struct arena *arena, str text);
void *arena_copy_bytes(struct arena *arena, const void *bytes, size_t size);
/* An array with room for one element more. `items` has `len` of `size` bytes and was always grown
 * by this, so that its length tells its room: the next power of two. */
void *arena_grow(struct arena *arena, const void *items, size_t len, size_t size);
char *arena_cstr(struct arena *arena, str text);

/* For messages, names and paths; NUL-terminated too. */
str arena_printf(struct arena *arena, const char *format, ...) PRINTF(2, 3);

/* Joins slices, NUL bytes included. */
str arena_concat_list(struct arena *arena, const str *parts, size_t count);
#define arena_concat(arena, ...)                             \
    arena_concat_list((arena), (const str[]){ __VA_ARGS__ }, \
                      sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str))
