/* operation.c — runs one operation of a scenario: sets the stage, runs the command, gathers what
 * happened. */
#include "support/collect.h"

#include "base/fs.h"
#include "support/cloud.h"
#include "support/json_value.h"
#include "support/mask.h"
#include "support/scenario_file.h"
#include "support/section.h"

/* --- the stage --- */

static fallible write_script(struct workdir *workdir, const char *name, struct value value)
{
    return fs_replace_quick(workdir_file(workdir, name), json_value_text(workdir->arena, value, 0),
                            0644);
}

/* Changes behind the engine's back. */
static fallible drift(struct workdir *workdir, const struct operation *operation)
{
    struct value set = operation->cloud_set;
    struct cloud cloud;

    if (set.kind != VALUE_OBJECT && operation->cloud_delete.len == 0)
        return NULL;
    TRY(cloud_open(workdir->arena, workdir_file(workdir, "run"), &cloud));
    for (size_t i = 0; set.kind == VALUE_OBJECT && i < set.len; i++)
        cloud_put(&cloud, set.members[i].key, object_text(set.members[i].value, STR("type")),
                  object_get(set.members[i].value, STR("props")));
    for (size_t i = 0; i < operation->cloud_delete.len; i++)
        cloud_remove(&cloud, operation->cloud_delete.items[i]);
    return cloud_close(&cloud);
}

static fallible set_stage(struct workdir *workdir, const struct operation *operation)
{
    struct value no_rules = value_array(workdir->arena, NULL, 0);

    if (operation->program.kind != VALUE_NULL)
        TRY(write_script(workdir, "run/program.json", operation->program));
    if (operation->components.kind != VALUE_NULL)
        TRY(write_script(workdir, "run/components.json", operation->components));
    TRY(write_script(workdir, "run/rules.json",
                     operation->rules.kind == VALUE_NULL ? no_rules : operation->rules));
    TRY(fs_remove_if_present(workdir_file(workdir, "run/trace.jsonl")));
    TRY(fs_remove_if_present(workdir_file(workdir, "run/events.json")));
    if (operation_wants(operation, "plan"))
        TRY(fs_remove_if_present(workdir_file(workdir, "run/plan.json")));
    return drift(workdir, operation);
}

/* --- editing the state --- */

/* One resource as the edit wants it; false if it is to go. */
static bool edit_resource(struct arena *arena, struct value edit, struct value *resource)
{
    str name = arena_concat(arena, STR("::"), object_text(edit, STR("name")));
    struct value set = object_get(edit, STR("set"));
    struct strs unset = object_strs(arena, edit, STR("unset"));

    if (!str_ends_with(object_text(*resource, STR("urn")), name))
        return true;
    if (set.kind == VALUE_OBJECT)
        *resource = value_merge(arena, *resource, set);
    for (size_t i = 0; i < unset.len; i++)
        *resource = value_without(arena, *resource, unset.items[i]);
    return !object_flag(edit, STR("remove"));
}

static struct value edit_deployment(struct arena *arena, struct value deployment, struct value edit)
{
    CLEANUP(values_release) struct values kept = { 0 };
    struct value members = object_get(edit, STR("deployment"));
    struct value resources = object_get(deployment, STR("resources"));

    if (members.kind == VALUE_OBJECT)
        return value_merge(arena, deployment, members);
    if (resources.kind != VALUE_ARRAY)
        return deployment;
    for (size_t i = 0; i < resources.len; i++) {
        struct value resource = resources.items[i];
        if (edit_resource(arena, edit, &resource))
            vec_add(&kept, resource);
    }
    return value_with(arena, deployment, STR("resources"), values_array(arena, &kept));
}

