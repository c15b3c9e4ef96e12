/* older_packages.c — refresh and destroy use the packages that the state names: warns where the
 * program asks for newer ones. */
#include "engine/deploy/deployment_parts.h"
#include "engine/run/run_parts.h"
#include "model/urn.h"

#include "base/semver.h"
#include "engine/run/source.h"
#include "plugin/language.h"

/* A parameterized package has the version of its parameter. */
struct package_version {
    str name;
    struct semver version;
};
struct package_versions {
    VEC(struct package_version);
};

static void versions_add(struct package_versions *list, str name, str version)
{
    struct package_version found = { .name = name };

    if (!semver_parse_tolerant(version, &found.version))
        return; /* not known: nothing can be said of it */
    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i].name, name)
            && semver_compare(&list->items[i].version, &found.version) == 0)
            return;
    vec_add(list, found);
}

static void find_state_packages(const struct deployment *deployment, struct package_versions *out)
{
    for (size_t i = 0; i < deployment->estate.base.len; i++) {
        const struct resource *resource = deployment->estate.base.items[i];
        if (type_is_provider(resource->type))
            versions_add(out, type_provider_package(resource->type),
                         value_find_text(resource->inputs, STR("version")));
    }
}

static void find_program_packages(const struct package_refs *packages, struct package_versions *out)
{
    for (size_t i = 0; packages && i < packages->len; i++) {
        const struct package_ref *package = &packages->items[i];
        if (!str_equal(package->kind, STR("resource")))
            continue;
        versions_add(out, package_ref_name(package), package_ref_version(package));
    }
}

static void warn_of_older(struct deployment *deployment, const struct package_version *old,
                          const struct package_version *new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!str_equal(old->name, new->name) || semver_compare(&old->version, &new->version) >= 0)
        return;
    report_diagnose(&deployment->report, SEVERITY_WARNING, STR(""),
                    "%s operation is using an older version of package '" STR_FMT
                    "' than the specified program version: " STR_FMT " < " STR_FMT,
                    operation_of(deployment->options)->noun, STR_ARG(old->name),
                    STR_ARG(semver_format(&scratch, &old->version)),
                    STR_ARG(semver_format(&scratch, &new->version)));
}

void older_packages_warn(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    bool is_without_program = operation_has(options, RULE_SPARES_PROGRAM);
    struct package_versions state = { 0 }, program = { 0 };

    if (!is_without_program || options->program.is_inline
        || options->project->program.root_directory.len == 0)
        return;
    find_state_packages(deployment, &state);
    if (state.len) { /* else the language host need not even start */
        error_ignore(source_find_packages(deployment), "the program is not needed here");
        find_program_packages(deployment->program.packages, &program);
        deployment->program.packages = NULL; /* those of the state are used */
    }
    for (size_t i = 0; i < program.len; i++)
        for (size_t j = 0; j < state.len; j++)
            warn_of_older(deployment, &state.items[j], &program.items[i]);
    vec_release(&state);
    vec_release(&program);
}
