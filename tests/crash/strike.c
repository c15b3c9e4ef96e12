/* strike.c — plans strikes and arms them. */
#include "crash/strike.h"

#include "base/map.h"

#include <errno.h>

bool strike_is_kill(const struct strike *strike)
{
    return strike->kind == STRIKE_POINT || strike->kind == STRIKE_MOMENT
           || strike->kind == STRIKE_CUT;
}

str strike_text(struct arena *arena, const struct strike *strike)
{
    switch (strike->kind) {
    case STRIKE_POINT:
        return arena_printf(arena, "kill " STR_FMT ":%zu", STR_ARG(strike->place), strike->nth);
    case STRIKE_HOOK:
        return arena_printf(arena, "fail " STR_FMT ":%zu", STR_ARG(strike->place), strike->nth);
    case STRIKE_MOMENT: return arena_printf(arena, "kill at call %zu", strike->nth);
    case STRIKE_CALL:
        return arena_printf(arena, STR_FMT " %zu: %s", STR_ARG(strike->place), strike->nth,
                            strerrorname_np(strike->number));
    case STRIKE_CUT:
        return arena_printf(arena, "power cut before sync %zu, names %s", strike->nth,
                            strike->keeps_names ? "kept" : "as synced");
    }
    return STR("");
}

/* --- arming --- */

static void set_text(struct arena *arena, struct value *environment, const char *key, str text)
{
    *environment = value_with(arena, *environment, str_from(key), value_string(text));
}

static void set_library(struct arena *arena, struct value *environment,
                        const struct strike_tools *tools)
{
    set_text(arena, environment, "LD_PRELOAD", tools->library);
    set_text(arena, environment, "CRASH_PROGRAM", tools->program);
    set_text(arena, environment, "CRASH_CALLS", tools->calls);
}

struct value strike_environment(struct arena *arena, const struct strike *strike,
                                const struct strike_tools *tools, struct value environment)
{
    if (!strike) {
        set_library(arena, &environment, tools);
        return environment;
    }
    str nth = arena_printf(arena, "%zu", strike->nth);
    switch (strike->kind) {
    case STRIKE_POINT:
    case STRIKE_HOOK:
        set_text(arena, &environment, strike->kind == STRIKE_POINT ? "CULUMI_FAULT" : "CULUMI_FAIL",
                 arena_concat(arena, strike->place, STR(":"), nth));
        break;
    case STRIKE_MOMENT:
        set_library(arena, &environment, tools);
        set_text(arena, &environment, "CRASH_KILL", nth);
        break;
    case STRIKE_CALL:
        set_library(arena, &environment, tools);
        set_text(arena, &environment, "CRASH_FAIL",
                 arena_printf(arena, STR_FMT ":%zu:%d", STR_ARG(strike->place), strike->nth,
                              strike->number));
        break;
    case STRIKE_CUT:
        set_library(arena, &environment, tools);
        set_text(arena, &environment, "CRASH_DISK", tools->disk);
        set_text(arena, &environment, "CRASH_ROOT", tools->state);
        set_text(arena, &environment, "CRASH_CUT", nth);
        break;
    }
    return environment;
}

/* --- planning --- */

/* How often each line occurs, in the order of the first. */
static void count_lines(struct map *counts, struct arena *arena, str list)
{
    str line;

    while (str_cut(list, STR("\n"), &line, &list)) {
        size_t *count = map_find(counts, line);
        if (!count) {
            count = ARENA_NEW(arena, size_t);
            map_put(counts, line, count);
        }
        ++*count;
    }
}

static void add_each(struct strikes *strikes, struct strike strike, size_t hits, bool is_short)
{
    for (strike.nth = 1; strike.nth <= hits; strike.nth++)
        if (!is_short || strike.nth == 1 || strike.nth == hits)
            vec_add(strikes, strike);
}

