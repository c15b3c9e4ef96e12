/* folder_lock.c — waits where a signal can end the wait. */
#include "cli/folder_lock.h"

#include "base/fs.h"
#include "fiber/fiber.h"

#include <stdio.h>

fallible cli_lock_folder(str folder, int *out)
{
    enum { LOOK_MS = 50, SAY_AFTER_MS = 2000 };

    for (unsigned waited_ms = 0; !fs_try_lock_folder(folder, out); waited_ms += LOOK_MS) {
        if (waited_ms == SAY_AFTER_MS)
            fprintf(stderr, "Waiting for another command that changes '" STR_FMT "'\n",
                    STR_ARG(folder));
        TRY(fiber_sleep_ms(LOOK_MS));
    }
    return NULL;
}
