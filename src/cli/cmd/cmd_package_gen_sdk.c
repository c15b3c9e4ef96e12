/* cmd_package_gen_sdk.c — `package gen-sdk` and `package pack-sdk`: SDKs for others than the
 * project at hand. */
#include "cli/open.h"
#include "cli/package/package_target.h"
#include "cli/package/package_words.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/interrupt.h"

#include "base/fs.h"
#include "base/semver.h"
#include "plugin/plugin.h"

#include <stdio.h>

struct gen_sdk_args {
    str language;
    str out;
    str version;
    bool local;
    str overlays;
    str server;
    str extension;
};

static const struct option options[] = {
    TEXT_PRESET(struct gen_sdk_args, language, 0, "language", "all",
                "The language of the SDK: nodejs, python, go, dotnet, java, yaml, or all of them"),
    TEXT_PRESET(struct gen_sdk_args, out, 'o', "out", "./sdk", "The folder to write to"),
    TEXT(struct gen_sdk_args, version, 0, "version", "The version of the SDK"),
    FLAG(struct gen_sdk_args, local, 0, "local", "Make it for one project, not to be published"),
    TEXT(struct gen_sdk_args, overlays, 0, "overlays",
         "A folder with files that are copied into the SDK, one folder for each language"),
    TEXT(struct gen_sdk_args, server, 0, "server", "Where the plugin is downloaded from"),
    TEXT(struct gen_sdk_args, extension, 0, "extension",
         "Extend the plugin's own package by these parameters, in one text"),
    { 0 },
};

/* --- overlays --- */

struct overlay_files {
    VEC(struct pair);
};

static fallible read_overlays(struct arena *arena, str root, str below, struct overlay_files *out)
{
    enum { LARGEST_OVERLAY = 64 << 20 };
    str *names;
    size_t count;

    TRY(fs_list(arena, fs_path_join(arena, root, below), &names, &count));
    for (size_t i = 0; i < count; i++) {
        str path = below.len ? fs_path_join(arena, below, names[i]) : names[i], content;
        str file = fs_path_join(arena, root, path);
        if (fs_is_directory(file)) {
            TRY(read_overlays(arena, root, path, out));
            continue;
        }
        TRY(fs_read(arena, file, LARGEST_OVERLAY, &content));
        vec_add(out, ((struct pair){ path, content }));
    }
    return NULL;
}

/* A language without a folder has none. */
static fallible find_overlays(struct cli *cli, str overlays, str runtime, struct pairs *out)
{
    struct overlay_files files = { 0 };
    str here;

    *out = (struct pairs){ 0 };
    if (!overlays.len)
        return NULL;
    TRY(cli_current_directory(cli, &here));
    str root = fs_path_absolute(cli->arena, here, overlays);
    if (!fs_is_directory(root))
        return error_new(ERROR_NOT_FOUND, "there is no folder '" STR_FMT "' with overlays",
                         STR_ARG(overlays));
    root = fs_path_join(cli->arena, root, runtime);
    struct error *failure =
        fs_is_directory(root) ? read_overlays(cli->arena, root, STR(""), &files) : NULL;
    *out = pairs_copy(cli->arena, (struct pairs){ files.items, files.len });
    vec_release(&files);
    return failure;
}

/* --- one language --- */

static fallible gen_sdk_make(struct sdk_maker *maker, const struct gen_sdk_args *args, str runtime,
                             const struct package_sdk *sdk, bool *is_implemented)
{
    struct cli *cli = maker->cli;
    struct sdk_swap swap;
    struct pairs overlays;
    str here;

    TRY(cli_current_directory(cli, &here));
    TRY(find_overlays(cli, args->overlays, runtime, &overlays));
    str out = fs_path_join(cli->arena, fs_path_absolute(cli->arena, here, args->out), runtime);
    TRY(error_wrap(sdk_maker_make(maker, sdk, out, overlays, args->local, &swap, is_implemented),
                   "failed to generate SDK"));
    sdk_swap_keep(&swap);
    return NULL;
}

static fallible gen_sdk_for(struct cli *cli, struct plugin_host *host,
                            const struct gen_sdk_args *args, str runtime,
                            const struct package_sdk *sdk, bool *is_made)
{
    struct sdk_maker maker;

    struct error *failure = sdk_maker_open(cli, host, runtime, &maker);
    if (!failure)
        failure = gen_sdk_make(&maker, args, runtime, sdk, is_made);
    sdk_maker_close(&maker);
    return failure;
}

static fallible gen_sdk_one(struct cli *cli, struct plugin_host *host,
                            const struct gen_sdk_args *args, const struct package_sdk *sdk)
{
    str runtime = package_runtime(args->language);
    bool is_made;

    TRY(gen_sdk_for(cli, host, args, runtime, sdk, &is_made));
    if (!is_made)
        return error_new(ERROR_OTHER, "the language host for " STR_FMT " does not generate SDKs",
                         STR_ARG(runtime));
    fprintf(stderr, "SDK has been written to " STR_FMT "\n",
            STR_ARG(fs_path_join(cli->arena, args->out, runtime)));
    return NULL;
}

