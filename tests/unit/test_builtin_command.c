/* test_builtin_command.c — package command. */
#include "unit/builtin_fixture.h"

#include "base/fs.h"
#include "builtin/builtin_command.h"
#include "fiber/fiber.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void show_status(void *context, str urn, const char *text)
{
    (void)urn;
    strbuf_printf(context, "%s|", text);
}

static const char *const environment[] = { "PATH=/usr/bin:/bin", "KEPT=yes", NULL };

static void patterns_match_as_documented(void **state_)
{
    static const struct {
        const char *pattern;
        const char *path;
        bool is_match;
    } cases[] = {
        { "*.js", "a.js", true },
        { "*.js", "src/a.js", false },
        { "src/**.js", "src/x/a.js", true },
        { "**", "a/b/c", true },
        { "assets/**", "assets/l/x", true },
        { "**secret.*", "src/secret.js", true },
        { "a?c", "abc", true },
        { "a?c", "a/c", false },
        { "[a-c]x", "bx", true },
        { "[!a-c]x", "bx", false },
        { "{a,b}.txt", "b.txt", true },
        { "{a,b}.txt", "c.txt", false },
        { "a\\*b", "a*b", true },
        { "a\\*b", "axb", false },
        { "", "", true },
        { "[", "[", true },
    };

    (void)state_;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(local_glob_match(str_from(cases[i].pattern), str_from(cases[i].path)),
                         cases[i].is_match);
}

/* The stack of a thread has an end. */
static void a_pattern_that_nests_too_deep_matches_nothing(void **state_)
{
    CLEANUP(strbuf_release) struct strbuf stars = { 0 }, braces = { 0 };

    (void)state_;
    for (int i = 0; i < 200000; i++) {
        strbuf_add(&stars, STR("**"));
        strbuf_add(&braces, STR("{}"));
    }
    assert_true(local_glob_match(strbuf_str(&stars), STR("a/b")));
    assert_false(local_glob_match(strbuf_str(&braces), STR("")));
}

/* One call of an operation, on a fiber. */
struct command_case {
    struct arena arena;
    const char *operation; /* create, preview, update, delete, run */
    const char *inputs;    /* JSON; of delete, the outputs before */
    const char *outputs;   /* of the run before; NULL: none */
    const char *type;      /* NULL: command:local:Command */
    double timeout;
    struct strbuf shown;
    struct builtin_runs runs;
    struct provider_state state;
    struct value result;
    struct error *failure;
};

static struct error *call(struct command_case *test, struct provider *provider)
{
    str urn = arena_printf(&test->arena, "urn:pulumi:dev::p::%s::n",
                           test->type ? test->type : "command:local:Command");
    struct value inputs = fixture_parse(&test->arena, test->inputs);
    struct value outputs = fixture_parse(&test->arena, test->outputs ? test->outputs : "{}");
    bool is_preview = strcmp(test->operation, "preview") == 0;

    if (strcmp(test->operation, "run") == 0) {
        const struct invoke_request request = { .token = STR("command:local:run"), .args = inputs };
        struct invoke_answer answer;
        TRY(provider->ops->invoke(provider, &request, &test->arena, &answer));
        if (answer.failures.len)
            return error_new(ERROR_INVALID, STR_FMT, STR_ARG(answer.failures.items[0].reason));
        test->result = answer.result;
        return NULL;
    }
    struct check_answer checked;
    TRY(provider->ops->check(provider, &(struct check_request){ .urn = urn, .news = inputs },
                             &test->arena, &checked));
    if (checked.failures.len && strcmp(test->operation, "delete") != 0)
        return error_new(ERROR_INVALID, STR_FMT, STR_ARG(checked.failures.items[0].reason));
    if (strcmp(test->operation, "update") == 0)
        return provider->ops->update(provider,
                                     &(struct update_request){ .urn = urn,
                                                               .id = STR("id"),
                                                               .old_outputs = outputs,
                                                               .news = inputs,
                                                               .timeout = test->timeout },
                                     &test->arena, &test->state);
    if (strcmp(test->operation, "delete") == 0)
        return provider->ops->delete (
            provider,
            &(struct delete_request){ .urn = urn, .old_outputs = inputs, .timeout = test->timeout },
            &test->arena, &test->state);
    return provider->ops->create(
        provider,
        &(struct create_request){
            .urn = urn, .inputs = inputs, .preview = is_preview, .timeout = test->timeout },
        &test->arena, &test->state);
}

