/* test_plugin_provider.c — what goes to a provider before anything is done, and what is made of its
 * answers. */
#include "unit/plugin_provider_fixture.h"
#include "unit/soon.h"

#include "base/span.h"

/* --- start --- */

ON_LOOP(an_attached_provider_is_greeted_and_asked)
{
    (void)unused;
    fixture.options.loader_address = STR("");
    open_provider(&modern);
    Pb__ProviderHandshakeRequest *handshake =
        peer_asked(&peer, "Handshake", &pb__provider_handshake_request__descriptor);
    assert_str_equal(message_str(handshake->engine_address), STR("127.0.0.1:9"));
    assert_false(message_has(handshake, root_directory));
    assert_false(message_has(handshake, loader_target));
    assert_true(handshake->configure_with_urn && handshake->supports_views
                && handshake->supports_refresh_before_update);
    assert_true(handshake->invoke_with_preview && handshake->accepts_byte_string);
    Pb__PluginAttach *attach = peer_asked(&peer, "Attach", &pb__plugin_attach__descriptor);
    assert_str_equal(message_str(attach->address), STR("127.0.0.1:9"));
    assert_str_equal(provider->version, STR("1.2.3"));
    assert_string_equal(peer.asked.items[0].method, "Handshake");
    assert_string_equal(peer.asked.items[1].method, "Attach");
    assert_string_equal(peer.asked.items[2].method, "GetPluginInfo");
    close_provider();
}

ON_LOOP(handshake_decides_what_a_provider_can_do)
{
    (void)unused;
    struct provider_traits traits;
    open_provider(&(struct abilities){ .secrets = true, .byte_strings = true });
    assert_ok(provider->ops->traits(provider, &traits));
    assert_true(traits.accepts_secrets && traits.accepts_byte_strings && traits.supports_preview);
    assert_false(traits.accepts_resources || traits.accepts_outputs || traits.supports_autonaming);
    close_provider();
}

ON_LOOP(without_handshake_configure_decides)
{
    (void)unused;
    struct provider_traits traits;
    open_configured(&(struct abilities){
        .is_old = true, .resources = true, .preview = true, .autonaming = true });
    assert_ok(provider->ops->traits(provider, &traits));
    assert_true(traits.accepts_resources && traits.supports_preview && traits.supports_autonaming);
    assert_false(traits.accepts_secrets || traits.accepts_outputs || traits.accepts_byte_strings);
    close_provider();
}

ON_LOOP(an_older_version_than_asked_for_is_worth_a_warning)
{
    (void)unused;
    open_provider(&modern);
    struct provider *other;
    struct provider_spec spec = { .package = { .name = STR("pkg"), .version = STR("2.0.0") } };
    assert_ok(plugin_load_provider(host, &spec, &other));
    assert_true(fixture_reported(&fixture, PLUGIN_WARNING,
                                 "resource plugin pkg is expected to have version >=2.0.0, but has "
                                 "1.2.3; the wrong version may be "
                                 "on your path, or this may be a bug in the plugin"));
    close_provider();
}

ON_LOOP(a_provider_without_plugin_info_cannot_be_loaded)
{
    (void)unused;
    open_provider(&modern);
    peer_fails(&peer, "GetPluginInfo", RPC_UNIMPLEMENTED, "no info");
    struct provider *other;
    struct provider_spec spec = { .package.name = STR("pkg") };
    assert_fails(plugin_load_provider(host, &spec, &other), ERROR_STATUS, "no info");
    close_provider();
}

ON_LOOP(closing_says_cancel_once)
{
    (void)unused;
    open_configured(&modern);
    provider->ops->close(provider);
    assert_int_equal(peer_count(&peer, "Cancel"), 1);
    assert_int_equal(fixture.reports.len, 0);
    close_provider();
}

/* --- configuration --- */

