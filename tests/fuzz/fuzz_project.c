/* fuzz_project.c — a project file that is accepted has a name, and its defaults satisfy its own
 * types. A package or an option that is put into it is there when it is read again, and so is the
 * name that a project made of it gets. */
#include "fuzz/fuzz_support.h"

#include "project/project.h"

static bool parse(struct arena *arena, str text, struct project *out)
{
    return fuzz_accepts(project_parse(arena, STR("/Pulumi.yaml"), text, out));
}

static void check_config(struct arena *arena, const struct project *project)
{
    struct config config = { 0 };

    if (fuzz_accepts(project_apply_config(arena, project, &config, NULL)))
        fuzz_accepts(project_validate_config(arena, project, STR("dev"), &config, NULL));
    fuzz_accepts(project_check_version(project, STR("v3.260.0")));
}

static void put_package(struct arena *arena, str text)
{
    const struct project_package package = { .name = STR("added"),
                                             .source = STR("./sdks/added"),
                                             .version = STR("1.2.3") };
    struct project project;
    str changed, again;
    size_t found = 0;

    if (!fuzz_accepts(project_put_package(arena, STR("/Pulumi.yaml"), text, &package, &changed)))
        return;
    REQUIRE(parse(arena, changed, &project));
    for (size_t i = 0; i < project.package_count; i++)
        found += str_equal(project.packages[i].name, package.name)
                 && str_equal(project.packages[i].source, package.source);
    REQUIRE(found == 1);
    REQUIRE(
        fuzz_accepts(project_put_package(arena, STR("/Pulumi.yaml"), changed, &package, &again)));
    REQUIRE(str_equal(again, changed));
}

static void instantiate(struct arena *arena, str text)
{
    const struct project_option option = { STR("toolchain"), STR("uv: \n'x'"), false };
    const struct project_instance instance = { .name = STR("made"),
                                               .description = STR("# of: a\ntemplate"),
                                               .template_name = STR("t"),
                                               .options = &option,
                                               .option_count = 1 };
    struct project project;
    str made;

    if (!fuzz_accepts(project_instantiate(arena, STR("/Pulumi.yaml"), text, &instance, &made)))
        return;
    REQUIRE(parse(arena, made, &project));
    REQUIRE(str_equal(project.name, instance.name)
            && str_equal(project.description, instance.description));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = { (const char *)data, size };
    struct project project;

    if (!parse(&arena, text, &project))
        return 0;
    REQUIRE(project.name.len > 0);
    check_config(&arena, &project);
    put_package(&arena, text);
    instantiate(&arena, text);
    return 0;
}
