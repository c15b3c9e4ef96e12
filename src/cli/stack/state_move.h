/* state_move.h — takes resources from one snapshot to another. */
#pragma once

#include "backend/backend.h"
#include "base/strbuf.h"

struct state_move {
    struct arena *arena;
    struct stack_ref from_stack, to_stack;
    struct snapshot *from, *to; /* both are changed */
    struct strs urns;           /* what was asked for */
    bool includes_parents;

    /* what happened, for the person who asked */
    struct strs missing;       /* asked for, not there */
    struct strs moved;         /* URNs as they were */
    struct strbuf left_behind; /* links of what stays to what goes, a line each */
    struct strbuf cut_off;     /* links of what goes to what stays */
};

/* Children come along, providers are copied, links across the border are cut. Nothing is saved. */
fallible state_move(struct state_move *move);
void state_move_release(struct state_move *move);
