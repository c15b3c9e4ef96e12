/* stepgen.h — turns registrations into chains of steps. Decides and asks; never executes. */
#pragma once

#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/plan/stepgen_compare.h"
#include "engine/plan/stepgen_meet.h"
#include "engine/plan/targets.h"
#include "engine/report/operation.h"
#include "engine/step/registration.h"

/* A decision and the rule that led to it, for the log of -v. */
#define PLAN_LOG(decision, urn, rule) \
    log_info("plan", "%s " STR_FMT ": %s", (decision), STR_ARG(urn), (rule))

struct analyzer;
struct engine_options;
struct estate;
struct fates;
struct registry;
struct report;
struct update_plan;

/* Where planning of a registration goes on when the chain that it returned has run. */
enum plan_phase {
    PLAN_START,
    PLAN_EXTENDED,
    PLAN_FOUND, /* the provider knows its extension */
    PLAN_REFRESHED,
    PLAN_IMPORTED,
    PLAN_DIFFED,
    PLAN_AGAIN, /* it was overtaken, or waited: with what is known by now */
    PLAN_DONE
};

struct stepgen {
    const struct engine_options *options;
    struct arena *arena; /* of the operation */
    struct report *report;
    struct estate *estate;
    struct fates *fates; /* of the estate */
    struct registry *registry;
    const struct registrations *registrations; /* under way */
    struct update_plan *plan;                  /* the update is held to it; NULL: none */
    struct update_plan *new_plan;              /* being made; NULL: none */
    struct analyzer **analyzers;               /* policy packs: those required first */
    size_t analyzer_count;
    struct map deletes_first; /* URN → const bool *: deleteBeforeReplace; where there are packs */
    enum plan_mode mode;
    bool refreshes;   /* each registered resource is read first */
    bool has_failed;  /* something was reported; the deployment ends in error */
    unsigned commits; /* chains that were submitted so far, of registrations and reads */

    struct map providers; /* URN → struct resource * of providers registered in this run */
    struct map aliased;   /* old URN → the new one (struct str *) */
    struct map aliases;   /* new URN → the old one (struct str *) */
    struct map condemned; /* address of a state (not its URN) → the struct chain * that deletes it
                             first */
    struct {
        VEC(struct resource *);
    } to_delete; /* destroy: registered, to be deleted after */
    struct {
        VEC(struct step *);
    } pending_sames; /* untargeted ones that must precede the next chain */
    struct map kept; /* URN → struct kept_same *: recorded for a dependent, not registered yet */
    struct map under_way; /* URN of a state → struct registration *: registered, not answered */

    struct value autonaming; /* configuration; VALUE_NULL: none */

    struct target_set targets;
    struct target_set excludes;
    struct target_set targets_actual; /* with dependents found on the way */
    struct target_set excludes_actual;
    struct target_set replace_targets;
};

/* What it is given lasts as long as it does. */
void stepgen_init(struct stepgen *gen, const struct step_tools *tools,
                  const struct registrations *registrations);
void stepgen_release(struct stepgen *gen);

/* Runs the phase *phase and says which comes after the chain has finished. Where reg->awaited is
 * set the phase has to be run again when that opens; PLAN_AGAIN has to be run at once. Blocks while
 * providers are asked; from its last question on it does not, so what it decides rests on one
 * moment, and the caller submits the chain at that moment. */
fallible stepgen_register(struct stepgen *gen, struct registration *reg, enum plan_phase *phase,
                          struct chain **out);

/* Another registration changed something that this plan rests on, since it began to run. Asked
 * after each call. What is invalid fails in any case. */
bool stepgen_was_overtaken(const struct stepgen *gen, const struct registration *reg);
/* The same; then *phase is PLAN_AGAIN, and the failure of a call for this plan is dropped. */
fallible stepgen_unless_overtaken(const struct stepgen *gen, const struct registration *reg,
                                  struct error *owned, enum plan_phase *phase);

/* The registration was answered, or never will be. */
void stepgen_leave(struct stepgen *gen, struct registration *reg);

/* The same for a ReadResource. */
fallible stepgen_read(struct stepgen *gen, struct registration *reg, enum plan_phase *phase,
                      struct chain **out);

/* After the program: what it did not register. First `sames`, then level by level of deletes. */
struct levels {
    VEC(struct chain *); /* one step is one chain's worth: all steps of a level may run at once */
};
fallible stepgen_deletes(struct stepgen *gen, struct chain **sames, struct levels *deletes);

/* After the program of a refresh: what it did not register is read too. */
fallible stepgen_refreshes(struct stepgen *gen, bool only_before_update, struct chain **out);

/* --- parts that the phases share (each file names its own) --- */

/* stepgen.c */
/* The parent must have been registered in this run, the URN must not; writes reg->urn. */
fallible stepgen_name(struct stepgen *gen, struct registration *reg);
bool stepgen_wants_import(const struct registration *reg);

/* stepgen_alias.c */
fallible stepgen_find_old(struct stepgen *gen, struct registration *reg);
str stepgen_current_urn(const struct stepgen *gen, str urn); /* where an old URN went by alias */

/* stepgen_check.c */
fallible stepgen_check(struct stepgen *gen, struct registration *reg, bool is_targeted);
/* Check gets no old inputs: the instance they belong to will not continue. */
bool stepgen_starts_over(const struct stepgen *gen, const struct registration *reg);
/* For a replacement: without old inputs. */
fallible stepgen_check_again(struct stepgen *gen, struct registration *reg);
/* stepgen_replace.c */
fallible stepgen_after_diff(struct stepgen *gen, struct registration *reg, struct chain *chain,
                            enum plan_phase *phase);
fallible stepgen_replace(struct stepgen *gen, struct registration *reg, struct chain *chain,
                         enum plan_phase *phase);

/* autonaming.c */
fallible autonaming_load(struct stepgen *gen);
/* Fills reg's autonaming fields. Blocks. */
fallible autonaming_choose(struct stepgen *gen, struct registration *reg);

/* stepgen_provider.c */
/* Refuses what is neither a provider of this run nor one of the state. */
fallible stepgen_check_provider(const struct stepgen *gen, str urn, str reference);
/* `is_unregistered`: it comes from the state, not from the program; may be NULL. Blocks. */
fallible stepgen_load_provider(struct stepgen *gen, str urn, bool is_custom, str provider, str type,
                               struct provider **out, bool *is_unregistered);
/* The provider is not parameterized yet for the extension that the resource belongs to: a step of
 * the chain does that, or another chain is about to (then reg->awaited is set). */
fallible stepgen_wait_for_extension(struct stepgen *gen, struct registration *reg,
                                    struct chain *chain, bool *waits);
