/* reference_walk.c — from a state to those that it refers to. */
#include "engine/plan/reference_walk.h"

#include "model/resource_links.h"

void reference_walk_release(struct reference_walk *walk)
{
    vec_release(walk);
    arena_release(&walk->scratch);
}

struct walked *reference_walk_top(const struct reference_walk *walk)
{
    return walk->len ? &walk->items[walk->len - 1] : NULL;
}

void reference_walk_enter(struct reference_walk *walk, struct resource *state)
{
    const struct walked *top = reference_walk_top(walk);
    struct strs others = resource_references(&walk->scratch, state);
    str *urns = ARENA_ARRAY(&walk->scratch, str, others.len + 1);

    urns[0] = resource_provider_urn(state);
    for (size_t i = 0; i < others.len; i++)
        urns[i + 1] = others.items[i];
    struct walked walked = { .state = state,
                             .dependent = top ? top->state : NULL,
                             .urns = { urns, others.len + 1 } };
    vec_add(walk, walked);
}

bool walked_next(struct walked *walked, str *urn, bool *is_provider)
{
    if (walked->next == walked->urns.len)
        return false;
    *is_provider = walked->next == 0;
    *urn = walked->urns.items[walked->next++];
    return true;
}

void reference_walk_leave(struct reference_walk *walk)
{
    walk->len--;
}
