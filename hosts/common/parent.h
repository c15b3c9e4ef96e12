/* parent.h — a host whose engine was killed must end by itself: nobody can ask it to. */
#pragma once

#include "fiber/sync.h"

struct cancel;

/* Opens the latch when our parent is gone, from a fiber in `scope`. The latch must outlive it. */
void parent_watch(struct cancel *scope, struct latch *gone);
