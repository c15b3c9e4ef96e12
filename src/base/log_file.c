/* log_file.c — opens the log by flags. */
#include "base/log_file.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"

#include <fcntl.h>
#include <pwd.h>
#include <time.h>
#include <unistd.h>

bool log_flags_take(struct log_flags *flags, str word)
{
    uint64_t number;

    if (str_starts_with(word, STR("--")))
        word = str_slice(word, 1, word.len);
    if (str_equal(word, STR("-logtostderr")))
        flags->to_stderr = true;
    else if (str_starts_with(word, STR("-v=")) && str_to_u64(str_slice(word, 3, word.len), &number))
        flags->verbosity = number < INT32_MAX ? (int64_t)number : INT32_MAX;
    else
        return false;
    return true;
}

size_t log_flags_pass(struct log_flags flags, struct arena *arena, str *out)
{
    size_t count = 0;

    if (flags.to_stderr)
        out[count++] = STR("--logtostderr");
    if (flags.verbosity > 0)
        out[count++] = arena_printf(arena, "-v=%lld", (long long)flags.verbosity);
    return count;
}

/* A new file, named as glog names them; empty if it cannot be created. */
static str create_log_file(struct arena *arena, const char *program, int *fd)
{
    const struct passwd *user = getpwuid(geteuid());
    str folder = settings_text("TMPDIR");
    time_t now = (time_t)(clock_now() / NS_PER_S);
    char moment[32], host[256] = "";
    struct tm parts;

    if (gethostname(host, sizeof(host) - 1) < 0)
        memcpy(host, "unknown", sizeof("unknown"));
    strftime(moment, sizeof(moment), "%Y%m%d-%H%M%S", gmtime_r(&now, &parts));
    str path = arena_printf(arena, STR_FMT "/%s.%s.%s.log.INFO.%s.%ld",
                            STR_ARG(folder.len ? folder : STR("/tmp")), program, host,
                            user ? user->pw_name : "unknown", moment, (long)getpid());
    *fd = open(path.ptr, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    return *fd < 0 ? STR("") : path;
}

str log_flags_open(struct log_flags flags, const char *program, struct arena *arena)
{
    enum { MUCH = 7 };
    int fd = STDERR_FILENO;
    str path = STR("");

    if (flags.verbosity <= 0)
        return path;
    if (!flags.to_stderr)
        path = create_log_file(arena, program, &fd);
    if (fd >= 0)
        log_open(fd, flags.verbosity >= MUCH ? LOG_DEBUG : LOG_INFO);
    return path;
}
