/* state_find.c — looks resources up by URN and suggests near misses. */
#include "cli/stack/state_find.h"

#include "base/settings.h"
#include "cli/screen/prompt.h"
#include "base/program.h"
#include "base/str_distance.h"
#include "model/urn.h"

#include <stdio.h>

/* Takes the program's name twice. */
#define LIST_HINT                                                                              \
    "To list the resource URNs in the stack, run `%s stack --show-urns`; to inspect the full " \
    "state, run `%s stack export`."

/* The three nearest, nearest first; those at the same distance in the order of the state. */
static size_t nearest(const struct snapshot *snapshot, str urn, bool skips_deleted, str *out)
{
    enum { MOST = 3 };
    size_t distances[MOST] = { 0 }, count = 0;
    size_t limit = urn.len / 4 > 2 ? urn.len / 4 : 2;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (skips_deleted && resource->is_delete)
            continue;
        size_t far = str_distance(urn, resource->urn, STR_LETTERS_ANY_CASE, limit), at = count;
        while (at > 0 && distances[at - 1] > far)
            at--;
        bool is_known = at > 0 && str_equal(out[at - 1], resource->urn);
        if (far > limit || at == MOST || is_known)
            continue;
        count = count < MOST ? count + 1 : MOST;
        for (size_t j = count - 1; j > at; j--) {
            out[j] = out[j - 1];
            distances[j] = distances[j - 1];
        }
        out[at] = resource->urn;
        distances[at] = far;
    }
    return count;
}

fallible state_not_found(const struct snapshot *snapshot, str urn, bool skips_deleted)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str near[3];
    size_t count = nearest(snapshot, urn, skips_deleted, near);

    if (count)
        strbuf_add(&text, STR("Did you mean:\n"));
    for (size_t i = 0; i < count; i++) {
        strbuf_add(&text, STR("  "));
        strbuf_add(&text, near[i]);
        strbuf_add_char(&text, '\n');
    }
    return error_new(ERROR_NOT_FOUND,
                     "No such resource \"" STR_FMT
                     "\" exists in the current state\n" STR_FMT LIST_HINT,
                     STR_ARG(urn), STR_ARG(strbuf_str(&text)), program_name(), program_name());
}

fallible state_find(const struct snapshot *snapshot, str urn, size_t *out)
{
    CLEANUP(strbuf_release) struct strbuf ids = { 0 };
    struct urn parts;
    size_t count = 0;

    struct error *failure = urn_parse(urn, &parts);
    if (failure) {
        error_free(failure);
        return error_new(ERROR_INVALID, "\"" STR_FMT "\" is not a valid resource URN\n" LIST_HINT,
                         STR_ARG(urn), program_name(), program_name());
    }
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        if (!str_equal(snapshot->resources[i]->urn, urn))
            continue;
        *out = i;
        count++;
        strbuf_printf(&ids, "  " STR_FMT "\n", STR_ARG(snapshot->resources[i]->id));
    }
    if (!count)
        return state_not_found(snapshot, urn, false);
    if (count > 1)
        return error_new(
            ERROR_INVALID,
            "Resource URN ambiguously referred to multiple resources. Did you mean:\n" STR_FMT,
            STR_ARG(strbuf_str(&ids)));
    return NULL;
}

fallible state_choose(struct cli *cli, const char *question)
{
    struct snapshot snapshot;
    bool has_deployment;
    size_t chosen;

    if (cli->operands.len)
        return NULL;
    if (!cli->terminal.is_interactive)
        return error_new(ERROR_INVALID, "missing the URN of a resource\n" LIST_HINT, program_name(),
                         program_name());
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    if (!snapshot.resource_count)
        return error_new(ERROR_NOT_FOUND, "no resources found in the stack");
    const char **urns = ARENA_ARRAY(cli->arena, const char *, snapshot.resource_count + 1);
    for (size_t i = 0; i < snapshot.resource_count; i++)
        urns[i] = arena_cstr(cli->arena, snapshot.resources[i]->urn);
    TRY(error_wrap(prompt_choice(cli, question, urns, 0, &chosen), "no resource was chosen"));
    str urn = str_from(urns[chosen]);
    cli->operands = strs_copy(cli->arena, (struct strs){ &urn, 1 });
    return NULL;
}

fallible state_confirm(struct cli *cli, bool yes, const char *question)
{
    static const char *const choices[] = { "yes", "no", NULL };
    size_t answer;

    if (yes || !cli->terminal.is_interactive || settings_bool("PULUMI_SKIP_CONFIRMATIONS"))
        return NULL;
    TRY(error_wrap(prompt_choice(cli, arena_printf(cli->arena, "warning: %s", question).ptr,
                                 choices, 1, &answer),
                   "confirmation cancelled, the state is unchanged"));
    if (answer == 0)
        return NULL;
    puts("confirmation declined");
    return error_reported("confirmation declined");
}