static fallible edit_state(struct workdir *workdir, struct value edits)
{
    struct arena *arena = workdir->arena;
    struct command_result result = { 0 };
    struct value file;
    str text, path = workdir_file(workdir, "run/edited.json");
    const str args[] = { STR("stack"), STR("import"), STR("--force"), STR("--file"), path };

    TRY(workdir_export(workdir, &text));
    TRY(json_value_parse(arena, text, &file));
    struct value deployment = object_get(file, STR("deployment"));
    for (size_t i = 0; edits.kind == VALUE_ARRAY && i < edits.len; i++)
        deployment = edit_deployment(arena, deployment, edits.items[i]);
    TRY(write_script(workdir, "run/edited.json",
                     value_with(arena, file, STR("deployment"), deployment)));
    TRY(workdir_run_quietly(workdir, (struct strs){ args, 5 }, value_null(), &result));
    return result.exit_code == 0
               ? NULL
               : error_new(ERROR_OTHER, "import: " STR_FMT, STR_ARG(result.errors));
}

/* --- the command --- */

struct verb {
    const char *name;
    const char *words[6]; /* between the verb and the event log */
    bool is_parallel;     /* takes --parallel */
};

static const struct verb verbs[] = {
    { "up", { "--yes", "--skip-preview", "--non-interactive" }, true },
    { "refresh", { "--yes", "--skip-preview", "--non-interactive" }, true },
    { "destroy", { "--yes", "--skip-preview", "--non-interactive" }, true },
    { "preview", { "--non-interactive" }, true },
    { "import", { "--yes", "--skip-preview", "--non-interactive" }, false },
};

static struct strs make_args(struct workdir *workdir, const struct operation *operation,
                             const struct verb *verb)
{
    enum { OWN_WORDS = 15 };
    str *args = ARENA_ARRAY(workdir->arena, str, OWN_WORDS + operation->args.len);
    size_t len = 0;

    args[len++] = operation->verb;
    for (const char *const *word = verb->words; *word; word++)
        args[len++] = str_from(*word);
    args[len++] = STR("--event-log");
    args[len++] = workdir_file(workdir, "run/events.json");
    if (verb->is_parallel) {
        args[len++] = STR("--parallel");
        args[len++] = arena_printf(workdir->arena, "%u", operation->parallel);
    }
    if (operation_wants(operation, "plan")) {
        args[len++] = STR("--save-plan");
        args[len++] = workdir_file(workdir, "run/plan.json");
    }
    if (operation_wants(operation, "json"))
        args[len++] = STR("--json");
    for (size_t i = 0; i < operation->args.len; i++)
        args[len++] = operation->args.items[i];
    return (struct strs){ args, len };
}

static fallible find_verb(str name, const struct verb **out)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (str_equal(name, str_from(verbs[i].name))) {
            *out = &verbs[i];
            return NULL;
        }
    return error_new(ERROR_INVALID, "there is no operation '" STR_FMT "'", STR_ARG(name));
}

static fallible run_command(struct workdir *workdir, const struct operation *operation,
                            struct command_result *out)
{
    const struct verb *verb;

    if (str_equal(operation->verb, STR("state")))
        return edit_state(workdir, operation->edits);
    struct strs args = operation->args;
    if (!str_equal(operation->verb, STR("cli"))) {
        TRY(find_verb(operation->verb, &verb));
        args = make_args(workdir, operation, verb);
    }
    return operation_wants(operation, "json")
               ? workdir_run_quietly(workdir, args, operation->environment, out)
               : workdir_run(workdir, args, operation->environment, out);
}

static struct value output_lines(struct arena *arena, str text)
{
    CLEANUP(values_release) struct values lines = { 0 };
    str line;

    while (str_cut(text, STR("\n"), &line, &text))
        vec_add(&lines, value_string(line));
    vec_add(&lines, value_string(text));
    return values_array(arena, &lines);
}

fallible operation_run(struct workdir *workdir, const struct operation *operation,
                       struct value *out)
{
    struct arena *arena = workdir->arena;
    struct command_result command = { 0 };
    struct value result = VALUE_EMPTY_OBJECT;

    TRY(set_stage(workdir, operation));
    TRY(run_command(workdir, operation, &command));
    result = value_with(arena, result, STR("exit"), value_number(command.exit_code));
    if (!operation_wants(operation, "json")) /* else the section has it */
        result = value_with(arena, result, STR("output"),
                            output_lines(arena, mask_text(arena, command.output, workdir->path)));
    TRY(collect_all(workdir, operation->is_unordered, &result));
    TRY(section_collect_all(workdir, operation, command.output, &result));
    *out = result;
    return NULL;
}
