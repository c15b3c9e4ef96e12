/* test_yaml_host_service.c — the YAML host as the engine calls it. */
#include "unit/check.h"

#include "base/fs.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "yaml/serve/host.h"

#include "pb/language.pb-c.h"

#include <stdio.h>
#include <stdlib.h>

/* One call of a host that serves; the answer is copied into the arena. */
struct call {
    struct arena arena;
    const char *path;
    str request;
    str answer;
    struct error *failure;
};

static struct error *call_host(struct call *call)
{
    struct rpc_client *client = NULL;
    struct host *host;
    char address[32];

    TRY(host_open(STR("127.0.0.1:1"), &host));
    snprintf(address, sizeof(address), "127.0.0.1:%u", host_port(host));
    struct error *failure = rpc_client_open(str_from(address), &client);
    if (!failure)
        failure =
            rpc_call_unary(client, call->path, call->request, NULL, &call->arena, &call->answer);
    if (client)
        rpc_client_close(client);
    host_close(host);
    return failure;
}

static void call_on_fiber(void *call_)
{
    struct call *call = call_;
    call->failure = call_host(call);
}

static void call_method(struct call *call, const char *path, const ProtobufCMessage *request,
                        const ProtobufCMessageDescriptor *answer_type, void **answer)
{
    call->path = path;
    call->request = message_pack(&call->arena, request);
    assert_ok(scheduler_run(call_on_fiber, call));
    assert_ok(call->failure);
    assert_ok(message_unpack(&call->arena, answer_type, call->answer, answer));
}

static void put(struct call *call, const char *folder, const char *name, const char *text)
{
    str path = fs_path_join(&call->arena, str_from(folder), str_from(name));
    assert_ok(fs_replace(path, str_from(text), 0600));
}

static void a_program_depends_on_its_packages(void **state)
{
    struct call call = { 0 };
    char folder[] = "/tmp/yaml-service-XXXXXX";
    Pb__ProgramInfo info = PB__PROGRAM_INFO__INIT;
    Pb__GetProgramDependenciesRequest request = PB__GET_PROGRAM_DEPENDENCIES_REQUEST__INIT;
    Pb__GetProgramDependenciesResponse *answer = NULL;
    static const char *const wanted[][2] = { { "adds", "2.0.0" },
                                             { "more", "0.3.0" },
                                             { "aws", "7.0.0" },
                                             { "sub", "0.1.0" },
                                             { "random", "4.1.0" } };

    (void)state;
    assert_non_null(mkdtemp(folder));
    put(&call, folder, "Pulumi.yaml",
        "name: x\nruntime: yaml\n"
        "resources:\n"
        "  a: {type: 'random:RandomPet', options: {version: 4.1.0}}\n"
        "  b: {type: 'sub:Thing'}\n"
        "  c: {type: 'pulumi:pulumi:StackReference'}\n"
        "  d: {type: 'adds:Thing'}\n"
        "  e: {type: 'more:Thing'}\n"
        "variables: {v: {fn::invoke: {function: 'aws:get', options: {version: 7.0.0}}}}\n");
    put(&call, folder, "sub.yaml",
        "packageDeclarationVersion: 1\nname: base\nversion: 2.0.0\n"
        "parameterization: {name: sub, version: 0.1.0, value: aGk=}\n");
    put(&call, folder, "base.yaml", "packageDeclarationVersion: 1\nname: adds\nversion: 2.0.0\n");
    put(&call, folder, "adds.yaml",
        "packageDeclarationVersion: 1\nname: adds\nversion: 2.0.0\n"
        "extension: {name: more, version: 0.3.0, value: aGk=}\n");
    info.program_directory = folder;
    request.info = &info;
    call_method(&call, "/pulumirpc.LanguageRuntime/GetProgramDependencies", &request.base,
                &pb__get_program_dependencies_response__descriptor, (void **)&answer);
    assert_int_equal(answer->n_dependencies, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(answer->dependencies[i]->name, wanted[i][0]);
        assert_string_equal(answer->dependencies[i]->version, wanted[i][1]);
    }
    assert_ok(fs_remove_tree(str_from(folder)));
    arena_release(&call.arena);
}

static const Pb__GenerateProgramResponse *generate(struct call *call, char *pcl)
{
    Pb__StringEntry entry = PB__STRING_ENTRY__INIT, *entries[] = { &entry };
    Pb__GenerateProgramRequest request = PB__GENERATE_PROGRAM_REQUEST__INIT;
    Pb__GenerateProgramResponse *answer = NULL;

    entry.key = (char[]){ "anonymous.pp" };
    entry.value = pcl;
    request.source = entries;
    request.n_source = 1;
    call_method(call, "/pulumirpc.LanguageRuntime/GenerateProgram", &request.base,
                &pb__generate_program_response__descriptor, (void **)&answer);
    return answer;
}

static void an_import_gets_its_declarations(void **state)
{
    struct call call = { 0 };
    const Pb__GenerateProgramResponse *answer =
        generate(&call, (char[]){ "resource pet \"random:RandomPet\" {\n    length = 2\n}\n" });

    (void)state;
    assert_int_equal(answer->n_source, 1);
    assert_string_equal(answer->source[0]->key, "Main.yaml");
    assert_str_equal(message_bytes(answer->source[0]->value),
                     STR("resources:\n  pet:\n    type: random:RandomPet\n"
                         "    properties:\n      length: 2\n"));
    assert_int_equal(answer->n_diagnostics, 0);
    arena_release(&call.arena);
}

static void what_cannot_be_printed_is_a_diagnostic(void **state)
{
    struct call call = { 0 };
    const Pb__GenerateProgramResponse *answer = generate(&call, (char[]){ "config x int {\n}\n" });

    (void)state;
    assert_int_equal(answer->n_source, 0);
    assert_int_equal(answer->n_diagnostics, 1);
    assert_int_equal(answer->diagnostics[0]->severity, PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR);
    arena_release(&call.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_depends_on_its_packages),
        cmocka_unit_test(an_import_gets_its_declarations),
        cmocka_unit_test(what_cannot_be_printed_is_a_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
