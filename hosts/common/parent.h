/* parent.h — a host whose engine was killed must end by itself: no one else can end it. */
#pragma once

#include "fiber/sync.h"

struct cancel;

/* Opens the latch when our parent is gone, from a fiber in `scope`. The latch must outlive it. */
void parent_watch(struct cancel *scope, struct latch *gone);
