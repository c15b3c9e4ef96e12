/* config_draft.h — configuration in which many values are set one after another: each costs what it
 * is, not what is there already. */
#pragma once

#include "base/map.h"
#include "project/config.h"

/* From config_draft_open to config_draft_close, also where something failed in between. */
struct config_draft {
    struct arena *arena;
    struct map keys; /* NAMESPACE:NAME → what is set there */
};

void config_draft_open(struct config_draft *draft, struct arena *arena,
                       const struct config *config);
/* As the functions without "draft" in `config.h`. After a failure part of it may have been set. */
fallible config_draft_set(struct config_draft *draft, struct config_key key, str plaintext,
                          enum config_type type, bool is_path);
fallible config_draft_set_secret(struct config_draft *draft, struct config_key key,
                                 struct secret plaintext, struct crypter *crypter, bool is_path);
fallible config_draft_put(struct config_draft *draft, struct config_key key, struct value value,
                          bool is_path);
/* Nothing to remove is no error. */
fallible config_draft_remove(struct config_draft *draft, struct config_key key, bool is_path);
/* Whether there is something at the path. */
fallible config_draft_has(struct config_draft *draft, struct config_key key, bool *out);
/* Writes all down, unless `config` is NULL. */
void config_draft_close(struct config_draft *draft, struct config *config);
