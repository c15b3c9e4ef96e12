/* sdk_maker.c — has a language host make SDKs, beside their place until they are whole. */
#include "cli/package/sdk_maker.h"

#include "base/fs.h"
#include "cli/open.h"

#include <stdio.h>
#include <stdlib.h>

fallible sdk_maker_open(struct cli *cli, struct plugin_host *host, str runtime,
                        struct sdk_maker *out)
{
    *out = (struct sdk_maker){ .cli = cli, .schemas = { .cli = cli, .host = host } };
    out->source = (struct schema_source){ &out->schemas, code_schemas_text };
    TRY(error_wrap(plugin_load_language(host, runtime, &out->language),
                   "load language plugin " STR_FMT, STR_ARG(runtime)));
    return schema_server_open(&out->source, host, &out->server);
}

void sdk_maker_close(struct sdk_maker *maker)
{
    if (maker->server)
        schema_server_close(maker->server);
    code_schemas_release(&maker->schemas);
}

void sdk_maker_know(struct sdk_maker *maker, const struct package_sdk *sdk)
{
    code_schemas_put(&maker->schemas, &sdk->package, sdk->schema);
}

/* --- folders --- */

static bool text_has(struct arena *arena, str path, str words)
{
    enum { LONGEST_MARK = 1 << 20 };
    str text;
    struct error *failure = fs_read(arena, path, LONGEST_MARK, &text);
    bool has_words = !failure && str_find(text, words) != SIZE_MAX;

    error_ignore(failure, "then it is no mark");
    return has_words;
}

/* Every language leaves a file that names the plugin. */
static bool is_mark_of_sdk(struct arena *arena, str folder, str name)
{
    str path = fs_path_join(arena, folder, name);

    if (str_equal(name, STR("pulumi-plugin.json")))
        return true;
    if (str_equal(name, STR("package.json")))
        return text_has(arena, path, STR("\"pulumi\""));
    return str_ends_with(name, STR(".yaml"))
           && text_has(arena, path, STR("packageDeclarationVersion"));
}

static bool is_sdk_folder(struct arena *arena, str folder, unsigned depth)
{
    enum { DEEPEST_MARK = 6 };
    size_t count = 0;
    str *names;
    struct error *failure = fs_list(arena, folder, &names, &count);
    bool is_sdk = !failure && depth == 0 && count == 0;

    error_ignore(failure, "what cannot be read is not ours");
    for (size_t i = 0; i < count && !is_sdk; i++)
        is_sdk = is_mark_of_sdk(arena, folder, names[i]);
    for (size_t i = 0; i < count && !is_sdk && depth < DEEPEST_MARK; i++) {
        str below = fs_path_join(arena, folder, names[i]);
        bool is_foreign = str_equal(names[i], STR("node_modules"));
        is_sdk = !is_foreign && fs_is_directory(below) && is_sdk_folder(arena, below, depth + 1);
    }
    return is_sdk;
}

static fallible check_place(struct arena *arena, str folder)
{
    if (!fs_exists(folder) || (fs_is_directory(folder) && is_sdk_folder(arena, folder, 0)))
        return NULL;
    return error_new(ERROR_EXISTS,
                     "'" STR_FMT
                     "' is not an SDK that was generated: move it away first, or choose "
                     "another place. Nothing was changed",
                     STR_ARG(folder));
}

static str swap_path(struct arena *arena, const struct sdk_swap *swap, bool is_old)
{
    return fs_path_join(arena, swap->stage, is_old ? STR("old") : STR("new"));
}

static fallible swap_rename(struct arena *arena, str from, str to)
{
    if (rename(arena_cstr(arena, from), arena_cstr(arena, to)) != 0)
        return error_os("rename '" STR_FMT "' to '" STR_FMT "'", STR_ARG(from), STR_ARG(to));
    return NULL;
}

static fallible swap_open(struct arena *arena, str folder, struct sdk_swap *out)
{
    str above = fs_path_directory(folder);
    bool is_new = !fs_exists(above);

    TRY(fs_make_directory(above, 0755));
    char *stage = arena_cstr(arena, fs_path_join(arena, above, STR(".sdk-XXXXXX")));
    if (!mkdtemp(stage))
        return error_os("create a folder in '" STR_FMT "'", STR_ARG(above));
    *out = (struct sdk_swap){ .folder = folder, .stage = str_from(stage), .made_above = is_new };
    return NULL;
}

/* The old one goes when the new one is on the disk, not before. */
static fallible swap_in(struct arena *arena, struct sdk_swap *swap)
{
    TRY(fs_settle(swap->stage));
    if (fs_exists(swap->folder)) {
        TRY(swap_rename(arena, swap->folder, swap_path(arena, swap, true)));
        swap->had_old = true;
    }
    TRY(swap_rename(arena, swap_path(arena, swap, false), swap->folder));
    swap->has_new = true;
    return NULL;
}

void sdk_swap_keep(struct sdk_swap *swap)
{
    if (swap->stage.len)
        error_ignore(fs_remove_tree(swap->stage), "a folder of ours that nobody needs");
    swap->stage = STR("");
}

void sdk_swap_undo(struct sdk_swap *swap)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (swap->stage.len == 0)
        return;
    if (swap->has_new)
        error_ignore(fs_remove_tree(swap->folder), "it is replaced, or of no use");
    if (swap->had_old)
        error_ignore(swap_rename(&scratch, swap_path(&scratch, swap, true), swap->folder),
                     "the failure that leads here is reported");
    sdk_swap_keep(swap);
    if (swap->made_above)
        error_ignore(fs_remove_tree(fs_path_directory(swap->folder)), "it was not there before");
}

/* --- making --- */

fallible sdk_maker_make(struct sdk_maker *maker, const struct package_sdk *sdk, str folder,
                        struct pairs extra_files, bool is_local, struct sdk_swap *swap,
                        bool *is_implemented)
{
    struct arena *arena = maker->cli->arena;
    struct sdk_outcome outcome;

    *swap = (struct sdk_swap){ 0 };
    *is_implemented = true;
    TRY(check_place(arena, folder));
    TRY(swap_open(arena, folder, swap));
    const struct sdk_order order = {
        .folder = swap_path(arena, swap, false),
        .schema = sdk->schema,
        .is_local = is_local,
        .extra_files = extra_files,
        .loader_address = schema_server_address(maker->server),
    };
    struct error *failure = language_generate_package(maker->language, &order, arena, &outcome);
    *is_implemented = outcome.is_implemented;
    for (size_t i = 0; !failure && i < outcome.warnings.len; i++)
        cli_report(maker->cli, "warning",
                   arena_concat(arena, STR("package '"), sdk->head->name, STR("': "),
                                outcome.warnings.items[i]));
    if (!failure && *is_implemented)
        failure = fs_make_directory(order.folder, 0755); /* a package may need no files at all */
    if (!failure && *is_implemented)
        failure = swap_in(arena, swap);
    if (failure || !*is_implemented)
        sdk_swap_undo(swap);
    return failure;
}