static void run_case(void *test_)
{
    struct command_case *test = test_;
    const struct builtin_world world = { .show_status = show_status,
                                         .context = &test->shown,
                                         .directory = STR("/tmp"),
                                         .environment = environment,
                                         .runs = &test->runs };

    test->failure = call(test, builtin_find(&test->arena, &world, STR("command")));
    if (!test->failure && test->state.outputs.kind == VALUE_OBJECT)
        test->result = test->state.outputs;
}

static void case_release(struct command_case *test)
{
    strbuf_release(&test->shown);
    arena_release(&test->arena);
    error_freep(&test->failure);
}

/* What one member of the results is. */
static void assert_result(const char *name, const char *wanted, const char *operation,
                          const char *inputs, const char *outputs)
{
    struct command_case test = { .operation = operation, .inputs = inputs, .outputs = outputs };

    assert_ok(scheduler_run(run_case, &test));
    assert_ok(test.failure);
    const struct value *found = value_find(test.result, str_from(name));
    assert_str_equal(found ? fixture_print(&test.arena, *found) : STR("absent"), str_from(wanted));
    case_release(&test);
}

static void assert_failure(const char *wanted, const char *operation, const char *inputs,
                           const char *type)
{
    struct command_case test = { .operation = operation, .inputs = inputs, .type = type };

    assert_ok(scheduler_run(run_case, &test));
    assert_non_null(test.failure);
    if (str_find(error_message(test.failure), str_from(wanted)) == SIZE_MAX)
        print_error("other error: " STR_FMT "\n", STR_ARG(error_message(test.failure)));
    assert_true(str_find(error_message(test.failure), str_from(wanted)) != SIZE_MAX);
    case_release(&test);
}

static void a_command_has_input_environment_and_output(void **state_)
{
    (void)state_;
    assert_result("stdout", "\"in\"", "create", "{\"create\": \"cat\", \"stdin\": \"in\\n\"}",
                  NULL);
    assert_result("stderr", "\"1 yes\"", "create",
                  "{\"create\": \"echo $A $KEPT >&2\", \"environment\": {\"A\": \"1\"}}", NULL);
    assert_result("stdout", "\"x\"", "create",
                  "{\"create\": \"print('x', end='')\", \"interpreter\": [\"python3\", \"-c\"]}",
                  NULL);
    assert_result("stdout", "\"/usr\"", "create", "{\"create\": \"pwd\", \"dir\": \"/usr\"}", NULL);
    assert_result("stdout", "\"/tmp\"", "create", "{\"create\": \"pwd\"}", NULL);
    assert_result("stdout", "\"\"", "create", "{}", NULL);
    assert_result("create", "\"true\"", "create", "{\"create\": \"true\"}", NULL);
}

static void nothing_runs_in_a_preview_but_functions(void **state_)
{
    struct command_case test = { .operation = "preview",
                                 .inputs = "{\"create\": \"exit 1\", \"assetPaths\": [\"*\"]}" };

    (void)state_;
    assert_ok(scheduler_run(run_case, &test));
    assert_ok(test.failure);
    assert_int_equal(value_find(test.result, STR("stdout"))->kind, VALUE_COMPUTED);
    assert_int_equal(value_find(test.result, STR("assets"))->kind, VALUE_COMPUTED);
    case_release(&test);
    assert_result("stdout", "\"hi\"", "run", "{\"command\": \"echo hi\"}", NULL);
    assert_failure("missing required property 'command'", "run", "{}", NULL);
}

static void an_update_runs_update_or_create_again(void **state_)
{
    static const char before[] =
        "{\"stdout\": \"old\", \"stderr\": \"bad\", \"assets\": {\"a\": 1}}";

    (void)state_;
    assert_result("stdout", "\"u old bad\"", "update",
                  "{\"create\": \"echo c\", "
                  "\"update\": \"echo u $PULUMI_COMMAND_STDOUT $PULUMI_COMMAND_STDERR\"}",
                  before);
    assert_result(
        "stdout", "\"c\"", "update",
        "{\"create\": \"echo c $PULUMI_COMMAND_STDOUT\", \"addPreviousOutputInEnv\": false}",
        before);
    assert_result("stdout", "\"old\"", "update", "{\"delete\": \"true\"}", before);
    assert_result("assets", "{\"a\":1}", "update", "{\"create\": \"true\"}", before);
}

