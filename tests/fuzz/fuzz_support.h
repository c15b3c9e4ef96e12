/* fuzz_support.h — what fuzz targets share: a claim that must hold, inputs in parts, a folder for
 * inputs that are read as files. */
#pragma once

#include "base/error.h"
#include "base/fs.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(holds)                                                          \
    do {                                                                        \
        if (!(holds)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
            abort();                                                            \
        }                                                                       \
    } while (0)

/* Was it accepted? A refusal says something. */
static inline bool fuzz_accepts(struct error *failure)
{
    bool is_accepted = !failure;

    REQUIRE(!failure || error_message(failure).len > 0);
    error_free(failure);
    return is_accepted;
}

/* What stands before the first NUL byte; `rest` is what follows it. */
static inline str fuzz_part(str *rest)
{
    str part = *rest;

    if (!str_cut(*rest, ((str){ "", 1 }), &part, rest))
        *rest = STR("");
    return part;
}

/* A choice among `count`, by the first byte, which is taken off. */
static inline unsigned fuzz_choice(str *input, unsigned count)
{
    unsigned char first = input->len ? (unsigned char)input->ptr[0] : 0;

    *input = str_slice(*input, 1, input->len);
    return first % count;
}

static char fuzz_folder_path[] = "/dev/shm/fuzz-XXXXXX"; /* nothing waits for a disk there */

static inline void fuzz_folder_remove(void)
{
    error_ignore(fs_remove_tree(str_from(fuzz_folder_path)), "nothing waits for it");
}

/* One folder for a process, removed at its end. */
static inline str fuzz_folder(void)
{
    static bool is_made;

    if (!is_made) {
        if (!mkdtemp(fuzz_folder_path)) {
            snprintf(fuzz_folder_path, sizeof(fuzz_folder_path), "/tmp/fuzz-XXXXXX");
            REQUIRE(mkdtemp(fuzz_folder_path));
        }
        atexit(fuzz_folder_remove);
        is_made = true;
    }
    return str_from(fuzz_folder_path);
}

/* Puts a file into the folder, over one that is there; gives its path. */
static inline str fuzz_file(struct arena *arena, str name, str content)
{
    str path = fs_path_join(arena, fuzz_folder(), name);
    FILE *file = fopen(path.ptr, "we");

    if (!file) {
        REQUIRE(fuzz_accepts(fs_make_directory(fs_path_directory(path), 0700)));
        file = fopen(path.ptr, "we");
    }
    REQUIRE(file && fwrite(content.ptr, 1, content.len, file) == content.len);
    REQUIRE(fclose(file) == 0);
    return path;
}
