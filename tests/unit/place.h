/* place.h — a folder of its own for each test. */
#pragma once

#include "unit/check.h"

#include "base/arena.h"
#include "base/fault.h"
#include "base/fs.h"

#include <stdlib.h>

struct place {
    struct arena arena;
    str root;
};

static int make_place(void **state)
{
    static struct place place;
    char name[] = "/tmp/culumi-test.XXXXXX";

    place = (struct place){ 0 };
    if (!mkdtemp(name))
        return -1;
    place.root = arena_copy(&place.arena, str_from(name));
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;

    fault_arm(STR(""), STR(""));
    assert_ok(fs_remove_tree(place->root));
    assert_false(fs_exists(place->root));
    arena_release(&place->arena);
    return 0;
}
