/* awaited.h — calls to other processes that have not been answered yet, for those who want to say
 * what we wait for. */
#pragma once

#include "base/str.h"

struct awaited {
    const char *method; /* "/pulumirpc.ResourceProvider/Create" */
    str plugin;         /* who was asked */
    str subject;        /* the URN that the call is about; may be empty */
    int64_t since;      /* as clock_now has it */
    struct awaited *previous, *next;
};

/* The call lives where its caller has it, until its end. */
void awaited_begin(struct awaited *call);
void awaited_end(struct awaited *call);

/* The oldest; the others follow by `next`. NULL: none. */
const struct awaited *awaited_first(void);
