/* test_plugin_components.c — functions, methods and components over the wire. */
#include "unit/plugin_provider_fixture.h"

ON_LOOP(invoke_drops_unknowns_and_marks_results_of_secret_arguments)
{
    (void)unused;
    open_configured(&plain);
    Pb__InvokeResponse response;
    pb__invoke_response__init(&response);
    message_put_bytes(&response, return_value, wire(object("r", text("v"), NULL)));
    peer_answers(&peer, "Invoke", &response.base);
    struct invoke_request request = { .token = STR("pkg:index:f"),
                                      .preview = true,
                                      .args = object("s", secret(text("x")), "u",
                                                     value_computed(UNKNOWN_STRING), NULL) };
    struct invoke_answer answer;
    assert_ok(CALL(invoke, &request, &answer));
    Pb__InvokeRequest *asked = peer_asked(&peer, "Invoke", &pb__invoke_request__descriptor);
    assert_wire(message_get_bytes(asked, args), object("s", text("x"), NULL));
    assert_true(asked->preview);
    assert_true(value_equal(answer.result, object("r", secret(text("v")), NULL)));
    close_provider();
}

static const struct config_fact fact = { .key = STR_INIT("proj:k"),
                                         .text = { "v", 1 },
                                         .is_secret = true };
static const struct config_facts config = { &fact, 1 };
static const struct project_facts project = {
    .name = STR_INIT("proj"),
    .stack = STR_INIT("dev"),
    .organization = STR_INIT("organization"),
};
static const struct run_info run = {
    .project = &project,
    .config = &config,
    .parallel = 4,
    .monitor_address = STR_INIT("127.0.0.1:5"),
};

ON_LOOP(call_has_an_entry_for_every_argument)
{
    (void)unused;
    open_configured(&modern);
    str urns[] = { URN };
    struct property_dependency dependencies[] = { { STR("__self__"), { urns, 1 } } };
    struct call_request request = { .token = STR("pkg:index:C/m"),
                                    .args =
                                        object("__self__", reference(), "n", value_number(1), NULL),
                                    .arg_dependencies = { dependencies, 1 },
                                    .run = &run };
    struct call_answer answer;
    assert_ok(CALL(call, &request, &answer));
    Pb__CallRequest *asked = peer_asked(&peer, "Call", &pb__call_request__descriptor);
    assert_int_equal(asked->n_arg_dependencies, 2);
    assert_string_equal(asked->arg_dependencies[0]->key, "__self__");
    assert_int_equal(asked->arg_dependencies[0]->value->n_urns, 1);
    assert_string_equal(asked->arg_dependencies[1]->key, "n");
    assert_string_equal(asked->project, "proj");
    assert_string_equal(asked->config[0]->key, "proj:k");
    assert_int_equal(asked->n_config_secret_keys, 0);
    assert_string_equal(asked->organization, "");
    assert_true(asked->accepts_output_values);
    assert_string_equal(asked->monitor_endpoint, "127.0.0.1:5");
    close_provider();
}

ON_LOOP(refused_properties_are_shown_with_their_values)
{
    (void)unused;
    open_configured(&modern);
    Pb__InputPropertiesError refused = PB__INPUT_PROPERTIES_ERROR__INIT;
    Pb__InputPropertiesError__PropertyError items[] = {
        PB__INPUT_PROPERTIES_ERROR__PROPERTY_ERROR__INIT,
        PB__INPUT_PROPERTIES_ERROR__PROPERTY_ERROR__INIT,
        PB__INPUT_PROPERTIES_ERROR__PROPERTY_ERROR__INIT
    };
    Pb__InputPropertiesError__PropertyError *list[] = { &items[0], &items[1], &items[2] };
    items[0].property_path = (char *)"n.x[0]", items[0].reason = (char *)"too small";
    items[1].property_path = (char *)"gone", items[1].reason = (char *)"missing";
    items[2].property_path = (char *)"s", items[2].reason = (char *)"weak";
    refused.errors = list, refused.n_errors = 3;
    peer_fails_with("Construct", RPC_INVALID_ARGUMENT, "InputPropertiesError", &refused.base);
    struct value item = value_number(0.5);
    struct value inputs = object("n", object("x", value_array(&fixture.arena, &item, 1), NULL), "s",
                                 secret(text("hush")), NULL);
    struct construct_request request = {
        .run = &run, .type = STR("pkg:index:C"), .name = STR("c"), .inputs = inputs
    };
    struct construct_answer answer;
    assert_fails(CALL(construct, &request, &answer), ERROR_STATUS,
                 "outer\n\t\t- property n.x[0] with value '{0.5}' has a problem: too small"
                 "\n\t\t- property gone has a problem: missing"
                 "\n\t\t- property s with value '{[secret]}' has a problem: weak");
    close_provider();
}

