/* workdir.c — makes the world of one scenario and runs commands in it. */
#include "support/workdir.h"

#include "base/fs.h"
#include "base/settings.h"
#include "base/vec.h"
#include "base/yaml.h"
#include "support/json_value.h"
#include "support/scenario_file.h"

#include <unistd.h>

enum { COMMAND_TIMEOUT_MS = 600000 };

str workdir_file(const struct workdir *workdir, const char *name)
{
    return fs_path_join(workdir->arena, workdir->path, str_from(name));
}

/* --- commands --- */

static const char *const *environment_with(const struct workdir *workdir, struct value more)
{
    size_t extra = more.kind == VALUE_OBJECT ? more.len : 0;
    const char **list =
        ARENA_ARRAY(workdir->arena, const char *, workdir->environment.len + extra + 1);
    size_t len = 0;

    for (size_t i = 0; i < extra; i++)
        list[len++] = arena_concat(workdir->arena, more.members[i].key, STR("="),
                                   value_as_text(workdir->arena, more.members[i].value))
                          .ptr;
    for (size_t i = 0; i < workdir->environment.len; i++) {
        str name, value, variable = workdir->environment.items[i];
        if (!extra || !str_cut(variable, STR("="), &name, &value) || !value_has(more, name))
            list[len++] = variable.ptr;
    }
    return list;
}

static struct strs with_program(const struct workdir *workdir, struct strs args)
{
    str *words = ARENA_ARRAY(workdir->arena, str, args.len + 1);

    words[0] = workdir->program;
    if (args.len)
        memcpy(words + 1, args.items, args.len * sizeof(*words));
    return (struct strs){ words, args.len + 1 };
}

static void log_command(struct workdir *workdir, struct strs args, str output)
{
    str line, rest = str_trim(output);

    strbuf_add(workdir->log, STR("   $ pulumi"));
    for (size_t i = 0; i < args.len; i++)
        strbuf_printf(workdir->log, " " STR_FMT, STR_ARG(args.items[i]));
    strbuf_add_char(workdir->log, '\n');
    while (rest.len) {
        if (!str_cut(rest, STR("\n"), &line, &rest)) {
            line = rest;
            rest = STR("");
        }
        strbuf_printf(workdir->log, "   | " STR_FMT "\n", STR_ARG(line));
    }
}

fallible workdir_run(struct workdir *workdir, struct strs args, struct value environment,
                     struct command_result *out)
{
    struct command command = {
        .words = with_program(workdir, args),
        .environment = environment_with(workdir, environment),
        .directory = workdir_file(workdir, "proj"),
        .timeout_ms = COMMAND_TIMEOUT_MS,
        .joins_output = true,
    };

    TRY(command_run(workdir->arena, &command, out));
    if (workdir->is_verbose)
        log_command(workdir, args, out->output);
    if (out->has_timed_out)
        strbuf_printf(workdir->log, "   '" STR_FMT "' took too long and was ended\n",
                      STR_ARG(args.items[0]));
    return NULL;
}

fallible workdir_run_quietly(struct workdir *workdir, struct strs args, struct value environment,
                             struct command_result *out)
{
    struct command command = {
        .words = with_program(workdir, args),
        .environment = environment_with(workdir, environment),
        .directory = workdir_file(workdir, "proj"),
        .timeout_ms = COMMAND_TIMEOUT_MS,
    };

    return command_run(workdir->arena, &command, out);
}

fallible workdir_export(struct workdir *workdir, str *out)
{
    static const str args[] = { STR_INIT("stack"), STR_INIT("export"), STR_INIT("--show-secrets") };
    struct command_result result = { 0 };

    TRY(workdir_run_quietly(workdir, (struct strs){ args, 3 }, value_null(), &result));
    if (result.exit_code != 0)
        return error_new(ERROR_OTHER, STR_FMT, STR_ARG(result.errors));
    *out = result.output;
    return NULL;
}

/* --- preparing --- */

