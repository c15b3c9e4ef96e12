/* pending_creates.c — asks what became of interrupted creations. All questions come first: a user
 * who cancels in the middle has changed nothing. */
#include "cli/operate/pending_creates.h"

#include "base/vec.h"
#include "cli/screen/prompt.h"
#include "cli/stack/state.h"
#include "model/snapshot.h"

enum answer { ANSWER_CLEAR, ANSWER_SKIP, ANSWER_IMPORT };

struct answered {
    str urn;
    enum answer answer;
    str id; /* of what is imported */
};

struct answers {
    VEC(struct answered);
};

static fallible ask_of_one(struct cli *cli, str urn, struct answers *answers)
{
    static const char *const choices[] = {
        [ANSWER_CLEAR] = "clear (it failed: forget it)",
        [ANSWER_SKIP] = "skip (leave it pending)",
        [ANSWER_IMPORT] = "import (it succeeded: take over the resource of an ID)",
        NULL,
    };
    size_t answer;
    str id = { 0 };
    str question = arena_printf(cli->arena, "Options for pending CREATE of " STR_FMT, STR_ARG(urn));

    TRY(error_wrap(prompt_choice(cli, question.ptr, choices, ANSWER_CLEAR, &answer),
                   "no option selected"));
    while (answer == ANSWER_IMPORT && !id.len) {
        TRY(prompt_line(cli->arena, "ID: ", &id));
        id = str_trim(id);
    }
    vec_add(answers, ((struct answered){ urn, (enum answer)answer, id }));
    return NULL;
}

static fallible ask_of_all(struct cli *cli, const struct operation_args *args,
                           struct answers *answers)
{
    struct pairs imports = pairs_from_strs(cli->arena, args->import_pending_creates);
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    for (size_t i = 0; i < snapshot.pending_count; i++) {
        const struct pending_operation *pending = &snapshot.pending[i];
        if (pending->kind == PENDING_CREATING && !pairs_find(imports, pending->resource->urn))
            TRY(ask_of_one(cli, pending->resource->urn, answers));
    }
    return NULL;
}

/* What it replaces is left to be deleted. */
static void import_one(struct cli *cli, struct snapshot *snapshot, const struct resource *created,
                       str id)
{
    struct resource **resources =
        ARENA_ARRAY(cli->arena, struct resource *, snapshot->resource_count + 1);
    struct resource *resource = resource_clone_shallow(cli->arena, created);

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        if (str_equal(snapshot->resources[i]->urn, created->urn))
            state_replace(cli, snapshot, i)->is_delete = true;
        resources[i] = snapshot->resources[i];
    }
    resource->id = id;
    resources[snapshot->resource_count++] = resource;
    snapshot->resources = resources;
}

static struct error *apply_answers(struct cli *cli, struct snapshot *snapshot, void *answers_)
{
    const struct answers *answers = answers_;
    struct pending_operation *left =
        ARENA_ARRAY(cli->arena, struct pending_operation, snapshot->pending_count + 1);
    size_t count = 0;

    for (size_t i = 0; i < snapshot->pending_count; i++) {
        const struct pending_operation *pending = &snapshot->pending[i];
        size_t place = 0;
        while (place < answers->len
               && !str_equal(answers->items[place].urn, pending->resource->urn))
            place++;
        enum answer answer = pending->kind == PENDING_CREATING && place < answers->len
                                 ? answers->items[place].answer
                                 : ANSWER_SKIP;
        if (answer == ANSWER_SKIP)
            left[count++] = *pending;
        else if (answer == ANSWER_IMPORT)
            import_one(cli, snapshot, pending->resource, answers->items[place].id);
    }
    snapshot->pending = left;
    snapshot->pending_count = count;
    return NULL;
}

fallible pending_creates_ask(struct cli *cli, const struct operation_args *args)
{
    struct answers answers = { 0 };

    if (!cli->terminal.is_interactive || args->preview_only || args->skip_pending_creates
        || args->clear_pending_creates)
        return NULL;
    struct error *failure = ask_of_all(cli, args, &answers);
    if (!failure && answers.len)
        failure = state_edit(cli, cli->stack, apply_answers, &answers);
    vec_release(&answers);
    return failure;
}
