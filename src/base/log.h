/* log.h — notes for developers: a component, a level, a line. Off unless it was opened. */
#pragma once

#include "base/arena.h"

enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Private: read by the macros only. */
extern enum log_level log_limit;
void log_write(enum log_level level, const char *component, const char *format, ...) PRINTF(3, 4);

/* To stderr with fd 2, or to any descriptor that stays open. Lines above the level are dropped. */
void log_open(int fd, enum log_level level);
void log_close(void);

/* The arguments are not evaluated if nobody listens. Secrets have no printer: they cannot get
 * here. */
#define LOG_AT(level, component, ...)                     \
    do {                                                  \
        if (__builtin_expect(log_limit >= (level), 0))    \
            log_write((level), (component), __VA_ARGS__); \
    } while (0)
#define log_error(component, ...) LOG_AT(LOG_ERROR, component, __VA_ARGS__)
#define log_warn(component, ...) LOG_AT(LOG_WARN, component, __VA_ARGS__)
#define log_info(component, ...) LOG_AT(LOG_INFO, component, __VA_ARGS__)
#define log_debug(component, ...) LOG_AT(LOG_DEBUG, component, __VA_ARGS__)