ON_LOOP(check_config_sees_no_secrets_and_gives_them_back)
{
    (void)unused;
    open_provider(&modern);
    Pb__CheckResponse response;
    pb__check_response__init(&response);
    message_put_bytes(&response, inputs,
                      wire(object("token", text("abc"), "added", value_number(1), NULL)));
    peer_answers(&peer, "CheckConfig", &response.base);
    struct check_request request = { .urn = PROVIDER_URN,
                                     .olds = VALUE_EMPTY_OBJECT,
                                     .allows_unknowns = true,
                                     .news = object("token", secret(text("abc")), "u",
                                                    value_computed(UNKNOWN_STRING), NULL) };
    struct check_answer answer;
    assert_ok(CALL(check_config, &request, &answer));

    Pb__CheckRequest *asked = peer_asked(&peer, "CheckConfig", &pb__check_request__descriptor);
    assert_str_equal(message_str(asked->name), STR("prov"));
    assert_str_equal(message_str(asked->type), STR("pulumi:providers:pkg"));
    assert_wire(message_get_bytes(asked, olds), VALUE_EMPTY_OBJECT);
    assert_wire(message_get_bytes(asked, news),
                object("token", text("abc"), "u", value_computed(UNKNOWN_STRING), NULL));
    assert_int_equal(asked->random_seed.len, 0);
    assert_true(value_equal(answer.inputs,
                            object("token", secret(text("abc")), "added", value_number(1), NULL)));
    assert_int_equal(answer.failures.len, 0);
    close_provider();
}

ON_LOOP(configuration_calls_may_be_unimplemented)
{
    (void)unused;
    open_provider(&modern);
    peer_fails(&peer, "CheckConfig", RPC_UNIMPLEMENTED, "");
    peer_fails(&peer, "DiffConfig", RPC_UNIMPLEMENTED, "");
    struct value news = object("x", secret(text("y")), NULL);
    struct check_request check = { .urn = PROVIDER_URN, .olds = VALUE_EMPTY_OBJECT, .news = news };
    struct check_answer checked;
    assert_ok(CALL(check_config, &check, &checked));
    assert_true(value_equal(checked.inputs, news));
    struct diff_request diff = {
        .urn = PROVIDER_URN, .old_inputs = news, .old_outputs = news, .news = VALUE_EMPTY_OBJECT
    };
    struct diff_answer differs;
    assert_ok(CALL(diff_config, &diff, &differs));
    assert_int_equal(differs.changes, CHANGES_UNKNOWN);
    close_provider();
}

ON_LOOP(errors_of_configuration_calls_keep_their_code)
{
    (void)unused;
    open_provider(&modern);
    peer_fails(&peer, "CheckConfig", RPC_UNKNOWN, "check broke");
    struct check_request check = { .urn = PROVIDER_URN,
                                   .olds = VALUE_EMPTY_OBJECT,
                                   .news = VALUE_EMPTY_OBJECT };
    struct check_answer checked;
    assert_fails(CALL(check_config, &check, &checked), ERROR_STATUS,
                 "rpc error: code = Unknown desc = check broke");
    close_provider();
}

ON_LOOP(configure_carries_arguments_variables_and_identity)
{
    (void)unused;
    open_provider(&modern);
    configure(object("region", text("eu"), "token", secret(text("s")), "count", value_number(2),
                     "version", text("1.0.0"), "flags", object("a", secret(value_bool(true)), NULL),
                     NULL));
    struct provider_traits traits;
    struct check_request check = { .urn = URN,
                                   .olds = VALUE_EMPTY_OBJECT,
                                   .news = VALUE_EMPTY_OBJECT };
    struct check_answer checked;
    assert_ok(CALL(check, &check, &checked));
    assert_ok(provider->ops->traits(provider, &traits));

    Pb__ConfigureRequest *asked =
        peer_asked(&peer, "Configure", &pb__configure_request__descriptor);
    assert_wire(message_get_bytes(asked, args),
                object("region", text("eu"), "token", secret(text("s")), "count", value_number(2),
                       "version", text("1.0.0"), "flags",
                       object("a", secret(value_bool(true)), NULL), NULL));
    assert_true(asked->accept_secrets && asked->accept_resources && asked->sends_old_inputs
                && asked->sends_old_inputs_to_delete);
    assert_str_equal(message_get_str(asked, id), STR("some-id"));
    assert_str_equal(message_get_str(asked, urn), PROVIDER_URN);
    assert_str_equal(message_get_str(asked, name), STR("prov"));
    assert_str_equal(message_get_str(asked, type), STR("pulumi:providers:pkg"));
    const char *const wanted[][2] = { { "pkg:config:count", "2" },
                                      { "pkg:config:flags", "{\"a\":true}" },
                                      { "pkg:config:region", "eu" },
                                      { "pkg:config:token", "s" } };
    assert_int_equal(asked->n_variables, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(asked->variables[i]->key, wanted[i][0]);
        assert_string_equal(asked->variables[i]->value, wanted[i][1]);
    }
    close_provider();
}

