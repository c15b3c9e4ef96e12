/* template_source.c — finds templates by what the user has typed. */
#include "cli/new/template_source.h"

#include "base/fs.h"
#include "base/str_distance.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cli/new/template_fetch.h"
#include "cli/open.h"

#include <stdio.h>
#include <stdlib.h>

void template_finding_release(struct template_finding *finding)
{
    if (finding->temporary.len)
        error_ignore(fs_remove_tree(finding->temporary), "the system cleans its own folder");
    finding->temporary = STR("");
}

static void inspect_all(struct cli *cli, struct templates *list)
{
    for (size_t i = 0; i < list->len; i++)
        template_inspect(cli->arena, &list->items[i]);
}

/* --- names --- */

struct template_names {
    VEC(struct template);
};

static void add_unless_there(struct template_names *all, const struct templates *more)
{
    const size_t before = all->len;

    for (size_t i = 0; i < more->len; i++) {
        const struct templates known = { all->items, before };
        if (!template_find(&known, more->items[i].name))
            vec_add(all, more->items[i]);
    }
}

/* The user's own first: a built-in template of the same name is hidden by it. */
static fallible gather(struct cli *cli, enum template_kind kind, str cache, struct templates *out)
{
    struct template_names all = { 0 };
    struct templates cached = { 0 }, built_in;
    bool is_collection = true;

    if (fs_is_directory(cache))
        TRY(error_wrap(template_read_folder(cli->arena, kind, cache, &cached, &is_collection),
                       "reading templates"));
    template_built_in(cli->arena, kind, &built_in);
    if (is_collection)
        add_unless_there(&all, &cached);
    add_unless_there(&all, &built_in);
    *out =
        (struct templates){ arena_copy_bytes(cli->arena, all.items, all.len * sizeof(*all.items)),
                            all.len };
    vec_release(&all);
    return NULL;
}

/* Who has named a repository wants what is in it now. */
static fallible gather_fresh(struct cli *cli, const struct template_wish *wish,
                             struct templates *out)
{
    str cache;

    TRY(template_cache_folder(cli, wish->kind, &cache));
    if (template_cache_is_wanted(wish->kind) && !wish->is_offline)
        TRY(error_wrap(template_cache_update(cli, wish->kind),
                       "the repository of templates could not be read"));
    return gather(cli, wish->kind, cache, out);
}

fallible template_source_all(struct cli *cli, const struct template_wish *wish,
                             struct template_finding *out)
{
    *out = (struct template_finding){ .is_collection = true };
    TRY(gather_fresh(cli, wish, &out->list));
    inspect_all(cli, &out->list);
    return NULL;
}

static fallible unknown_name(struct cli *cli, const struct templates *list, str name, str reason)
{
    enum { FARTHEST = 2 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < list->len; i++)
        if (str_distance(list->items[i].name, name, STR_LETTERS_EXACT, FARTHEST) <= FARTHEST)
            strbuf_printf(&text, "%s\t" STR_FMT "\n", text.len ? "" : "\n\nDid you mean this?\n",
                          STR_ARG(list->items[i].name));
    if (reason.len)
        strbuf_printf(&text, "%sThe repository of templates could not be read: " STR_FMT,
                      text.len ? "" : "\n", STR_ARG(reason));
    str hints = arena_copy(cli->arena, strbuf_str(&text));
    return error_new(ERROR_NOT_FOUND, "template '" STR_FMT "' not found" STR_FMT, STR_ARG(name),
                     STR_ARG(hints));
}

/* A name that is not here may be in the repository of templates. */
static fallible find_name(struct cli *cli, const struct template_wish *wish,
                          struct template_finding *out)
{
    struct templates list;
    str reason = STR("");

