/* chain.h — steps that run one after the other. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "fiber/sync.h"

struct executor;
struct step;

struct chain {
    VEC(struct step *);
    struct executor *executor; /* that runs it */
    struct latch deleted;      /* all its deletes are done, or will not be */
    struct latch finished;
    bool is_failed;
    bool has_no_slot; /* it passed its slot on: it only waits for its last record */
};

struct chain *chain_new(struct arena *arena);
