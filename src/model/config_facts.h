/* config_facts.h — the configuration of a stack as programs and plugins are given it: every value
 * as text. */
#pragma once

#include "base/pairs.h"
#include "base/secret.h"

struct config_fact {
    str key;            /* "namespace:name" */
    struct secret text; /* decrypted */
    str shown;          /* the same for users: [secret] for whatever is secret */
    bool is_secret;
};

/* An immutable list in some arena. */
struct config_facts {
    const struct config_fact *items;
    size_t len;
};

/* NULL if absent. */
const struct config_fact *config_facts_find(const struct config_facts *config, str key);
/* Key → text in the clear, for plugins and programs. */
struct pairs config_facts_reveal(const struct config_facts *config, struct arena *arena);
/* Key → text for users. */
struct pairs config_facts_shown(const struct config_facts *config, struct arena *arena);
struct strs config_facts_secret_keys(const struct config_facts *config, struct arena *arena);