ON_LOOP(calls_wait_for_configure)
{
    (void)unused;
    struct latch gate = { 0 };
    open_provider(&modern);
    struct reply slow = { .method = "Configure", .bytes = STR(""), .waits_for = &gate };
    vec_add(&peer.replies, slow);
    configure(VALUE_EMPTY_OBJECT);
    assert_soon(peer_count(&peer, "Configure") == 1);
    latch_open(&gate);
    struct check_request check = { .urn = URN,
                                   .olds = VALUE_EMPTY_OBJECT,
                                   .news = VALUE_EMPTY_OBJECT };
    struct check_answer checked;
    assert_ok(CALL(check, &check, &checked));
    assert_string_equal(peer.asked.items[peer.asked.len - 1].method, "Check");
    close_provider();
}

ON_LOOP(a_provider_that_nobody_needed_is_still_configured)
{
    (void)unused;
    open_configured(&modern);
    plugin_host_close(host);
    assert_int_equal(peer_count(&peer, "Configure"), 1);
    assert_string_equal(peer.asked.items[peer.asked.len - 1].method, "Cancel");
    peer_close(&peer);
    fixture_close(&fixture);
}

ON_LOOP(a_configure_without_end_does_not_hold_up_the_end)
{
    (void)unused;
    struct latch never = { 0 };
    open_provider(&modern);
    struct reply slow = { .method = "Configure", .bytes = STR(""), .waits_for = &never };
    vec_add(&peer.replies, slow);
    configure(VALUE_EMPTY_OBJECT);
    host->patience.cancel = 100;
    close_provider(); /* or it would never end */
}

ON_LOOP(a_failed_configure_fails_every_call_that_needs_it)
{
    (void)unused;
    open_provider(&modern);
    peer_fails(&peer, "Configure", RPC_UNKNOWN, "cannot log in");
    configure(VALUE_EMPTY_OBJECT);
    for (int i = 0; i < 2; i++) {
        struct create_request create = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
        struct provider_state created;
        assert_fails(CALL(create, &create, &created), ERROR_STATUS, "cannot log in");
    }
    assert_int_equal(peer_count(&peer, "Create"), 0);
    close_provider();
}

ON_LOOP(missing_keys_are_listed)
{
    (void)unused;
    open_provider(&modern);
    Pb__ConfigureErrorMissingKeys missing = PB__CONFIGURE_ERROR_MISSING_KEYS__INIT;
    Pb__ConfigureErrorMissingKeys__MissingKey
        key = PB__CONFIGURE_ERROR_MISSING_KEYS__MISSING_KEY__INIT,
        *keys[] = { &key };
    key.name = (char *)"pkg:region";
    key.description = (char *)"where";
    missing.missing_keys = keys;
    missing.n_missing_keys = 1;
    peer_fails_with("Configure", RPC_UNKNOWN, "ConfigureErrorMissingKeys", &missing.base);
    configure(VALUE_EMPTY_OBJECT);
    struct invoke_request invoke = { .token = STR("pkg:index:f"), .args = VALUE_EMPTY_OBJECT };
    struct invoke_answer answer;
    assert_fails(CALL(invoke, &invoke, &answer), ERROR_STATUS,
                 "1 error occurred:\n\t* missing required configuration key \"pkg:region\": where\n"
                 "Set a value using the command `pulumi config set pkg:region <value>`.\n\n");
    close_provider();
}