static void a_delete_runs_with_what_is_in_the_state(void **state_)
{
    struct command_case test = {
        .operation = "delete",
        .inputs = "{\"delete\": \"echo gone $PULUMI_COMMAND_STDOUT\", \"create\": \"false\", "
                  "\"stdout\": \"there\"}",
    };

    (void)state_;
    assert_ok(scheduler_run(run_case, &test));
    assert_ok(test.failure);
    assert_str_equal(strbuf_str(&test.shown), STR("gone there|"));
    case_release(&test);
    assert_failure("exit status 4", "delete", "{\"delete\": \"exit 4\"}", NULL);
    test = (struct command_case){ .operation = "delete", .inputs = "{\"create\": \"false\"}" };
    assert_ok(scheduler_run(run_case, &test));
    assert_ok(test.failure);
    case_release(&test);
}

static void assert_shows(const char *inputs, const char *wanted)
{
    struct command_case test = { .operation = "create", .inputs = inputs };

    assert_ok(scheduler_run(run_case, &test));
    assert_ok(test.failure);
    assert_str_equal(strbuf_str(&test.shown), str_from(wanted));
    case_release(&test);
}

static void lines_are_shown_as_logging_says(void **state_)
{
    (void)state_;
    assert_shows("{\"create\": \"echo one; printf two\"}", "one|two|");
    assert_shows("{\"create\": \"echo one; echo two >&2\", \"logging\": \"stderr\"}", "two|");
    assert_shows("{\"create\": \"echo one; echo two >&2\", \"logging\": \"stdout\"}", "one|");
    assert_shows("{\"create\": \"echo one; echo two >&2\", \"logging\": \"none\"}", "");
    assert_failure("\"logging\" must be one of", "create", "{\"logging\": \"all\"}", NULL);
}

static void a_command_that_fails_says_what_it_printed(void **state_)
{
    (void)state_;
    assert_failure("exit status 3: running \"echo out; exit 3\":\nout\n", "create",
                   "{\"create\": \"echo out; exit 3\"}", NULL);
    assert_failure("signal: Terminated: running", "create", "{\"create\": \"kill -TERM $$\"}",
                   NULL);
    assert_failure("running \"x\"", "create",
                   "{\"create\": \"x\", \"interpreter\": [\"/no/such/program\"]}", NULL);
    assert_failure("chdir /no/such: no such file or directory", "create",
                   "{\"create\": \"x\", \"dir\": \"/no/such\"}", NULL);
}

static void what_comes_of_secrets_is_secret(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct builtin_world world = { .directory = STR("/tmp") };
    struct provider *command = builtin_find(&arena, &world, STR("command"));
    const struct member member = { STR("stdin"), value_secret(&arena, value_string(STR("s"))) };
    const struct create_request request = { .urn =
                                                STR("urn:pulumi:dev::p::command:local:Command::n"),
                                            .inputs = value_object(&arena, &member, 1) };
    struct provider_state state;

    (void)state_;
    assert_ok(command->ops->create(command, &request, &arena, &state));
    assert_int_equal(value_find(state.outputs, STR("stdout"))->kind, VALUE_SECRET);
}

static void files_are_returned_as_assets_and_archives(void **state_)
{
    char folder[] = "/tmp/command-XXXXXX";
    char inputs[300];
    struct command_case test = { .operation = "create", .inputs = inputs };

    (void)state_;
    assert_non_null(mkdtemp(folder));
    snprintf(
        inputs, sizeof(inputs),
        "{\"create\": \"mkdir d; echo a >a.txt; echo b >d/b.txt; echo c >c.log\", \"dir\": \"%s\", "
        "\"assetPaths\": [\"**.txt\", \"!a*\"], \"archivePaths\": [\"*.txt\", \"*.log\"]}",
        folder);
    assert_ok(scheduler_run(run_case, &test));
    assert_ok(test.failure);
    const struct value *assets = value_find(test.result, STR("assets")),
                       *archive = value_find(test.result, STR("archive"));
    assert_int_equal(assets->len, 1);
    assert_str_equal(assets->members[0].key, STR("d/b.txt"));
    assert_int_equal(assets->members[0].value.kind, VALUE_ASSET);
    assert_int_equal(archive->kind, VALUE_ARCHIVE);
    assert_int_equal(archive->asset->members.len, 2);
    case_release(&test);
    assert_ok(fs_remove_tree(str_from(folder)));
}

