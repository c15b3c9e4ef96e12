/* operation_follow.c — an operation in a backend that keeps track of operations: announced before
 * it begins, ended with its result. */
#include "cli/operate/operation_setup.h"

#include "backend/history.h"
#include "backend/update.h"
#include "cli/open.h"

#include <stdio.h>

/* The stack's tags with those of the project, or none if the stack has them already: what is sent
 * replaces all. */
static fallible follow_tags(struct operation *operation, struct pairs *out)
{
    struct cli *cli = operation->cli;
    struct pairs wanted = cli_project_tags(cli);
    struct tags tags;
    bool is_same = true;

    *out = (struct pairs){ 0 };
    TRY(backend_tags(cli->backend, cli->stack, cli->arena, &tags));
    struct pairs current = { tags.items, tags.len };
    for (size_t i = 0; i < wanted.len; i++) {
        const str *value = pairs_find(current, wanted.items[i].key);
        is_same = is_same && value && str_equal(*value, wanted.items[i].value);
    }
    if (!is_same)
        *out = pairs_union(cli->arena, wanted, current);
    return NULL;
}

/* Without a preview nobody has looked yet. */
static fallible follow_compare_keys(struct operation *operation)
{
    struct cli *cli = operation->cli;
    struct secrets *own = operation->config_secrets;
    struct snapshot snapshot;
    bool has_deployment;

    if (operation->has_compared_keys)
        return NULL;
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    operation->changes_key = snapshot.secrets_type.len && own
                             && !(str_equal(snapshot.secrets_type, secrets_type(own))
                                  && str_equal(snapshot.secrets_state, secrets_state(own)));
    return NULL;
}

static void follow_print_messages(const struct cli *cli, const struct update *update)
{
    for (size_t i = 0; i < update->message_count; i++) {
        const struct update_message *message = &update->messages[i];
        if (str_equal(message->severity, STR("error")))
            cli_report(cli, "error", message->text);
        else if (str_equal(message->severity, STR("warning")))
            cli_report(cli, "warning", message->text);
        else
            fprintf(stderr, STR_FMT "\n", STR_ARG(message->text));
    }
}

fallible operation_begin(struct operation *operation, bool is_preview)
{
    struct cli *cli = operation->cli;
    const struct project *project = cli->project;

    operation->update = NULL;
    if (!backend_tracks_updates(cli->backend))
        return NULL;
    operation_remember(operation);
    struct update_facts facts = {
        .kind = operation->plan->only_previews && operation->plan->kind == OPERATION_UPDATE
                    ? STR("preview")
                    : operation_words(operation->plan->kind)->history,
        .is_preview = is_preview,
        .project = cli->stack.project,
        .runtime = project ? project->runtime : STR(""),
        .description = project ? project->description : STR(""),
        .message = operation->memory.message,
        .config = operation->memory.config,
        .environment = operation->memory.environment,
        .is_debug = operation->args->debug,
    };
    if (!is_preview) {
        TRY(follow_tags(operation, &facts.tags));
        TRY(follow_compare_keys(operation));
        facts.changes_key = operation->changes_key;
    }
    TRY(backend_begin_update(cli->backend, cli->stack, &facts, &operation->update));
    follow_print_messages(cli, operation->update);
    return NULL;
}

fallible operation_end(struct operation *operation, struct error *failure)
{
    struct update *update = operation->update;

    operation->update = NULL;
    return error_join(failure, update_end(update, failure == NULL));
}