ON_LOOP(a_call_before_configure_is_an_error_and_no_hang)
{
    (void)unused;
    open_provider(&modern);
    struct check_request check = { .urn = URN,
                                   .olds = VALUE_EMPTY_OBJECT,
                                   .news = VALUE_EMPTY_OBJECT };
    struct check_answer checked;
    assert_fails(CALL(check, &check, &checked), ERROR_OTHER,
                 "provider 'pkg' is used before it was configured");
    close_provider();
}

ON_LOOP(unknown_configuration_is_not_sent_and_calls_are_answered_here)
{
    (void)unused;
    open_provider(&modern);
    configure(object("region", secret(value_computed(UNKNOWN_STRING)), NULL));
    struct value news = object("x", value_number(1), NULL);
    struct check_request check = {
        .urn = URN, .olds = VALUE_EMPTY_OBJECT, .news = news, .allows_unknowns = true
    };
    struct check_answer checked;
    assert_ok(CALL(check, &check, &checked));
    assert_true(value_equal(checked.inputs, news));
    struct diff_request diff = {
        .urn = URN, .id = STR("i"), .old_inputs = news, .old_outputs = news, .news = news
    };
    struct diff_answer differs;
    assert_ok(CALL(diff, &diff, &differs));
    assert_true(differs.is_unavailable);
    struct create_request create = { .urn = URN, .inputs = news, .preview = true };
    struct provider_state state;
    assert_ok(CALL(create, &create, &state));
    assert_int_equal(state.outputs.len, 0);
    struct update_request update = { .urn = URN, .id = STR("i"), .news = news, .preview = true };
    assert_ok(CALL(update, &update, &state));
    assert_int_equal(state.outputs.len, 0);
    struct read_request read = { .urn = URN, .id = STR("i") };
    assert_ok(CALL(read, &read, &state));
    assert_true(state.exists && state.has_inputs && state.status == RESOURCE_UNKNOWN);
    struct invoke_request invoke = { .token = STR("f"), .args = news };
    struct invoke_answer invoked;
    assert_ok(CALL(invoke, &invoke, &invoked));
    assert_int_equal(invoked.result.len, 0);
    create.preview = false;
    assert_fails(CALL(create, &create, &state), ERROR_OTHER, "its configuration is not known");
    assert_int_equal(peer.asked.len, 3);
    close_provider();
}

ON_LOOP(an_unconfigured_component_is_registered_here)
{
    (void)unused;
    open_provider(&modern);
    configure(object("region", value_computed(UNKNOWN_STRING), NULL));
    Pb__RegisterResourceResponse response;
    pb__register_resource_response__init(&response);
    response.urn = (char *)"urn:of:component";
    peer_answers(&peer, "RegisterResource", &response.base);
    struct run_info run = { .project = &fixture.project,
                            .config = &fixture.config,
                            .monitor_address = rpc_server_address(peer.server),
                            .dry_run = true };
    struct construct_request request = { .run = &run,
                                         .type = STR("pkg:index:Comp"),
                                         .name = STR("c"),
                                         .parent = STR("p"),
                                         .inputs = VALUE_EMPTY_OBJECT };
    struct construct_answer answer;
    assert_ok(CALL(construct, &request, &answer));
    assert_str_equal(answer.urn, STR("urn:of:component"));
    Pb__RegisterResourceRequest *asked =
        peer_asked(&peer, "RegisterResource", &pb__register_resource_request__descriptor);
    assert_string_equal(asked->type, "pkg:index:Comp");
    assert_string_equal(asked->name, "c");
    assert_string_equal(asked->parent, "p");
    assert_false(asked->custom || asked->remote);
    close_provider();
}

