/* runner.c — runs scenarios, several at a time, and counts.
 *
 * usage: scenario [-bin CLI] [-v] [-keep] [-bless] [-j N] [-sections a,b] [-known FILE]
 * FILE-OR-FOLDER…
 *
 * -known names a file with the scenarios that are known to fail, one a line; they are left out. */
#include "support/runner.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "support/collect.h"
#include "support/compare.h"
#include "support/json_value.h"
#include "support/scenario_file.h"
#include "support/totals.h"

#include <stdio.h>
#include <stdlib.h>

struct paths {
    VEC(str);
};

struct runner {
    struct arena arena;
    str self;
    str program; /* the command line under test */
    str known_failing;
    struct comparison_options comparison;
    bool is_blessing;
    bool keeps_folders;
    size_t jobs;
    struct paths paths; /* of scenarios */
    size_t next;
    size_t passed, failed, skipped;
    struct work_group workers;
    struct error *failure;
};

/* --- one scenario --- */

static str golden_path(struct arena *arena, str path, str name)
{
    str folder = fs_path_join(arena, fs_path_directory(path), STR("golden"));

    return fs_path_join(arena, folder, arena_concat(arena, name, STR(".json")));
}

/* An operation that could not be run compares unequal to any that was. */
static struct value run_operations(struct workdir *workdir, const struct scenario *scenario,
                                   bool *has_failed)
{
    CLEANUP(values_release) struct values results = { 0 };

    for (size_t i = 0; i < scenario->operation_count; i++) {
        struct value result = VALUE_EMPTY_OBJECT;
        struct error *failure = operation_run(workdir, &scenario->operations[i], &result);
        if (failure) {
            *has_failed = true;
            strbuf_printf(workdir->log, "   op %zu (" STR_FMT "): " STR_FMT "\n", i + 1,
                          STR_ARG(scenario->operations[i].verb), STR_ARG(error_message(failure)));
        }
        error_ignore(failure, "the log has it");
        vec_add(&results, result);
    }
    return values_array(workdir->arena, &results);
}

static fallible bless(struct arena *arena, str golden, struct value results)
{
    TRY(fs_make_directory(fs_path_directory(golden), 0755));
    return fs_replace_quick(
        golden, arena_concat(arena, json_value_text(arena, results, 1), STR("\n")), 0644);
}

static fallible judge(const struct runner *runner, struct workdir *workdir, str path, bool *is_same)
{
    struct arena *arena = workdir->arena;
    struct scenario scenario;
    struct value wanted;
    bool has_failed = false;

    TRY(scenario_load(arena, path, &scenario));
    TRY(workdir_prepare(workdir, &scenario));
    struct value got = run_operations(workdir, &scenario, &has_failed);
    str golden = golden_path(arena, path, scenario.name);
    if (runner->is_blessing) {
        *is_same = !has_failed;
        return has_failed ? NULL : bless(arena, golden, got);
    }
    TRY(error_wrap(json_value_load(arena, golden, &wanted), "no golden file"));
    return compare_results(arena, &scenario, wanted, got, &runner->comparison, workdir->log,
                           is_same);
}

static bool run_scenario(const struct runner *runner, str path, struct strbuf *log)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    char folder[] = "/tmp/scenario-XXXXXX";
    bool is_same = false;

    if (!mkdtemp(folder)) {
        strbuf_printf(log, "   cannot make a folder in /tmp\n");
        return false;
    }
    struct workdir workdir = {
        .arena = &arena,
        .path = str_from(folder),
        .program = runner->program,
        .self = runner->self,
        .is_verbose = runner->comparison.is_verbose,
        .log = log,
    };
    struct error *failure = judge(runner, &workdir, path, &is_same);
    if (runner->keeps_folders)
        strbuf_printf(log, "   kept: %s\n", folder);
    else
        failure = error_join(failure, fs_remove_tree(str_from(folder)));
    if (failure)
        strbuf_printf(log, "   " STR_FMT "\n", STR_ARG(error_message(failure)));
    is_same = is_same && !failure;
    error_ignore(failure, "the log has it");
    return is_same;
}

/* --- many --- */

static void work(void *runner_)
{
    struct runner *runner = runner_;

    while (runner->next < runner->paths.len) {
        CLEANUP(strbuf_release) struct strbuf log = { 0 };
        str path = runner->paths.items[runner->next++];
        bool is_same = run_scenario(runner, path, &log);
        str name = fs_path_name(path);
        runner->passed += is_same;
        runner->failed += !is_same;
        printf("%s " STR_FMT "\n" STR_FMT, is_same ? "ok  " : "FAIL",
               STR_ARG(str_slice(name, 0, name.len - fs_path_extension(path).len)),
               STR_ARG(strbuf_str(&log)));
        fflush(stdout);
    }
    work_group_done(&runner->workers);
}

static void run_all(void *runner_)
{
    struct runner *runner = runner_;

    work_group_add(&runner->workers, runner->jobs);
    for (size_t i = 0; i < runner->jobs; i++)
        fiber_spawn(work, runner);
    runner->failure = work_group_wait(&runner->workers);
}

