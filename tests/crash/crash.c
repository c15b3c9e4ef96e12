/* crash.c — strikes the command line: kills it at named places and at random moments, makes its
 * calls to the system fail, cuts the power; then looks whether anything was lost and whether the
 * next run reaches the same end.
 *
 * usage: crash -bin CLI -plugins SCRIPTED -library CALLS.so [-short] [-seed N] [-v] [-j N] STORY…
 *
 * A story is a scenario. Its last operation is struck; the others prepare. -short takes the first
 * and the last hit of each place, and a few moments and power cuts. */
#include "crash/disk.h"
#include "crash/outcome.h"
#include "crash/strike.h"
#include "crash/world.h"

#include "base/fault.h"
#include "base/fs.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "support/collect.h"
#include "support/json_value.h"
#include "support/script.h"
#include "support/totals.h"

#include <stdio.h>
#include <stdlib.h>

struct campaign {
    struct arena arena;
    struct story story;
    struct strike_choice choice;
    str library; /* of tests/crash/preload */
    size_t jobs;
    str end; /* of an undisturbed run */
    struct strikes strikes;
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

static struct strike_tools tools_of(const struct campaign *campaign, const struct workdir *workdir,
                                    struct arena *arena)
{
    return (struct strike_tools){
        .program = campaign->story.real_program,
        .library = campaign->library,
        .calls = fs_path_join(arena, workdir->path, STR("calls")),
        .disk = fs_path_join(arena, workdir->path, STR("disk")),
        .state = fs_path_join(arena, workdir->path, STR("state")),
    };
}

/* Runs the last operation with these variables. */
static fallible run_last(const struct campaign *campaign, struct workdir *workdir,
                         struct value environment, struct value *out)
{
    struct operation operation = *last_operation(&campaign->story);

    operation.environment = environment;
    return operation_run(workdir, &operation, out);
}

static struct value story_environment(const struct campaign *campaign)
{
    const struct operation *operation = last_operation(&campaign->story);

    return operation->environment.kind == VALUE_OBJECT ? operation->environment
                                                       : VALUE_EMPTY_OBJECT;
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
static fallible check_exit(struct campaign *campaign, struct arena *arena,
                           const struct strike *strike, const struct strike_tools *tools,
                           struct value result)
{
    double code = object_number(result, STR("exit"), -2);
    str output = output_text(arena, result);
    bool is_said = str_find(output, STR("error: ")) != SIZE_MAX
                   || str_find(output, STR("fatal: ")) != SIZE_MAX;

    if (strike->kind == STRIKE_CALL)
        is_said = is_said && outcome_names_failure(arena, strike, tools->calls, output);
    if (code == 0) {
        campaign->survived++;
        return NULL;
    }
    if (strike_is_kill(strike) && code == -1) {
        campaign->killed++;
        return NULL;
    }
    if (!strike_is_kill(strike) && code > 0 && is_said) {
        campaign->refused++;
        return NULL;
    }
    return error_new(ERROR_INVALID, "exit code %.0f:\n" STR_FMT, code, STR_ARG(output));
}

/* A command that ended by itself leaves no lock and no temporary file, unless it was kept from
 * removing it. */
static fallible check_leftovers(const struct campaign *campaign, struct arena *arena,
                                const struct strike *strike, const struct workdir *workdir,
                                struct value result)
{
    struct strs left;

    (void)campaign;
    if (strike_is_kill(strike) || object_number(result, STR("exit"), -1) < 0
        || str_equal(strike->place, STR("unlink")) || str_equal(strike->place, STR("fs.remove")))
        return NULL;
    TRY(world_leftovers(workdir, arena, &left));
    return left.len == 0 ? NULL
                         : error_new(ERROR_INVALID, "'" STR_FMT "' is left behind:\n" STR_FMT,
                                     STR_ARG(left.items[0]), STR_ARG(output_text(arena, result)));
}

/* What exists is what the provider's log says, not what the engine believes. */
static fallible check_result(const struct campaign *campaign, struct workdir *workdir,
                             struct value result)
{
    struct value existing;

