/* fuzz_path.c — a path that was read is written so that it reads the same, contains itself, and
 * resetting by it changes nothing equal. */
#include "model/path_set.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The grammar has no escape for a backslash: one before a quote or at the end of a key cannot be
 * written. */
static bool can_be_written(struct path path)
{
    for (size_t i = 0; i < path.len; i++) {
        str key = path.items[i].key;
        for (size_t j = 0; j < key.len; j++)
            if (key.ptr[j] == '\\' && (j + 1 == key.len || key.ptr[j + 1] == '"'))
                return false;
    }
    return true;
}

/* A value in which the path leads somewhere. */
static struct value value_along(struct arena *arena, struct path path)
{
    struct value value = value_number(1);

    for (size_t i = path.len; i-- > 0;) {
        struct member member = { path.items[i].key, value };
        value = path.items[i].is_index ? value_array(arena, &value, 1)
                                       : value_object(arena, &member, 1);
    }
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct path path, again;
    struct error *error = path_parse(&arena, (str){ (const char *)data, size }, &path);

    if (error) {
        error_free(error);
        return 0;
    }
    CLEANUP(path_set_release) struct path_set set = { .arena = &arena };
    path_set_add(&set, path);
    if (path_set_find(&set, path) != 0)
        abort();
    if (can_be_written(path)) {
        error = path_parse(&arena, path_format(&arena, path), &again);
        if (error || again.len != path.len || path_set_find(&set, again) != 0)
            abort();
    }
    if (path.len > VALUE_MAX_DEPTH)
        return 0;
    struct value value = value_along(&arena, path), reset = value;
    CLEANUP(path_resets_release) struct path_resets resets = { .arena = &arena };
    path_reset(&resets, path, value, &reset);
    if (!value_equal(reset, value))
        abort();
    return 0;
}