ON_LOOP(construct_passes_options_on)
{
    (void)unused;
    open_configured(&modern);
    str names[] = { STR("n") }, urns[] = { URN };
    const struct pair packages[] = { { STR("pkg"), STR("ref") } };
    const struct alias aliases[] = { { .urn = STR("n") }, { .is_spec = true, .name = STR("old") } };
    struct requested_options options = {
        .given = { .protect = true,
                   .delete_before_replace = true,
                   .custom_timeouts = true,
                   .hooks = true },
        .depends_on = { urns, 1 },
        .providers = { packages, 1 },
        .aliases = { aliases, 2 },
        .custom_timeouts.create = STR("3m"),
        .ignore_changes = { names, 1 },
        .replace_with = { names, 1 },
        .replacement_trigger.encoded = STR("\x1a\x01t"),
        .hooks = { [HOOK_BEFORE_CREATE] = { names, 1 }, [HOOK_ON_ERROR] = { names, 1 } },
    };
    struct construct_request request = { .run = &run,
                                         .type = STR("pkg:index:C"),
                                         .name = STR("c"),
                                         .parent = STR("p"),
                                         .inputs = object("k", value_number(1), NULL),
                                         .options = &options,
                                         .stack_trace_handle = STR("h") };
    struct construct_answer answer;
    assert_ok(CALL(construct, &request, &answer));

    Pb__ConstructRequest *asked =
        peer_asked(&peer, "Construct", &pb__construct_request__descriptor);
    assert_true(message_has(asked, protect) && !asked->protect);
    assert_false(message_has(asked, retain_on_delete));
    assert_true(message_has(asked, delete_before_replace) && !asked->delete_before_replace);
    assert_string_equal(asked->providers[0]->value, "ref");
    assert_int_equal(asked->n_aliases, 2);
    assert_string_equal(asked->aliases[0]->urn, "n");
    assert_string_equal(asked->aliases[1]->spec->name, "old");
    assert_string_equal(asked->custom_timeouts->create, "3m");
    assert_string_equal(asked->resource_hooks->before_create[0], "n");
    assert_int_equal(asked->resource_hooks->n_on_error, 0);
    assert_str_equal(message_get_bytes(asked, replacement_trigger), STR("\x1a\x01t"));
    assert_string_equal(asked->dependencies[0], urns[0].ptr);
    assert_string_equal(asked->input_dependencies[0]->key, "k");
    assert_string_equal(asked->organization, "organization");
    assert_string_equal(asked->config_secret_keys[0], "proj:k");
    assert_string_equal(asked->stack_trace_handle, "h");
    assert_true(asked->accepts_output_values);
    close_provider();
}

ON_LOOP(output_values_go_only_to_those_who_take_them)
{
    (void)unused;
    open_configured(&(struct abilities){ .secrets = true });
    str urns[] = { URN };
    struct output *output = ARENA_NEW(&fixture.arena, struct output);
    *output = (struct output){ .element = text("v"),
                               .is_known = true,
                               .is_secret = true,
                               .dependencies = urns,
                               .dependency_count = 1 };
    struct value inputs =
        object("o", ((struct value){ .kind = VALUE_OUTPUT, .output = output }), NULL);
    struct construct_request request = {
        .run = &run, .type = STR("pkg:index:C"), .name = STR("c"), .inputs = inputs
    };
    struct construct_answer answer;
    assert_ok(CALL(construct, &request, &answer));
    Pb__ConstructRequest *asked =
        peer_asked(&peer, "Construct", &pb__construct_request__descriptor);
    assert_wire(message_get_bytes(asked, inputs), object("o", secret(text("v")), NULL));
    close_provider();
}

ON_LOOP(components_need_a_provider_that_knows_secrets)
{
    (void)unused;
    open_configured(&plain);
    struct construct_request request = {
        .run = &run, .type = STR("pkg:index:C"), .name = STR("c"), .inputs = VALUE_EMPTY_OBJECT
    };
    struct construct_answer answer;
    assert_fails(CALL(construct, &request, &answer), ERROR_INVALID,
                 "plugins that can construct components must support secrets");
    close_provider();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invoke_drops_unknowns_and_marks_results_of_secret_arguments),
        cmocka_unit_test(call_has_an_entry_for_every_argument),
        cmocka_unit_test(refused_properties_are_shown_with_their_values),
        cmocka_unit_test(construct_passes_options_on),
        cmocka_unit_test(output_values_go_only_to_those_who_take_them),
        cmocka_unit_test(components_need_a_provider_that_knows_secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
