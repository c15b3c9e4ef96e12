/* engine_world_ops.h — what tests do with a world; the second half of engine_world.h, which
 * includes it. */
#pragma once

#include "unit/engine_world.h"

/* --- before the run --- */

#define OLD(world, ...) world_old((world), &(const struct sample){ .name = __VA_ARGS__ })
#define GOAL(world, ...) world_goal((world), &(const struct sample){ .name = __VA_ARGS__ })
#define SCRIPT(world, ...) world_script((world), &(const struct script){ .name = __VA_ARGS__ })
void world_old(struct world *world, const struct sample *sample);
void world_goal(struct world *world, const struct sample *sample);
/* The program registers the outputs of a component, or of the stack. */
void world_outputs(struct world *world, const char *name, const char *outputs);
/* A later script of the same name replaces the earlier one. */
void world_script(struct world *world, const struct script *script);
/* The state has an operation that was cut off. */
void world_pending(struct world *world, enum pending_kind kind, const char *name);
/* URNs of the names, for options. */
struct strs world_urns(struct world *world, const char *names);

/* --- the run --- */

void world_run(struct world *world);
/* The next run starts from what the last one left, with another program and other answers. */
void world_continue(struct world *world);

/* --- after it --- */

str world_urn(const struct world *world, const char *name);
/* The call of that text ("create a"), counted from 0; fails if there is none. */
const struct call *world_call(struct world *world, const char *what, size_t number);
const struct reply *world_reply(struct world *world, const char *name);
bool world_was_answered(const struct world *world, const char *name);
/* The live resource of that name in the state; fails if there is none. */
const struct resource *world_state(struct world *world, const char *name);
bool world_has_state(const struct world *world, const char *name);
/* The state that the first lines of the journal leave, as below. */
str world_state_after(struct world *world, size_t lines);
/* "a b!D c!PR [creating x]": state in its order, default providers left out. */
str world_state_text(struct world *world);
str world_snapshot_text(struct world *world, const struct snapshot *snapshot);
str world_value_text(struct world *world, struct value value);
struct value world_value(struct world *world, const char *pairs);
struct strs world_list(struct world *world, const char *words);
/* Names of URNs, separated by blanks. */
str world_names(struct world *world, struct strs urns);
void world_assert_order(struct world *world, const char *const *texts, size_t count);

#define assert_steps(world, wanted) assert_str_equal(strbuf_str(&(world)->steps), STR(wanted))
#define assert_outcomes(world, wanted) assert_str_equal(strbuf_str(&(world)->outcomes), STR(wanted))
#define assert_calls(world, wanted) assert_str_equal(strbuf_str(&(world)->call_text), STR(wanted))
#define assert_state(world, wanted) assert_str_equal(world_state_text(world), STR(wanted))
#define assert_value(world, value, wanted) \
    assert_str_equal(world_value_text((world), (value)), STR(wanted))
#define assert_says(world, text)                                                  \
    do {                                                                          \
        if (str_find(strbuf_str(&(world)->diagnostics), STR(text)) == SIZE_MAX) { \
            print_error("not said: '%s' in: " STR_FMT "\n", text,                 \
                        STR_ARG(strbuf_str(&(world)->diagnostics)));              \
            fail();                                                               \
        }                                                                         \
    } while (0)
#define assert_succeeds(world)                                                                \
    do {                                                                                      \
        if ((world)->has_failed)                                                              \
            print_error("failed: " STR_FMT "\n", STR_ARG(strbuf_str(&(world)->diagnostics))); \
        assert_false((world)->has_failed);                                                    \
    } while (0)
#define assert_fails_run(world) assert_true((world)->has_failed)
/* Each of these is in the history, behind the one before: "begin create a", "call create a", "end
 * create a", "fail create a", "hook h", "answer a". */
#define assert_order(world, ...)                                      \
    world_assert_order((world), (const char *const[]){ __VA_ARGS__ }, \
                       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
