/* test_plugin_resources.c — Create, Read, Update and Delete over the wire. */
#include "unit/plugin_provider_fixture.h"
#include "unit/soon.h"

/* --- Create --- */

static void answer_create(const char *id, struct value outputs)
{
    Pb__CreateResponse response;
    pb__create_response__init(&response);
    response.id = (char *)id;
    response.refresh_before_update = true;
    message_put_bytes(&response, properties, wire(outputs));
    peer_answers(&peer, "Create", &response.base);
}

ON_LOOP(create_sends_everything_and_takes_id_and_outputs)
{
    (void)unused;
    open_configured(&modern);
    answer_create("i-1", object("x", secret(text("s")), "out", value_number(2), NULL));
    struct create_request request = { .urn = URN,
                                      .inputs = object("x", secret(text("s")), "a",
                                                       text_asset("hello", "h1"), NULL),
                                      .timeout = 1.5,
                                      .status_address = STR("127.0.0.1:7"),
                                      .status_token = STR("tok") };
    struct provider_state state;
    assert_ok(CALL(create, &request, &state));
    Pb__CreateRequest *asked = peer_asked(&peer, "Create", &pb__create_request__descriptor);
    assert_wire(message_get_bytes(asked, properties), request.inputs);
    assert_int_not_equal(str_find(message_get_bytes(asked, properties), STR("hello")), SIZE_MAX);
    assert_true(asked->timeout == 1.5);
    assert_false(asked->preview);
    assert_string_equal(asked->name, "name");
    assert_string_equal(asked->type, "pkg:index:Res");
    assert_string_equal(asked->resource_status_address, "127.0.0.1:7");
    assert_string_equal(asked->resource_status_token, "tok");
    assert_str_equal(state.id, STR("i-1"));
    assert_true(state.refreshes_before_update);
    assert_int_equal(state.status, RESOURCE_OK);
    assert_true(
        value_equal(state.outputs, object("x", secret(text("s")), "out", value_number(2), NULL)));
    close_provider();
}

ON_LOOP(outputs_of_a_plain_provider_are_secret_where_inputs_were)
{
    (void)unused;
    open_configured(&plain);
    answer_create(
        "i-1", object("x", text("s"), "deep", object("y", text("t"), "z", text("u"), NULL), NULL));
    struct create_request request = {
        .urn = URN,
        .inputs = object("x", secret(text("s")), "deep",
                         object("y", secret(text("t")), "z", text("u"), NULL), NULL)
    };
    struct provider_state state;
    assert_ok(CALL(create, &request, &state));
    assert_true(value_equal(state.outputs, request.inputs));
    Pb__CreateRequest *asked = peer_asked(&peer, "Create", &pb__create_request__descriptor);
    assert_wire(message_get_bytes(asked, properties),
                object("x", text("s"), "deep", object("y", text("t"), "z", text("u"), NULL), NULL));
    close_provider();
}

ON_LOOP(a_preview_may_have_unknown_outputs_and_no_id)
{
    (void)unused;
    open_configured(&modern);
    answer_create("", object("out", value_computed(UNKNOWN_NUMBER), NULL));
    struct create_request request = { .urn = URN,
                                      .inputs = object("u", value_computed(UNKNOWN_STRING), NULL),
                                      .preview = true };
    struct provider_state state;
    assert_ok(CALL(create, &request, &state));
    Pb__CreateRequest *asked = peer_asked(&peer, "Create", &pb__create_request__descriptor);
    assert_true(asked->preview);
    assert_wire(message_get_bytes(asked, properties), request.inputs);
    assert_true(value_contains_unknown(state.outputs));
    close_provider();
}

ON_LOOP(an_old_provider_is_not_asked_in_a_preview)
{
    (void)unused;
    open_configured(&old);
    struct value inputs = object("x", value_number(1), NULL);
    struct create_request create = { .urn = URN, .inputs = inputs, .preview = true };
    struct update_request update = { .urn = URN,
                                     .id = STR("i"),
                                     .old_inputs = VALUE_EMPTY_OBJECT,
                                     .old_outputs = VALUE_EMPTY_OBJECT,
                                     .news = inputs,
                                     .preview = true };
    struct provider_state state;
    assert_ok(CALL(create, &create, &state));
    assert_true(value_equal(state.outputs, inputs));
    assert_ok(CALL(update, &update, &state));
    assert_true(value_equal(state.outputs, inputs));
    assert_int_equal(peer_count(&peer, "Create") + peer_count(&peer, "Update"), 0);
    close_provider();
}

