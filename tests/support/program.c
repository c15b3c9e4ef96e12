/* program.c — plays the entries of a script, one after the other or side by side. */
#include "support/program.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "support/json_value.h"
#include "support/script.h"

void program_release(struct program *program)
{
    map_release(&program->bindings);
}

/* --- entries that need no call --- */

static fallible export_outputs(struct program *program, struct value entry)
{
    return program_outputs(program, program->root, object_get(entry, STR("export")));
}

static fallible component_outputs(struct program *program, struct value entry)
{
    return program_outputs(program, program_urn(program, object_text(entry, STR("outputs"))),
                           object_get(entry, STR("values")));
}

static fallible bench(struct program *program, struct value entry)
{
    return program_bench(program, object_get(entry, STR("bench")));
}

static fallible info(struct program *program, struct value entry)
{
    (void)entry;
    return program_deployment_info(program);
}

/* What a program needs is asked before it runs, by GetRequiredPackages. */
static fallible requires(struct program *program, struct value entry)
{
    (void)program, (void)entry;
    return NULL;
}

static fallible pause_entry(struct program *program, struct value entry)
{
    (void)program;
    return fiber_sleep_ms((uint64_t)object_number(entry, STR("sleepMs"), 0));
}

static fallible await_entry(struct program *program, struct value entry)
{
    struct value call = object_get(entry, STR("await"));

    (void)program;
    return script_await(object_text(call, STR("on")), object_text(call, STR("name")));
}

static fallible appear_entry(struct program *program, struct value entry)
{
    (void)program;
    return script_await_files(object_get(entry, STR("appears")));
}

static fallible fail_entry(struct program *program, struct value entry)
{
    (void)program;
    return error_new(ERROR_OTHER, STR_FMT, STR_ARG(object_text(entry, STR("fail"))));
}

static fallible bail(struct program *program, struct value entry)
{
    (void)entry;
    program->has_bailed = true;
    return error_new(ERROR_OTHER, "bail");
}

static fallible sequence(struct program *program, struct value entry)
{
    return program_run(program, object_get(entry, STR("seq")));
}

/* --- side by side --- */

struct branch {
    struct program *program;
    struct value entries;
    struct work_group *group;
    struct error *failure;
};

static void run_branch(void *branch_)
{
    struct branch *branch = branch_;

    branch->failure = program_run(branch->program, branch->entries);
    work_group_done(branch->group);
}

static fallible parallel(struct program *program, struct value entry)
{
    struct value list = object_get(entry, STR("parallel"));
    struct branch *branches = ARENA_ARRAY(program->arena, struct branch, list.len + 1);
    struct work_group group = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; list.kind == VALUE_ARRAY && i < list.len; i++) {
        branches[i] = (struct branch){ program, value_array(program->arena, &list.items[i], 1),
                                       &group, NULL };
        work_group_add(&group, 1);
        fiber_spawn(run_branch, &branches[i]);
    }
    work_group_wait_uncancelable(&group);
    for (size_t i = 0; i < list.len; i++)
        failure = error_join(failure, branches[i].failure);
    return failure;
}

/* --- one after the other --- */

static const struct {
    const char *key;
    struct error *(*play)(struct program *program, struct value entry);
} kinds[] = {
    { "resource", program_register },
    { "read", program_read },
    { "invoke", program_invoke },
    { "call", program_call },
    { "outputs", component_outputs },
    { "export", export_outputs },
    { "log", program_log },
    { "print", program_print },
    { "hook", program_callback },
    { "errorHook", program_callback },
    { "transform", program_callback },
    { "invokeTransform", program_callback },
    { "package", program_package },
    { "feature", program_feature },
    { "requires", requires },
    { "info", info },
    { "schema", program_schema },
    { "mapping", program_mapping },
    { "seq", sequence },
    { "bench", bench },
    { "sleepMs", pause_entry },
    { "await", await_entry },
    { "appears", appear_entry },
    { "fail", fail_entry },
    { "bail", bail },
    { "parallel", parallel },
};

/* The order matters: a registration may also have a `package` and `outputs`. */
static fallible play(struct program *program, struct value entry)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (object_get(entry, str_from(kinds[i].key)).kind != VALUE_NULL)
            return kinds[i].play(program, entry);
    str text = json_value_text(program->arena, entry, 0);
    return error_new(ERROR_INVALID, "a program entry of no known kind: " STR_FMT, STR_ARG(text));
}

fallible program_run(struct program *program, struct value entries)
{
    for (size_t i = 0; entries.kind == VALUE_ARRAY && i < entries.len; i++) {
        if (object_flag(entries.items[i], STR("late")) != program->is_late)
            continue;
        struct error *failure = play(program, entries.items[i]);
        if (failure && !object_flag(entries.items[i], STR("tolerate")))
            return failure;
        error_ignore(failure, "the script tolerates it");
    }
    return NULL;
}
