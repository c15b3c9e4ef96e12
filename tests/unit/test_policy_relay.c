/* test_policy_relay.c — policy packs behind the Analyzer of a host: the pack is a shell that prints
 * the port of a server of the test. */
#include "unit/check.h"

#include "common/command.h"
#include "common/host.h"
#include "common/policy_relay.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/analyzer.pb-c.h"

#define CALL(name) "/pulumirpc.Analyzer/" name
#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

/* --- the pack --- */

static struct {
    struct rpc_server *server;
    struct arena arena;
    struct strbuf heard; /* names of calls */
    str stack;           /* bytes of ConfigureStack */
    bool is_old;         /* it knows neither Handshake nor ConfigureStack */
    bool refuses_stack;
    struct latch entered; /* the call that waits has begun, and was canceled */
    struct latch canceled;
} pack;

static struct error *pack_answer(void *context, struct rpc_call *call, str request, str *response)
{
    str path = str_from(rpc_call_path(call));

    (void)context;
    str name = str_slice(path, sizeof(CALL("")) - 1, path.len);
    bool is_stack = str_equal(name, STR("ConfigureStack"));
    strbuf_add(&pack.heard, name);
    strbuf_add(&pack.heard, STR(" "));
    if (pack.is_old && (is_stack || str_equal(name, STR("Handshake"))))
        return error_from_status(RPC_UNIMPLEMENTED, STR("what is that?"), STR(""));
    if (is_stack && pack.refuses_stack)
        return error_from_status(RPC_FAILED_PRECONDITION, STR("not this stack"), STR(""));
    if (is_stack)
        pack.stack = arena_copy(&pack.arena, request);
    *response = is_stack ? STR("") : arena_copy(rpc_call_arena(call), request);
    return NULL;
}

static struct error *pack_fail(void *context, struct rpc_call *call, str request, str *response)
{
    (void)context, (void)call, (void)response;
    return error_from_status(RPC_NOT_FOUND, request, STR("de\0tails"));
}

static struct error *pack_wait(void *context, struct rpc_call *call, str request, str *response)
{
    struct latch never = { 0 };

    (void)context, (void)call, (void)request, (void)response;
    latch_open(&pack.entered);
    struct error *failure = latch_wait(&never);
    latch_open(&pack.canceled);
    return failure;
}

static const struct rpc_method pack_methods[] = {
    { CALL("Handshake"), .unary = pack_answer },
    { CALL("ConfigureStack"), .unary = pack_answer },
    { CALL("GetPluginInfo"), .unary = pack_answer },
    { CALL("GetAnalyzerInfo"), .unary = pack_answer },
    { CALL("Cancel"), .unary = pack_answer },
    { CALL("Analyze"), .unary = pack_fail },
    { CALL("AnalyzeStack"), .unary = pack_wait },
    { .path = NULL },
};

/* --- the host --- */

static struct {
    struct sink sink; /* first */
    struct host host;
    struct arena arena;
    struct command command;
    struct cancel *scope; /* of RunPlugin */
    struct strbuf printed;
    size_t awaited; /* lines on stdout */
    struct latch has_printed;
    struct latch ended;
    struct error *failure;
    int exit_code;
    struct rpc_client *client; /* the engine's */
} run;

static size_t lines_printed(void)
{
    size_t lines = 0;

    for (size_t i = 0; i < run.printed.len; i++)
        lines += run.printed.ptr[i] == '\n';
    return lines;
}

static struct error *keep_output(struct sink *sink, enum output_kind kind, str bytes)
{
    (void)sink;
    if (kind == OUTPUT_STDOUT)
        strbuf_add(&run.printed, bytes);
    if (lines_printed() >= run.awaited)
        latch_open(&run.has_printed);
    return NULL;
}

static void run_pack(void *unused)
{
    (void)unused;
    run.failure = policy_pack_run(&run.host, &run.arena, &run.command, &run.sink, &run.exit_code);
    latch_open(&run.ended);
}

static void wait_for_lines(size_t count)
{
    run.awaited = count;
    run.has_printed = (struct latch){ 0 };
    if (lines_printed() < count)
        assert_ok(latch_wait(&run.has_printed));
}

/* PORT in the script is that of the pack. */
static void open_run(const char *script)
{
    memset(&run, 0, sizeof(run));
    memset(&pack, 0, sizeof(pack));
    assert_ok(rpc_server_open(pack_methods, NULL, &pack.server));
    run.sink.write = keep_output;
    run.host.scope = cancel_open(NULL);
    run.scope = cancel_open(NULL);
    run.command = (struct command){ .path = STR("/bin/sh"), .is_killed = true, .has_input = true };
    words_add_environment(&run.command.environment);
    words_set(&run.command.environment, &run.arena, STR("PORT"),
              arena_printf(&run.arena, "%u", rpc_server_port(pack.server)));
    words_set(&run.command.environment, &run.arena, STR("PULUMI_ORGANIZATION"), STR("stale"));
    words_add_option(&run.command.args, &run.arena, STR("-c"), str_from(script));
}