ON_LOOP(parameterize_passes_the_value_and_checks_the_name)
{
    (void)unused;
    open_provider(&modern);
    Pb__ParameterizeResponse response = PB__PARAMETERIZE_RESPONSE__INIT;
    response.name = (char *)"sub";
    response.version = (char *)"3.0.0";
    peer_answers(&peer, "Parameterize", &response.base);
    struct arena *arena = &fixture.arena;
    assert_ok(provider->ops->parameterize(provider, STR("sub"), STR("3.0.0"), STR("a\0b"), arena));
    Pb__ParameterizeRequest *asked =
        peer_asked(&peer, "Parameterize", &pb__parameterize_request__descriptor);
    assert_int_equal(asked->parameters_case, PB__PARAMETERIZE_REQUEST__PARAMETERS_VALUE);
    assert_string_equal(asked->value->name, "sub");
    assert_str_equal(message_bytes(asked->value->value), STR("a\0b"));
    str schema;
    assert_ok(provider->ops->get_schema(provider, arena, &schema));
    Pb__GetSchemaRequest *schema_asked =
        peer_asked(&peer, "GetSchema", &pb__get_schema_request__descriptor);
    assert_string_equal(schema_asked->subpackage_name, "sub");
    assert_string_equal(schema_asked->subpackage_version, "3.0.0");
    assert_fails(provider->ops->parameterize(provider, STR("other"), STR("3.0.0"), STR(""), arena),
                 ERROR_INVALID, "gave package 'sub', not 'other'");
    close_provider();
}

/* --- Check and Diff --- */

ON_LOOP(check_always_has_olds_and_a_seed)
{
    (void)unused;
    open_configured(&modern);
    struct check_request request = { .urn = URN,
                                     .news = object("x", secret(text("s")), "r", reference(), NULL),
                                     .seed = STR("seed"),
                                     .has_autonaming = true,
                                     .autonaming_mode = AUTONAMING_ENFORCE,
                                     .proposed_name = STR("n") };
    struct check_answer answer;
    assert_ok(CALL(check, &request, &answer));
    Pb__CheckRequest *asked = peer_asked(&peer, "Check", &pb__check_request__descriptor);
    assert_wire(message_get_bytes(asked, olds), VALUE_EMPTY_OBJECT);
    assert_wire(message_get_bytes(asked, news), request.news);
    assert_str_equal(message_bytes(asked->random_seed), STR("seed"));
    assert_string_equal(asked->urn, "urn:pulumi:dev::proj::pkg:index:Res::name");
    assert_string_equal(asked->name, "name");
    assert_string_equal(asked->type, "pkg:index:Res");
    assert_string_equal(asked->autonaming->proposed_name, "n");
    assert_int_equal(asked->autonaming->mode, 1);
    assert_int_equal(answer.inputs.kind, VALUE_OBJECT);
    close_provider();
}

ON_LOOP(a_plain_provider_gets_plain_values_and_no_names)
{
    (void)unused;
    open_configured(&plain);
    Pb__CheckResponse response;
    pb__check_response__init(&response);
    message_put_bytes(&response, inputs, wire(object("x", text("s"), "r", text("the-id"), NULL)));
    peer_answers(&peer, "Check", &response.base);
    struct check_request request = { .urn = URN,
                                     .olds = VALUE_EMPTY_OBJECT,
                                     .has_autonaming = true,
                                     .news =
                                         object("x", secret(text("s")), "r", reference(), NULL) };
    struct check_answer answer;
    assert_ok(CALL(check, &request, &answer));
    Pb__CheckRequest *asked = peer_asked(&peer, "Check", &pb__check_request__descriptor);
    assert_wire(message_get_bytes(asked, news), object("x", text("s"), "r", text("the-id"), NULL));
    assert_null(asked->autonaming);
    assert_true(
        value_equal(answer.inputs, object("x", secret(text("s")), "r", text("the-id"), NULL)));
    close_provider();
}

ON_LOOP(check_failures_come_back)
{
    (void)unused;
    open_configured(&modern);
    Pb__CheckFailure failure = PB__CHECK_FAILURE__INIT, *failures[] = { &failure };
    Pb__CheckResponse response;
    pb__check_response__init(&response);
    failure.property = (char *)"x";
    failure.reason = (char *)"too big";
    response.failures = failures;
    response.n_failures = 1;
    peer_answers(&peer, "Check", &response.base);
    struct check_request request = { .urn = URN,
                                     .olds = VALUE_EMPTY_OBJECT,
                                     .news = VALUE_EMPTY_OBJECT };
    struct check_answer answer;
    assert_ok(CALL(check, &request, &answer));
    assert_int_equal(answer.failures.len, 1);
    assert_str_equal(answer.failures.items[0].property, STR("x"));
    assert_str_equal(answer.failures.items[0].reason, STR("too big"));
    close_provider();
}

