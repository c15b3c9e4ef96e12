/* cost.c — runs a command and says what it took: wall and processor seconds, peak memory in MB, MB
 * written to disk. It is small itself, because a process begins with the peak of the one that
 * started it. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    pid_t child;
    int status;

    if (argc < 2)
        return 2;
    double start = wall();
    if (posix_spawn(&child, argv[1], NULL, NULL, argv + 1, environ) != 0)
        return 127;
    if (wait4(child, &status, 0, &usage) < 0)
        return 127;
    fprintf(stderr, "%.6f %.6f %.2f %.3f\n", wall() - start,
            seconds(usage.ru_utime) + seconds(usage.ru_stime), (double)usage.ru_maxrss / 1024,
            (double)usage.ru_oublock * 512 / 1e6);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
