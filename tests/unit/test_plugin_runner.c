/* test_plugin_runner.c — plugins that are source code, run by a language host. */
#include "unit/on_loop.h"
#include "unit/plugin_peer.h"
#include "unit/soon.h"

#include "plugin/host/plugin_host.h"
#include "plugin/language.h"
#include "proto/marshal.h"

#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"

/* The peer is the language host, and the provider that it pretends to run. */
static struct fixture fixture;
static struct peer peer;
static struct plugin_host *host;

static struct {
    Pb__RunPluginRequest *request;
    const char *port_line; /* NULL: its own */
    int exit_code;         /* at once, if it is not 0 */
    bool is_slow;          /* builds for longer than programs may take to start */
    bool was_canceled;
} run;

static struct error *send_output(struct rpc_call *call, bool is_error, str bytes)
{
    Pb__RunPluginResponse response;
    pb__run_plugin_response__init(&response);
    response.output_case =
        is_error ? PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDERR : PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDOUT;
    response.stdout = message_binary(bytes);
    return rpc_call_send(call, MESSAGE_PACK(rpc_call_arena(call), &response));
}

static struct error *send_exit(struct rpc_call *call, int exit_code)
{
    Pb__RunPluginResponse response;
    pb__run_plugin_response__init(&response);
    response.output_case = PB__RUN_PLUGIN_RESPONSE__OUTPUT_EXITCODE;
    response.exitcode = exit_code;
    return rpc_call_send(call, MESSAGE_PACK(rpc_call_arena(call), &response));
}

static struct error *on_run_plugin(void *context, struct rpc_call *call)
{
    (void)context;
    struct latch never = { 0 };
    bool has_message;
    str bytes;
    void *message;

    TRY(rpc_call_receive(call, &has_message, &bytes));
    TRY(message_unpack(&peer.arena, &pb__run_plugin_request__descriptor,
                       arena_copy(&peer.arena, bytes), &message));
    run.request = message;
    TRY(send_output(call, true, STR("building\n")));
    if (run.exit_code != 0)
        return send_exit(call, run.exit_code);
    if (run.is_slow) {
        TRY(fiber_sleep_ms(50));
        host->patience.start = 120 * 1000;
    }
    str line = run.port_line ? str_from(run.port_line)
                             : arena_printf(&peer.arena, "%u\nafter", rpc_server_port(peer.server));
    TRY(send_output(call, false, str_slice(line, 0, 2)));
    TRY(send_output(call, false, str_slice(line, 2, line.len)));
    struct error *failure = latch_wait(&never);
    run.was_canceled = error_kind(failure) == ERROR_CANCELED;
    return failure;
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.LanguageRuntime/Handshake", .unary = peer_on_Handshake },
    { .path = "/pulumirpc.LanguageRuntime/GetPluginInfo", .unary = peer_on_GetPluginInfo },
    { .path = "/pulumirpc.LanguageRuntime/Cancel", .unary = peer_on_Cancel },
    { .path = "/pulumirpc.LanguageRuntime/RunPlugin", .stream = on_run_plugin },
    { .path = "/pulumirpc.ResourceProvider/Handshake", .unary = peer_on_Handshake },
    { .path = "/pulumirpc.ResourceProvider/GetPluginInfo", .unary = peer_on_GetPluginInfo },
    { .path = "/pulumirpc.ResourceProvider/Cancel", .unary = peer_on_Cancel },
    { 0 },
};

static struct plugin_folder folder;

static void open_host_debugging(const char *plugin_file, const char *debugged)
{
    static str wanted;

    fixture_open(&fixture);
    wanted = str_from(debugged);
    fixture.world.debugged = (struct strs){ &wanted, wanted.len != 0 };
    peer = (struct peer){ 0 };
    memset(&run, 0, sizeof(run));
    assert_ok(rpc_server_open(methods, &peer, &peer.server));
    fixture.world.debug_languages =
        arena_printf(&fixture.arena, "snake:%u", rpc_server_port(peer.server));
    folder = (struct plugin_folder){ STR("resource"), STR("src"), STR(""),
                                     fixture_path(&fixture, "src") };
    fixture.world.folders = (struct plugin_folders){ &folder, 1 };
    static const str flags[] = { STR_INIT("-v=9") };
    fixture.world.flags = (struct strs){ flags, 1 };
    if (plugin_file)
        fixture_file(&fixture, "src/PulumiPlugin.yaml", plugin_file, 0644);
    assert_ok(plugin_host_open(&fixture.options, &host));
}

static void open_host(const char *plugin_file)
{
    open_host_debugging(plugin_file, "");
}

static struct error *load(struct provider **provider)
{
    struct provider_spec spec = { .package.name = STR("src") };
    return plugin_load_provider(host, &spec, provider);
}

static void close_host(void)
{
    plugin_host_close(host);
    peer_close(&peer);
    fixture_close(&fixture);
}

