/* environment.c — the `environment` section of a stack's file. */
#include "cli/service/environment.h"

#include "cli/open.h"
#include "cli/service/session.h"
#include "cli/stack/stack_secrets.h"

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
    return (struct stack_environment){ { pairs, variables.len }, { secrets, secret_count } };
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
    if (environment.has_files)
        return error_new(ERROR_INVALID,
                         "the environments of '" STR_FMT
                         "' bring files, which are not supported yet; nothing was changed",
                         STR_ARG(stack->path));
    *out = take_variables(cli->arena, environment.variables);
    return config_add_environment(cli->arena, config, cli_project_name(cli), environment.config,
                                  crypter);
}