static void note_span(void *urns, const struct span *span, int64_t end)
{
    assert_true(end >= span->start);
    strbuf_printf(urns, "%s %s=" STR_FMT " " STR_FMT "\n", span->name, span->key,
                  STR_ARG(span->value), STR_ARG(span->subject));
}

ON_LOOP(who_listens_hears_of_calls_with_the_urn_they_are_about)
{
    (void)unused;
    CLEANUP(strbuf_release) struct strbuf heard = { 0 };
    open_configured(&modern);
    Pb__CheckResponse response;
    pb__check_response__init(&response);
    peer_answers(&peer, "Check", &response.base);
    struct check_request request = { .urn = URN,
                                     .olds = VALUE_EMPTY_OBJECT,
                                     .news = VALUE_EMPTY_OBJECT };
    struct check_answer answer;
    assert_ok(CALL(check, &request, &answer));
    span_listen(note_span, &heard);
    assert_ok(CALL(check, &request, &answer));
    span_listen(NULL, NULL);
    assert_ok(CALL(check, &request, &answer));
    assert_str_equal(strbuf_str(&heard),
                     STR("/pulumirpc.ResourceProvider/Check plugin=pkg (resource) "
                         "urn:pulumi:dev::proj::pkg:index:Res::name\n"));
    close_provider();
}

ON_LOOP(unknowns_travel_only_where_they_are_allowed)
{
    (void)unused;
    open_configured(&modern);
    Pb__CheckResponse response;
    pb__check_response__init(&response);
    message_put_bytes(&response, inputs, wire(object("u", value_computed(UNKNOWN_STRING), NULL)));
    peer_answers(&peer, "Check", &response.base);
    struct value news = object("u", value_computed(UNKNOWN_STRING), "x", value_number(1), NULL);
    struct check_request request = {
        .urn = URN, .olds = VALUE_EMPTY_OBJECT, .news = news, .allows_unknowns = true
    };
    struct check_answer answer;
    assert_ok(CALL(check, &request, &answer));
    assert_true(value_contains_unknown(answer.inputs));
    request.allows_unknowns = false;
    assert_fails(CALL(check, &request, &answer), ERROR_INVALID,
                 "unexpected unknown property value");
    Pb__CheckRequest *asked = peer_asked(&peer, "Check", &pb__check_request__descriptor);
    assert_wire(message_get_bytes(asked, news), object("x", value_number(1), NULL));
    close_provider();
}

ON_LOOP(diff_sends_assets_without_contents)
{
    (void)unused;
    open_configured(&modern);
    struct value full = object("a", text_asset("hello", "h1"), NULL);
    str ignored[] = { STR("x") };
    struct diff_request request = { .urn = URN,
                                    .id = STR("i-1"),
                                    .old_inputs = full,
                                    .old_outputs = full,
                                    .news = full,
                                    .ignore_changes = { ignored, 1 } };
    struct diff_answer answer;
    assert_ok(CALL(diff, &request, &answer));
    Pb__DiffRequest *asked = peer_asked(&peer, "Diff", &pb__diff_request__descriptor);
    str parts[] = { message_get_bytes(asked, olds), message_get_bytes(asked, old_inputs),
                    message_get_bytes(asked, news) };
    for (size_t i = 0; i < 3; i++) {
        assert_int_not_equal(str_find(parts[i], STR("h1")), SIZE_MAX);
        assert_int_equal(str_find(parts[i], STR("hello")), SIZE_MAX);
    }
    assert_string_equal(asked->id, "i-1");
    assert_int_equal(asked->n_ignore_changes, 1);
    assert_int_equal(answer.changes, CHANGES_UNKNOWN);
    close_provider();
}

