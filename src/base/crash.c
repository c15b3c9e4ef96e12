/* crash.c — the end on the spot. */
#include "base/crash.h"

#include "base/ending.h"
#include "base/exit_codes.h"
#include "base/keyboard.h"
#include "base/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static volatile sig_atomic_t is_explained;

static void crash_say(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

/* What a system refuses, in the words of strerror, which is not safe in a signal handler. */
static const char *crash_reason(int number)
{
    switch (number) {
    case EMFILE: return "Too many open files";
    case ENFILE: return "Too many open files in system";
    case ENOMEM: return "Cannot allocate memory";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOSPC: return "No space left on device";
    case EPERM: return "Operation not permitted";
    default: return NULL;
    }
}

/* Libraries abort when they get no descriptor, thread or memory: errno still says which. Only calls
 * that are safe in a signal handler. */
static void explain_abort(int signal_number)
{
    const char *reason = crash_reason(errno);

    (void)signal_number;
    if (!is_explained) {
        crash_say("fatal: the system refuses what is needed to go on: ");
        crash_say(reason ? reason : "no reason is known");
        crash_say("; check its limits with `ulimit -a`\n");
    }
    ending_remove();
    keyboard_give_back();
    _exit(EXIT_CRASHED);
}

void crash_prepare(void)
{
    struct sigaction action = { .sa_handler = explain_abort };

    if (settings_bool("CULUMI_ALLOW_CORE_DUMPS"))
        return;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    sigaction(SIGABRT, &action, NULL);
}

_Noreturn void crash_end(void)
{
    is_explained = 1;
    abort();
}
