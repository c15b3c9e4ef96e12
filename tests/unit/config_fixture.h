/* config_fixture.h — one change of a configuration, as a command makes many. */
#pragma once

#include "project/config_draft.h"

static inline fallible remove_at(struct arena *arena, struct config *config, struct config_key key,
                                 bool is_path)
{
    struct config_draft draft;

    config_draft_open(&draft, arena, config);
    struct error *failure = config_draft_remove(&draft, key, is_path);
    config_draft_close(&draft, failure ? NULL : config);
    return failure;
}
