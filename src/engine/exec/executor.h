/* executor.h — runs chains: one after the other inside, in parallel to each other. */
#pragma once

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "fiber/sync.h"

struct cancel;
struct chain;
struct course;
struct recorder;
struct step;
struct step_tools;
struct stepgen;

struct executor {
    const struct step_tools *tools;
    struct recorder *recorder;
    struct stepgen *gen; /* is given back what was planned and not done */
    struct course *course;
    struct cancel *scope;   /* of the fibers that run chains */
    size_t slots;           /* that are free */
    bool records_ahead;     /* there are more slots than hands: see rule 6 */
    struct semaphore hands; /* so many steps are with a provider at once */
    struct {
        VEC(struct chain *);
    } waiting;        /* for a slot */
    size_t next_turn; /* index of the first that still waits */
    struct work_group running;
    bool ignores_errors; /* refresh, import: others go on */
    bool has_failed;
    struct {
        VEC(struct step *);
    } errored;               /* with continue-on-error: whatever depends on them is skipped */
    struct map pending_news; /* URN → struct step *: waits for its outputs to be registered */
};

/* What it is given lasts as long as it does. */
void executor_init(struct executor *executor, const struct step_tools *tools,
                   struct recorder *recorder, struct stepgen *gen, struct course *course,
                   struct cancel *scope);
void executor_release(struct executor *executor);

/* Starts a chain; chain->finished opens when it has run, failed or been refused. Once the course
 * has stopped no step begins. */
void executor_submit(struct executor *executor, struct chain *chain);
/* Each step of the chain on its own. Opens chain->finished when all are done. Blocks. */
void executor_run_parallel(struct executor *executor, struct chain *level);
/* Drops steps that depend on something that failed, and answers their registrations. */
void executor_skip_dependents(struct executor *executor, struct chain *chain);
/* The step whose outputs are to be registered, or NULL; it is asked for once. */
struct step *executor_take_pending(struct executor *executor, str urn);
/* Until nothing runs. Blocks. */
void executor_wait(struct executor *executor);
