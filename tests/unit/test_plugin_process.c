/* test_plugin_process.c — plugins as child processes: good ones, and every way to be a bad one. */
#include "unit/on_loop.h"
#include "unit/plugin_peer.h"

#include "fiber/socket.h"
#include "plugin/language.h"
#include "plugin/host/plugin_host.h"
#include "plugin/provider/provider_grpc.h"
#include "proto/marshal.h"

#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static struct fixture fixture;
static struct plugin_host *host;
static char own_path[4096];

/* --- the other side: this program, started as a plugin --- */

static struct {
    const char *mode;
    const char *engine_address;
} child;

static struct error *child_shakes_hands(void *context, struct rpc_call *call, str request,
                                        str *response)
{
    (void)context;
    void *message;
    TRY(message_unpack(rpc_call_arena(call), &pb__provider_handshake_request__descriptor, request,
                       &message));
    printf("folder %s\n", ((Pb__ProviderHandshakeRequest *)message)->root_directory);
    fflush(stdout);
    *response = STR("");
    return NULL;
}

static struct error *child_tells_version(void *context, struct rpc_call *call, str request,
                                         str *response)
{
    (void)context;
    (void)request;
    Pb__PluginInfo info = PB__PLUGIN_INFO__INIT;
    info.version = (char *)"1.0.0";
    *response = MESSAGE_PACK(rpc_call_arena(call), &info);
    return NULL;
}

static struct error *child_accepts(void *context, struct rpc_call *call, str request, str *response)
{
    (void)context;
    (void)call;
    (void)request;
    *response = STR("");
    return NULL;
}

static struct error *child_cancels(void *context, struct rpc_call *call, str request, str *response)
{
    if (strcmp(child.mode, "deaf") == 0)
        TRY(fiber_sleep_ms(600 * 1000));
    return child_accepts(context, call, request, response);
}

