/* secret.h — text that nobody may see. It has no printer: it is no `str`, and STR_ARG does not take
 * it. Who must pass it on says so with secret_reveal(). */
#pragma once

#include "base/arena.h"

struct secret {
    const char *hidden;
    size_t hidden_len;
};

/* An immutable list in some arena. */
struct secret_list {
    const struct secret *items;
    size_t len;
};

/* Borrows the text. */
static inline struct secret secret_hide(str text)
{
    return (struct secret){ text.ptr, text.len };
}

/* For plugins, for ciphers, and for who has asked to see it. Borrows the text. */
static inline str secret_reveal(struct secret secret)
{
    return (str){ secret.hidden, secret.hidden_len };
}

static inline bool secret_equal(struct secret a, struct secret b)
{
    return str_equal(secret_reveal(a), secret_reveal(b));
}

/* Overwrites the bytes, which stay with their owner; the secret is empty then. */
void secret_clear(struct secret *secret);