    TRY(outcome_cloud(workdir, last_operation(&campaign->story)->cloud_set,
                      object_get(result, STR("state")), &existing));
    return outcome_check_accounts(workdir->arena, object_get(result, STR("state")), existing,
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

    struct strs left;
    TRY(workdir_run(workdir, (struct strs){ cancel, 3 }, value_null(), &canceled));
    TRY(world_locks(workdir, arena, &left));
    if (left.len)
        return error_new(ERROR_INVALID, "cancel failed:\n" STR_FMT, STR_ARG(canceled.output));
    TRY(run_last(campaign, workdir, story_environment(campaign), &result));
    if (object_number(result, STR("exit"), -1) != 0)
        return error_new(ERROR_INVALID, "it fails:\n" STR_FMT, STR_ARG(output_text(arena, result)));
    TRY(check_result(campaign, workdir, result));
    str end = outcome_normalize(arena, object_get(result, STR("state")),
                                object_get(result, STR("cloud")), &duplicates);
    campaign->duplicates += duplicates;
    if (!str_equal(end, campaign->end))
        return error_new(ERROR_INVALID, "it ends so:\n" STR_FMT "instead of so:\n" STR_FMT,
                         STR_ARG(end), STR_ARG(campaign->end));
    return NULL;
}

/* The folder of the state becomes what the disk would have after a power cut, and is looked at
 * again. */
static fallible cut_power(const struct strike *strike, const struct strike_tools *tools,
                          struct workdir *workdir, struct value *result)
{
    str saved = fs_path_join(workdir->arena, workdir->path, STR("saved/state"));

    if (object_number(*result, STR("exit"), 0) >= 0)
        return NULL; /* it was over before */
    TRY(disk_replay(saved, tools->disk, tools->state,
                    strike->keeps_names ? DISK_NAMES_NOW : DISK_NAMES_SYNCED));
    return collect_all(workdir, false, result);
}

static fallible strike_once(struct campaign *campaign, struct world *world,
                            const struct strike *strike)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct workdir workdir = world->workdir;
    struct strike_tools tools = tools_of(campaign, &workdir, &arena);
    struct value result;

    workdir.arena = &arena;
    TRY(world_restore(world, &arena));
    TRY(fs_remove_if_present(tools.disk));
    TRY(fs_remove_if_present(tools.calls));
    TRY(run_last(campaign, &workdir,
                 strike_environment(&arena, strike, &tools, story_environment(campaign)), &result));
    TRY(check_exit(campaign, &arena, strike, &tools, result));
    if (strike->kind == STRIKE_CUT)
        TRY(cut_power(strike, &tools, &workdir, &result));
    TRY(check_leftovers(campaign, &arena, strike, &workdir, result));
    TRY(error_wrap(check_result(campaign, &workdir, result), "after it"));
    return error_wrap(recover(campaign, &workdir), "the next run");
}

/* The same as a line of the report. */
static void strike_and_tell(struct campaign *campaign, struct world *world,
                            const struct strike *strike)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct error *found = strike_once(campaign, world, strike);