/* Tells what it sees of itself. */
static struct error *child_invokes(void *context, struct rpc_call *call, str request, str *response)
{
    (void)context;
    (void)request;
    if (strcmp(child.mode, "dies") == 0)
        _exit(7);
    struct arena *arena = rpc_call_arena(call);
    char folder[4096];
    const char *const names[] = { "PULUMI_CONFIG", "PULUMI_PROJECT", "PULUMI_RUNTIME_VIRTUALENV",
                                  "MAPPED", "HOME" };
    struct member members[8];
    size_t len = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (getenv(names[i]))
            members[len++] =
                (struct member){ str_from(names[i]), value_string(str_from(getenv(names[i]))) };
    members[len++] =
        (struct member){ STR("cwd"), value_string(str_from(getcwd(folder, sizeof(folder)))) };
    members[len++] = (struct member){ STR("engine"), value_string(str_from(child.engine_address)) };
    members[len++] = (struct member){ STR("leads"), value_bool(getpgid(0) == getpid()) };
    str bytes;
    TRY(properties_marshal(arena, value_object(arena, members, len), &(struct marshal_options){ 0 },
                           &bytes));
    Pb__InvokeResponse answer;
    pb__invoke_response__init(&answer);
    message_put_bytes(&answer, return_value, bytes);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static struct error *child_runs(void *context, struct rpc_call *call, str request, str *response)
{
    (void)context;
    (void)call;
    (void)request;
    fputs("said aloud\n   \nunended", stdout);
    fflush(stdout);
    fputs("complained\n", stderr);
    *response = STR("");
    return NULL;
}

static const struct rpc_method child_methods[] = {
    { .path = "/pulumirpc.ResourceProvider/Handshake", .unary = child_shakes_hands },
    { .path = "/pulumirpc.ResourceProvider/GetPluginInfo", .unary = child_tells_version },
    { .path = "/pulumirpc.ResourceProvider/Configure", .unary = child_accepts },
    { .path = "/pulumirpc.ResourceProvider/Invoke", .unary = child_invokes },
    { .path = "/pulumirpc.ResourceProvider/Cancel", .unary = child_cancels },
    { .path = "/pulumirpc.LanguageRuntime/GetPluginInfo", .unary = child_tells_version },
    { .path = "/pulumirpc.LanguageRuntime/Run", .unary = child_runs },
    { .path = "/pulumirpc.LanguageRuntime/Cancel", .unary = child_accepts },
    { 0 },
};

static void run_child(void *unused)
{
    (void)unused;
    struct rpc_server *server;
    assert_ok(rpc_server_open(child_methods, NULL, &server));
    if (strcmp(child.mode, "stubborn") == 0)
        signal(SIGINT, SIG_IGN);
    printf("  %u \r\n", rpc_server_port(server));
    fflush(stdout);
    assert_ok(fiber_sleep_ms(600 * 1000));
    rpc_server_close(server, 0);
}

/* --- this side --- */

static void install_child(const char *file, const char *mode)
{
    str body = arena_concat(&fixture.arena, STR("ASAN_OPTIONS=detect_leaks=0 exec "),
                            str_from(own_path), STR(" --plugin "), str_from(mode), STR(" \"$1\""));
    fixture_script(&fixture, file, body.ptr);
}

static void open_host(void)
{
    assert_ok(plugin_host_open(&fixture.options, &host));
    host->patience.connect = 400;
    host->patience.grace = 2000;
}

static struct error *load(struct provider **provider)
{
    struct provider_spec spec = { .package.name = STR("bad") };
    return plugin_load_provider(host, &spec, provider);
}

static void close_host(void)
{
    plugin_host_close(host);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    fixture_close(&fixture);
}

/* Loading a plugin with this script fails with these words, and the process is gone. */
static void assert_bad_start(const char *script, enum error_kind kind, const char *before_path,
                             const char *after_path)
{
    struct provider *provider;
    fixture_open(&fixture);
    str path = fixture_script(&fixture, "path/pulumi-resource-bad", script);
    open_host();
    if (kind == ERROR_TIMEOUT) /* else what it does is waited for, however long that takes */
        host->patience.start = host->patience.connect = 400;
    else
        host->patience.start = host->patience.connect = 120 * 1000;
    struct error *failure = load(&provider);
    assert_non_null(failure);
    str wanted = arena_concat(&fixture.arena, str_from(before_path), path, str_from(after_path));
    if (str_find(error_message(failure), wanted) == SIZE_MAX)
        print_error("got '" STR_FMT "', wanted '" STR_FMT "'\n", STR_ARG(error_message(failure)),
                    STR_ARG(wanted));
    assert_int_not_equal(str_find(error_message(failure), wanted), SIZE_MAX);
    assert_int_equal(error_kind(failure), kind);
    error_free(failure);
    assert_true(
        fixture_reported(&fixture, PLUGIN_ERROR,
                         "exited prematurely. \n       This is *always* a bug in the provider."));
}

/* --- bad starts --- */

ON_LOOP(one_that_exits_at_once)
{
    (void)unused;
    assert_bad_start("echo no license >&2; exit 3", ERROR_OTHER, "could not read plugin [",
                     "]: exit status 3");
    assert_true(fixture_reported(&fixture, PLUGIN_ERROR,
                                 "STDOUT and STDERR streams of the plugin:no license\n\n"));
    close_host();
}

ON_LOOP(one_that_exits_well_without_a_word)
{
    (void)unused;
    assert_bad_start("exit 0", ERROR_OTHER, "could not read plugin [", "]: EOF");
    close_host();
}

ON_LOOP(one_that_is_killed_in_the_middle_of_a_line)
{
    (void)unused;
    assert_bad_start("printf 12; kill -9 $$", ERROR_OTHER, "failure reading plugin [",
                     "] (read '12'): signal 9");
    close_host();
}

ON_LOOP(one_that_prints_rubbish)
{
    (void)unused;
    assert_bad_start(
        "echo hello; sleep 60", ERROR_INVALID, "bad (resource) plugin [",
        "] wrote an invalid port to stdout: could not parse port: 'hello' is not a number");
    close_host();
}

ON_LOOP(one_with_an_impossible_port)
{
    (void)unused;
    assert_bad_start("echo 70000; sleep 60", ERROR_INVALID, "bad (resource) plugin [",
                     "] wrote an invalid port to stdout: invalid port number: 70000");
    close_host();
}

ON_LOOP(one_that_never_ends_its_first_line)
{
    (void)unused;
    assert_bad_start("while :; do printf 11111111111111111111; done", ERROR_INVALID,
                     "bad (resource) plugin [",
                     "] wrote an invalid port to stdout: its first line is longer than 4096 bytes");
    close_host();
}

ON_LOOP(one_that_prints_nothing)
{
    (void)unused;
    assert_bad_start("sleep 600", ERROR_TIMEOUT, "bad (resource) plugin [",
                     "] did not print its port within ");
    close_host();
}

ON_LOOP(one_that_closes_its_output_and_stays)
{
    (void)unused;
    assert_bad_start("exec >&-; sleep 60", ERROR_OTHER, "could not read plugin [", "]: EOF");
    close_host();
}

ON_LOOP(one_that_does_not_listen)
{
    (void)unused;
    assert_bad_start("echo 1; sleep 60", ERROR_TIMEOUT, "bad (resource) plugin [",
                     "] did not begin responding to RPC connections");
    close_host();
}

ON_LOOP(one_that_ends_before_it_is_called)
{
    (void)unused;
    assert_bad_start("echo 1; exit 4", ERROR_STATUS, "bad (resource) plugin [",
                     "] ended during Handshake: exit status 4");
    close_host();
}

ON_LOOP(one_that_cannot_be_executed)
{
    (void)unused;
    struct provider *provider;
    fixture_open(&fixture);
    struct plugin_folder folder = { STR("resource"), STR("bad"), STR(""),
                                    fixture_path(&fixture, "folder") };
    fixture.world.folders = (struct plugin_folders){ &folder, 1 };
    fixture_file(&fixture, "folder/pulumi-resource-bad", "text", 0644);
    open_host();
    assert_fails(load(&provider), ERROR_OS, "failed to load plugin /");
    close_host();
}

ON_LOOP(one_whose_interpreter_is_missing)
{
    (void)unused;
    struct provider *provider;
    fixture_open(&fixture);
    fixture_file(&fixture, "path/pulumi-resource-bad", "#!/no/such/thing\n", 0755);
    open_host();
    assert_fails(load(&provider), ERROR_NOT_FOUND, "pulumi-resource-bad: plugin not found");
    close_host();
}

ON_LOOP(one_that_accepts_and_never_answers)
{
    (void)unused;
    struct listener *listener;
    struct provider *provider;
    fixture_open(&fixture);
    assert_ok(listener_open(0, &listener));
    fixture.world.debug_providers = arena_printf(&fixture.arena, "bad:%u", listener_port(listener));
    open_host();
    assert_fails(load(&provider), ERROR_STATUS, "did not come alive: failed to handshake");
    close_host();
    listener_close(listener);
}

/* --- cancellation while it starts --- */

struct starting {
    struct work_group done;
    enum error_kind kind;
};

static void start_in_fiber(void *starting_)
{
    struct starting *starting = starting_;
    struct provider *provider;
    struct error *failure = load(&provider);
    starting->kind = error_kind(failure);
    error_free(failure);
    work_group_done(&starting->done);
}

ON_LOOP(a_start_that_is_given_up_leaves_nothing_behind)
{
    (void)unused;
    struct starting starting = { 0 };
    fixture_open(&fixture);
    fixture_script(&fixture, "path/pulumi-resource-bad", "sleep 60");
    open_host();
    struct cancel *scope = cancel_open(NULL);
    work_group_add(&starting.done, 1);
    fiber_spawn_in(scope, start_in_fiber, &starting);
    assert_ok(fiber_sleep_ms(50));
    cancel_fire(scope);
    assert_ok(work_group_wait(&starting.done));
    assert_int_equal(starting.kind, ERROR_CANCELED);
    assert_false(fixture_reported(&fixture, PLUGIN_ERROR, "prematurely"));
    cancel_close(scope);
    close_host();
}

/* --- good ones --- */

static struct provider *load_child(const char *mode)
{
    struct provider *provider;
    install_child("path/pulumi-resource-good", mode);
    open_host();
    host->patience.connect = 120 * 1000;
    static const struct pair mappings[] = { { STR_INIT("HOME"), STR_INIT("MAPPED") },
                                            { STR_INIT("NOT_THERE"), STR_INIT("OTHER") } };
    struct provider_spec spec = { .package.name = STR("good"), .env_mappings = { mappings, 2 } };
    assert_ok(plugin_load_provider(host, &spec, &provider));
    struct configure_request configure = { .type = STR("pulumi:providers:good"),
                                           .inputs = VALUE_EMPTY_OBJECT };
    assert_ok(provider->ops->configure(provider, &configure));
    return provider;
}

ON_LOOP(a_plugin_gets_its_place_address_and_environment)
{
    (void)unused;
    const struct config_fact config[] = {
        { .key = STR("good:region"), .text = secret_hide(STR("eu")) },
        { .key = STR("other:x"), .text = secret_hide(STR("y")) },
        { .key = STR("good:token"), .text = secret_hide(STR("<s3cr>")) },
    };
    fixture_open(&fixture);
    fixture.config = (struct config_facts){ config, 3 };
    struct member option = { STR("virtualenv"), value_string(STR("venv")) };
    fixture.project.program.options = value_object(&fixture.arena, &option, 1);
    struct provider *provider = load_child("good");
    struct invoke_request request = { .token = STR("f"), .args = VALUE_EMPTY_OBJECT };
    struct invoke_answer answer;
    assert_ok(provider->ops->invoke(provider, &request, &fixture.arena, &answer));
    assert_str_equal(value_find_text(answer.result, STR("PULUMI_CONFIG")),
                     STR("{\"region\":\"eu\",\"token\":\"\\u003cs3cr\\u003e\"}"));
    assert_str_equal(value_find_text(answer.result, STR("PULUMI_PROJECT")), STR("proj"));
    assert_str_equal(value_find_text(answer.result, STR("PULUMI_RUNTIME_VIRTUALENV")), STR("venv"));
    assert_str_equal(value_find_text(answer.result, STR("MAPPED")), STR("/nowhere"));
    assert_str_equal(value_find_text(answer.result, STR("cwd")), fixture.folder);
    assert_str_equal(value_find_text(answer.result, STR("engine")), STR("127.0.0.1:9"));
    assert_true(value_find(answer.result, STR("leads"))->boolean);
    assert_true(fixture_reported(&fixture, PLUGIN_DEBUG, "folder /tmp/plugin-test-"));
    close_host();
}

ON_LOOP(one_that_is_told_to_end_may_end)
{
    (void)unused;
    fixture_open(&fixture);
    struct provider *provider = load_child("good");
    provider->ops->close(provider);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    close_host();
}

ON_LOOP(death_in_the_middle_of_a_call_is_named)
{
    (void)unused;
    fixture_open(&fixture);
    struct provider *provider = load_child("dies");
    struct invoke_request request = { .token = STR("f"), .args = VALUE_EMPTY_OBJECT };
    struct invoke_answer answer;
    struct error *failure = provider->ops->invoke(provider, &request, &fixture.arena, &answer);
    assert_int_equal(error_kind(failure), ERROR_STATUS);
    assert_int_equal(error_status(failure), RPC_UNAVAILABLE);
    str wanted = arena_concat(&fixture.arena, STR("good (resource) plugin ["),
                              fixture_path(&fixture, "path/pulumi-resource-good"),
                              STR("] ended during Invoke: exit status 7"));
    assert_str_equal(error_message(failure), wanted);
    error_free(failure);
    plugin_host_close(host);
    assert_true(
        fixture_reported(&fixture, PLUGIN_ERROR, "pulumi-resource-good exited prematurely"));
    fixture_close(&fixture);
}

ON_LOOP(a_stubborn_plugin_is_killed)
{
    (void)unused;
    fixture_open(&fixture);
    load_child("stubborn");
    host->patience.grace = 200;
    plugin_host_close(host); /* or it would take ten minutes */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    fixture_close(&fixture);
}

static void load_and_call(void *done_)
{
    struct work_group *done = done_;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider *provider;
    struct provider_spec spec = { .package.name = STR("good") };
    struct configure_request configure = { .type = STR("pulumi:providers:good"),
                                           .inputs = VALUE_EMPTY_OBJECT };
    struct invoke_request request = { .token = STR("f"), .args = VALUE_EMPTY_OBJECT };
    struct invoke_answer answer;

    assert_ok(plugin_load_provider(host, &spec, &provider));
    assert_ok(provider->ops->configure(provider, &configure));
    assert_ok(provider->ops->invoke(provider, &request, &arena, &answer));
    work_group_done(done);
}

ON_LOOP(many_plugins_start_and_end_side_by_side)
{
    (void)unused;
    enum { MANY = 10 };
    struct work_group done = { 0 };
    fixture_open(&fixture);
    install_child("path/pulumi-resource-good", "good");
    open_host();
    host->patience.connect = 120 * 1000;
    work_group_add(&done, MANY);
    for (int i = 0; i < MANY; i++)
        fiber_spawn(load_and_call, &done);
    assert_ok(work_group_wait(&done));
    assert_int_equal(host->providers.len, MANY);
    plugin_host_cancel(host);
    plugin_host_close(host);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_false(fixture_reported(&fixture, PLUGIN_ERROR, "prematurely"));
    fixture_close(&fixture);
}

static void interrupt(void *done)
{
    plugin_host_cancel(host);
    latch_open(done);
}

struct reconfiguring {
    struct provider *provider;
    struct latch done;
};

static void configure_again(void *reconfiguring_)
{
    struct reconfiguring *reconfiguring = reconfiguring_;
    struct member member = { STR("region"), value_string(STR("another")) };
    struct configure_request configure = { .type = STR("pulumi:providers:good"),
                                           .inputs = value_object(&fixture.arena, &member, 1) };

    assert_ok(reconfiguring->provider->ops->configure(reconfiguring->provider, &configure));
    latch_open(&reconfiguring->done);
}

/* The old process has not answered Cancel yet when the new one takes its place. */
ON_LOOP(an_interrupt_may_come_while_a_provider_gets_a_new_process)
{
    (void)unused;
    struct reconfiguring reconfiguring = { 0 };
    struct latch interrupted = { 0 };
    struct provider_spec spec = { .package.name = STR("good") };
    struct configure_request configure = { .type = STR("pulumi:providers:good"),
                                           .inputs = VALUE_EMPTY_OBJECT };

    fixture_open(&fixture);
    install_child("path/pulumi-resource-good", "deaf");
    open_host();
    host->patience.connect = 120 * 1000;
    host->patience.cancel = 200;
    assert_ok(plugin_load_provider(host, &spec, &reconfiguring.provider));
    assert_ok(reconfiguring.provider->ops->configure(reconfiguring.provider, &configure));
    plugin_host_rest(host);
    assert_ok(plugin_load_provider(host, &spec, &reconfiguring.provider));
    const struct plugin *former = ((struct provider_grpc *)reconfiguring.provider)->plugin;
    size_t idle = former->in_use.count;
    fiber_spawn(interrupt, &interrupted);
    while (former->in_use.count < idle + 3) /* it is counted by the round, Cancel and its call */
        fiber_yield();
    fiber_spawn(configure_again, &reconfiguring);
    assert_ok(latch_wait_ms(&reconfiguring.done, 30 * 1000));
    assert_ok(latch_wait_ms(&interrupted, 30 * 1000));
    assert_ptr_not_equal(((struct provider_grpc *)reconfiguring.provider)->plugin, former);
    plugin_host_close(host);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    fixture_close(&fixture);
}

ON_LOOP(a_grandchild_with_the_pipes_does_not_hold_us_up)
{
    (void)unused;
    fixture_open(&fixture);
    fixture_script(&fixture, "path/pulumi-resource-bad", "setsid sleep 100 & echo 1; exit 5");
    open_host();
    struct provider *provider;
    uint64_t before = plugin_now_ms();
    assert_fails(load(&provider), ERROR_STATUS, "ended during Handshake: exit status 5");
    plugin_host_close(host);
    assert_true(plugin_now_ms() - before < 90 * 1000);
    fixture_close(&fixture);
}

/* --- language hosts --- */

ON_LOOP(what_a_language_host_prints_is_for_the_user)
{
    (void)unused;
    fixture_open(&fixture);
    install_child("path/pulumi-language-script", "good");
    open_host();
    host->patience.connect = 120 * 1000;
    struct language *language, *again;
    assert_ok(plugin_load_language(host, STR("script"), &language));
    assert_ok(plugin_load_language(host, STR("script"), &again));
    assert_ptr_equal(language, again);
    struct run_info run = { .project = &fixture.project, .config = &fixture.config };
    struct program_info program = { STR("/r"), STR("/r"), STR("."), VALUE_EMPTY_OBJECT };
    struct run_request request = { .run = &run, .program = &program };
    struct run_answer answer;
    assert_ok(language_run(language, &request, &fixture.arena, &answer));
    assert_false(answer.bail);
    plugin_host_close(host);

    size_t said = 0;
    for (size_t i = 0; i < fixture.reports.len; i++) {
        struct report *report = &fixture.reports.items[i];
        if (report->severity == PLUGIN_INFO)
            assert_str_equal(report->message, said++ == 0 ? STR("said aloud\n") : STR("unended"));
    }
    assert_int_equal(said, 2);
    assert_true(fixture_reported(&fixture, PLUGIN_INFO_ERROR, "complained\n"));
    fixture_close(&fixture);
}

ON_LOOP(a_missing_language_host_is_named)
{
    (void)unused;
    fixture_open(&fixture);
    open_host();
    struct language *language;
    assert_fails(
        plugin_load_language(host, STR("a/b"), &language), ERROR_NOT_FOUND,
        "no language plugin 'pulumi-language-a_b' found in the workspace or on your $PATH");
    close_host();
}

ON_LOOP(a_closing_host_loads_nothing_more)
{
    (void)unused;
    fixture_open(&fixture);
    open_host();
    host->is_closing = true;
    struct provider *provider;
    assert_fails(load(&provider), ERROR_CANCELED, "plugin host is shutting down");
    close_host();
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--plugin") == 0) {
        child.mode = argv[2];
        child.engine_address = argv[3];
        return scheduler_run(run_child, NULL) ? 1 : 0;
    }
    if (readlink("/proc/self/exe", own_path, sizeof(own_path) - 1) < 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_exits_at_once),
        cmocka_unit_test(one_that_exits_well_without_a_word),
        cmocka_unit_test(one_that_is_killed_in_the_middle_of_a_line),
        cmocka_unit_test(one_that_prints_rubbish),
        cmocka_unit_test(one_with_an_impossible_port),
        cmocka_unit_test(one_that_never_ends_its_first_line),
        cmocka_unit_test(one_that_prints_nothing),
        cmocka_unit_test(one_that_closes_its_output_and_stays),
        cmocka_unit_test(one_that_does_not_listen),
        cmocka_unit_test(one_that_ends_before_it_is_called),
        cmocka_unit_test(one_that_cannot_be_executed),
        cmocka_unit_test(one_whose_interpreter_is_missing),
        cmocka_unit_test(one_that_accepts_and_never_answers),
        cmocka_unit_test(a_start_that_is_given_up_leaves_nothing_behind),
        cmocka_unit_test(a_plugin_gets_its_place_address_and_environment),
        cmocka_unit_test(one_that_is_told_to_end_may_end),
        cmocka_unit_test(death_in_the_middle_of_a_call_is_named),
        cmocka_unit_test(a_stubborn_plugin_is_killed),
        cmocka_unit_test(many_plugins_start_and_end_side_by_side),
        cmocka_unit_test(an_interrupt_may_come_while_a_provider_gets_a_new_process),
        cmocka_unit_test(a_grandchild_with_the_pipes_does_not_hold_us_up),
        cmocka_unit_test(what_a_language_host_prints_is_for_the_user),
        cmocka_unit_test(a_missing_language_host_is_named),
        cmocka_unit_test(a_closing_host_loads_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
