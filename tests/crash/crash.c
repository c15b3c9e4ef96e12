/* crash.c — kills the command line at every place that has a name, and makes every system call fail
 * that has one; then looks whether anything was lost and whether the next run reaches the same end.
 *
 * usage: crash -bin CLI -plugins SCRIPTED [-short] [-v] [-j N] STORY…
 *
 * A story is a scenario. Its last operation is struck; the others prepare. -short takes the first
 * and the last hit of each place only. */
#include "crash/judge.h"
#include "crash/world.h"

#include "base/fault.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/settings.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "support/collect.h"
#include "support/json_value.h"
#include "support/script.h"

#include <stdio.h>

struct strike {
    bool is_kill; /* else a call fails */
    str place;
    size_t nth;
};

struct campaign {
    struct arena arena;
    struct story story;
    bool is_short;
    size_t jobs;
    str end; /* of an undisturbed run */
    struct {
        VEC(struct strike);
    } strikes;
    size_t next;
    size_t passed, failed; /* of all stories */
    size_t killed, refused, survived, duplicates;
    struct work_group workers;
    struct strs paths;
    struct error *failure;
};

static const struct operation *last_operation(const struct story *story)
{
    return &story->scenario.operations[story->scenario.operation_count - 1];
}

/* --- one strike --- */

/* Runs the last operation with one more variable. */
static fallible run_last(const struct campaign *campaign, struct workdir *workdir, str variable,
                         str value, struct value *out)
{
    struct operation operation = *last_operation(&campaign->story);
    struct value environment =
        operation.environment.kind == VALUE_OBJECT ? operation.environment : VALUE_EMPTY_OBJECT;

    if (variable.len)
        operation.environment =
            value_with(workdir->arena, environment, variable, value_string(value));
    return operation_run(workdir, &operation, out);
}

static str output_text(struct arena *arena, struct value result)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct strs lines = object_strs(arena, result, STR("output"));

    for (size_t i = 0; i < lines.len; i++)
        strbuf_printf(&text, STR_FMT "\n", STR_ARG(lines.items[i]));
    return arena_copy(arena, strbuf_str(&text));
}

/* A killed command ends by the signal, one that met a failure says so; either may not notice. */
static fallible judge_exit(struct campaign *campaign, struct arena *arena,
                           const struct strike *strike, struct value result)
{
    double code = object_number(result, STR("exit"), -2);
    str output = output_text(arena, result);

    if (code == 0) {
        campaign->survived++;
        return NULL;
    }
    if (strike->is_kill && code == -1) {
        campaign->killed++;
        return NULL;
    }
    if (!strike->is_kill && code > 0 && str_find(output, STR("error")) != SIZE_MAX) {
        campaign->refused++;
        return NULL;
    }
    return error_new(ERROR_INVALID, "exit code %.0f:\n" STR_FMT, code, STR_ARG(output));
}

static fallible judge_result(const struct campaign *campaign, struct arena *arena,
                             struct value result)
{
    return judge_accounts(arena, object_get(result, STR("state")), object_get(result, STR("cloud")),
                          last_operation(&campaign->story)->cloud_delete);
}

/* The next run reaches the end of an undisturbed one. */
static fallible recover(struct campaign *campaign, struct workdir *workdir)
{
    static const str cancel[] = { STR_INIT("cancel"), STR_INIT("--yes"), STR_INIT("dev") };
    struct arena *arena = workdir->arena;
    struct command_result canceled = { 0 };
    struct value result;
    size_t duplicates;

    TRY(workdir_run(workdir, (struct strs){ cancel, 3 }, value_null(), &canceled));
    if (canceled.exit_code != 0)
        return error_new(ERROR_INVALID, "cancel failed:\n" STR_FMT, STR_ARG(canceled.output));
    TRY(run_last(campaign, workdir, STR(""), STR(""), &result));
    if (object_number(result, STR("exit"), -1) != 0)
        return error_new(ERROR_INVALID, "it fails:\n" STR_FMT, STR_ARG(output_text(arena, result)));
    TRY(judge_result(campaign, arena, result));
    str end = judge_end(arena, object_get(result, STR("state")), object_get(result, STR("cloud")),
                        &duplicates);
    campaign->duplicates += duplicates;
    if (!str_equal(end, campaign->end))
        return error_new(ERROR_INVALID, "it ends so:\n" STR_FMT "instead of so:\n" STR_FMT,
                         STR_ARG(end), STR_ARG(campaign->end));
    return NULL;
}

