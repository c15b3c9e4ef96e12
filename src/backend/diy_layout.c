/* diy_layout.c — the names of the reference's files. */
#include "backend/diy_layout.h"

#include "base/program.h"
#include "model/urn.h"

#include <stdlib.h>

/* --- names --- */

static str diy_folder(struct diy_layout layout, struct arena *arena, const char *kind, str project)
{
    if (layout.is_legacy)
        return arena_printf(arena, STR_FMT ".pulumi/%s", STR_ARG(layout.root), kind);
    return arena_printf(arena, STR_FMT ".pulumi/%s/" STR_FMT, STR_ARG(layout.root), kind,
                        STR_ARG(project));
}

static str diy_stack_folder(struct diy_layout layout, struct arena *arena, const char *kind,
                            struct stack_ref stack)
{
    return arena_concat(arena, diy_folder(layout, arena, kind, stack.project), STR("/"),
                        stack.name);
}

str diy_stack_path(struct diy_layout layout, struct arena *arena, struct stack_ref stack,
                   const char *extension)
{
    return arena_concat(arena, diy_stack_folder(layout, arena, "stacks", stack),
                        str_from(extension));
}

str diy_stacks_folder(struct diy_layout layout, struct arena *arena)
{
    return arena_concat(arena, layout.root, STR(".pulumi/stacks"));
}

str diy_history_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack)
{
    return diy_stack_folder(layout, arena, "history", stack);
}

str diy_backup_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack)
{
    return diy_stack_folder(layout, arena, "backups", stack);
}

str diy_journal_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack)
{
    return diy_stack_folder(layout, arena, "journals", stack);
}

str diy_lock_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack)
{
    return arena_concat(arena, layout.root, STR(".pulumi/locks/"),
                        layout.is_legacy ? stack.name : stack_ref_qualified(arena, stack));
}

struct diy_history_names diy_history_names(struct diy_layout layout, struct arena *arena,
                                           struct stack_ref stack, int64_t stamp,
                                           enum compression entry, enum compression checkpoint)
{
    str folder = diy_history_folder(layout, arena, stack);
    str backups = diy_backup_folder(layout, arena, stack);
    const char *extension = compression_extensions[checkpoint];

    return (struct diy_history_names){
        .entry = arena_printf(arena, "%s/" STR_FMT "-%lld.history.json%s", folder.ptr,
                              STR_ARG(stack.name), (long long)stamp, compression_extensions[entry]),
        .checkpoint = arena_printf(arena, "%s/" STR_FMT "-%lld.checkpoint.json%s", folder.ptr,
                                   STR_ARG(stack.name), (long long)stamp, extension),
        .backup = arena_printf(arena, "%s/" STR_FMT ".%lld.json%s", backups.ptr,
                               STR_ARG(stack.name), (long long)stamp, extension),
    };
}

bool diy_is_history_entry(str name)
{
    return str_ends_with(name, STR(".history.json")) || str_ends_with(name, STR(".history.json.gz"))
           || str_ends_with(name, STR(".history.json.zst"));
}

void diy_page(size_t count, size_t page, size_t page_size, size_t *start, size_t *end)
{
    *start = 0;
    *end = count;
    if (page_size == 0)
        return;
    size_t before = page > 0 ? page - 1 : 0;
    *start = before > count / page_size ? count : before * page_size;
    *end = count - *start > page_size ? *start + page_size : count;
}

bool diy_stack_of_file(str name, str *out)
{
    for (int i = 0; i < COMPRESSIONS; i++) {
        str extension = str_from(compression_extensions[i]);
        if (extension.len > 0 && str_ends_with(name, extension)) {
            name = str_slice(name, 0, name.len - extension.len);
            break;
        }
    }
    if (!str_ends_with(name, STR(".json")))
        return false;
    *out = str_slice(name, 0, name.len - STR(".json").len);

    struct error *refused = stack_name_check(*out);
    bool is_stack = !refused;
    error_free(refused);
    return is_stack;
}

static int compare_stacks(const void *a_, const void *b_)
{
    const struct stack_summary *a = a_, *b = b_;
    int order = str_compare(a->stack.project, b->stack.project);
    return order ? order : str_compare(a->stack.name, b->stack.name);
}

void diy_sort_stacks(struct stack_summary *items, size_t *len)
{
    size_t kept = 0;

    if (*len == 0)
        return;
    qsort(items, *len, sizeof(*items), compare_stacks);
    for (size_t i = 1; i < *len; i++)
        if (compare_stacks(&items[i], &items[kept]) != 0)
            items[++kept] = items[i];
    *len = kept + 1;
}

str diy_renamed(struct arena *arena, str name, struct stack_ref stack, struct stack_ref renamed)
{
    if (!str_starts_with(name, stack.name))
        return name;
    return arena_concat(arena, renamed.name, str_slice(name, stack.name.len, name.len));
}

fallible diy_guess_project(const struct snapshot *snapshot, str *out)
{
    struct urn urn;

    if (snapshot->resource_count == 0)
        return error_new(ERROR_NOT_FOUND, "no project name found");
    TRY(urn_parse(snapshot->resources[0]->urn, &urn));
    *out = urn.project;
    return NULL;
}

/* --- what the store and the options say --- */

fallible diy_compression(const struct diy_options *options, enum compression *out)
{
    if (options->compresses_gzip && options->compresses_zstd)
        return error_new(ERROR_INVALID,
                         "DIY_BACKEND_GZIP and DIY_BACKEND_ZSTD cannot both be enabled");
    *out = options->compresses_gzip   ? COMPRESSION_GZIP
           : options->compresses_zstd ? COMPRESSION_ZSTD
                                      : COMPRESSION_NONE;
    return NULL;
}

/* The first "version: N" at the left margin; the file holds nothing else. */
fallible diy_meta_parse(str text, uint64_t *version)
{
    str line, key, value;

    while (str_next(&text, STR("\n"), &line)) {
        if (!str_cut(line, STR(":"), &key, &value) || !str_equal(str_trim(key), STR("version")))
            continue;
        str_cut(value, STR(" #"), &value, &line);
        if (!str_to_u64(str_trim(value), version))
            return error_new(ERROR_INVALID,
                             "corrupt store: \"" DIY_META "\" has version '" STR_FMT
                             "', not a number",
                             STR_ARG(str_trim(value)));
        return NULL;
    }
    return error_new(ERROR_INVALID, "corrupt store: missing version in \"" DIY_META "\"");
}

fallible diy_check_version(uint64_t version, const struct diy_options *options, str place)
{
    if (version > 1)
        return error_new(ERROR_INVALID,
                         "state store unsupported: 'meta.yaml' version (%llu) is not supported by "
                         "this version of the "
                         "Pulumi CLI",
                         (unsigned long long)version);
    if (version == 1 || options->ignores_legacy_error)
        return NULL;
    return error_new(ERROR_INVALID,
                     "the state in '" STR_FMT
                     "' has the old layout without projects: run `%s state "
                     "upgrade`, or set "
                     "PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 to use it as it is",
                     STR_ARG(place), program_name());
}