/* --- which --- */

/* A line of the list: a name, then maybe why. */
static bool is_known_failing(const struct runner *runner, str name)
{
    str rest = runner->known_failing, line, why;

    while (rest.len) {
        if (!str_cut(rest, STR("\n"), &line, &rest)) {
            line = rest;
            rest = STR("");
        }
        if (str_cut(line, STR("#"), &line, &why))
            line = str_trim(line);
        if (str_equal(str_trim(line), name))
            return true;
    }
    return false;
}

/* Files as they are; folders with all scenarios in them and below. */
static fallible add_paths(struct runner *runner, str path)
{
    str *names;
    size_t len;

    if (!fs_is_directory(path)) {
        str name = fs_path_name(path);
        if (is_known_failing(runner, str_slice(name, 0, name.len - fs_path_extension(path).len)))
            runner->skipped++;
        else
            vec_add(&runner->paths, path);
        return NULL;
    }
    TRY(fs_list(&runner->arena, path, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str below = fs_path_join(&runner->arena, path, names[i]);
        if (fs_is_directory(below) || str_ends_with(below, STR(".yaml")))
            TRY(add_paths(runner, below));
    }
    return NULL;
}

/* --- the command line --- */

static struct strs split(struct arena *arena, str list)
{
    str *items = ARENA_ARRAY(arena, str, list.len + 1);
    size_t len = 0;

    while (str_cut(list, STR(","), &items[len], &list))
        len++;
    items[len++] = list;
    return (struct strs){ items, len };
}

static fallible take_value(struct strs arguments, size_t *at, str *out)
{
    if (*at + 1 >= arguments.len)
        return error_new(ERROR_INVALID, "'" STR_FMT "' needs a value",
                         STR_ARG(arguments.items[*at]));
    *out = arguments.items[++*at];
    return NULL;
}

static fallible parse_option(struct runner *runner, struct strs arguments, size_t *at)
{
    str name = arguments.items[*at], value;
    uint64_t number = 0;

    name = str_slice(name, str_starts_with(name, STR("--")) ? 2 : 1, name.len);
    if (str_equal(name, STR("v")))
        runner->comparison.is_verbose = true;
    else if (str_equal(name, STR("keep")))
        runner->keeps_folders = true;
    else if (str_equal(name, STR("bless")))
        runner->is_blessing = true;
    else if (str_equal(name, STR("bin")))
        return take_value(arguments, at, &runner->program);
    else if (str_equal(name, STR("sections"))) {
        TRY(take_value(arguments, at, &value));
        runner->comparison.sections = split(&runner->arena, value);
    } else if (str_equal(name, STR("known"))) {
        TRY(take_value(arguments, at, &value));
        return fs_read(&runner->arena, value, FS_ANY_SIZE, &runner->known_failing);
    } else if (str_equal(name, STR("j"))) {
        TRY(take_value(arguments, at, &value));
        if (!str_to_u64(value, &number) || number == 0 || number > 64)
            return error_new(ERROR_INVALID, "-j needs a number from 1 to 64");
        runner->jobs = (size_t)number;
    } else {
        return error_new(ERROR_INVALID, "unknown option '" STR_FMT "'",
                         STR_ARG(arguments.items[*at]));
    }
    return NULL;
}

static fallible prepare(struct runner *runner, struct strs arguments)
{
    struct paths given = { 0 };
    struct error *failure = NULL;
    str here;

    TRY(fs_working_directory(&runner->arena, &here));
    for (size_t i = 0; i < arguments.len && !failure; i++) {
        if (arguments.items[i].len && arguments.items[i].ptr[0] == '-')
            failure = parse_option(runner, arguments, &i);
        else
            vec_add(&given, arguments.items[i]);
    }
    for (size_t i = 0; i < given.len && !failure; i++)
        failure = add_paths(runner, given.items[i]);
    vec_release(&given);
    runner->program = fs_path_absolute(&runner->arena, here, runner->program);
    if (!failure && !fs_is_executable(runner->program))
        failure = error_new(ERROR_INVALID, "'" STR_FMT "' cannot be run", STR_ARG(runner->program));
    return failure;
}

int runner_main(str self, struct strs arguments)
{
    struct runner runner = { .self = self, .program = STR("build/bin/pulumi"), .jobs = 2 };
    struct error *failure = prepare(&runner, arguments);

    if (!failure)
        failure = scheduler_run(run_all, &runner);
    failure = error_join(failure, runner.failure);
    if (failure)
        fprintf(stderr, "scenario: " STR_FMT "\n", STR_ARG(error_message(failure)));
    else
        failure = totals_report(runner.passed, runner.failed, runner.skipped);
    int code = failure || runner.failed ? 1 : 0;
    error_ignore(failure, "it was printed");
    vec_release(&runner.paths);
    arena_release(&runner.arena);
    return code;
}
