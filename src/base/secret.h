/* secret.h — text that nobody may see. It has no printer: it is no `str`, and STR_ARG does not take
 * it. Who must pass it on says so with secret_reveal(). */
#pragma once

#include "base/arena.h"

struct secret {
    const char *hidden;
    size_t hidden_len;
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

/* Overwrites the bytes, which stay with their owner; the secret is empty then. */
void secret_clear(struct secret *secret);
