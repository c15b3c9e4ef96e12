/* secret.c — text that nobody may see. */
#include "base/secret.h"

void secret_clear(struct secret *secret)
{
    if (secret->hidden_len)
        explicit_bzero((char *)(uintptr_t)secret->hidden, secret->hidden_len);
    *secret = (struct secret){ 0 };
}
