/* test_monitor_closing.c — a provider that may be gone is not called: what comes while the plugins
 * are being ended gets no answer. */
#include "engine/engine_options.h"
#include "engine/monitor/monitor.h"
#include "engine/provider/registry.h"
#include "engine/report/course.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "unit/check.h"

#define REFERENCE STR("urn:pulumi:dev::proj::pulumi:providers:pkg::default::id")

static struct {
    struct course course;
    size_t constructed;
    size_t called; /* Invoke and Call */
} seen;

static fallible count_construct(struct provider *provider, const struct construct_request *request,
                                struct arena *arena, struct construct_answer *out)
{
    (void)provider, (void)request, (void)arena, (void)out;
    seen.constructed++;
    return NULL;
}

static fallible count_invoke(struct provider *provider, const struct invoke_request *request,
                             struct arena *arena, struct invoke_answer *out)
{
    (void)provider, (void)request, (void)arena, (void)out;
    seen.called++;
    return NULL;
}

static fallible count_call(struct provider *provider, const struct call_request *request,
                           struct arena *arena, struct call_answer *out)
{
    (void)provider, (void)request, (void)arena, (void)out;
    seen.called++;
    return NULL;
}

static fallible begin_closing(struct provider *provider, str name, str version, str value,
                              struct arena *arena)
{
    (void)provider, (void)name, (void)version, (void)value, (void)arena;
    seen.course.is_closing = true;
    return NULL;
}

static struct error *construct_component(bool has_extension)
{
    static const struct provider_ops ops = { .construct = count_construct,
                                             .parameterize = begin_closing };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider provider = { .ops = &ops, .package = STR("pkg") };
    struct registry registry = { .arena = &arena };
    struct monitor monitor = { .arena = &arena, .registry = &registry, .course = &seen.course };
    const struct extension extension = { .ref = STR("r"), .name = STR("e"), .value = STR("") };
    struct package package = { .extension = &extension };
    const struct construct_request request = { .type = STR("pkg:index:Comp"), .name = STR("c") };
    struct construct_answer made = { 0 };

    seen.constructed = 0;
    map_put(&registry.configured, REFERENCE, &provider);
    map_put(&monitor.packages, STR("p"), &package);
    struct error *failure = monitor_construct(&monitor, &arena, &request, REFERENCE,
                                              has_extension ? STR("p") : STR(""), &made);
    registry_release(&registry);
    map_release(&monitor.packages);
    return failure;
}

static void a_component_is_constructed_by_its_provider(void **state)
{
    (void)state;
    seen.course = (struct course){ 0 };
    assert_ok(construct_component(false));
    assert_int_equal(seen.constructed, 1);
}

static void a_component_that_comes_while_plugins_end_is_not_constructed(void **state)
{
    (void)state;
    seen.course = (struct course){ .is_closing = true };
    assert_fails(construct_component(false), ERROR_CANCELED, "shut down");
    assert_int_equal(seen.constructed, 0);
}

static void nor_is_one_whose_provider_was_waited_for_meanwhile(void **state)
{
    (void)state;
    seen.course = (struct course){ 0 };
    assert_fails(construct_component(true), ERROR_CANCELED, "shut down");
    assert_int_equal(seen.constructed, 0);
}

/* --- functions and methods, over the wire --- */

struct asked {
    const char *path;
    str request;
    struct error *failure;
};

static void ask_monitor(void *asked_)
{
    static const struct rpc_method methods[] = { { .path = "/m/Invoke", .unary = monitor_invoke },
                                                 { .path = "/m/Call", .unary = monitor_call },
                                                 { .path = NULL } };
    static const struct provider_ops ops = { .invoke = count_invoke, .call = count_call };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct asked *asked = asked_;
    const struct engine_options options = { 0 };
    struct provider provider = { .ops = &ops, .package = STR("pkg") };
    struct registry registry = { .arena = &arena };
    struct monitor monitor = {
        .arena = &arena, .options = &options, .registry = &registry, .course = &seen.course
    };
    struct rpc_server *server = NULL;
    struct rpc_client *client = NULL;
    str answer;

    map_put(&registry.configured, REFERENCE, &provider);
    assert_ok(rpc_server_open(methods, &monitor, &server));
    assert_ok(rpc_client_open(rpc_server_address(server), &client));
    asked->failure = rpc_call_unary(client, asked->path, asked->request, NULL, &arena, &answer);
    rpc_client_close(client);
    rpc_server_close(server, 1000);
    registry_release(&registry);
    map_release(&monitor.traces);
}

static struct error *monitor_asked(const char *path, str request)
{
    struct asked asked = { .path = path, .request = request };

    seen.called = 0;
    assert_ok(scheduler_run(ask_monitor, &asked));
    return asked.failure;
}

static struct error *invoke_function(struct arena *arena)
{
    Pb__ResourceInvokeRequest message = PB__RESOURCE_INVOKE_REQUEST__INIT;

    message.tok = (char[]){ "pkg:index:fn" };
    message.provider = message_cstr(arena, REFERENCE);
    return monitor_asked("/m/Invoke", MESSAGE_PACK(arena, &message));
}

static struct error *call_method(struct arena *arena)
{
    Pb__ResourceCallRequest message = PB__RESOURCE_CALL_REQUEST__INIT;

    message.tok = (char[]){ "pkg:index:Comp/method" };
    message.provider = message_cstr(arena, REFERENCE);
    return monitor_asked("/m/Call", MESSAGE_PACK(arena, &message));
}

static void functions_and_methods_reach_their_provider(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    seen.course = (struct course){ 0 };
    assert_ok(invoke_function(&arena));
    assert_int_equal(seen.called, 1);
    assert_ok(call_method(&arena));
    assert_int_equal(seen.called, 1);
}

static void a_function_that_comes_while_plugins_end_is_not_called(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    seen.course = (struct course){ .is_closing = true };
    assert_fails(invoke_function(&arena), ERROR_STATUS, "shut down");
    assert_int_equal(seen.called, 0);
}

static void a_method_that_comes_while_plugins_end_is_not_called(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    seen.course = (struct course){ .is_closing = true };
    assert_fails(call_method(&arena), ERROR_STATUS, "shut down");
    assert_int_equal(seen.called, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_is_constructed_by_its_provider),
        cmocka_unit_test(a_component_that_comes_while_plugins_end_is_not_constructed),
        cmocka_unit_test(nor_is_one_whose_provider_was_waited_for_meanwhile),
        cmocka_unit_test(functions_and_methods_reach_their_provider),
        cmocka_unit_test(a_function_that_comes_while_plugins_end_is_not_called),
        cmocka_unit_test(a_method_that_comes_while_plugins_end_is_not_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
