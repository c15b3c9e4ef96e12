/* registration.c — requests of the program that are under way. */
#include "engine/step/registration.h"

#include "base/memory.h"

struct registration *registration_open(struct registrations *registrations)
{
    struct registration *reg = memory_zalloc(sizeof(*reg));

    reg->arena = &reg->storage;
    reg->next = registrations->first;
    if (reg->next)
        reg->next->previous = reg;
    registrations->first = reg;
    return reg;
}

void registration_close(struct registrations *registrations, struct registration *owned)
{
    if (owned->next)
        owned->next->previous = owned->previous;
    if (owned->previous)
        owned->previous->next = owned->next;
    else
        registrations->first = owned->next;
    error_free(owned->diff_error);
    map_release(&owned->memory.dependents);
    map_release(&owned->memory.told);
    arena_release(&owned->storage);
    free(owned);
}

void registrations_release(struct registrations *registrations)
{
    while (registrations->first)
        registration_close(registrations, registrations->first);
}

void registration_finish(struct registration *reg, enum registration_result result,
                         struct resource *state)
{
    if (reg->done.is_open)
        return;
    reg->result = result;
    reg->state = state;
    latch_open(&reg->done);
}