static fallible strike_once(struct campaign *campaign, struct world *world,
                            const struct strike *strike)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct workdir workdir = world->workdir;
    struct value result;
    str where = arena_printf(&arena, STR_FMT ":%zu", STR_ARG(strike->place), strike->nth);

    workdir.arena = &arena;
    TRY(world_restore(world, &arena));
    TRY(run_last(campaign, &workdir, strike->is_kill ? STR("CULUMI_FAULT") : STR("CULUMI_FAIL"),
                 where, &result));
    TRY(judge_exit(campaign, &arena, strike, result));
    TRY(error_wrap(judge_result(campaign, &arena, result), "after it"));
    return error_wrap(recover(campaign, &workdir), "the next run");
}

static void work(void *campaign_)
{
    struct campaign *campaign = campaign_;
    struct world world;
    struct error *failure = world_open(&campaign->story, &world);
    bool is_open = !failure;

    while (!failure && campaign->next < campaign->strikes.len) {
        const struct strike *strike = &campaign->strikes.items[campaign->next++];
        struct error *found = strike_once(campaign, &world, strike);
        campaign->passed += !found;
        campaign->failed += found != NULL;
        if (found || campaign->story.is_verbose)
            printf("%s " STR_FMT ": %s " STR_FMT ":%zu%s" STR_FMT "\n", found ? "FAIL" : "ok  ",
                   STR_ARG(campaign->story.scenario.name), strike->is_kill ? "kill" : "fail",
                   STR_ARG(strike->place), strike->nth, found ? ": " : "",
                   STR_ARG(found ? error_message(found) : STR("")));
        fflush(stdout);
        error_ignore(found, "it was printed");
    }
    if (is_open)
        failure = error_join(failure, world_close(&world));
    campaign->failure = error_join(campaign->failure, failure);
    work_group_done(&campaign->workers);
}

/* --- where to strike --- */

static void add_strikes(struct campaign *campaign, bool is_kill, str place, size_t hits)
{
    for (size_t nth = 1; nth <= hits; nth++) {
        struct strike strike = { is_kill, place, nth };
        if (!campaign->is_short || nth == 1 || nth == hits)
            vec_add(&campaign->strikes, strike);
    }
}

/* "kill PLACE" or "fail PLACE" for every hit of an undisturbed run. */
static void plan_strikes(struct campaign *campaign, str list)
{
    struct map counts = { 0 };
    const struct map_entry *entry;
    str line, kind, place;

    while (str_cut(list, STR("\n"), &line, &list)) {
        size_t *count = map_find(&counts, line);
        if (!count) {
            count = ARENA_NEW(&campaign->arena, size_t);
            map_put(&counts, line, count);
        }
        ++*count;
    }
    for (size_t i = 0; map_next(&counts, &i, &entry);)
        if (str_cut(entry->key, STR(" "), &kind, &place))
            add_strikes(campaign, str_equal(kind, STR("kill")), place, *(size_t *)entry->value);
    map_release(&counts);
}

/* Runs the story once without a strike: how it ends, and where it could be struck. */
static fallible rehearse(struct campaign *campaign)
{
    struct world world;
    struct value result;
    size_t duplicates;
    str list;

    TRY(world_open(&campaign->story, &world));
    str path = workdir_file(&world.workdir, "faults");
    struct error *failure =
        run_last(campaign, &world.workdir, STR("CULUMI_FAULT_LIST"), path, &result);
    if (!failure && object_number(result, STR("exit"), -1) != 0)
        failure = error_new(ERROR_INVALID, "an undisturbed run fails:\n" STR_FMT,
                            STR_ARG(output_text(&world.arena, result)));
    if (!failure)
        failure = judge_result(campaign, &world.arena, result);
    if (!failure)
        failure = fs_read(&campaign->arena, path, FS_ANY_SIZE, &list);
    if (!failure) {
        campaign->end =
            arena_copy(&campaign->arena, judge_end(&world.arena, object_get(result, STR("state")),
                                                   object_get(result, STR("cloud")), &duplicates));
        plan_strikes(campaign, list);
    }
    return error_join(failure, world_close(&world));
}

