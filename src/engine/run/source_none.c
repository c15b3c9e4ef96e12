/* source_none.c — an empty program: nothing is registered, so everything goes. */
#include "engine/run/source.h"

#include "engine/deploy/deployment_parts.h"

static fallible source_none_start(struct deployment *deployment)
{
    latch_open(&deployment->course.stopped);
    return NULL;
}

const struct source source_none = { source_none_start };
