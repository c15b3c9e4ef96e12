/* node_about.c — what `about` and `new` ask of the Node.js host. */
#include "nodejs/node_manager.h"

#include "base/fs.h"
#include "common/prompt.h"

/* --- about --- */

/* What a command prints; the empty slice if it fails. */
static str node_ask(struct host *host, struct arena *arena, str path, str directory,
                    struct words *args)
{
    CLEANUP(command_release) struct command command = { .path = path, .directory = directory };
    str answer = STR("");

    words_add_all(&command.args, words_end(args));
    error_ignore(command_read(host, arena, &command, &answer), "facts that are nice to have");
    return answer;
}

static str ask_version(struct host *host, struct arena *arena, str path)
{
    CLEANUP(words_release) struct words args = { 0 };
    words_add(&args, arena, STR("--version"));
    return node_ask(host, arena, path, STR(""), &args);
}

static str ask_typescript(struct host *host, struct arena *arena, str node, str directory)
{
    CLEANUP(words_release) struct words args = { 0 };
    words_add(&args, arena, STR("-e"));
    words_add(&args, arena, STR("console.log(require('typescript/package.json').version)"));
    return node_ask(host, arena, node, directory, &args);
}

fallible node_about(struct host *host, struct arena *arena, const struct program *program,
                    struct about *out)
{
    struct chosen_manager chosen;

    TRY(node_find(host, arena, &out->executable));
    TRY(node_choose_manager(host, arena, program, &chosen));
    out->version = ask_version(host, arena, out->executable);
    about_add(out, STR("packagemanager"), str_from(chosen.manager->name));
    about_add(out, STR("packagemanagerVersion"), ask_version(host, arena, chosen.path));
    str typescript = ask_typescript(host, arena, out->executable, program->directory);
    if (typescript.len > 0)
        about_add(out, STR("typescriptVersion"), typescript);
    return NULL;
}

/* --- new --- */

fallible node_prompts(struct host *host, struct arena *arena, const struct program *program,
                      Pb__RuntimeOptionsResponse *out)
{
    static const char *const choices[] = { "npm", "pnpm", "yarn", "bun", NULL };

    if (!value_has(program->options, STR("packagemanager")))
        prompt_add(host, arena, out, "packagemanager",
                   "The package manager to use for installing dependencies", choices);
    return NULL;
}

/* pnpm refuses to install packages whose scripts are neither allowed nor ignored. */
fallible node_fill_template(struct host *host, struct arena *arena, const struct program *program,
                            str project)
{
    str path = fs_path_join(arena, program->directory, STR("pnpm-workspace.yaml"));
    struct node_options options;

    (void)host;
    (void)project;
    TRY(node_options_read(arena, program, &options));
    if (!str_equal(options.package_manager, STR("pnpm")) || fs_exists(path))
        return NULL;
    return fs_create(
        path,
        STR("# protobufjs works without its install script.\nallowBuilds:\n  protobufjs: false\n"),
        0600);
}