/* --- the end of processes --- */

/* The number that a command printed before it was ended. */
static pid_t process_in(str text)
{
    size_t at = str_find(text, STR("\npid "));
    long process =
        strtol(text.ptr + (at == SIZE_MAX ? strlen("pid ") : at + strlen("\npid ")), NULL, 10);

    assert_true(process > 1);
    return (pid_t)process;
}

/* Where nobody waits for orphans, what is left of one is not a process that runs. */
static bool is_running(pid_t process)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str status;
    struct error *failure =
        fs_read(&arena, arena_printf(&arena, "/proc/%d/status", (int)process), 1 << 20, &status);
    bool is_there = !failure && str_find(status, STR("State:\tZ")) == SIZE_MAX;

    error_freep(&failure);
    return is_there;
}

static void assert_gone(pid_t process)
{
    for (int i = 0; i < 3000 && is_running(process); i++)
        usleep(20000);
    assert_false(is_running(process));
}

/* Runs a command that takes too long. It gets more time as long as it did not even print its line.
 */
static void run_out_of_time(struct command_case *test)
{
    const struct command_case fresh = *test;

    for (double timeout = 0.3;; timeout *= 10) {
        *test = fresh;
        test->timeout = timeout;
        assert_ok(scheduler_run(run_case, test));
        assert_non_null(test->failure);
        if (timeout > 20 || str_find(error_message(test->failure), STR("pid ")) != SIZE_MAX)
            return;
        case_release(test);
    }
}

static void a_command_is_killed_with_its_children_when_its_time_is_up(void **state_)
{
    struct command_case test = {
        .operation = "create",
        .inputs =
            "{\"create\": \"trap '' INT TERM; sleep 100 & echo pid $!; wait; wait; sleep 100\"}",
    };

    (void)state_;
    run_out_of_time(&test);
    assert_true(str_starts_with(error_message(test.failure), STR("killed after ")));
    assert_int_not_equal(
        str_find(error_message(test.failure), STR(" s, the time that customTimeouts gives it")),
        SIZE_MAX);
    assert_gone(process_in(error_message(test.failure)));
    case_release(&test);
}

static void a_child_that_holds_the_output_does_not_hold_up_the_end(void **state_)
{
    struct command_case test = {
        .operation = "delete",
        .inputs = "{\"delete\": \"setsid sleep 100 & echo pid $!; sleep 100\"}",
    };

    (void)state_;
    run_out_of_time(&test);
    assert_int_equal(kill(process_in(error_message(test.failure)), SIGKILL), 0);
    case_release(&test);
}

static void run_and_cancel(void *test_)
{
    struct command_case *test = test_;
    struct cancel *scope = cancel_open(cancel_current()), *outer = cancel_enter(scope);

    fiber_spawn_in(scope, run_case, test);
    cancel_enter(outer);
    for (int i = 0; i < 6000 && test->shown.len == 0; i++)
        assert_ok(fiber_sleep_ms(10));
    cancel_fire(scope);
    while (!test->failure)
        assert_ok(fiber_sleep_ms(10));
    cancel_close(scope);
}

static void run_and_end(void *test_)
{
    struct command_case *test = test_;
    const struct builtin_world world = { .runs = &test->runs };

    fiber_spawn(run_case, test);
    for (int i = 0; i < 6000 && test->shown.len == 0; i++)
        assert_ok(fiber_sleep_ms(10));
    builtin_cancel(&world);
    while (!test->failure)
        assert_ok(fiber_sleep_ms(10));
    assert_null(test->runs.first);
}

static void a_command_that_is_canceled_has_failed(void **state_)
{
    struct command_case test = { .operation = "create",
                                 .inputs = "{\"create\": \"sleep 100 & echo pid $!; wait\"}" };

    (void)state_;
    assert_ok(scheduler_run(run_and_end, &test));
    assert_int_equal(error_kind(test.failure), ERROR_OTHER);
    assert_true(str_starts_with(error_message(test.failure),
                                STR("ended because the operation was canceled: running")));
    assert_gone(process_in(strbuf_str(&test.shown)));
    case_release(&test);
}

