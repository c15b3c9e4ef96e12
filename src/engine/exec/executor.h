/* executor.h — runs chains: one after the other inside, in parallel to each other. */
#pragma once

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "fiber/sync.h"

struct chain;
struct deployment;
struct step;
struct registration;

struct executor {
    struct deployment *deployment;
    size_t slots; /* that are free */
    struct {
        VEC(struct chain *);
    } waiting;        /* for a slot */
    size_t next_turn; /* index of the first that still waits */
    struct work_group running;
    bool is_canceled;    /* nothing new starts */
    bool ignores_errors; /* refresh, import: others go on */
    bool has_failed;
    struct {
        VEC(struct step *);
    } errored;               /* with continue-on-error: whatever depends on them is skipped */
    struct map skipped;      /* URNs */
    struct map pending_news; /* URN → struct step *: waits for its outputs to be registered */
};

void executor_init(struct executor *executor, struct deployment *deployment);
void executor_release(struct executor *executor);

/* Starts a chain; chain->finished opens when it has run, failed or been refused. */
void executor_submit(struct executor *executor, struct chain *chain);
/* Each step of the chain on its own. Opens chain->finished when all are done. Blocks. */
void executor_run_parallel(struct executor *executor, struct chain *level);
/* Drops steps that depend on something that failed, and answers whoever waits for them. */
void executor_skip_dependents(struct executor *executor, struct chain *chain);
/* A step of a view: its work was done by the provider. */
fallible executor_finish_view(struct executor *executor, struct step *step);
void executor_cancel(struct executor *executor);
/* Until nothing runs. Blocks. */
void executor_wait(struct executor *executor);
