/* reference_walk.h — from a state to those that it refers to, to any depth. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "model/resource.h"

/* A state whose references are being followed. */
struct walked {
    struct resource *state;
    const struct resource *dependent; /* that led to it; NULL: it is the first */
    struct strs urns;                 /* its provider, which may be empty, then the others */
    size_t next;
};

/* On the heap: a chain of states may be longer than a fiber's stack is deep. */
struct reference_walk {
    struct arena scratch;
    VEC(struct walked);
};

void reference_walk_release(struct reference_walk *walk);
/* Goes into a state, from the one that is on top. */
void reference_walk_enter(struct reference_walk *walk, struct resource *state);
/* The one on top; NULL: all is done. */
struct walked *reference_walk_top(const struct reference_walk *walk);
/* The next URN that it refers to; false: there is none left. */
bool walked_next(struct walked *walked, str *urn, bool *is_provider);
/* Goes back to the one below. */
void reference_walk_leave(struct reference_walk *walk);