    TRY(gather_fresh(cli, wish, &list));
    struct template *found = template_find(&list, wish->operand);
    if (!found && !wish->is_offline && !template_cache_is_wanted(wish->kind)) {
        struct error *failure = template_cache_update(cli, wish->kind);
        if (failure)
            reason = arena_copy(cli->arena, error_message(failure));
        error_ignore(failure, "reported with the name that was not found");
        str cache;
        TRY(template_cache_folder(cli, wish->kind, &cache));
        TRY(gather(cli, wish->kind, cache, &list));
        found = template_find(&list, wish->operand);
    }
    if (!found)
        return unknown_name(cli, &list, wish->operand, reason);
    out->list = (struct templates){ found, 1 };
    return NULL;
}

/* --- what the operand is --- */

/* A folder, or a file in one. *is_there is false if there is neither, or a folder without any
 * template that a name could be meant by. */
static fallible find_path(struct cli *cli, const struct template_wish *wish,
                          struct template_finding *out, bool *is_there)
{
    str here, path;

    TRY(cli_current_directory(cli, &here));
    path = fs_path_absolute(cli->arena, here, wish->operand);
    *is_there = fs_exists(path);
    if (!*is_there)
        return NULL;
    if (!fs_is_directory(path))
        path = fs_path_directory(path);
    TRY(template_read_folder(cli->arena, wish->kind, path, &out->list, &out->is_collection));
    *is_there = out->list.len > 0 || str_find_char(wish->operand, '/') != SIZE_MAX
                || str_starts_with(wish->operand, STR("."));
    out->shown = wish->operand;
    return NULL;
}

fallible template_source_find(struct cli *cli, const struct template_wish *wish,
                              struct template_finding *out)
{
    struct template_address address;
    bool is_there;

    *out = (struct template_finding){ 0 };
    if (wish->operand.len == 0)
        return template_source_all(cli, wish, out);
    TRY(template_address_parse(cli->arena, wish->operand, &address));
    if (address.place != TEMPLATE_NAME) {
        if (wish->is_offline)
            return error_new(ERROR_INVALID, "cannot use " STR_FMT " offline",
                             STR_ARG(address.shown));
        TRY(template_fetch(cli, wish->kind, &address, out));
        inspect_all(cli, &out->list);
        return NULL;
    }
    TRY(find_path(cli, wish, out, &is_there));
    if (!is_there) {
        *out = (struct template_finding){ 0 };
        TRY(find_name(cli, wish, out));
    }
    inspect_all(cli, &out->list);
    return NULL;
}

fallible template_source_check(const struct template *template)
{
    if (template->problem.len == 0)
        return NULL;
    return error_new(ERROR_INVALID, "template '" STR_FMT "' is currently broken: " STR_FMT,
                     STR_ARG(template->name), STR_ARG(template->problem));
}

/* --- lists --- */

static int compare_shown(const void *a_, const void *b_)
{
    const struct template *a = a_, *b = b_;

    if (!a->problem.len != !b->problem.len)
        return a->problem.len ? 1 : -1;
    return str_compare(a->name, b->name);
}

const char **template_source_lines(struct cli *cli, struct templates *list)
{
    const char **lines = ARENA_ARRAY(cli->arena, const char *, list->len + 1);
    size_t width = 0;

    if (list->len)
        qsort(list->items, list->len, sizeof(*list->items), compare_shown);
    for (size_t i = 0; i < list->len; i++)
        width = list->items[i].name.len > width ? list->items[i].name.len : width;
    for (size_t i = 0; i < list->len; i++) {
        const struct template *template = &list->items[i];
        str text = template->problem.len ? STR("(This template is currently broken)")
                                         : template->description;
        lines[i] = arena_printf(cli->arena, "%-*.*s    " STR_FMT, (int)width,
                                STR_ARG(template->name), STR_ARG(text))
                       .ptr;
    }
    return lines;
}

void template_source_print(struct cli *cli, const struct templates *list)
{
    struct templates sorted = {
        arena_copy_bytes(cli->arena, list->items, list->len * sizeof(*list->items)), list->len
    };
    const char **lines = template_source_lines(cli, &sorted);

    printf("\nAvailable Templates:\n");
    for (size_t i = 0; lines[i]; i++)
        printf("  %s\n", lines[i]);
}
