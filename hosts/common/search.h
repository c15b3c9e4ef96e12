/* search.h — files that may be in a folder above. */
#pragma once

#include "base/arena.h"

/* The first folder from here upwards that has a file or folder of that name; empty: none. */
str search_up(struct arena *arena, str directory, str name);
