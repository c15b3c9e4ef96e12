/* test_plugin_language.c — what language hosts are asked, and what is made of their answers. */
#include "unit/on_loop.h"
#include "unit/plugin_peer.h"

#include "plugin/language.h"
#include "plugin/host/plugin_host.h"
#include "proto/marshal.h"

#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"

static struct fixture fixture;
static struct peer peer;
static struct plugin_host *host;
static struct language *language;

static const struct program_info program = {
    .root_directory = STR_INIT("/root"),
    .program_directory = STR_INIT("/root/app"),
    .entry_point = STR_INIT("main.py"),
};

/* The peer as a host that was there before us, or as an inline program. */
static void open_host(bool is_inline)
{
    fixture_open(&fixture);
    peer_open(&peer);
    if (is_inline)
        fixture.world.client_address = rpc_server_address(peer.server);
    else
        fixture.world.debug_languages =
            arena_printf(&fixture.arena, "snake:%u", rpc_server_port(peer.server));
    assert_ok(plugin_host_open(&fixture.options, &host));
    assert_ok(plugin_load_language(host, is_inline ? STR("client") : STR("snake"), &language));
}

static void close_host(void)
{
    plugin_host_close(host);
    peer_close(&peer);
    fixture_close(&fixture);
}

/* --- loading --- */

ON_LOOP(an_attached_host_is_told_where_the_engine_is)
{
    (void)unused;
    open_host(false);
    Pb__LanguageHandshakeRequest *asked =
        peer_asked(&peer, "Handshake", &pb__language_handshake_request__descriptor);
    assert_string_equal(asked->engine_address, "127.0.0.1:9");
    assert_false(message_has(asked, root_directory) || message_has(asked, program_directory));
    assert_string_equal(peer.asked.items[0].method, "Handshake");
    assert_string_equal(peer.asked.items[1].method, "GetPluginInfo");
    plugin_host_close(host);
    assert_int_equal(peer_count(&peer, "Cancel"), 1);
    peer_close(&peer);
    fixture_close(&fixture);
}

ON_LOOP(a_host_without_handshake_cannot_be_attached_to)
{
    (void)unused;
    fixture_open(&fixture);
    peer_open(&peer);
    peer_fails(&peer, "Handshake", RPC_UNIMPLEMENTED, "what?");
    fixture.world.debug_languages =
        arena_printf(&fixture.arena, "snake:%u", rpc_server_port(peer.server));
    assert_ok(plugin_host_open(&fixture.options, &host));
    assert_fails(plugin_load_language(host, STR("snake"), &language), ERROR_OTHER,
                 "language 'snake' does not answer Handshake");
    close_host();
}

ON_LOOP(an_inline_program_is_only_run)
{
    (void)unused;
    open_host(true);
    struct run_info run = { .project = &fixture.project, .config = &fixture.config };
    struct run_request request = { .run = &run, .program = &program };
    struct run_answer answer;
    assert_ok(language_run(language, &request, &fixture.arena, &answer));
    Pb__RunRequest *asked = peer_asked(&peer, "Run", &pb__run_request__descriptor);
    assert_int_equal(asked->n_args, 1);
    assert_string_equal(asked->args[0], "127.0.0.1:9");
    language_cancel(language);
    plugin_host_close(host);
    assert_int_equal(peer.asked.len, 1);
    peer_close(&peer);
    fixture_close(&fixture);
}

/* --- packages --- */