    campaign->passed += !found;
    campaign->failed += found != NULL;
    if (found || campaign->story.is_verbose)
        printf("%s " STR_FMT ": " STR_FMT "%s" STR_FMT "\n", found ? "FAIL" : "ok  ",
               STR_ARG(campaign->story.scenario.name), STR_ARG(strike_text(&arena, strike)),
               found ? ": " : "", STR_ARG(found ? error_message(found) : STR("")));
    fflush(stdout);
    error_ignore(found, "it was printed");
}

static void work(void *campaign_)
{
    struct campaign *campaign = campaign_;
    struct world world;
    struct error *failure = world_open(&campaign->story, &world);
    bool is_open = !failure;

    while (!failure && campaign->next < campaign->strikes.len) {
        struct strike strike = campaign->strikes.items[campaign->next++];
        strike_and_tell(campaign, &world, &strike);
    }
    if (is_open)
        failure = error_join(failure, world_close(&world));
    campaign->failure = error_join(campaign->failure, failure);
    work_group_done(&campaign->workers);
}

/* --- where to strike --- */

static fallible rehearse_once(struct campaign *campaign, struct world *world,
                              struct value environment, struct value *result)
{
    TRY(world_restore(world, &world->arena));
    TRY(run_last(campaign, &world->workdir, environment, result));
    if (object_number(*result, STR("exit"), -1) != 0)
        return error_new(ERROR_INVALID, "an undisturbed run fails:\n" STR_FMT,
                         STR_ARG(output_text(&world->arena, *result)));
    return check_result(campaign, &world->workdir, *result);
}

/* Runs the story without a strike: how it ends, and where it could be struck. */
static fallible rehearse_in(struct campaign *campaign, struct world *world)
{
    struct arena *arena = &world->arena;
    struct value result, environment = story_environment(campaign);
    struct strike_tools tools = tools_of(campaign, &world->workdir, arena);
    str list, path = workdir_file(&world->workdir, "faults");
    size_t duplicates;

    environment = value_with(arena, environment, STR("CULUMI_FAULT_LIST"), value_string(path));
    TRY(rehearse_once(campaign, world, environment, &result));
    TRY(fs_read(&campaign->arena, path, FS_ANY_SIZE, &list));
    campaign->end = arena_copy(&campaign->arena,
                               outcome_normalize(arena, object_get(result, STR("state")),
                                                 object_get(result, STR("cloud")), &duplicates));
    strikes_plan_places(&campaign->strikes, &campaign->arena, list, &campaign->choice);
    if (!campaign->library.len)
        return NULL;
    environment = strike_environment(arena, NULL, &tools, story_environment(campaign));
    TRY(rehearse_once(campaign, world, environment, &result));
    TRY(fs_read(&campaign->arena, tools.calls, FS_ANY_SIZE, &list));
    strikes_plan_calls(&campaign->strikes, &campaign->arena, list, &campaign->choice);
    return NULL;
}

static fallible rehearse(struct campaign *campaign)
{
    struct world world;

    TRY(world_open(&campaign->story, &world));
    struct error *failure = rehearse_in(campaign, &world);
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
        else if (str_equal(word, STR("-library")))
            campaign->library = fs_path_absolute(&campaign->arena, here, value);
        else if (str_equal(word, STR("-seed")) && str_to_u64(value, &campaign->choice.seed))
            campaign->choice.seed += 0;
        else if (str_equal(word, STR("-j")) && str_to_u64(value, &jobs) && jobs > 0)
            campaign->jobs = (size_t)jobs;
        else
            takes_value = false;
        i += takes_value;
        if (takes_value)
            continue;
        if (str_equal(word, STR("-short")))
            campaign->choice.is_short = true;
        else if (str_equal(word, STR("-v")))
            campaign->story.is_verbose = true;
        else
            paths[campaign->paths.len++] = word;
    }
    campaign->paths.items = paths;
    campaign->choice.moments = campaign->choice.is_short ? 4 : 80;
    return NULL;
}

static str resolve(struct arena *arena, str path)
{
    char *real = realpath(arena_cstr(arena, path), NULL);
    str result = real ? arena_copy(arena, str_from(real)) : path;

    free(real);
    return result;
}

int main(int argc, char **argv)
{
    struct campaign campaign = { .jobs = 2, .choice.seed = 1 };
    struct error *failure = parse(&campaign, argc, argv);

    fault_arm(STR(""), STR(""));
    campaign.story.real_program = resolve(&campaign.arena, campaign.story.program);
    if (!failure)
        failure = scheduler_run(run_all, &campaign);
    failure = error_join(failure, campaign.failure);
    if (failure)
        printf("FAIL " STR_FMT "\n", STR_ARG(error_message(failure)));
    campaign.failed += failure != NULL;
    failure = error_join(failure, totals_report(campaign.passed, campaign.failed, 0));
    int code = failure || campaign.failed ? 1 : 0;
    error_ignore(failure, "it was printed");
    vec_release(&campaign.strikes);
    arena_release(&campaign.arena);
    return code;
}
