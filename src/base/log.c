/* log.c — notes for developers, one write for each line so that lines of several processes do not
 * mix. */
#include "base/log.h"

#include "base/clock.h"
#include "base/fd.h"
#include "base/strbuf.h"

#include <stdarg.h>
#include <unistd.h>

enum log_level log_limit = LOG_OFF;
static int log_fd = -1;

void log_open(int fd, enum log_level level)
{
    log_fd = fd;
    log_limit = level;
}

void log_close(void)
{
    log_open(-1, LOG_OFF);
}

static char letter(enum log_level level)
{
    switch (level) {
    case LOG_ERROR: return 'E';
    case LOG_WARN: return 'W';
    case LOG_INFO: return 'I';
    case LOG_DEBUG: return 'D';
    case LOG_OFF: break;
    }
    return '?';
}

void log_write(enum log_level level, const char *component, const char *format, ...)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    va_list arguments;

    strbuf_printf(&line, "%c %s %d %s: ", letter(level), clock_format_ms(&scratch, clock_now()).ptr,
                  (int)getpid(), component);
    va_start(arguments, format);
    strbuf_vprintf(&line, format, arguments);
    va_end(arguments);
    strbuf_add_char(&line, '\n');
    /* There is nowhere to report that the log cannot be written. */
    if (!fd_write_patiently(log_fd, strbuf_str(&line)))
        log_close();
}
