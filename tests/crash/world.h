/* world.h — the world of a crash story: prepared once, put back before every strike. */
#pragma once

#include "support/scenario_file.h"
#include "support/workdir.h"

/* A scenario whose operations but the last prepare the world; the last is the one that is
 * struck. */
struct story {
    struct scenario scenario;
    str program;      /* the command line under test */
    str real_program; /* without links */
    str self;         /* plays the plugins */
    bool is_verbose;
};

struct world {
    struct arena arena;
    char folder[32];
    struct workdir workdir;
    struct strbuf log;
};

/* Makes the folder and runs the operations that prepare. Blocks. */
fallible world_open(const struct story *story, struct world *out);
/* State, project and cloud as they were after the preparation. Blocks. */
fallible world_restore(struct world *world, struct arena *arena);
/* Locks that are held, and temporary files besides: paths in the folder. */
fallible world_locks(const struct workdir *workdir, struct arena *arena, struct strs *out);
fallible world_leftovers(const struct workdir *workdir, struct arena *arena, struct strs *out);
/* Removes the folder. */
fallible world_close(struct world *world);