ON_LOOP(a_folder_with_sources_is_run_by_its_runtime)
{
    (void)unused;
    struct provider *provider;
    open_host("runtime:\n  name: snake\n  options:\n    virtualenv: venv\n    level: 2\n");
    assert_ok(load(&provider));
    str place = fixture_path(&fixture, "src");
    assert_str_equal(message_str(run.request->info->root_directory), place);
    assert_str_equal(message_str(run.request->info->program_directory), place);
    assert_string_equal(run.request->info->entry_point, ".");
    assert_str_equal(message_str(run.request->pwd), fixture.folder);
    assert_string_equal(run.request->kind, "resource");
    assert_string_equal(run.request->name, "");
    assert_int_equal(run.request->n_args, 2);
    assert_string_equal(run.request->args[0], "-v=9");
    assert_string_equal(run.request->args[1], "127.0.0.1:9");
    bool has_config = false;
    for (size_t i = 0; i < run.request->n_env; i++)
        has_config |= strcmp(run.request->env[i], "PULUMI_CONFIG={}") == 0;
    assert_true(has_config);
    struct value options;
    assert_ok(properties_unmarshal(&fixture.arena, message_get_bytes(run.request->info, options),
                                   &(struct unmarshal_options){ 0 }, &options));
    assert_str_equal(value_find_text(options, STR("virtualenv")), STR("venv"));
    assert_true(value_find(options, STR("level"))->number == 2);

    plugin_host_close(host);
    assert_true(run.was_canceled);
    assert_int_equal(peer_count(&peer, "Cancel"), 2);
    assert_true(fixture_reported(&fixture, PLUGIN_DEBUG, "building\n"));
    assert_true(fixture_reported(&fixture, PLUGIN_DEBUG, "after"));
    assert_false(fixture_reported(&fixture, PLUGIN_ERROR, "prematurely"));
    peer_close(&peer);
    fixture_close(&fixture);
}

ON_LOOP(only_those_that_are_to_be_debugged_wait_for_it)
{
    (void)unused;
    static const struct {
        const char *wanted;
        bool waits;
    } cases[] = { { "plugins", true },    { "plugin:src", true }, { "all", true },
                  { "plugin:sr", false }, { "program", false },   { "", false } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct provider *provider;
        open_host_debugging("runtime: snake\n", cases[i].wanted);
        assert_ok(load(&provider));
        assert_int_equal(run.request->attach_debugger, cases[i].waits);
        assert_string_equal(run.request->name, cases[i].waits ? "src" : "");
        close_host();
    }
}

ON_LOOP(one_that_fails_to_build_is_named)
{
    (void)unused;
    struct provider *provider;
    open_host("runtime: snake\n");
    run.exit_code = 2;
    assert_fails(load(&provider), ERROR_OTHER, "src/pulumi-resource-src]: exit status 2");
    assert_true(fixture_reported(&fixture, PLUGIN_ERROR, "streams of the plugin:building\n"));
    close_host();
}

ON_LOOP(one_may_take_any_time_to_be_built)
{
    (void)unused;
    struct language *language;
    struct provider *provider;
    open_host("runtime: snake\n");
    assert_ok(plugin_load_language(host, STR("snake"), &language));
    host->patience.start = 1;
    run.is_slow = true;
    assert_ok(load(&provider));
    close_host();
}

ON_LOOP(one_that_prints_rubbish_is_stopped)
{
    (void)unused;
    struct provider *provider;
    open_host("runtime: snake\n");
    run.port_line = "compiling...\n";
    assert_fails(load(&provider), ERROR_INVALID,
                 "wrote an invalid port to stdout: could not parse port: 'compiling...'");
    assert_soon(run.was_canceled);
    close_host();
}

ON_LOOP(a_folder_without_anything_is_no_plugin)
{
    (void)unused;
    struct provider *provider;
    open_host(NULL);
    assert_fails(load(&provider), ERROR_NOT_FOUND,
                 "src/pulumi-resource-src: plugin not found: neither a program nor a "
                 "PulumiPlugin.yaml is there");
    close_host();
}

ON_LOOP(a_bad_plugin_file_is_explained)
{
    (void)unused;
    struct provider *provider;
    open_host("runtime: {options: {}}\n");
    assert_fails(load(&provider), ERROR_INVALID, "loading PulumiPlugin.yaml: it names no runtime");
    close_host();
    open_host("runtime: snake\nrequiredPulumiVersion: '>=99.0.0'\n");
    assert_fails(load(&provider), ERROR_OTHER, "does not satisfy the version range \">=99.0.0\"");
    close_host();
    open_host("runtime: [\n");
    assert_fails(load(&provider), ERROR_INVALID, "loading PulumiPlugin.yaml: ");
    close_host();
}

ON_LOOP(a_missing_runtime_is_named)
{
    (void)unused;
    struct provider *provider;
    open_host("runtime: cobol\n");
    assert_fails(load(&provider), ERROR_NOT_FOUND,
                 "loading runtime: no language plugin 'pulumi-language-cobol' found");
    close_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_with_sources_is_run_by_its_runtime),
        cmocka_unit_test(only_those_that_are_to_be_debugged_wait_for_it),
        cmocka_unit_test(one_that_fails_to_build_is_named),
        cmocka_unit_test(one_may_take_any_time_to_be_built),
        cmocka_unit_test(one_that_prints_rubbish_is_stopped),
        cmocka_unit_test(a_folder_without_anything_is_no_plugin),
        cmocka_unit_test(a_bad_plugin_file_is_explained),
        cmocka_unit_test(a_missing_runtime_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