ON_LOOP(packages_come_with_version_and_parameters)
{
    (void)unused;
    open_host(false);
    Pb__PackageDependency packages[] = { PB__PACKAGE_DEPENDENCY__INIT,
                                         PB__PACKAGE_DEPENDENCY__INIT };
    Pb__PackageDependency *list[] = { &packages[0], &packages[1] };
    Pb__Parameterization parameters = PB__PARAMETERIZATION__INIT;
    Pb__GetRequiredPackagesResponse response = PB__GET_REQUIRED_PACKAGES_RESPONSE__INIT;
    packages[0].name = (char *)"aws", packages[0].kind = (char *)"resource",
    packages[0].version = (char *)"v6.1";
    packages[0].server = (char *)"https://example.com";
    parameters.name = (char *)"hashicorp", parameters.version = (char *)"1.0.0",
    parameters.value = message_binary(STR("x\0y"));
    packages[1].name = (char *)"terraform", packages[1].kind = (char *)"resource",
    packages[1].extension = &parameters;
    response.packages = list, response.n_packages = 2;
    peer_answers(&peer, "GetRequiredPackages", &response.base);
    struct package_refs found;
    assert_ok(language_required_packages(language, &program, &fixture.arena, &found));
    assert_int_equal(found.len, 2);
    assert_str_equal(found.items[0].name, STR("aws"));
    assert_str_equal(found.items[0].version, STR("6.1.0"));
    assert_str_equal(found.items[0].download_url, STR("https://example.com"));
    assert_false(found.items[0].is_parameterized);
    assert_true(found.items[1].is_parameterized && found.items[1].is_extension);
    assert_str_equal(found.items[1].parameter_name, STR("hashicorp"));
    assert_str_equal(found.items[1].parameter_value, STR("x\0y"));

    Pb__GetRequiredPackagesRequest *asked =
        peer_asked(&peer, "GetRequiredPackages", &pb__get_required_packages_request__descriptor);
    assert_string_equal(asked->info->root_directory, "/root");
    assert_string_equal(asked->info->program_directory, "/root/app");
    assert_string_equal(asked->info->entry_point, "main.py");
    assert_true(message_has(asked->info, options));
    close_host();
}

ON_LOOP(an_older_host_is_asked_for_plugins)
{
    (void)unused;
    open_host(false);
    Pb__PluginDependency plugin = PB__PLUGIN_DEPENDENCY__INIT, *list[] = { &plugin };
    Pb__GetRequiredPluginsResponse response = PB__GET_REQUIRED_PLUGINS_RESPONSE__INIT;
    plugin.name = (char *)"aws", plugin.kind = (char *)"resource", plugin.version = (char *)"1.2.3";
    response.plugins = list, response.n_plugins = 1;
    peer_fails(&peer, "GetRequiredPackages", RPC_UNIMPLEMENTED, "");
    peer_answers(&peer, "GetRequiredPlugins", &response.base);
    struct package_refs found;
    assert_ok(language_required_packages(language, &program, &fixture.arena, &found));
    assert_int_equal(found.len, 1);
    assert_str_equal(found.items[0].version, STR("1.2.3"));
    Pb__GetRequiredPluginsRequest *asked =
        peer_asked(&peer, "GetRequiredPlugins", &pb__get_required_plugins_request__descriptor);
    assert_string_equal(asked->project, "deprecated");
    assert_string_equal(asked->pwd, "/root/app");
    assert_string_equal(asked->program, "main.py");

    peer_fails(&peer, "GetRequiredPlugins", RPC_UNIMPLEMENTED, "");
    assert_ok(language_required_packages(language, &program, &fixture.arena, &found));
    assert_int_equal(found.len, 0);
    close_host();
}

ON_LOOP(strange_packages_are_refused)
{
    (void)unused;
    open_host(false);
    Pb__PackageDependency package = PB__PACKAGE_DEPENDENCY__INIT, *list[] = { &package };
    Pb__GetRequiredPackagesResponse response = PB__GET_REQUIRED_PACKAGES_RESPONSE__INIT;
    struct package_refs found;
    response.packages = list, response.n_packages = 1;
    package.name = (char *)"aws", package.kind = (char *)"resource",
    package.version = (char *)"new";
    peer_answers(&peer, "GetRequiredPackages", &response.base);
    assert_fails(language_required_packages(language, &program, &fixture.arena, &found),
                 ERROR_INVALID, "illegal semver returned by language host: aws@new");
    package.version = (char *)"1.0.0", package.kind = (char *)"toy";
    peer_answers(&peer, "GetRequiredPackages", &response.base);
    assert_fails(language_required_packages(language, &program, &fixture.arena, &found),
                 ERROR_INVALID, "unrecognized plugin kind: toy");
    peer_fails(&peer, "GetRequiredPackages", RPC_UNKNOWN, "no venv");
    assert_fails(language_required_packages(language, &program, &fixture.arena, &found),
                 ERROR_STATUS, "no venv");
    close_host();
}

