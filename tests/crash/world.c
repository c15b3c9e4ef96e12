/* world.c — makes the world of a crash story and puts it back. */
#include "crash/world.h"

#include "base/fs.h"
#include "support/collect.h"
#include "support/command.h"
#include "support/json_value.h"

#include <stdlib.h>

/* What an operation changes. */
static const char *const changing[] = { "state", "proj", "run" };

static fallible shell(struct arena *arena, struct strs words)
{
    struct command command = { .words = words, .directory = STR("/"), .timeout_ms = 60000 };
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

fallible world_close(struct world *world)
{
    struct error *failure = fs_remove_tree(str_from(world->folder));

    strbuf_release(&world->log);
    arena_release(&world->arena);
    return failure;
}