ON_LOOP(diff_answers_are_read_whole)
{
    (void)unused;
    open_configured(&modern);
    Pb__PropertyDiff kinds[] = { PB__PROPERTY_DIFF__INIT, PB__PROPERTY_DIFF__INIT };
    Pb__PropertyDiffEntry entries[] = { PB__PROPERTY_DIFF_ENTRY__INIT,
                                        PB__PROPERTY_DIFF_ENTRY__INIT };
    Pb__PropertyDiffEntry *list[] = { &entries[0], &entries[1] };
    Pb__DiffResponse response = PB__DIFF_RESPONSE__INIT;
    char *replaces[] = { (char *)"x" }, *stables[] = { (char *)"id" },
         *diffs[] = { (char *)"x", (char *)"y" };
    kinds[0].kind = PB__PROPERTY_DIFF__KIND__UPDATE_REPLACE;
    kinds[0].input_diff = true;
    kinds[1].kind = (Pb__PropertyDiff__Kind)77;
    entries[0].key = (char *)"y.z";
    entries[0].value = &kinds[0];
    entries[1].key = (char *)"x";
    entries[1].value = &kinds[1];
    response.replaces = replaces, response.n_replaces = 1;
    response.stables = stables, response.n_stables = 1;
    response.diffs = diffs, response.n_diffs = 2;
    response.changes = PB__DIFF_RESPONSE__DIFF_CHANGES__DIFF_SOME;
    response.delete_before_replace = true;
    response.has_detailed_diff = true;
    response.detailed_diff = list, response.n_detailed_diff = 2;
    peer_answers(&peer, "Diff", &response.base);
    struct diff_request request = { .urn = URN,
                                    .id = STR("i"),
                                    .old_inputs = VALUE_EMPTY_OBJECT,
                                    .old_outputs = VALUE_EMPTY_OBJECT,
                                    .news = VALUE_EMPTY_OBJECT };
    struct diff_answer answer;
    assert_ok(CALL(diff, &request, &answer));
    assert_int_equal(answer.changes, CHANGES_SOME);
    assert_true(answer.deletes_before_replace && answer.has_detailed_diff);
    assert_str_equal(answer.replace_keys.items[0], STR("x"));
    assert_str_equal(answer.stable_keys.items[0], STR("id"));
    assert_int_equal(answer.changed_keys.len, 2);
    assert_str_equal(answer.detailed_diff.items[0].path, STR("x"));
    assert_int_equal(answer.detailed_diff.items[0].kind, DIFF_UPDATE);
    assert_int_equal(answer.detailed_diff.items[1].kind, DIFF_UPDATE_REPLACE);
    assert_true(answer.detailed_diff.items[1].is_input);
    close_provider();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attached_provider_is_greeted_and_asked),
        cmocka_unit_test(handshake_decides_what_a_provider_can_do),
        cmocka_unit_test(without_handshake_configure_decides),
        cmocka_unit_test(an_older_version_than_asked_for_is_worth_a_warning),
        cmocka_unit_test(a_provider_without_plugin_info_cannot_be_loaded),
        cmocka_unit_test(closing_says_cancel_once),
        cmocka_unit_test(check_config_sees_no_secrets_and_gives_them_back),
        cmocka_unit_test(configuration_calls_may_be_unimplemented),
        cmocka_unit_test(errors_of_configuration_calls_keep_their_code),
        cmocka_unit_test(configure_carries_arguments_variables_and_identity),
        cmocka_unit_test(calls_wait_for_configure),
        cmocka_unit_test(a_provider_that_nobody_needed_is_still_configured),
        cmocka_unit_test(a_configure_without_end_does_not_hold_up_the_end),
        cmocka_unit_test(a_failed_configure_fails_every_call_that_needs_it),
        cmocka_unit_test(missing_keys_are_listed),
        cmocka_unit_test(a_call_before_configure_is_an_error_and_no_hang),
        cmocka_unit_test(unknown_configuration_is_not_sent_and_calls_are_answered_here),
        cmocka_unit_test(an_unconfigured_component_is_registered_here),
        cmocka_unit_test(parameterize_passes_the_value_and_checks_the_name),
        cmocka_unit_test(check_always_has_olds_and_a_seed),
        cmocka_unit_test(a_plain_provider_gets_plain_values_and_no_names),
        cmocka_unit_test(check_failures_come_back),
        cmocka_unit_test(who_listens_hears_of_calls_with_the_urn_they_are_about),
        cmocka_unit_test(unknowns_travel_only_where_they_are_allowed),
        cmocka_unit_test(diff_sends_assets_without_contents),
        cmocka_unit_test(diff_answers_are_read_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
