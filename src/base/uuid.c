/* uuid.c — random identifiers. */
#include "base/uuid.h"

#include "base/error.h"

#include <errno.h>
#include <sys/random.h>

void random_bytes(void *out, size_t size)
{
    char *p = out;

    while (size) {
        ssize_t got = getrandom(p, size, 0);
        /* The kernel's generator does not fail once it is seeded. */
        BUG_IF(got < 0 && errno != EINTR);
        if (got > 0) {
            p += got;
            size -= (size_t)got;
        }
    }
}

str uuid_new(struct arena *arena)
{
    unsigned char b[16];

    random_bytes(b, sizeof(b));
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    return arena_printf(
        arena, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
        b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}
