/* recorder.h — writes the journal around each step and keeps the state that it adds up to. */
#pragma once

#include "model/journal.h"

struct arena;
struct crypter;
struct engine_options;
struct journal;
struct step;

/* Invariants:
 * 1. The intent of a step that changes the world is durable before its provider is called.
 * 2. Memory (replay) and file see the same entries in the same order.
 * 3. A failed entry changes nothing but the list of what is pending. */
struct recorder {
    struct arena *arena;
    struct replay *replay;
    struct journal *journal; /* NULL: preview, memory only */
    struct crypter *crypter;
    bool is_of_refresh;
    int64_t sequence;
    int64_t operations;
    struct intent *idle; /* of steps that are over */
};

fallible recorder_init(struct recorder *recorder, struct arena *arena,
                       const struct engine_options *options);
/* Intent. Blocks until durable where it must be. */
fallible recorder_begin(struct recorder *recorder, struct step *step);
/* An intent that nobody will follow. */
fallible recorder_withdraw(struct recorder *recorder, struct step *step);
/* Outcome: `has_state` also for a partly created resource. Blocks until durable. */
fallible recorder_end(struct recorder *recorder, struct step *step, bool has_state);
/* A state that is left as it is, without a step: it keeps its place before what is recorded later.
 */
fallible recorder_keep(struct recorder *recorder, const struct resource *old);
/* New outputs of a resource that is recorded already. */
fallible recorder_outputs(struct recorder *recorder, struct step *step);
/* After a refresh: what is known now is the base. */
fallible recorder_rebuild(struct recorder *recorder, struct snapshot *out);
/* After a refresh that ran its program and then reached what the program did not mention. */
fallible recorder_end_refresh(struct recorder *recorder);
fallible recorder_snapshot(struct recorder *recorder, struct snapshot *out);
