/* cmd_package_add.c — `package add`: an SDK for a package, known to the program, and written into
 * the project file. */
#include "cli/folder_lock.h"
#include "cli/package/package_schema.h"
#include "cli/package/package_target.h"
#include "cli/package/package_words.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/interrupt.h"

#include "base/fs.h"

#include <stdio.h>

struct package_add_args {
    str language;
    str server;
    str extension;
};

static const struct option options[] = {
    TEXT(struct package_add_args, language, 0, "language",
         "The language of the SDK, outside a project: nodejs, python, go, dotnet, java, yaml"),
    TEXT(struct package_add_args, server, 0, "server", "Where its plugin is downloaded from"),
    TEXT(struct package_add_args, extension, 0, "extension",
         "Extend the plugin's own package by these parameters, in one text, instead of making "
         "another one"),
    { 0 },
};

/* --- what the project file says about it --- */

/* A path as the project file has it: from its folder. */
static str add_relative(struct arena *arena, str root, str path)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str below = root, rest;

    strbuf_add(&out, STR("./"));
    if (str_equal(path, root))
        return STR(".");
    for (;;) {
        str head = str_equal(below, STR("/")) ? below : arena_concat(arena, below, STR("/"));
        if (str_starts_with(path, head)) {
            rest = str_slice(path, head.len, path.len);
            break;
        }
        strbuf_add(&out, STR("../"));
        below = fs_path_directory(below);
    }
    strbuf_add(&out, rest);
    str text = arena_copy(arena, strbuf_str(&out));
    return str_starts_with(text, STR("./../")) ? str_slice(text, 2, text.len) : text;
}

static struct project_package add_entry(struct arena *arena, const struct package_target *target,
                                        const struct package_source *source,
                                        const struct package_sdk *sdk, struct strs words)
{
    const struct schema *head = sdk->head;
    bool is_extension = head->extension.is_given;
    struct project_package entry = {
        .name = head->name,
        .source = is_extension ? head->extension.name : sdk->package.name,
        .version = is_extension ? head->extension.version : sdk->package.version,
        .download_url = STR(""),
        .parameters = words.items,
        .parameter_count = words.len,
        .is_extension = is_extension,
    };

    if (source->address.len) {
        entry.source = source->address;
        entry.version = source->package.version;
    } else if (source->is_folder) {
        entry.source = add_relative(arena, target->root, source->folder.path);
        entry.version = STR("");
    } else {
        if (source->package.version.len)
            entry.version = source->package.version;
        entry.download_url = source->package.download_url;
    }
    return entry;
}

/* --- adding --- */

static fallible add_sdk(struct sdk_maker *maker, const struct package_target *target,
                        const struct package_sdk *sdk, struct sdk_swap *swap)
{
    struct cli *cli = maker->cli;
    str sdks = package_target_sdks(cli->arena, target);
    bool is_implemented;

    TRY(error_wrap(sdk_maker_make(maker, sdk, fs_path_join(cli->arena, sdks, sdk->folder),
                                  (struct pairs){ 0 }, true, swap, &is_implemented),
                   "failed to generate SDK"));
    if (!is_implemented)
        return error_new(ERROR_OTHER,
                         "the language host for " STR_FMT
                         " does not generate SDKs. Nothing was changed",
                         STR_ARG(target->runtime));
    printf("Successfully generated an SDK for the " STR_FMT " package at " STR_FMT "\n",
           STR_ARG(sdk->head->name), STR_ARG(sdks));
    fflush(stdout);
    return package_target_link(maker, target, sdk, 1, true);
}

static fallible add_by_host(struct cli *cli, struct plugin_host *host,
                            const struct package_target *target, const struct package_sdk *sdk,
                            const struct project_package *entry)
{
    struct sdk_maker maker;
    struct sdk_swap swap = { 0 };
    int lock;

    TRY(cli_lock_folder(target->root, &lock));
    struct error *failure = sdk_maker_open(cli, host, target->runtime, &maker);
    if (!failure)
        failure = add_sdk(&maker, target, sdk, &swap);
    if (!failure && entry)
        failure = package_target_record(cli, target, entry);
    if (failure && swap.stage.len)
        fprintf(stderr, "The SDK was taken away again; the project is as it was.\n");
    (failure ? sdk_swap_undo : sdk_swap_keep)(&swap);
    sdk_maker_close(&maker);
    fs_unlock(lock);
    return failure;
}

static struct error *cmd_package_add_all(struct cli *cli, const void *args_)
{
    const struct package_add_args *args = args_;
    struct package_target target;
    struct package_words words;
    struct package_source source;
    struct package_sdk sdk;
    struct plugin_host *host;

    TRY(package_words_read(cli, args->extension, &words));
    TRY(package_target_find(cli, args->language, &target));
    TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_words_schema(cli, &source, args->server, &words, true, &sdk));
    struct project_package entry = add_entry(cli->arena, &target, &source, &sdk, words.words);
    TRY(cli_open_plugins_again(cli, target.root, &host));
    struct error *failure = add_by_host(cli, host, &target, &sdk, source.file.len ? NULL : &entry);
    plugin_host_close(host);
    TRY(failure);
    fprintf(stderr, "%s package " STR_FMT "\n", entry.is_extension ? "Extended" : "Added",
            STR_ARG(package_sdk_title(cli->arena, &sdk)));
    return NULL;
}

static struct error *cmd_package_add_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_package_add_all);
}

const struct command cmd_package_add = {
    .path = "package add",
    .operands = "SOURCE [PARAMETER...]",
    .summary = "Add a package to the project, with an SDK that is made for it",
    .details = PACKAGE_SOURCE_HELP
    " The SDK goes to sdks/ of the project, the program is told where it is, and `packages:` of "
    "the project file remembers the package, so that `install` can make the SDK again. Without a "
    "version the newest that is installed is taken. If anything fails the project is as it was.",
    .example = "package add random@4.18.0\n"
               "package add terraform-provider hashicorp/random\n"
               "package add ./my-component",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct package_add_args),
    .options = OPTIONS(options),
    .run = cmd_package_add_run,
};
