/* pending_creates.c — what became of interrupted creations, by option or by question. All questions
 * come first: a user who cancels in the middle has changed nothing. */
#include "cli/operate/pending_creates.h"

#include "base/vec.h"
#include "cli/open.h"
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

static bool is_pending(const struct snapshot *snapshot, str urn)
{
    for (size_t i = 0; i < snapshot->pending_count; i++) {
        const struct pending_operation *pending = &snapshot->pending[i];
        if (pending->kind == PENDING_CREATING && str_equal(pending->resource->urn, urn))
            return true;
    }
    return false;
}

/* One that is not there may be a name that was mistyped. */
static void take_given(struct cli *cli, const struct snapshot *snapshot, struct pairs given,
                       struct answers *answers)
{
    for (size_t i = 0; i < given.len; i++) {
        struct pair one = given.items[i];
        if (is_pending(snapshot, one.key))
            vec_add(answers, ((struct answered){ one.key, ANSWER_IMPORT, one.value }));
        else
            cli_report(cli, "warning",
                       arena_printf(cli->arena,
                                    "\"" STR_FMT "\" did not correspond to a pending create",
                                    STR_ARG(one.key)));
    }
}

static fallible ask_of_others(struct cli *cli, const struct snapshot *snapshot, struct pairs given,
                              struct answers *answers)
{
    for (size_t i = 0; i < snapshot->pending_count; i++) {
        const struct pending_operation *pending = &snapshot->pending[i];
        if (pending->kind == PENDING_CREATING && !pairs_find(given, pending->resource->urn))
            TRY(ask_of_one(cli, pending->resource->urn, answers));
    }
    return NULL;
}

static fallible find_answers(struct cli *cli, const struct operation_args *args, bool asks,
                             struct answers *answers)
{
    struct pairs given = pairs_from_strs(cli->arena, args->import_pending_creates);
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    take_given(cli, &snapshot, given, answers);
    return asks ? ask_of_others(cli, &snapshot, given, answers) : NULL;
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

fallible pending_creates_resolve(struct cli *cli, const struct operation_args *args)
{
    struct answers answers = { 0 };
    bool asks =
        cli->terminal.is_interactive && !args->skip_pending_creates && !args->clear_pending_creates;

    if (args->preview_only || (!asks && !args->import_pending_creates.len))
        return NULL;
    struct error *failure = find_answers(cli, args, asks, &answers);
    if (!failure && answers.len)
        failure = state_edit(cli, cli->stack, apply_answers, &answers);
    vec_release(&answers);
    return failure;
}
