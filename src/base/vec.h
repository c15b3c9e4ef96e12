/* vec.h — growing arrays, typed by macro: struct steps { VEC(struct step *); }; */
#pragma once

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The members of a growing array. The zero value is empty. */
#define VEC(type) \
    type *items;  \
    size_t len;   \
    size_t capacity

/* Appends one element. */
#define vec_add(vec, element)                                                                \
    ((vec)->items =                                                                          \
         memory_grow((vec)->items, &(vec)->capacity, (vec)->len + 1, sizeof(*(vec)->items)), \
     (vec)->items[(vec)->len++] = (element))

/* Makes room for `count` elements in all. */
#define vec_reserve(vec, count) \
    ((vec)->items = memory_grow((vec)->items, &(vec)->capacity, (count), sizeof(*(vec)->items)))

/* Removes the element at `index` and keeps the order of the rest. */
#define vec_remove(vec, index)                                  \
    (memmove(&(vec)->items[index], &(vec)->items[(index) + 1],  \
             ((vec)->len - (index)-1) * sizeof(*(vec)->items)), \
     (vec)->len--)

#define vec_release(vec) \
    (free((vec)->items), (vec)->items = NULL, (vec)->len = 0, (vec)->capacity = 0)

/* For CLEANUP: frees the elements of a struct that begins with VEC. */
static inline void vec_drop(void *vec)
{
    void *items;

    memcpy(&items, vec, sizeof(items));
    free(items);
}