/* --- running --- */

ON_LOOP(run_carries_the_whole_stack)
{
    (void)unused;
    static const struct config_fact config[] = {
        { .key = STR_INIT("p:a"), .text = { "1", 1 } },
        { .key = STR_INIT("q:b"), .text = { "2", 1 }, .is_secret = true },
    };
    open_host(false);
    fixture.project.name = STR("p");
    fixture.project.stack = STR("dev");
    fixture.project.organization = STR("organization");
    fixture.config = (struct config_facts){ config, 2 };
    struct run_info run = { .project = &fixture.project,
                            .config = &fixture.config,
                            .dry_run = true,
                            .parallel = 8,
                            .monitor_address = STR("127.0.0.1:5") };
    struct run_request request = { &run, &program, STR("127.0.0.1:6"), STR("127.0.0.1:7") };
    Pb__RunResponse response = PB__RUN_RESPONSE__INIT;
    response.error = (char *)"it broke";
    response.bail = true;
    peer_answers(&peer, "Run", &response.base);
    struct run_answer answer;
    assert_ok(language_run(language, &request, &fixture.arena, &answer));
    assert_str_equal(answer.error, STR("it broke"));
    assert_true(answer.bail);

    Pb__RunRequest *asked = peer_asked(&peer, "Run", &pb__run_request__descriptor);
    assert_string_equal(asked->project, "p");
    assert_string_equal(asked->stack, "dev");
    assert_string_equal(asked->organization, "organization");
    assert_string_equal(asked->pwd, "/root/app");
    assert_string_equal(asked->program, "main.py");
    assert_int_equal(asked->n_args, 0);
    assert_int_equal(asked->n_config, 2);
    assert_string_equal(asked->config[1]->key, "q:b");
    assert_string_equal(asked->config[1]->value, "2");
    assert_string_equal(asked->config_secret_keys[0], "q:b");
    assert_true(asked->dry_run);
    assert_int_equal(asked->parallel, 8);
    assert_string_equal(asked->monitor_address, "127.0.0.1:5");
    assert_string_equal(asked->loader_target, "127.0.0.1:6");
    assert_string_equal(asked->mapper_target, "127.0.0.1:7");
    assert_string_equal(asked->info->entry_point, "main.py");
    close_host();
}

ON_LOOP(about_tells_what_runs_the_program)
{
    (void)unused;
    open_host(false);
    Pb__AboutResponse response = PB__ABOUT_RESPONSE__INIT;
    response.executable = (char *)"/usr/bin/snake";
    response.version = (char *)"3.11";
    peer_answers(&peer, "About", &response.base);
    struct about_answer answer;
    assert_ok(language_about(language, &program, &fixture.arena, &answer));
    assert_str_equal(answer.executable, STR("/usr/bin/snake"));
    assert_str_equal(answer.version, STR("3.11"));
    peer_fails(&peer, "About", RPC_UNIMPLEMENTED, "no");
    assert_fails(language_about(language, &program, &fixture.arena, &answer), ERROR_STATUS, "no");
    close_host();
}

ON_LOOP(an_interrupt_reaches_every_plugin)
{
    (void)unused;
    open_host(false);
    plugin_host_cancel(host);
    assert_int_equal(peer_count(&peer, "Cancel"), 1);
    close_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attached_host_is_told_where_the_engine_is),
        cmocka_unit_test(a_host_without_handshake_cannot_be_attached_to),
        cmocka_unit_test(an_inline_program_is_only_run),
        cmocka_unit_test(packages_come_with_version_and_parameters),
        cmocka_unit_test(an_older_host_is_asked_for_plugins),
        cmocka_unit_test(strange_packages_are_refused),
        cmocka_unit_test(run_carries_the_whole_stack),
        cmocka_unit_test(about_tells_what_runs_the_program),
        cmocka_unit_test(an_interrupt_reaches_every_plugin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