static void begin_run(void)
{
    fiber_spawn_in(run.scope, run_pack, NULL);
    wait_for_lines(1);
    str port, rest;
    assert_true(str_cut(strbuf_str(&run.printed), STR("\n"), &port, &rest));
    assert_ok(rpc_client_open(arena_concat(&run.arena, STR("127.0.0.1:"), port), &run.client));
}

static void end_run(void)
{
    cancel_fire(run.scope);
    latch_wait_uncancelable(&run.ended);
    rpc_client_close(run.client);
    rpc_server_close(pack.server, 0);
    cancel_fire(run.host.scope);
    cancel_close(run.scope);
    cancel_close(run.host.scope);
    error_free(run.failure);
    command_release(&run.command);
    strbuf_release(&run.printed);
    strbuf_release(&pack.heard);
    vec_release(&run.host.programs);
    arena_release(&run.arena);
    arena_release(&pack.arena);
}

static struct error *ask(const char *method, str request, str *response)
{
    return rpc_call_unary(run.client, method, request, NULL, &run.arena, response);
}

static str stack_request(void)
{
    Pb__AnalyzerStackConfigureRequest request = PB__ANALYZER_STACK_CONFIGURE_REQUEST__INIT;
    struct pair config[] = { { STR("proj:key"), STR("va\"lue") } };

    request.stack = message_cstr(&run.arena, STR("dev"));
    request.project = message_cstr(&run.arena, STR("proj"));
    request.dry_run = true;
    message_put_pairs(&run.arena, &request, config, ((struct pairs){ config, 1 }));
    return MESSAGE_PACK(&run.arena, &request);
}

/* --- tests --- */

#define SCRIPT                                                                                \
    "echo $PORT; echo \"$PULUMI_STACK,$PULUMI_NODEJS_PROJECT,$PULUMI_DRY_RUN,$PULUMI_CONFIG," \
    "${PULUMI_ORGANIZATION-none}\"; exec cat"

static void pass_calls_on(void *unused)
{
    str answer;

    (void)unused;
    open_run(SCRIPT);
    begin_run();
    str stack = stack_request();
    assert_ok(ask(CALL("Handshake"), STR("\x0a\x01x"), &answer));
    assert_ok(ask(CALL("Cancel"), STR(""), &answer)); /* there is no pack yet */
    assert_int_equal(pack.heard.len, 0);
    assert_ok(ask(CALL("ConfigureStack"), stack, &answer));
    assert_str_equal(strbuf_str(&pack.heard), STR("Handshake ConfigureStack "));
    assert_str_equal(pack.stack, stack);

    wait_for_lines(2);
    str ours, rest;
    assert_true(str_cut(strbuf_str(&run.printed), STR("\n"), &ours, &rest));
    assert_str_equal(rest, STR("dev,proj,true,{\"proj:key\":\"va\\\"lue\"},none\n"));

    assert_ok(ask(CALL("GetAnalyzerInfo"), STR("any\0bytes"), &answer));
    assert_str_equal(answer, STR("any\0bytes"));
    assert_ok(ask(CALL("ConfigureStack"), STR(""), &answer));
    assert_str_equal(pack.stack, STR(""));
    assert_ok(ask(CALL("Cancel"), STR(""), &answer));
    assert_str_equal(strbuf_str(&pack.heard),
                     STR("Handshake ConfigureStack GetAnalyzerInfo ConfigureStack Cancel "));
    struct error *failure = ask(CALL("Analyze"), STR("no such thing"), &answer);
    assert_non_null(failure);
    assert_int_equal(error_status(failure), RPC_NOT_FOUND);
    assert_str_equal(error_message(failure), STR("no such thing"));
    assert_str_equal(error_status_details(failure), STR("de\0tails"));
    error_free(failure);
    failure = ask(CALL("Remediate"), STR(""), &answer);
    assert_int_equal(error_status(failure), RPC_UNIMPLEMENTED);
    error_free(failure);

    cancel_fire(run.scope); /* the engine ends RunPlugin */
    latch_wait_uncancelable(&run.ended);
    assert_int_equal(error_kind(run.failure), ERROR_CANCELED);
    end_run();
}

static void test_calls(void **state)
{
    (void)state;
    in_fiber(pass_calls_on);
}

