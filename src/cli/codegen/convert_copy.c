/* convert_copy.c — looks at all files first, copies them into a folder beside their place, and then
 * only renames: what cannot be read, or does not fit onto the disk, leaves nothing half-written. */
#include "cli/codegen/convert_copy.h"

#include "base/fs.h"
#include "base/uuid.h"
#include "cli/codegen/pcl_syntax.h"

#include <sys/stat.h>

/* What is done with each file and folder, folders before what is in them. */
struct convert_walk {
    struct arena *arena;
    str from;
    str to; /* empty: nothing is written */
    fallible (*visit)(const struct convert_walk *walk, str path, bool is_folder);
};

/* It may lead out of the folder, or round in it. */
static bool convert_is_link(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stat status;

    return lstat(arena_cstr(&scratch, path), &status) == 0 && S_ISLNK(status.st_mode);
}

static fallible convert_visit(const struct convert_walk *walk, str below, struct str_list *open)
{
    str *names;
    size_t count = 0;

    TRY(walk->visit(walk, below, true));
    TRY(fs_list(walk->arena, fs_path_join(walk->arena, walk->from, below), &names, &count));
    for (size_t i = 0; i < count; i++) {
        str path = below.len ? fs_path_join(walk->arena, below, names[i]) : names[i];
        str whole = fs_path_join(walk->arena, walk->from, path);
        if (convert_is_link(whole))
            continue;
        if (fs_is_directory(whole))
            vec_add(open, path);
        else if (fs_is_file(whole))
            TRY(walk->visit(walk, path, false));
    }
    return NULL;
}

static fallible convert_walk(const struct convert_walk *walk)
{
    struct str_list open = { 0 };
    struct error *failure = NULL;

    vec_add(&open, STR(""));
    while (open.len && !failure) {
        str below = open.items[--open.len];
        failure = convert_visit(walk, below, &open);
    }
    vec_release(&open);
    return failure;
}

/* --- looking --- */

static struct error *convert_look(const struct convert_walk *walk, str path, bool is_folder)
{
    enum { PCL_MAX = 64 << 20 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text;

    if (is_folder || !str_ends_with(path, STR(".pp")))
        return NULL;
    TRY(fs_read(&scratch, fs_path_join(&scratch, walk->from, path), PCL_MAX, &text));
    return error_wrap(pcl_syntax_check(text), STR_FMT, STR_ARG(path));
}

fallible convert_check_pcl(struct arena *arena, str folder)
{
    const struct convert_walk walk = { .arena = arena, .from = folder, .visit = convert_look };

    return convert_walk(&walk);
}

/* --- copying --- */

static str convert_place(const struct convert_walk *walk, str path)
{
    return path.len ? fs_path_join(walk->arena, walk->to, path) : walk->to;
}

/* Nothing stands in the way of a rename. */
static struct error *convert_fits(const struct convert_walk *walk, str path, bool is_folder)
{
    str place = convert_place(walk, path);

    if (fs_exists(place) && fs_is_directory(place) != is_folder)
        return error_new(ERROR_EXISTS, "'" STR_FMT "' is there already, and is %s", STR_ARG(place),
                         is_folder ? "no folder" : "a folder");
    return NULL;
}

static struct error *convert_copy_one(const struct convert_walk *walk, str path, bool is_folder)
{
    str place = convert_place(walk, path);

    if (is_folder)
        return fs_make_directory(place, 0755);
    return fs_copy(fs_path_join(walk->arena, walk->from, path), place);
}

static struct error *convert_move_one(const struct convert_walk *walk, str path, bool is_folder)
{
    str place = convert_place(walk, path);

    if (is_folder)
        return fs_make_directory(place, 0755);
    return fs_rename(fs_path_join(walk->arena, walk->from, path), place);
}

fallible convert_copy(struct arena *arena, str from, str to)
{
    str beside = arena_concat(arena, to, STR(".culumi-"), uuid_new(arena));
    const struct convert_walk fits = { arena, from, to, convert_fits };
    const struct convert_walk copy = { arena, from, beside, convert_copy_one };
    const struct convert_walk move = { arena, beside, to, convert_move_one };

    TRY(convert_walk(&fits));
    struct error *failure = convert_walk(&copy);
    if (!failure)
        failure = convert_walk(&move);
    return fs_exists(beside) ? error_join(failure, fs_remove_tree(beside)) : failure;
}