ON_LOOP(a_created_resource_needs_an_id)
{
    (void)unused;
    open_configured(&modern);
    answer_create("", VALUE_EMPTY_OBJECT);
    struct create_request request = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    assert_fails(CALL(create, &request, &state), ERROR_INVALID,
                 "provider did not return an ID from Create");
    assert_int_equal(state.status, RESOURCE_UNKNOWN);
    close_provider();
}

ON_LOOP(codes_say_whether_something_may_have_happened)
{
    (void)unused;
    const struct {
        int code;
        enum resource_status status;
    } rows[] = {
        { RPC_UNKNOWN, RESOURCE_UNKNOWN },     { RPC_INTERNAL, RESOURCE_UNKNOWN },
        { RPC_DATA_LOSS, RESOURCE_UNKNOWN },   { RPC_UNAVAILABLE, RESOURCE_OK },
        { RPC_INVALID_ARGUMENT, RESOURCE_OK }, { RPC_UNIMPLEMENTED, RESOURCE_OK },
    };
    open_configured(&modern);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct create_request create = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
        struct delete_request delete = { .urn = URN,
                                         .id = STR("i"),
                                         .old_inputs = VALUE_EMPTY_OBJECT,
                                         .old_outputs = VALUE_EMPTY_OBJECT };
        struct provider_state state;
        peer_fails(&peer, "Create", rows[i].code, "boom");
        peer_fails(&peer, "Delete", rows[i].code, "boom");
        assert_fails(CALL(create, &create, &state), ERROR_STATUS, "boom");
        assert_int_equal(state.status,
                         RESOURCE_OK); /* there is nothing yet that could be in doubt */
        assert_fails(CALL(delete, &delete, &state), ERROR_STATUS, "boom");
        assert_int_equal(state.status, rows[i].status);
    }
    close_provider();
}

