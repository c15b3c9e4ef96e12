/* fuzz_policy.c — what a policy pack says of itself with the user's configuration of it, what it
 * says of resources, and the files PulumiPlugin.yaml and PulumiPolicy.yaml. */
#include "fuzz/fuzz_support.h"

#include "plugin/language/analyzer_answer.h"
#include "plugin/language/analyzer_config.h"
#include "plugin/plugin_project.h"
#include "proto/message.h"

/* The user's JSON, a NUL byte, and the message of the pack. Every policy gets its entry. */
static void try_config(struct arena *arena, str input)
{
    Pb__ConfigureAnalyzerRequest request = PB__CONFIGURE_ANALYZER_REQUEST__INIT;
    str config = fuzz_part(&input);
    void *info;

    if (!fuzz_accepts(message_unpack(arena, &pb__analyzer_info__descriptor, input, &info)))
        return;
    const Pb__AnalyzerInfo *pack = info;
    if (!fuzz_accepts(analyzer_config_merge(arena, pack, config, &request)))
        return;
    REQUIRE(request.n_policy_config == pack->n_policies);
    for (size_t i = 0; i < pack->n_policies; i++)
        REQUIRE(str_equal(message_str(request.policy_config[i]->key),
                          message_str(pack->policies[i]->name)));
    str bytes = MESSAGE_PACK(arena, &request);
    REQUIRE(fuzz_accepts(
        message_unpack(arena, &pb__configure_analyzer_request__descriptor, bytes, &info)));
}

static void try_project(struct arena *arena, str text)
{
    static const str files[] = { STR_INIT("PulumiPlugin.yaml"), STR_INIT("PulumiPolicy.yaml") };
    static const str kinds[] = { STR_INIT("resource"), STR_INIT("analyzer") };
    struct plugin_project project;
    size_t which = fuzz_choice(&text, 2);

    fuzz_file(arena, files[which], text);
    if (!fuzz_accepts(plugin_project_load(arena, kinds[which], fuzz_folder(), &project)))
        return;
    REQUIRE(project.runtime.len > 0 && project.options.kind == VALUE_OBJECT);
    for (size_t i = 0; i < project.package_count; i++)
        plugin_source_is_folder(project.packages[i].source);
}

/* The length of what the pack says of itself, that, and what it says of a resource. Every one of
 * its complaints arrives, with a level and a severity that there are. */
static void try_answer(struct arena *arena, str input, bool is_remediation)
{
    size_t len = fuzz_choice(&input, 256);
    struct analyzer_facts facts = { NULL, STR("") };
    struct policy_violations violations;
    struct remediations remediations;
    void *info, *answer;

    if (!fuzz_accepts(
            message_unpack(arena, &pb__analyzer_info__descriptor, str_slice(input, 0, len), &info))
        || !fuzz_accepts(message_unpack(arena,
                                        is_remediation ? &pb__remediate_response__descriptor
                                                       : &pb__analyze_response__descriptor,
                                        str_slice(input, len, input.len), &answer)))
        return;
    facts.info = info;
    if (is_remediation) {
        if (fuzz_accepts(analyzer_take_remediations(facts, arena, answer, &remediations)))
            REQUIRE(remediations.len == ((const Pb__RemediateResponse *)answer)->n_remediations);
        return;
    }
    analyzer_take_violations(facts, arena, answer, &violations);
    REQUIRE(violations.len == ((const Pb__AnalyzeResponse *)answer)->n_diagnostics);
    for (size_t i = 0; i < violations.len; i++)
        REQUIRE(violations.items[i].level <= POLICY_REMEDIATE
                && str_is_utf8(violations.items[i].message));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    switch (fuzz_choice(&input, 4)) {
    case 0: try_config(&arena, input); break;
    case 1: try_project(&arena, input); break;
    case 2: try_answer(&arena, input, false); break;
    default: try_answer(&arena, input, true); break;
    }
    return 0;
}
