/* registration.h — one request of the program on its way through planning and execution. */
#pragma once

#include "base/map.h"
#include "engine/step/chain.h"
#include "engine/step/step.h"
#include "fiber/sync.h"
#include "model/goal.h"

enum registration_result { REGISTRATION_SUCCESS, REGISTRATION_FAILED, REGISTRATION_SKIPPED };

/* What planning has asked and was answered. It runs again when it was overtaken by another
 * registration, and asks only what the answers do not cover. */
struct plan_memory {
    unsigned changes; /* of the fates, when planning began to run */
    /* Check was asked with: */
    const struct resource *old;
    bool starts_over;
    bool is_targeted;

    bool is_checked; /* `inputs` are the provider's */
    bool is_judged;  /* policy packs have seen them: */
    unsigned judgements;
    struct value judged;   /* the inputs before a pack changed them, */
    struct value remedied; /* and after that */
    struct map told;       /* what packs said → the judgement that they first said it in */
    bool is_move_known;    /* whether another provider means a replacement: */
    bool has_moved;
    bool is_compared; /* by the provider: */
    struct diff_answer diff;
    bool is_refusal_known; /* and was reported */
    bool is_checked_again; /* for a replacement */
    bool is_judged_again;
    struct map dependents; /* address of a state → what its provider says of its replacement */
};

/* Lives until it was answered and its caller has gone, or until the deployment ends: a step may
 * outlive the connection of its caller. */
struct registration {
    struct arena storage;
    struct arena *arena; /* of the request and of planning; states get copies of what must last */
    struct registration *next;
    struct registration *previous;
    struct goal goal;
    bool is_read; /* ReadResource: `read_id` is looked up, not managed */
    str read_id;
    const struct extension *extension; /* the resource belongs to an extension of its provider */

    /* the answer */
    struct latch done;
    enum registration_result result;
    struct resource *state;
    bool is_unknown; /* nothing was created: outputs are unknown */

    struct chain *chain;     /* the last that was submitted for it */
    bool is_planned;         /* and there will be no other */
    struct latch *awaited;   /* planning goes on with the same phase when it opens; NULL: at once */
    struct latch *unsettled; /* its old state is being read: opens when it is known what becomes of
                                it */

    struct latch *unanswered; /* opens when it is answered; NULL: nobody waits for that */

    /* found out while planning, in the order of the phases */
    str urn;
    str old_urn;                  /* that its state had; empty: there is none */
    const struct kept_same *kept; /* recorded already, for a dependent's sake */
    struct resource *old;
    struct resource *new;
    bool is_invalid;
    struct provider *provider; /* NULL for components */
    bool is_recreating;        /* deleted earlier in this run for another's sake */
    bool is_refreshed;         /* `old` was read in this run */
    bool is_imported;
    bool triggers_replace;
    str seed;
    bool has_autonaming;
    enum autonaming_mode autonaming_mode;
    str proposed_name;
    struct value old_inputs;
    struct value inputs; /* to compare with them: ignored changes put back, then checked */
    struct diff_answer diff;
    struct error *diff_error;
    struct plan_memory memory;

    /* to be done when its last chain is submitted */
    bool adds_to_targets;           /* its dependents take part, or not, because it does */
    bool is_to_delete;              /* destroy: after the program */
    bool keeps_dependencies;        /* untargeted states that it refers to are recorded before it */
    bool has_unregistered_provider; /* likewise its provider */
};

/* Those that are not answered yet, or still in use. */
struct registrations {
    struct registration *first;
};

struct registration *registration_open(struct registrations *registrations);
void registration_close(struct registrations *registrations, struct registration *owned);
void registrations_release(struct registrations *registrations);

/* Answers the caller; only the first answer has an effect. */
void registration_finish(struct registration *reg, enum registration_result result,
                         struct resource *state);
