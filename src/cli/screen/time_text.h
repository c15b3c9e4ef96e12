/* time_text.h — times for people. */
#pragma once

#include "base/arena.h"

/* "2 minutes ago", of nanoseconds since 1970. */
str time_ago(struct arena *arena, int64_t time);
/* "2026-11-16 02:00:04.700683165 +0000 UTC" */
str time_full(struct arena *arena, int64_t time);