static void pass_deadline_on(void *unused)
{
    const struct rpc_options options = { .timeout_ms = 20 };
    str answer;

    (void)unused;
    open_run(SCRIPT);
    begin_run();
    assert_ok(ask(CALL("ConfigureStack"), stack_request(), &answer));
    do { /* a busy machine may use the time up before the call has arrived */
        struct error *failure = rpc_call_unary(run.client, CALL("AnalyzeStack"), STR(""), &options,
                                               &run.arena, &answer);
        assert_non_null(failure);
        assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED);
        error_free(failure);
    } while (!pack.entered.is_open);
    assert_ok(latch_wait(&pack.canceled));
    end_run();
}

static void test_deadline(void **state)
{
    (void)state;
    in_fiber(pass_deadline_on);
}

static void start_without_stack(void *unused)
{
    str answer;

    (void)unused;
    open_run(SCRIPT);
    pack.is_old = true;
    begin_run();
    assert_ok(ask(CALL("Handshake"), STR(""), &answer));
    assert_ok(ask(CALL("GetPluginInfo"), STR(""), &answer));
    assert_str_equal(strbuf_str(&pack.heard), STR("Handshake GetPluginInfo "));
    end_run();

    open_run(SCRIPT);
    pack.is_old = true;
    begin_run();
    assert_ok(ask(CALL("ConfigureStack"), stack_request(), &answer));
    end_run();
}

static void test_old_packs(void **state)
{
    (void)state;
    in_fiber(start_without_stack);
}

static void refuse_stack(void *unused)
{
    str answer;

    (void)unused;
    open_run(SCRIPT);
    pack.refuses_stack = true;
    begin_run();
    assert_fails(ask(CALL("ConfigureStack"), stack_request(), &answer), ERROR_STATUS,
                 "not this stack");
    assert_fails(ask(CALL("GetPluginInfo"), STR(""), &answer), ERROR_STATUS, "not this stack");
    end_run();
}

/* What a call is told when the pack is this script. */
static void check_failure(const char *script, const char *path, const char *wanted, int exit_code)
{
    str answer;

    open_run(script);
    run.command.path = str_from(path);
    begin_run();
    struct error *failure = ask(CALL("ConfigureStack"), stack_request(), &answer);
    assert_non_null(failure);
    if (str_find(error_message(failure), str_from(wanted)) == SIZE_MAX)
        fail_msg("got '" STR_FMT "', wanted '%s'", STR_ARG(error_message(failure)), wanted);
    error_free(failure);
    if (exit_code >= 0) {
        latch_wait_uncancelable(&run.ended);
        assert_ok(run.failure);
        assert_int_equal(run.exit_code, exit_code);
    }
    end_run();
}

static void fail_to_start(void *unused)
{
    (void)unused;
    check_failure("exit 3", "/bin/sh", "it ended with exit code 3 before it said its port", 3);
    check_failure("echo hello; exec cat", "/bin/sh", "printed 'hello' where its port should be",
                  -1);
    check_failure("printf '%0300d' 0; exec cat", "/bin/sh", "where its port should be", -1);
    check_failure("", "/nowhere/sh", "/nowhere/sh", -1);
    refuse_stack(NULL);
}

static void test_failures(void **state)
{
    (void)state;
    in_fiber(fail_to_start);
}

static void end_under_call(void *unused)
{
    str answer;

    (void)unused;
    open_run("echo $PORT; exec cat");
    begin_run();
    assert_ok(ask(CALL("ConfigureStack"), stack_request(), &answer));
    cancel_fire(run.scope);
    struct error *failure = ask(CALL("AnalyzeStack"), STR(""), &answer);
    assert_non_null(failure); /* it neither hangs nor succeeds */
    error_free(failure);
    end_run();
}

static void test_end(void **state)
{
    (void)state;
    in_fiber(end_under_call);
}

static void run_directly(void *unused)
{
    static const char *const names[] = { "PULUMI_CONFIG", "PULUMI_DRY_RUN",
                                         "PULUMI_NODEJS_DRY_RUN" };

    (void)unused;
    open_run("echo $PORT; exec cat");
    for (size_t i = 0; i < 3; i++)
        words_set(&run.command.environment, &run.arena, str_from(names[i]), STR("{}"));
    begin_run();
    assert_str_equal(strbuf_str(&run.printed),
                     arena_printf(&run.arena, "%u\n", rpc_server_port(pack.server)));
    end_run();
}

static void test_direct(void **state)
{
    (void)state;
    in_fiber(run_directly);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),     cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_old_packs), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_end),       cmocka_unit_test(test_direct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