static fallible run_story(struct campaign *campaign, str path)
{
    campaign->next = campaign->strikes.len = 0;
    campaign->killed = campaign->refused = campaign->survived = campaign->duplicates = 0;
    TRY(scenario_load(&campaign->arena, path, &campaign->story.scenario));
    TRY(error_wrap(rehearse(campaign), STR_FMT, STR_ARG(campaign->story.scenario.name)));
    work_group_add(&campaign->workers, campaign->jobs);
    for (size_t i = 0; i < campaign->jobs; i++)
        fiber_spawn(work, campaign);
    TRY(work_group_wait(&campaign->workers));
    printf(STR_FMT ": %zu strikes, %zu killed it, %zu made it fail, %zu did not matter; %zu "
                   "duplicates, all pending\n",
           STR_ARG(campaign->story.scenario.name), campaign->strikes.len, campaign->killed,
           campaign->refused, campaign->survived, campaign->duplicates);
    fflush(stdout);
    struct error *failure = campaign->failure;
    campaign->failure = NULL;
    return failure;
}

static void run_all(void *campaign_)
{
    struct campaign *campaign = campaign_;
    struct error *failure = NULL;

    for (size_t i = 0; i < campaign->paths.len && !failure; i++)
        failure = run_story(campaign, campaign->paths.items[i]);
    campaign->failure = failure;
}

/* --- the command line --- */

static fallible parse(struct campaign *campaign, int argc, char **argv)
{
    str *paths = ARENA_ARRAY(&campaign->arena, str, (size_t)argc + 1), here;
    uint64_t jobs;

    TRY(fs_working_directory(&campaign->arena, &here));
    for (int i = 1; i < argc; i++) {
        str word = str_from(argv[i]);
        str value = str_from(i + 1 < argc ? argv[i + 1] : "");
        bool takes_value = true;
        if (str_equal(word, STR("-bin")))
            campaign->story.program = fs_path_absolute(&campaign->arena, here, value);
        else if (str_equal(word, STR("-plugins")))
            campaign->story.self = fs_path_absolute(&campaign->arena, here, value);
        else if (str_equal(word, STR("-j")) && str_to_u64(value, &jobs) && jobs > 0)
            campaign->jobs = (size_t)jobs;
        else
            takes_value = false;
        i += takes_value;
        if (takes_value)
            continue;
        if (str_equal(word, STR("-short")))
            campaign->is_short = true;
        else if (str_equal(word, STR("-v")))
            campaign->story.is_verbose = true;
        else
            paths[campaign->paths.len++] = word;
    }
    campaign->paths.items = paths;
    return NULL;
}

static fallible report(const struct campaign *campaign)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str totals = settings_text("TOTALS");

    printf("%zu passed, %zu failed\n", campaign->passed, campaign->failed);
    if (totals.len == 0)
        return NULL;
    return fs_append(
        totals, arena_printf(&scratch, "%zu %zu 0\n", campaign->passed, campaign->failed), 0644);
}

int main(int argc, char **argv)
{
    struct campaign campaign = { .jobs = 2 };
    struct error *failure = parse(&campaign, argc, argv);

    fault_arm(STR(""), STR(""));
    if (!failure)
        failure = scheduler_run(run_all, &campaign);
    failure = error_join(failure, campaign.failure);
    if (failure)
        printf("FAIL " STR_FMT "\n", STR_ARG(error_message(failure)));
    campaign.failed += failure != NULL;
    failure = error_join(failure, report(&campaign));
    int code = failure || campaign.failed ? 1 : 0;
    error_ignore(failure, "it was printed");
    vec_release(&campaign.strikes);
    arena_release(&campaign.arena);
    return code;
}
