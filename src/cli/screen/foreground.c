/* foreground.c — a child that shares our terminal. Keys such as ^C reach both of us, and are meant
 * for the child. */
#include "cli/screen/foreground.h"

#include "base/fd.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int foreground_keys[] = { SIGINT, SIGQUIT };
enum { FOREGROUND_KEYS = sizeof(foreground_keys) / sizeof(*foreground_keys) };

/* What we ignore or hold back for our own sake is not for others. */
static int foreground_spawn(const char *const *argv, pid_t *out)
{
    posix_spawnattr_t attributes;
    sigset_t defaults, none;

    sigemptyset(&defaults);
    sigemptyset(&none);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    for (size_t i = 0; i < FOREGROUND_KEYS; i++)
        sigaddset(&defaults, foreground_keys[i]);
    int code = posix_spawnattr_init(&attributes);
    if (code)
        return code;
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    code = posix_spawnp(out, argv[0], NULL, &attributes, (char *const *)argv, environ);
    posix_spawnattr_destroy(&attributes);
    return code;
}

fallible foreground_run(const char *const *argv, int *status)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct sigaction former[FOREGROUND_KEYS];
    pid_t child = -1, ended;

    fflush(stdout);
    for (size_t i = 0; i < FOREGROUND_KEYS; i++)
        sigaction(foreground_keys[i], &ignored, &former[i]);
    fd_restore_limit();
    int code = foreground_spawn(argv, &child);
    fd_raise_limit();
    do
        ended = code ? -1 : waitpid(child, status, 0);
    while (ended < 0 && !code && errno == EINTR);
    if (!code && ended < 0)
        code = errno;
    for (size_t i = 0; i < FOREGROUND_KEYS; i++)
        sigaction(foreground_keys[i], &former[i], NULL);
    errno = code;
    return code ? error_os("run '%s'", argv[0]) : NULL;
}

fallible foreground_become(const char *path, const char *const *argv)
{
    sigset_t none;

    fflush(stdout);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    fd_restore_limit();
    execve(path, (char *const *)argv, environ);
    struct error *failure = error_os("run '%s'", path);
    fd_raise_limit();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return failure;
}