static void cancel_and_run(void *test_)
{
    struct command_case *test = test_;
    const struct builtin_world world = { .runs = &test->runs };

    builtin_cancel(&world);
    run_case(test);
}

/* The cancel came between the step's begin and the start of its process. */
static void a_command_that_begins_after_the_cancel_ends_at_once(void **state_)
{
    struct command_case test = { .operation = "create", .inputs = "{\"create\": \"sleep 100\"}" };

    (void)state_;
    assert_ok(scheduler_run(cancel_and_run, &test));
    assert_int_equal(error_kind(test.failure), ERROR_OTHER);
    assert_true(str_starts_with(error_message(test.failure),
                                STR("ended because the operation was canceled: running")));
    case_release(&test);
}

static void a_command_ends_with_the_operation(void **state_)
{
    struct command_case test = { .operation = "create",
                                 .inputs = "{\"create\": \"sleep 100 & echo pid $!; wait\"}" };

    (void)state_;
    assert_ok(scheduler_run(run_and_cancel, &test));
    assert_int_equal(error_kind(test.failure), ERROR_CANCELED);
    assert_gone(process_in(strbuf_str(&test.shown)));
    case_release(&test);
}

/* --- differences, refusals --- */

static void triggers_replace_and_the_rest_updates(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct builtin_world world = { 0 };
    struct provider *command = builtin_find(&arena, &world, STR("command"));
    struct diff_request request = {
        .urn = STR("urn:pulumi:dev::p::command:local:Command::n"),
        .old_inputs = fixture_parse(&arena, "{\"create\": \"a\", \"triggers\": [1]}"),
        .news = fixture_parse(&arena, "{\"create\": \"b\", \"triggers\": [1]}"),
    };
    struct diff_answer answer;

    (void)state_;
    assert_ok(command->ops->diff(command, &request, &arena, &answer));
    assert_int_equal(answer.changes, CHANGES_SOME);
    assert_int_equal(answer.replace_keys.len, 0);
    request.news = fixture_parse(&arena, "{\"create\": \"a\", \"triggers\": [2]}");
    assert_ok(command->ops->diff(command, &request, &arena, &answer));
    assert_int_equal(answer.replace_keys.len, 1);
    assert_str_equal(answer.replace_keys.items[0], STR("triggers"));
}

static void commands_of_other_machines_are_refused(void **state_)
{
    (void)state_;
    assert_failure("'command:remote:Command' is not supported by the built-in package 'command'",
                   "create", "{}", "command:remote:Command");
    assert_failure("pulumi plugin install resource command", "create", "{}",
                   "command:remote:CopyToRemote");
    assert_failure("unrecognized resource type 'command:local:Other'", "create", "{}",
                   "command:local:Other");
    assert_failure("unknown property \"creat\"", "create", "{\"creat\": \"x\"}", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_as_documented),
        cmocka_unit_test(a_pattern_that_nests_too_deep_matches_nothing),
        cmocka_unit_test(a_command_has_input_environment_and_output),
        cmocka_unit_test(nothing_runs_in_a_preview_but_functions),
        cmocka_unit_test(an_update_runs_update_or_create_again),
        cmocka_unit_test(a_delete_runs_with_what_is_in_the_state),
        cmocka_unit_test(lines_are_shown_as_logging_says),
        cmocka_unit_test(a_command_that_fails_says_what_it_printed),
        cmocka_unit_test(what_comes_of_secrets_is_secret),
        cmocka_unit_test(files_are_returned_as_assets_and_archives),
        cmocka_unit_test(a_command_is_killed_with_its_children_when_its_time_is_up),
        cmocka_unit_test(a_child_that_holds_the_output_does_not_hold_up_the_end),
        cmocka_unit_test(a_command_that_is_canceled_has_failed),
        cmocka_unit_test(a_command_that_begins_after_the_cancel_ends_at_once),
        cmocka_unit_test(a_command_ends_with_the_operation),
        cmocka_unit_test(triggers_replace_and_the_rest_updates),
        cmocka_unit_test(commands_of_other_machines_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