/* "kill PLACE" or "fail PLACE" for every hit of an undisturbed run. */
void strikes_plan_places(struct strikes *strikes, struct arena *arena, str list,
                         const struct strike_choice *choice)
{
    struct map counts = { 0 };
    const struct map_entry *entry;
    str kind, place;

    count_lines(&counts, arena, list);
    for (size_t i = 0; map_next(&counts, &i, &entry);) {
        if (!str_cut(entry->key, STR(" "), &kind, &place))
            continue;
        struct strike strike = { .kind = str_equal(kind, STR("kill")) ? STRIKE_POINT : STRIKE_HOOK,
                                 .place = place };
        add_each(strikes, strike, *(size_t *)entry->value, choice->is_short);
    }
    map_release(&counts);
}

/* xorshift64*: the same moments for the same seed. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* What a call of each kind may fail with. A connection that is refused is tried again, so it gets a
 * failure that is not. */
static const struct {
    const char *kind;
    int numbers[2];
} failures[] = {
    { "write", { ENOSPC, EIO } },   { "sync", { EIO } },
    { "rename", { EIO } },          { "create", { ENOSPC, EMFILE } },
    { "open", { EMFILE } },         { "mkdir", { ENOSPC } },
    { "unlink", { EIO } },          { "spawn", { EAGAIN } },
    { "pipe", { EMFILE } },         { "socket", { EMFILE } },
    { "connect", { ENETUNREACH } },
};

/* A short campaign has one call of each kind. */
static void plan_failures(struct strikes *strikes, const struct map *counts, bool is_short,
                          uint64_t *random)
{
    enum { NUMBERS = sizeof(failures[0].numbers) / sizeof(*failures[0].numbers) };

    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
        const size_t *count = map_find(counts, str_from(failures[i].kind));
        for (size_t j = 0; count && j < (is_short ? 1 : NUMBERS) && failures[i].numbers[j]; j++) {
            struct strike strike = { .kind = STRIKE_CALL,
                                     .place = str_from(failures[i].kind),
                                     .number = failures[i].numbers[j] };
            if (!is_short) {
                add_each(strikes, strike, *count, false);
                continue;
            }
            strike.nth = 1 + next_random(random) % *count;
            vec_add(strikes, strike);
        }
    }
}

static void plan_random(struct strikes *strikes, size_t total, size_t syncs,
                        const struct strike_choice *choice, uint64_t *random)
{
    enum { FEW_CUTS = 3 };

    for (size_t i = 0; total && i < choice->moments; i++)
        vec_add(strikes,
                ((struct strike){ .kind = STRIKE_MOMENT, .nth = 1 + next_random(random) % total }));
    for (size_t i = 0; i < (choice->is_short && syncs > FEW_CUTS ? FEW_CUTS : syncs); i++) {
        size_t nth = choice->is_short ? 1 + next_random(random) % syncs : i + 1;
        for (int names = 0; names < 2; names++)
            if (!choice->is_short || names == (int)(i % 2))
                vec_add(strikes,
                        ((struct strike){ .kind = STRIKE_CUT, .nth = nth, .keeps_names = names }));
    }
}

void strikes_plan_calls(struct strikes *strikes, struct arena *arena, str list,
                        const struct strike_choice *choice)
{
    struct map counts = { 0 };
    str line, rest = list, kind, what;
    size_t total = 0;
    uint64_t random = choice->seed * 2 + 1;

    for (int i = 0; i < 8; i++) /* small seeds are all alike at first */
        next_random(&random);
    while (str_cut(rest, STR("\n"), &line, &rest)) {
        if (!str_cut(line, STR(" "), &kind, &what))
            continue;
        count_lines(&counts, arena, arena_concat(arena, kind, STR("\n")));
        total++;
    }
    const size_t *syncs = map_find(&counts, STR("sync"));
    plan_failures(strikes, &counts, choice->is_short, &random);
    plan_random(strikes, total, syncs ? *syncs : 0, choice, &random);
    map_release(&counts);
}