/* Everything of ours but what would make the command line behave differently. */
static void make_environment(struct workdir *workdir)
{
    struct arena *arena = workdir->arena;
    const str own[] = {
        arena_concat(arena, STR("PATH="), workdir_file(workdir, "bin"), STR(":"),
                     fs_path_directory(workdir->program), STR(":"), settings_text("PATH")),
        arena_concat(arena, STR("PULUMI_HOME="), workdir_file(workdir, "home")),
        arena_concat(arena, STR("PULUMI_BACKEND_URL=file://"), workdir_file(workdir, "state")),
        STR("PULUMI_CONFIG_PASSPHRASE=scenario"),
        STR("PULUMI_DEBUG_COMMANDS=true"),
        STR("PULUMI_SKIP_UPDATE_CHECK=true"),
        STR("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true"),
        STR("NO_COLOR=1"),
        arena_concat(arena, STR("SCENARIO_DIR="), workdir_file(workdir, "run")),
    };
    size_t len = 0, own_len = sizeof(own) / sizeof(*own), count = 0;

    while (environ[count])
        count++;
    str *list = ARENA_ARRAY(arena, str, count + own_len);
    for (size_t i = 0; i < count; i++) {
        str variable = str_from(environ[i]);
        if (!str_starts_with(variable, STR("PULUMI_")) && !str_starts_with(variable, STR("PATH="))
            && !str_starts_with(variable, STR("NO_COLOR="))
            && !str_starts_with(variable, STR("SCENARIO_")))
            list[len++] = variable;
    }
    memcpy(list + len, own, sizeof(own));
    workdir->environment = (struct strs){ list, len + own_len };
}

static fallible link_plugin(struct workdir *workdir, str name)
{
    str path = fs_path_join(workdir->arena, workdir_file(workdir, "bin"), name);

    if (symlink(workdir->self.ptr, path.ptr) < 0)
        return error_os("link '%s'", path.ptr);
    return NULL;
}

static fallible write_project(struct workdir *workdir, const struct scenario *scenario)
{
    struct arena *arena = workdir->arena;
    struct yaml_node *project = yaml_new_mapping(arena);

    yaml_put(arena, project, STR("name"), yaml_new_string(arena, STR("conf")));
    yaml_put(arena, project, STR("runtime"), yaml_new_string(arena, STR("script")));
    for (size_t i = 0; scenario->project && i < scenario->project->len; i++)
        yaml_put(arena, project, scenario->project->pairs[i].key->text,
                 scenario->project->pairs[i].value);
    return fs_create(workdir_file(workdir, "proj/Pulumi.yaml"), yaml_write(arena, project), 0644);
}

/* Texts as they are, all else as JSON. */
static fallible write_files(struct workdir *workdir, struct value files)
{
    struct arena *arena = workdir->arena;

    for (size_t i = 0; files.kind == VALUE_OBJECT && i < files.len; i++) {
        struct value content = files.members[i].value;
        str text =
            content.kind == VALUE_STRING ? value_text(content) : json_value_text(arena, content, 1);
        TRY(fs_create(fs_path_join(arena, workdir_file(workdir, "proj"), files.members[i].key),
                      text, 0644));
    }
    return NULL;
}

static fallible must_run(struct workdir *workdir, struct strs args)
{
    struct command_result result = { 0 };

    TRY(workdir_run(workdir, args, value_null(), &result));
    if (result.exit_code == 0)
        return NULL;
    return error_new(ERROR_OTHER, "%.*s " STR_FMT ": exit %d\n" STR_FMT, STR_ARG(args.items[0]),
                     STR_ARG(args.items[1]), result.exit_code, STR_ARG(result.output));
}

static fallible configure(struct workdir *workdir, struct value config, str kind)
{
    for (size_t i = 0; config.kind == VALUE_OBJECT && i < config.len; i++) {
        const str args[] = { STR("config"),
                             STR("set"),
                             config.members[i].key,
                             value_as_text(workdir->arena, config.members[i].value),
                             kind,
                             STR("--non-interactive") };
        TRY(must_run(workdir, (struct strs){ args, sizeof(args) / sizeof(*args) }));
    }
    return NULL;
}

fallible workdir_prepare(struct workdir *workdir, const struct scenario *scenario)
{
    static const char *const folders[] = { "proj", "home", "state", "bin", "run" };
    static const str init[] = { STR_INIT("stack"), STR_INIT("init"), STR_INIT("dev"),
                                STR_INIT("--non-interactive") };
    struct arena *arena = workdir->arena;

    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        TRY(fs_make_directory(workdir_file(workdir, folders[i]), 0755));
    make_environment(workdir);
    TRY(link_plugin(workdir, STR("pulumi-language-script")));
    for (size_t i = 0; i < scenario->packages.len; i++)
        TRY(link_plugin(workdir,
                        arena_concat(arena, STR("pulumi-resource-"), scenario->packages.items[i])));
    for (size_t i = 0; i < scenario->packs.len; i++)
        TRY(link_plugin(workdir,
                        arena_concat(arena, STR("pulumi-analyzer-"), scenario->packs.items[i])));
    TRY(write_project(workdir, scenario));
    TRY(write_files(workdir, scenario->files));
    TRY(must_run(workdir, (struct strs){ init, sizeof(init) / sizeof(*init) }));
    TRY(configure(workdir, scenario->config, STR("--plaintext")));
    return configure(workdir, scenario->secrets, STR("--secret"));
}
