/* ending.c — the list of files, and the handler that removes them. The handler sees the list whole:
 * it is changed while signals are blocked, and helper threads take none. */
#include "base/ending.h"

#include "base/keyboard.h"
#include "base/memory.h"
#include "base/vec.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    VEC(char *);
} ending;

static const int ending_signals[] = { SIGHUP, SIGINT, SIGTERM };
enum { ENDING_SIGNALS = sizeof(ending_signals) / sizeof(*ending_signals) };

void ending_remove(void)
{
    int former_errno = errno;

    for (size_t i = ending.len; i > 0; i--)
        if (unlink(ending.items[i - 1]) < 0)
            rmdir(ending.items[i - 1]);
    errno = former_errno;
}

void ending_by_default(int signal_number)
{
    sigset_t only;

    signal(signal_number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, signal_number);
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

static void ending_on_signal(int number)
{
    ending_remove();
    keyboard_give_back();
    ending_by_default(number);
}

void ending_handle(int signal_number)
{
    const struct sigaction own = { .sa_handler = ending_on_signal, .sa_flags = SA_RESTART };
    struct sigaction now;
    bool ends_us = false;

    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        ends_us |= ending_signals[i] == signal_number;
    if (ends_us && ending.len > 0 && sigaction(signal_number, NULL, &now) == 0
        && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
        sigaction(signal_number, &own, NULL);
}

static sigset_t ending_block(void)
{
    sigset_t all, former;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    return former;
}

void ending_add(str path)
{
    char *copy = memory_alloc(path.len + 1);

    memcpy(copy, path.ptr, path.len);
    copy[path.len] = '\0';
    sigset_t former = ending_block();
    vec_add(&ending, copy);
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        ending_handle(ending_signals[i]);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
}

static bool ending_is_below(const char *name, str path)
{
    size_t len = strlen(name);

    return len >= path.len && memcmp(name, path.ptr, path.len) == 0
           && (len == path.len || name[path.len] == '/');
}

static void ending_let_go(void)
{
    struct sigaction now;

    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        if (sigaction(ending_signals[i], NULL, &now) == 0 && now.sa_handler == ending_on_signal)
            signal(ending_signals[i], SIG_DFL);
    vec_release(&ending);
}

void ending_forget(str path)
{
    sigset_t former = ending_block();
    size_t kept = 0;

    for (size_t i = 0; i < ending.len; i++) {
        if (ending_is_below(ending.items[i], path))
            free(ending.items[i]);
        else
            ending.items[kept++] = ending.items[i];
    }
    ending.len = kept;
    if (kept == 0)
        ending_let_go();
    pthread_sigmask(SIG_SETMASK, &former, NULL);
}