/* --- all of them --- */

/* Languages whose host is not installed are left out, and said so. */
static fallible gen_sdk_all(struct cli *cli, struct plugin_host *host,
                            const struct gen_sdk_args *args, const struct package_sdk *sdk)
{
    static const char *const runtimes[] = { "dotnet", "go", "java", "nodejs", "python" };
    size_t count = 0;

    for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
        const struct package_ref wanted = { .kind = STR("language"),
                                            .name = str_from(runtimes[i]) };
        bool is_made = false;
        str path;
        struct error *absence = plugin_find(host, &wanted, true, cli->arena, &path);
        bool is_absent = absence != NULL;
        error_ignore(absence, "said in other words");
        if (!is_absent)
            TRY(gen_sdk_for(cli, host, args, wanted.name, sdk, &is_made));
        if (!is_made)
            cli_report(cli, "warning",
                       arena_printf(cli->arena, "no SDK for %s: %s", runtimes[i],
                                    is_absent ? "its language host is not installed"
                                              : "its language host does not generate SDKs"));
        count += is_made;
    }
    if (!count)
        return error_new(ERROR_OTHER, "there is no language host that generates SDKs");
    fprintf(stderr, "SDKs have been written to " STR_FMT "\n", STR_ARG(args->out));
    return NULL;
}

static fallible gen_sdk_set_version(struct cli *cli, str version, struct package_sdk *sdk)
{
    struct package_sdk_facts facts = { .version = version, .forces_version = true };
    struct semver parsed;

    if (!version.len)
        return NULL;
    if (!semver_parse(version, &parsed))
        return error_new(ERROR_INVALID, "invalid version \"" STR_FMT "\"", STR_ARG(version));
    if (sdk->head->version.len)
        fprintf(stderr, "overriding package version " STR_FMT " with " STR_FMT "\n",
                STR_ARG(sdk->head->version), STR_ARG(version));
    return package_sdk_read(cli, sdk->schema, &facts, sdk);
}

static struct error *cmd_package_gen_sdk_all(struct cli *cli, const void *args_)
{
    const struct gen_sdk_args *args = args_;
    struct package_words words;
    struct package_source source;
    struct package_sdk sdk;
    struct plugin_host *host;
    str here;

    TRY(package_words_read(cli, args->extension, &words));
    TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_words_schema(cli, &source, args->server, &words, false, &sdk));
    TRY(gen_sdk_set_version(cli, args->version, &sdk));
    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins_again(cli, here, &host));
    struct error *failure = str_equal(args->language, STR("all"))
                                ? gen_sdk_all(cli, host, args, &sdk)
                                : gen_sdk_one(cli, host, args, &sdk);
    plugin_host_close(host);
    return failure;
}

static struct error *cmd_package_gen_sdk_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_package_gen_sdk_all);
}

const struct command cmd_package_gen_sdk = {
    .path = "package gen-sdk",
    .operands = "SOURCE [PARAMETER...]",
    .summary = "Make SDKs for a package",
    .details = PACKAGE_SOURCE_HELP
    " Each SDK goes to a folder of its language below --out, in the place of the one that was "
    "there.",
    .example = "package gen-sdk ./schema.json --language python\n"
               "package gen-sdk random@4.18.0 --out build/sdk",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct gen_sdk_args),
    .options = OPTIONS(options),
    .run = cmd_package_gen_sdk_run,
};

/* --- packing --- */

static fallible pack_sdk(struct cli *cli, struct plugin_host *host, str here)
{
    str runtime = package_runtime(cli_operand(cli, 0)), artifact;
    str folder = fs_path_absolute(cli->arena, here, cli_operand(cli, 1));
    struct language *language;

    if (!fs_is_directory(folder))
        return error_new(ERROR_NOT_FOUND, "there is no folder '" STR_FMT "' with an SDK",
                         STR_ARG(cli_operand(cli, 1)));
    TRY(error_wrap(plugin_load_language(host, runtime, &language), "load language plugin " STR_FMT,
                   STR_ARG(runtime)));
    TRY(language_pack(language, folder, here, cli->arena, &artifact));
    fwrite(artifact.ptr, 1, artifact.len, stdout);
    return NULL;
}

static struct error *cmd_package_pack_sdk_all(struct cli *cli, const void *args)
{
    struct plugin_host *host;
    str here;

    (void)args;
    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &host));
    struct error *failure = pack_sdk(cli, host, here);
    plugin_host_close(host);
    return failure;
}

static struct error *cmd_package_pack_sdk_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_package_pack_sdk_all);
}

const struct command cmd_package_pack_sdk = {
    .path = "package pack-sdk",
    .operands = "LANGUAGE FOLDER",
    .summary = "Make of an SDK what the package manager of its language installs",
    .details = "Prints the path of what was made, which is in the working directory.",
    .example = "package pack-sdk nodejs sdk/nodejs",
    .needs = NEEDS_LOOP,
    .run = cmd_package_pack_sdk_run,
};
