/* clock.c — the time, and times as text. */
#include "base/clock.h"

#include "base/error.h"

#include <stdio.h>
#include <time.h>

/* 0: the real ones. */
static int64_t faked;

static int64_t read_clock(clockid_t id)
{
    struct timespec now;

    if (faked)
        return faked;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_now(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t clock_monotonic(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

void clock_fake(int64_t now)
{
    faked = now;
}

int64_t clock_of_seconds(int64_t seconds)
{
    const int64_t last = INT64_C(9214646399); /* 2261-12-31T23:59:59Z */

    if (seconds < 0)
        return 0;
    return (seconds < last ? seconds : last) * NS_PER_S;
}

/* Rounds down, also before 1970. */
static void time_split(int64_t time, time_t *seconds, int64_t *nanoseconds)
{
    *seconds = (time_t)(time / NS_PER_S);
    *nanoseconds = time % NS_PER_S;
    if (*nanoseconds < 0) {
        *nanoseconds += NS_PER_S;
        (*seconds)--;
    }
}

static str time_format(struct arena *arena, const struct tm *parts, const char *fraction,
                       long offset)
{
    str zone = STR("Z");

    if (offset) {
        long minutes = (offset < 0 ? -offset : offset) / 60;
        zone = arena_printf(arena, "%c%02ld:%02ld", offset < 0 ? '-' : '+', minutes / 60,
                            minutes % 60);
    }
    return arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d%s%s", parts->tm_year + 1900,
                        parts->tm_mon + 1, parts->tm_mday, parts->tm_hour, parts->tm_min,
                        parts->tm_sec, fraction, zone.ptr);
}

/* ".428", or nothing for a whole second. */
static void trim_fraction(int64_t nanoseconds, char *out, size_t size)
{
    int len = snprintf(out, size, ".%09lld", (long long)nanoseconds);
    while (len > 1 && out[len - 1] == '0')
        len--;
    out[len > 1 ? len : 0] = '\0';
}

/* With what is there of the second, or with milliseconds. */
static str time_format_at(struct arena *arena, int64_t time, bool is_local, bool has_milliseconds)
{
    time_t seconds;
    int64_t nanoseconds;
    struct tm parts;
    char fraction[32];

    time_split(time, &seconds, &nanoseconds);
    if (is_local)
        localtime_r(&seconds, &parts);
    else
        gmtime_r(&seconds, &parts);
    if (has_milliseconds)
        snprintf(fraction, sizeof(fraction), ".%03lld", (long long)(nanoseconds / NS_PER_MS));
    else
        trim_fraction(nanoseconds, fraction, sizeof(fraction));
    return time_format(arena, &parts, fraction, parts.tm_gmtoff);
}

str clock_format(struct arena *arena, int64_t time)
{
    return time_format_at(arena, time, false, false);
}

str clock_format_local(struct arena *arena, int64_t time)
{
    return time_format_at(arena, time, true, false);
}

str clock_format_ms(struct arena *arena, int64_t time)
{
    return time_format_at(arena, time, false, true);
}

/* Takes exactly `width` digits off the front. */
static bool time_take_number(str *text, size_t width, int *out)
{
    uint64_t number;

    if (text->len < width || !str_to_u64(str_slice(*text, 0, width), &number))
        return false;
    *out = (int)number;
    *text = str_slice(*text, width, text->len);
    return true;
}

static bool take_char(str *text, const char *choices, char *out)
{
    if (text->len == 0 || text->ptr[0] == '\0' || !strchr(choices, text->ptr[0]))
        return false;
    *out = text->ptr[0];
    *text = str_slice(*text, 1, text->len);
    return true;
}

static bool take_fraction(str *text, int64_t *nanoseconds)
{
    char point;
    int digits = 0;

    *nanoseconds = 0;
    if (!take_char(text, ".,", &point))
        return true;
    for (; text->len && text->ptr[0] >= '0' && text->ptr[0] <= '9'; digits++) {
        if (digits < 9)
            *nanoseconds = *nanoseconds * 10 + (text->ptr[0] - '0');
        *text = str_slice(*text, 1, text->len);
    }
    for (int i = digits; i < 9; i++)
        *nanoseconds *= 10;
    return digits > 0;
}

static bool time_take_zone(str *text, int *offset_seconds)
{
    char sign, colon;
    int hours, minutes;

    if (!take_char(text, "Zz+-", &sign))
        return false;
    *offset_seconds = 0;
    if (sign == 'Z' || sign == 'z')
        return true;
    if (!time_take_number(text, 2, &hours) || !take_char(text, ":", &colon)
        || !time_take_number(text, 2, &minutes))
        return false;
    if (hours > 24 || minutes > 59)
        return false;
    *offset_seconds = (hours * 60 + minutes) * 60 * (sign == '-' ? -1 : 1);
    return true;
}

static bool is_date(const struct tm *parts)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int year = parts->tm_year + 1900;
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    if (parts->tm_mon < 0 || parts->tm_mon > 11 || parts->tm_hour > 23 || parts->tm_min > 59
        || parts->tm_sec > 59)
        return false;
    int last = days[parts->tm_mon] + (parts->tm_mon == 1 && is_leap);
    return parts->tm_mday >= 1 && parts->tm_mday <= last && year >= 1678 && year <= 2261;
}

bool clock_parse(str text, int64_t *out)
{
    struct tm parts = { 0 };
    int64_t nanoseconds;
    int offset;
    char mark;

    bool is_read = time_take_number(&text, 4, &parts.tm_year) && take_char(&text, "-", &mark)
                   && time_take_number(&text, 2, &parts.tm_mon) && take_char(&text, "-", &mark)
                   && time_take_number(&text, 2, &parts.tm_mday) && take_char(&text, "Tt", &mark)
                   && time_take_number(&text, 2, &parts.tm_hour) && take_char(&text, ":", &mark)
                   && time_take_number(&text, 2, &parts.tm_min) && take_char(&text, ":", &mark)
                   && time_take_number(&text, 2, &parts.tm_sec)
                   && take_fraction(&text, &nanoseconds) && time_take_zone(&text, &offset);
    parts.tm_year -= 1900;
    parts.tm_mon--;
    if (!is_read || text.len || !is_date(&parts))
        return false;
    *out = ((int64_t)timegm(&parts) - offset) * NS_PER_S + nanoseconds;
    return true;
}

/* --- as HTTP has it --- */

static const char http_days[] = "SunMonTueWedThuFriSat";
static const char http_months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

str clock_format_http(struct arena *arena, int64_t time)
{
    time_t seconds = (time_t)(time / NS_PER_S);
    struct tm parts;

    BUG_IF(!gmtime_r(&seconds, &parts));
    return arena_printf(arena, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
                        &http_days[3 * parts.tm_wday], parts.tm_mday,
                        &http_months[3 * parts.tm_mon], parts.tm_year + 1900, parts.tm_hour,
                        parts.tm_min, parts.tm_sec);
}

bool clock_parse_http(str text, int64_t *out)
{
    char copy[32], month[4], rfc3339[32];
    unsigned day, year, hour, minute, second;
    int len = 0;

    if (text.len == 0 || text.len >= sizeof(copy) || memchr(text.ptr, '\0', text.len))
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    if (sscanf(copy, "%*3[A-Za-z], %2u %3[A-Za-z] %4u %2u:%2u:%2u GMT%n", &day, month, &year, &hour,
               &minute, &second, &len)
            != 6
        || len != (int)text.len)
        return false;
    const char *found = strlen(month) == 3 ? strstr(http_months, month) : NULL;
    if (!found || (found - http_months) % 3 != 0)
        return false;
    snprintf(rfc3339, sizeof(rfc3339), "%04u-%02u-%02uT%02u:%02u:%02uZ", year % 10000,
             (unsigned)(found - http_months) / 3 + 1, day % 100, hour % 100, minute % 100,
             second % 100);
    return clock_parse(str_from(rfc3339), out);
}
