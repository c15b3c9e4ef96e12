/* outcome.h — what must hold of a state and a cloud after a strike, and at the end. */
#pragma once

#include "base/error.h"
#include "crash/strike.h"
#include "model/resource.h"
#include "support/workdir.h"

/* What exists as the log of the provider has it: an object of id to { type }. It knows nothing of
 * what the engine believes, and is written before the engine hears of anything. Objects that others
 * made (`foreign`) are left out as long as the state does not name them. */
fallible outcome_cloud(struct workdir *workdir, struct value foreign, struct value state,
                       struct value *out);

/* Nothing exists that the state does not know: every object of the cloud is a resource of the
 * state, or may be the one of a pending create. And the reverse: what the state knows exists, or a
 * pending delete says that it may not, or it `vanished` behind the engine's back. */
fallible outcome_check_accounts(struct arena *arena, struct value state, struct value cloud,
                                struct strs vanished);

/* The end of the story in a form in which two ends can be compared: resources and objects without
 * times and serial numbers. Objects that only a pending create accounts for are left out and
 * counted. */
str outcome_normalize(struct arena *arena, struct value state, struct value cloud,
                      size_t *duplicates);

/* A command that met a failing call says which file it is about, or at least its folder, and why.
 * `calls` is the list of the library, which has the call that it struck. */
bool outcome_names_failure(struct arena *arena, const struct strike *strike, str calls, str output);
