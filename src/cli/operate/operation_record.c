/* operation_record.c — what is remembered of an operation: who ran what, how, and with which
 * result. */
#include "cli/operate/operation_setup.h"

#include "backend/history.h"
#include "base/clock.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/version.h"
#include "cli/operate/vcs.h"

#include <stdlib.h>
#include <sys/utsname.h>

extern char **environ;

struct environment {
    struct arena *arena;
    VEC(struct pair);
};

static void operation_record_add(struct environment *environment, str key, str value)
{
    vec_add(environment, ((struct pair){ key, value }));
}

enum variable_kind { TEXT_VALUE, SWITCH, HIDDEN };

/* Never the value: only that it is set, or of a switch how it stands. */
static str setting_word(str name, str value)
{
    static const struct {
        const char *name;
        enum variable_kind kind;
    } known[] = {
#define VARIABLE(name, help, kind) { name, kind },
#include "cli/variables.def"
#undef VARIABLE
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].kind == SWITCH && str_equal(name, str_from(known[i].name)))
            return settings_is_true(value) ? STR("true") : STR("false");
    return STR("set");
}

static void add_variables(struct environment *environment)
{
    str name, value;

    for (char **variable = environ; *variable; variable++) {
        if (str_cut(str_from(*variable), STR("="), &name, &value)
            && str_starts_with(name, STR("PULUMI_")))
            operation_record_add(environment,
                                 arena_concat(environment->arena, STR("pulumi.env."), name),
                                 setting_word(name, value));
    }
}

static str flag_word(const struct operation *operation, str name)
{
    const struct option *const globals[] = { global_options, NULL };
    const struct option *option = option_find(operation->cli->command->options, name);
    const void *args = operation->args;

    if (!option) {
        option = option_find(globals, name);
        args = &operation->cli->globals;
    }
    if (!option || option->type != OPTION_FLAG)
        return STR("set");
    return *(const bool *)((const char *)args + option->offset) ? STR("true") : STR("false");
}

static void add_flags(struct environment *environment, const struct operation *operation)
{
    struct strs given = operation->cli->given;

    for (size_t i = 0; i < given.len; i++)
        operation_record_add(environment,
                             arena_concat(environment->arena, STR("pulumi.flag."), given.items[i]),
                             flag_word(operation, given.items[i]));
}

static str architecture(struct arena *arena)
{
    struct utsname machine;

    if (uname(&machine) < 0)
        return STR("unknown");
    if (strcmp(machine.machine, "x86_64") == 0)
        return STR("amd64");
    if (strcmp(machine.machine, "aarch64") == 0)
        return STR("arm64");
    return arena_copy(arena, str_from(machine.machine));
}

/* [{"id":"project/environment"}] */
static str environments_text(struct arena *arena, const struct stack_config *stack)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_array(&writer);
    for (size_t i = 0; i < stack->environment_count; i++) {
        json_begin_object(&writer);
        json_key(&writer, STR("id"));
        json_string(&writer, stack->environments[i]);
        json_end_object(&writer);
    }
    json_end_array(&writer);
    return arena_copy(arena, strbuf_str(&text));
}

static void operation_record_collect(struct environment *environment,
                                     const struct operation *operation, const struct vcs_facts *vcs)
{
    str kind = operation->args->exec_kind;
    bool is_automation = str_equal(kind, STR("auto.local")) || str_equal(kind, STR("auto.inline"));

    operation_record_add(environment, STR("exec.kind"), is_automation ? kind : STR("cli"));
    if (operation->args->exec_agent.len)
        operation_record_add(environment, STR("exec.agent"), operation->args->exec_agent);
    operation_record_add(environment, STR("pulumi.version"), STR(PULUMI_VERSION));
    operation_record_add(environment, STR("pulumi.os"), STR("linux"));
    operation_record_add(environment, STR("pulumi.arch"), architecture(environment->arena));
    operation_record_add(environment, STR("stack.environments"),
                         environments_text(environment->arena, &operation->stack_config));
    if (operation->cli->project)
        operation_record_add(environment, STR("runtime.name"), operation->cli->project->runtime);
    operation_record_add(environment, STR("updatePlan"),
                         operation->args->plan.len ? STR("true") : STR("false"));
    for (size_t i = 0; i < vcs->count; i++)
        operation_record_add(environment, vcs->pairs[i].key, vcs->pairs[i].value);
    add_variables(environment);
    add_flags(environment, operation);
}

static size_t list_changes(const int64_t *changes, struct op_count *out)
{
    size_t count = 0;

    for (int op = 0; op < STEP_OP_COUNT; op++) {
        if (changes[op])
            out[count++] = (struct op_count){ str_from(step_op_names[op]), changes[op] };
    }
    return count;
}

void operation_remember(struct operation *operation)
{
    CLEANUP(strbuf_release) struct strbuf config = { 0 };
    struct json_writer writer = { .out = &config };
    struct arena *arena = operation->cli->arena;
    struct environment environment = { .arena = arena };
    struct vcs_facts vcs = { 0 };

    if (operation->memory.is_gathered)
        return;
    config_write_json(&writer, &operation->config);
    if (operation->cli->project)
        vcs_look(arena, operation->cli->project->directory, settings_text("PATH"), &vcs);
    operation_record_collect(&environment, operation, &vcs);
    operation->memory.is_gathered = true;
    operation->memory.config = arena_copy(arena, strbuf_str(&config));
    operation->memory.message = operation->args->message.len ? operation->args->message : vcs.title;
    operation->memory.environment =
        pairs_copy(arena, (struct pairs){ environment.items, environment.len });
    vec_release(&environment);
}

fallible operation_record(struct operation *operation, bool has_succeeded, const int64_t *changes)
{
    struct op_count counts[STEP_OP_COUNT];

    operation_remember(operation);
    const struct history_entry entry = {
        .kind = operation_words(operation->plan->kind)->history,
        .result = has_succeeded ? STR("succeeded") : STR("failed"),
        .message = operation->memory.message,
        .start_time = operation->start_time,
        .end_time = clock_now() / NS_PER_S,
        .environment = operation->memory.environment.items,
        .environment_count = operation->memory.environment.len,
        .config = operation->memory.config,
        .changes = counts,
        .change_count = list_changes(changes, counts),
    };
    return error_wrap(backend_add_history(operation->cli->backend, operation->cli->stack, &entry),
                      "writing the history");
}
