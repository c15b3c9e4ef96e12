/* world.c — makes the world of a crash story and puts it back. */
#include "crash/world.h"

#include "base/fs.h"
#include "base/vec.h"
#include "support/collect.h"
#include "support/command.h"
#include "support/json_value.h"

#include <stdlib.h>

/* What an operation changes. */
static const char *const changing[] = { "state", "proj", "run" };

static fallible shell(struct arena *arena, struct strs words)
{
    struct command command = { .words = words, .directory = STR("/"), .timeout_ms = 600000 };
    struct command_result result = { 0 };

    TRY(command_run(arena, &command, &result));
    if (result.exit_code != 0)
        return error_new(ERROR_OTHER, STR_FMT ": " STR_FMT, STR_ARG(words.items[0]),
                         STR_ARG(result.errors));
    return NULL;
}

static fallible copy_tree(struct arena *arena, str from, str to)
{
    const str words[] = { STR("/bin/cp"), STR("-a"), from, to };

    return shell(arena, (struct strs){ words, 4 });
}

static fallible save(struct world *world)
{
    TRY(fs_make_directory(workdir_file(&world->workdir, "saved"), 0755));
    for (size_t i = 0; i < sizeof(changing) / sizeof(*changing); i++)
        TRY(copy_tree(&world->arena, workdir_file(&world->workdir, changing[i]),
                      workdir_file(&world->workdir, "saved")));
    return NULL;
}

fallible world_restore(struct world *world, struct arena *arena)
{
    str saved = fs_path_join(arena, world->workdir.path, STR("saved"));

    for (size_t i = 0; i < sizeof(changing) / sizeof(*changing); i++) {
        TRY(fs_remove_tree(fs_path_join(arena, world->workdir.path, str_from(changing[i]))));
        TRY(copy_tree(arena, fs_path_join(arena, saved, str_from(changing[i])),
                      world->workdir.path));
    }
    return NULL;
}

static fallible prepare(struct world *world, const struct story *story)
{
    const struct scenario *scenario = &story->scenario;
    struct value result;

    TRY(workdir_prepare(&world->workdir, scenario));
    for (size_t i = 0; i + 1 < scenario->operation_count; i++) {
        TRY(operation_run(&world->workdir, &scenario->operations[i], &result));
        if (object_number(result, STR("exit"), -1) != 0)
            return error_new(
                ERROR_OTHER, "operation %zu failed:\n" STR_FMT, i + 1,
                STR_ARG(json_value_text(&world->arena, object_get(result, STR("output")), 1)));
    }
    return save(world);
}

fallible world_open(const struct story *story, struct world *out)
{
    *out = (struct world){ .folder = "/tmp/crash-XXXXXX" };
    if (!mkdtemp(out->folder))
        return error_os("make a folder in '/tmp'");
    out->workdir = (struct workdir){
        .arena = &out->arena,
        .path = str_from(out->folder),
        .program = story->program,
        .self = story->self,
        .log = &out->log,
    };
    struct error *failure = prepare(out, story);
    if (failure)
        failure = error_join(failure, world_close(out));
    return failure;
}

/* --- what is left --- */

struct search {
    struct arena *arena;
    bool also_temporary;
    VEC(str);
};

static fallible search_folder(struct search *search, str path)
{
    str *names;
    size_t len;

    TRY(fs_list(search->arena, path, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str child = fs_path_join(search->arena, path, names[i]);
        bool is_lock = str_find(child, STR("/.pulumi/locks/")) != SIZE_MAX;
        bool is_temporary = str_find(names[i], STR(".tmp")) != SIZE_MAX;
        if (fs_is_directory(child))
            TRY(search_folder(search, child));
        else if (is_lock || (search->also_temporary && is_temporary))
            vec_add(search, child);
    }
    return NULL;
}

static fallible search_world(const struct workdir *workdir, struct search *search, struct strs *out)
{
    static const char *const folders[] = { "state", "proj", "home" };
    struct error *failure = NULL;

    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && !failure; i++)
        failure =
            search_folder(search, fs_path_join(search->arena, workdir->path, str_from(folders[i])));
    str *items = ARENA_ARRAY(search->arena, str, search->len + 1);
    for (size_t i = 0; i < search->len; i++)
        items[i] = search->items[i];
    *out = (struct strs){ items, search->len };
    vec_release(search);
    return failure;
}

fallible world_locks(const struct workdir *workdir, struct arena *arena, struct strs *out)
{
    struct search search = { .arena = arena };

    return search_world(workdir, &search, out);
}

fallible world_leftovers(const struct workdir *workdir, struct arena *arena, struct strs *out)
{
    struct search search = { .arena = arena, .also_temporary = true };

    return search_world(workdir, &search, out);
}

fallible world_close(struct world *world)
{
    struct error *failure = fs_remove_tree(str_from(world->folder));

    strbuf_release(&world->log);
    arena_release(&world->arena);
    return failure;
}
