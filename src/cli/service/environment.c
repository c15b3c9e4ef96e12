/* environment.c — the `environment` section of a stack's file. */
#include "cli/service/environment.h"

#include "cli/open.h"
#include "cli/service/session.h"
#include "cli/stack/stack_secrets.h"
#include "base/ending.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/settings.h"
#include "base/strbuf.h"

#include <stdlib.h>

/* Every text, and which of them are secret. */
static struct stack_environment take_variables(struct arena *arena, struct value variables)
{
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, variables.len);
    struct secret *secrets = ARENA_ARRAY(arena, struct secret, variables.len);
    size_t secret_count = 0;

    for (size_t i = 0; i < variables.len; i++) {
        struct value value = variables.members[i].value;
        bool is_secret = value.kind == VALUE_SECRET;
        struct secret text = config_text(arena, is_secret ? value.secret->element : value);
        pairs[i] = (struct pair){ variables.members[i].key, secret_reveal(text) };
        if (is_secret)
            secrets[secret_count++] = text;
    }
    return (struct stack_environment){ .variables = { pairs, variables.len },
                                       .secrets = { secrets, secret_count } };
}

fallible environment_apply(struct cli *cli, const struct stack_config *stack,
                           enum environment_depth depth, struct crypter *crypter,
                           struct config *config, struct stack_environment *out)
{
    struct service_environment environment;
    str definition;

    *out = (struct stack_environment){ 0 };
    if (!stack->has_environment)
        return NULL;
    if (!cli->session)
        return cli_refuse_environments(cli, stack);
    TRY(stack_config_environment(cli->arena, stack, &definition));
    TRY(service_environment_read(cli->session->service, cli->stack.organization, definition, depth,
                                 cli->arena, &environment));
    *out = take_variables(cli->arena, environment.variables);
    out->files = environment.files;
    return config_add_environment(cli->arena, config, cli_project_name(cli), environment.config,
                                  crypter);
}

fallible environment_open(struct cli *cli, struct strs names, struct value *policies,
                          struct stack_environment *out)
{
    CLEANUP(strbuf_release) struct strbuf definition = { 0 };
    struct json_writer writer = { .out = &definition };
    struct service_environment environment;

    json_begin_object(&writer);
    json_key(&writer, STR("imports"));
    json_strings(&writer, names.items, names.len);
    json_end_object(&writer);
    TRY(service_environment_read(cli->session->service, cli->stack.organization,
                                 strbuf_str(&definition), ENVIRONMENT_OPENED, cli->arena,
                                 &environment));
    *out = take_variables(cli->arena, environment.variables);
    out->files = environment.files;
    *policies = environment.policies;
    return NULL;
}

/* --- files --- */

static fallible file_name_check(str name)
{
    if (name.len > 0 && str_find_char(name, '/') == SIZE_MAX && str_find_char(name, '=') == SIZE_MAX
        && name.ptr[0] != '.')
        return NULL;
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' of the environment's files is no name of a variable",
                     STR_ARG(name));
}

/* The secrets with room for those of the files. */
static struct secret *copy_secrets(struct arena *arena, const struct stack_environment *environment)
{
    const struct secret_list *list = &environment->secrets;
    struct secret *items = ARENA_ARRAY(arena, struct secret, list->len + environment->files.len);

    for (size_t i = 0; i < list->len; i++)
        items[i] = list->items[i];
    return items;
}

static fallible write_one(struct cli *cli, struct stack_environment *environment, size_t index,
                          struct secret *secrets, struct pair *variable)
{
    struct member file = environment->files.members[index];
    bool is_secret = file.value.kind == VALUE_SECRET;
    struct secret text =
        config_text(cli->arena, is_secret ? file.value.secret->element : file.value);

    TRY(file_name_check(file.key));
    *variable = (struct pair){ file.key, fs_path_join(cli->arena, environment->folder, file.key) };
    if (is_secret)
        secrets[environment->secrets.len++] = text;
    ending_add(variable->value);
    return fs_replace_quick(variable->value, secret_reveal(text), 0600);
}

fallible environment_write_files(struct cli *cli, struct stack_environment *environment)
{
    struct pairs former = environment->variables;
    size_t count = environment->files.len;

    if (count == 0)
        return NULL;
    TRY(error_wrap(fs_make_temporary(cli->arena, "culumi-files-", &environment->folder),
                   "a folder for the files of the environment"));
    ending_add(environment->folder);
    struct pair *variables = ARENA_ARRAY(cli->arena, struct pair, count);
    struct secret *secrets = copy_secrets(cli->arena, environment);
    environment->secrets.items = secrets;
    for (size_t i = 0; i < count; i++)
        TRY(write_one(cli, environment, i, secrets, &variables[i]));
    environment->variables = pairs_union(cli->arena, (struct pairs){ variables, count }, former);
    fault_point("environment.written");
    return NULL;
}

void environment_remove_files(struct stack_environment *environment)
{
    if (environment->folder.len) {
        error_ignore(fs_remove_tree(environment->folder), "it is for its owner alone");
        ending_forget(environment->folder);
    }
    environment->folder = STR("");
}
