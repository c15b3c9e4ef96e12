/* strike.h — the ways to strike a running command, and which of them a campaign tries. */
#pragma once

#include "base/vec.h"
#include "model/resource.h"

enum strike_kind {
    STRIKE_POINT,  /* killed at the n-th hit of a fault point */
    STRIKE_HOOK,   /* the n-th hit of a fault hook fails */
    STRIKE_MOMENT, /* killed at the n-th call to the system, whatever it is */
    STRIKE_CALL,   /* the n-th call of a kind fails with an error number */
    STRIKE_CUT,    /* the power goes before the n-th sync */
};

struct strike {
    enum strike_kind kind;
    str place; /* of a point, a hook or a call */
    size_t nth;
    int number;       /* errno of a call */
    bool keeps_names; /* of a cut: names in folders survive without a sync */
};

struct strikes {
    VEC(struct strike);
};

bool strike_is_kill(const struct strike *strike);
str strike_text(struct arena *arena, const struct strike *strike);

/* The files of the preload library in a world. */
struct strike_tools {
    str program; /* the command line */
    str library;
    str calls; /* where it lists calls */
    str disk;  /* where it writes down changes of `state` */
    str state;
};

/* The variables that make the strike happen; NULL: those that only list what could be struck. */
struct value strike_environment(struct arena *arena, const struct strike *strike,
                                const struct strike_tools *tools, struct value environment);

struct strike_choice {
    bool is_short;  /* the first and last of each place, one call of each kind, a few moments and
                       cuts */
    size_t moments; /* how many random ones */
    uint64_t seed;
};

/* From the list that CULUMI_FAULT_LIST makes. */
void strikes_plan_places(struct strikes *strikes, struct arena *arena, str list,
                         const struct strike_choice *choice);
/* From the list that CRASH_CALLS makes. */
void strikes_plan_calls(struct strikes *strikes, struct arena *arena, str list,
                        const struct strike_choice *choice);
