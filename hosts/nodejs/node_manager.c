/* node_manager.c — which package manager a project uses. */
#include "nodejs/node_manager.h"

#include "base/settings.h"
#include "common/search.h"

static const struct package_manager managers[] = {
    { "yarn", { "yarn.lock" }, { "install" }, "--production" },
    { "pnpm", { "pnpm-lock.yaml" }, { "install", "--use-stderr" }, "--production" },
    { "bun",
      { "bun.lock", "bun.lockb" },
      { "install" },
      NULL }, /* with --production it insists on its lock file */
    { "npm", { NULL }, { "install", "--loglevel=error" }, "--production" },
};
enum { MANAGERS = sizeof(managers) / sizeof(*managers) };

static const struct package_manager *find_manager(str name)
{
    for (size_t i = 0; i < MANAGERS; i++)
        if (str_equal(name, str_from(managers[i].name)))
            return &managers[i];
    return NULL;
}

static fallible use(struct host *host, struct arena *arena, const struct package_manager *manager,
                    struct chosen_manager *out)
{
    out->manager = manager;
    out->path = host_find_executable(host, arena, str_from(manager->name));
    if (out->path.len > 0)
        return NULL;
    return error_new(
        ERROR_NOT_FOUND,
        "Could not find `%s` executable.\nInstall %s and make sure it is in your PATH.",
        manager->name, manager->name);
}

/* Only pnpm reads package.yaml. */
static bool has_yaml_manifest(struct arena *arena, str directory)
{
    str json = search_up(arena, directory, STR("package.json"));
    str yaml = search_up(arena, directory, STR("package.yaml"));
    return yaml.len > 0 && yaml.len > json.len;
}

static bool is_used(struct arena *arena, const struct package_manager *manager, str directory)
{
    if (str_equal(str_from(manager->name), STR("yarn")) && settings_bool("PULUMI_PREFER_YARN"))
        return true;
    for (size_t i = 0; i < 2 && manager->lock_files[i]; i++)
        if (search_up(arena, directory, str_from(manager->lock_files[i])).len > 0)
            return true;
    return false;
}

fallible node_choose_manager(struct host *host, struct arena *arena, const struct program *program,
                             struct chosen_manager *out)
{
    bool needs_pnpm = has_yaml_manifest(arena, program->directory);
    struct node_options options;

    *out = (struct chosen_manager){ 0 };
    TRY(node_options_read(arena, program, &options));
    bool is_given = !str_equal(options.package_manager, STR("auto"));
    if (needs_pnpm && is_given && !str_equal(options.package_manager, STR("pnpm")))
        return error_new(ERROR_INVALID,
                         "the project's manifest is package.yaml, which only pnpm reads, but the "
                         "packagemanager option "
                         "is '" STR_FMT "'",
                         STR_ARG(options.package_manager));
    if (is_given || needs_pnpm)
        return use(host, arena, find_manager(needs_pnpm ? STR("pnpm") : options.package_manager),
                   out);
    for (size_t i = 0; i < MANAGERS; i++) {
        if (!is_used(arena, &managers[i], program->directory))
            continue;
        out->manager = &managers[i];
        out->path = host_find_executable(host, arena, str_from(managers[i].name));
        if (out->path.len > 0)
            return NULL;
        out->missing = managers[i].name;
    }
    return use(host, arena, find_manager(STR("npm")), out);
}
