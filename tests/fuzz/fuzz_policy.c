/* fuzz_policy.c — what a policy pack says of itself with the user's configuration of it, and the
 * files PulumiPlugin.yaml and PulumiPolicy.yaml. */
#include "fuzz/fuzz_support.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    if (fuzz_choice(&input, 2) == 0)
        try_config(&arena, input);
    else
        try_project(&arena, input);
    return 0;
}