ON_LOOP(many_reasons_cost_what_they_are)
{
    enum { COUNT = 1500 };
    (void)unused;
    open_configured(&modern);
    char *reasons[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        reasons[i] = (char *)"x";
    Pb__ErrorResourceInitFailed failed;
    pb__error_resource_init_failed__init(&failed);
    failed.id = (char *)"i-9";
    failed.reasons = reasons;
    failed.n_reasons = COUNT;
    peer_fails_with("Create", RPC_UNKNOWN, "ErrorResourceInitFailed", &failed.base);

    struct create_request create = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    size_t before = fixture.arena.total;
    assert_fails(CALL(create, &create, &state), ERROR_STATUS,
                 "1500 errors occurred:\n\t* x\n\t* x");
    assert_int_equal(state.init_errors.len, COUNT);
    assert_true(fixture.arena.total - before < 1024 * 1024);
    close_provider();
}

ON_LOOP(a_half_made_resource_comes_back_with_reasons)
{
    (void)unused;
    open_configured(&modern);
    char *reasons[] = { (char *)"not ready", (char *)"no quota" };
    Pb__ErrorResourceInitFailed failed;
    pb__error_resource_init_failed__init(&failed);
    failed.id = (char *)"i-9";
    failed.reasons = reasons;
    failed.n_reasons = 2;
    failed.refresh_before_update = true;
    message_put_bytes(&failed, properties, wire(object("out", value_number(1), NULL)));
    message_put_bytes(&failed, inputs, wire(object("in", value_number(2), NULL)));
    const char *const methods[] = { "Create", "Update", "Read" };
    for (size_t i = 0; i < 3; i++)
        peer_fails_with(methods[i], RPC_UNKNOWN, "ErrorResourceInitFailed", &failed.base);

    struct create_request create = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    assert_fails(CALL(create, &create, &state), ERROR_STATUS,
                 "2 errors occurred:\n\t* not ready\n\t* no quota\n\n");
    assert_int_equal(state.status, RESOURCE_PARTIAL);
    assert_str_equal(state.id, STR("i-9"));
    assert_true(state.refreshes_before_update);
    assert_int_equal(state.init_errors.len, 2);
    assert_true(value_equal(state.outputs, object("out", value_number(1), NULL)));

    struct update_request update = { .urn = URN,
                                     .id = STR("i-1"),
                                     .old_inputs = VALUE_EMPTY_OBJECT,
                                     .old_outputs = VALUE_EMPTY_OBJECT,
                                     .news = VALUE_EMPTY_OBJECT };
    assert_fails(CALL(update, &update, &state), ERROR_STATUS, "not ready");
    assert_int_equal(state.status, RESOURCE_PARTIAL);
    assert_str_equal(state.id, STR("i-1"));
    assert_true(value_equal(state.outputs, object("out", value_number(1), NULL)));

    struct read_request read = { .urn = URN, .id = STR("i-1") };
    assert_fails(CALL(read, &read, &state), ERROR_STATUS, "not ready");
    assert_int_equal(state.status, RESOURCE_PARTIAL);
    assert_true(state.exists && state.has_inputs);
    assert_true(value_equal(state.inputs, object("in", value_number(2), NULL)));
    close_provider();
}

ON_LOOP(a_deeper_cause_is_appended)
{
    (void)unused;
    open_configured(&modern);
    Pb__ErrorCause cause = PB__ERROR_CAUSE__INIT;
    cause.message = (char *)"disk full";
    peer_fails_with("Create", RPC_INVALID_ARGUMENT, "ErrorCause", &cause.base);
    struct create_request request = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    assert_fails(CALL(create, &request, &state), ERROR_STATUS, "outer: disk full");
    assert_int_equal(state.status, RESOURCE_OK);
    close_provider();
}

ON_LOOP(an_answer_that_is_no_message_leaves_the_state_unknown)
{
    (void)unused;
    open_configured(&modern);
    struct reply rubbish = { .method = "Update", .bytes = STR("\x0a\xff\xff") };
    vec_add(&peer.replies, rubbish);
    struct update_request request = { .urn = URN,
                                      .id = STR("i"),
                                      .old_inputs = VALUE_EMPTY_OBJECT,
                                      .old_outputs = VALUE_EMPTY_OBJECT,
                                      .news = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    assert_fails(CALL(update, &request, &state), ERROR_STATUS, "] gave a bad answer to Update: ");
    assert_int_equal(state.status, RESOURCE_UNKNOWN);
    close_provider();
}

ON_LOOP(details_that_are_rubbish_do_not_hide_the_failure)
{
    (void)unused;
    open_configured(&modern);
    struct reply reply = { .method = "Create",
                           .code = RPC_INVALID_ARGUMENT,
                           .message = STR("boom"),
                           .details = STR("\x1a\x7f") };
    vec_add(&peer.replies, reply);
    struct create_request request = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    assert_fails(CALL(create, &request, &state), ERROR_STATUS, "boom");
    assert_int_equal(state.status, RESOURCE_OK);
    close_provider();
}

/* --- Read --- */

ON_LOOP(read_tells_absent_from_empty)
{
    (void)unused;
    open_configured(&modern);
    struct read_request request = { .urn = URN, .id = STR("i-1") };
    struct provider_state state;
    assert_ok(CALL(read, &request, &state));
    assert_false(state.exists || state.has_inputs);
    Pb__ReadRequest *asked = peer_asked(&peer, "Read", &pb__read_request__descriptor);
    assert_false(message_has(asked, properties) || message_has(asked, inputs));

    Pb__ReadResponse response;
    pb__read_response__init(&response);
    response.id = (char *)"i-2";
    message_put_bytes(&response, properties, wire(VALUE_EMPTY_OBJECT));
    peer_answers(&peer, "Read", &response.base);
    request.inputs = request.state = VALUE_EMPTY_OBJECT;
    assert_ok(CALL(read, &request, &state));
    assert_true(state.exists && !state.has_inputs);
    assert_str_equal(state.id, STR("i-2"));
    asked = peer_asked(&peer, "Read", &pb__read_request__descriptor);
    assert_true(message_has(asked, properties) && message_has(asked, inputs));
    close_provider();
}

ON_LOOP(read_gives_assets_their_contents_back)
{
    (void)unused;
    open_configured(&modern);
    Pb__ReadResponse response;
    pb__read_response__init(&response);
    message_put_bytes(&response, properties, wire(object("a", text_asset("", "h1"), NULL)));
    message_put_bytes(&response, inputs, wire(object("a", text_asset("", "h1"), NULL)));
    peer_answers(&peer, "Read", &response.base);
    struct value inputs = object("a", text_asset("hello", "h1"), NULL);
    struct read_request request = { .urn = URN, .id = STR("i"), .inputs = inputs, .state = inputs };
    struct provider_state state;
    assert_ok(CALL(read, &request, &state));
    Pb__ReadRequest *asked = peer_asked(&peer, "Read", &pb__read_request__descriptor);
    assert_int_equal(str_find(message_get_bytes(asked, inputs), STR("hello")), SIZE_MAX);
    assert_str_equal(value_find(state.outputs, STR("a"))->asset->text, STR("hello"));
    assert_str_equal(value_find(state.inputs, STR("a"))->asset->text, STR("hello"));
    close_provider();
}

ON_LOOP(views_travel_with_their_parents)
{
    (void)unused;
    open_configured(&modern);
    struct resource view = { .urn = STR("urn:pulumi:dev::proj::pkg:index:Res$pkg:index:View::v"),
                             .parent = URN,
                             .view_of = URN,
                             .inputs = object("x", value_number(1), NULL),
                             .outputs = VALUE_EMPTY_OBJECT };
    struct resource nested = {
        .urn = STR("urn:pulumi:dev::proj::pkg:index:Res$pkg:index:View$pkg:index:Deep::d"),
        .parent = view.urn,
        .view_of = URN,
        .inputs = VALUE_EMPTY_OBJECT,
        .outputs = VALUE_EMPTY_OBJECT
    };
    struct resource *const views[] = { &view, &nested };
    struct delete_request request = { .urn = URN,
                                      .id = STR("i"),
                                      .old_inputs = VALUE_EMPTY_OBJECT,
                                      .old_outputs = object("o", value_number(1), NULL),
                                      .old_views = { views, 2 } };
    struct provider_state state;
    assert_ok(CALL(delete, &request, &state));
    Pb__DeleteRequest *asked = peer_asked(&peer, "Delete", &pb__delete_request__descriptor);
    assert_wire(message_get_bytes(asked, properties), request.old_outputs);
    assert_int_equal(asked->n_old_views, 2);
    assert_string_equal(asked->old_views[0]->type, "pkg:index:View");
    assert_string_equal(asked->old_views[0]->name, "v");
    assert_string_equal(asked->old_views[0]->parent_name, "");
    assert_string_equal(asked->old_views[1]->parent_type, "pkg:index:View");
    assert_string_equal(asked->old_views[1]->parent_name, "v");
    close_provider();
}

/* --- Update --- */

ON_LOOP(update_elides_what_is_old_and_sends_what_is_new)
{
    (void)unused;
    open_configured(&modern);
    struct value old_value = object("a", text_asset("old text", "h0"), NULL),
                 new_value = object("a", text_asset("new text", "h1"), NULL);
    str ignored[] = { STR("z") };
    struct update_request request = { .urn = URN,
                                      .id = STR("i"),
                                      .old_inputs = old_value,
                                      .old_outputs = old_value,
                                      .news = new_value,
                                      .timeout = 2,
                                      .ignore_changes = { ignored, 1 } };
    struct provider_state state;
    assert_ok(CALL(update, &request, &state));
    Pb__UpdateRequest *asked = peer_asked(&peer, "Update", &pb__update_request__descriptor);
    assert_int_equal(str_find(message_get_bytes(asked, olds), STR("old text")), SIZE_MAX);
    assert_int_equal(str_find(message_get_bytes(asked, old_inputs), STR("old text")), SIZE_MAX);
    assert_int_not_equal(str_find(message_get_bytes(asked, news), STR("new text")), SIZE_MAX);
    assert_int_equal(asked->n_ignore_changes, 1);
    assert_true(asked->timeout == 2);
    assert_int_equal(state.outputs.kind, VALUE_OBJECT);
    close_provider();
}

ON_LOOP(a_real_update_may_not_answer_unknowns)
{
    (void)unused;
    open_configured(&modern);
    Pb__UpdateResponse response;
    pb__update_response__init(&response);
    message_put_bytes(&response, properties,
                      wire(object("u", value_computed(UNKNOWN_STRING), NULL)));
    peer_answers(&peer, "Update", &response.base);
    struct update_request request = { .urn = URN,
                                      .id = STR("i"),
                                      .old_inputs = VALUE_EMPTY_OBJECT,
                                      .old_outputs = VALUE_EMPTY_OBJECT,
                                      .news = VALUE_EMPTY_OBJECT };
    struct provider_state state;
    assert_fails(CALL(update, &request, &state), ERROR_INVALID,
                 "unexpected unknown property value");
    close_provider();
}

/* --- cancellation --- */

struct pending {
    struct latch started;
    struct latch gate;
    struct work_group done;
    enum error_kind kind;
    struct provider_state state;
};

static void run_create(void *pending_)
{
    struct pending *pending = pending_;
    struct create_request request = { .urn = URN, .inputs = VALUE_EMPTY_OBJECT };
    latch_open(&pending->started);
    struct error *failure = CALL(create, &request, &pending->state);
    pending->kind = error_kind(failure);
    error_free(failure);
    work_group_done(&pending->done);
}

ON_LOOP(an_abandoned_create_leaves_the_state_unknown)
{
    (void)unused;
    struct pending pending = { 0 };
    open_configured(&modern);
    struct reply slow = { .method = "Create", .bytes = STR(""), .waits_for = &pending.gate };
    vec_add(&peer.replies, slow);
    struct cancel *scope = cancel_open(NULL);
    work_group_add(&pending.done, 1);
    fiber_spawn_in(scope, run_create, &pending);
    assert_soon(peer_count(&peer, "Create") == 1);
    cancel_fire(scope);
    assert_ok(work_group_wait(&pending.done));
    assert_int_equal(pending.kind, ERROR_CANCELED);
    assert_int_equal(pending.state.status, RESOURCE_UNKNOWN);
    cancel_close(scope);
    close_provider();
}

ON_LOOP(closing_breaks_calls_under_way)
{
    (void)unused;
    struct pending pending = { 0 };
    open_configured(&modern);
    struct reply slow = { .method = "Create", .bytes = STR(""), .waits_for = &pending.gate };
    vec_add(&peer.replies, slow);
    work_group_add(&pending.done, 1);
    fiber_spawn(run_create, &pending);
    assert_soon(peer_count(&peer, "Create") == 1);
    plugin_host_close(host);
    assert_ok(work_group_wait(&pending.done));
    assert_int_equal(pending.kind, ERROR_STATUS);
    peer_close(&peer);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(create_sends_everything_and_takes_id_and_outputs),
        cmocka_unit_test(outputs_of_a_plain_provider_are_secret_where_inputs_were),
        cmocka_unit_test(a_preview_may_have_unknown_outputs_and_no_id),
        cmocka_unit_test(an_old_provider_is_not_asked_in_a_preview),
        cmocka_unit_test(a_created_resource_needs_an_id),
        cmocka_unit_test(codes_say_whether_something_may_have_happened),
        cmocka_unit_test(a_half_made_resource_comes_back_with_reasons),
        cmocka_unit_test(many_reasons_cost_what_they_are),
        cmocka_unit_test(a_deeper_cause_is_appended),
        cmocka_unit_test(an_answer_that_is_no_message_leaves_the_state_unknown),
        cmocka_unit_test(details_that_are_rubbish_do_not_hide_the_failure),
        cmocka_unit_test(read_tells_absent_from_empty),
        cmocka_unit_test(read_gives_assets_their_contents_back),
        cmocka_unit_test(views_travel_with_their_parents),
        cmocka_unit_test(update_elides_what_is_old_and_sends_what_is_new),
        cmocka_unit_test(a_real_update_may_not_answer_unknowns),
        cmocka_unit_test(an_abandoned_create_leaves_the_state_unknown),
        cmocka_unit_test(closing_breaks_calls_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
