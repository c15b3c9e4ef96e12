/* archive_limits.c — refuses archives that unpack to too much, and says which limit it was. */
#include "archive/archive_limits.h"

#include "base/settings.h"

#define BYTES_SETTING "CULUMI_MAX_ARCHIVE_BYTES"
#define MEMBERS_SETTING "CULUMI_MAX_ARCHIVE_MEMBERS"
#define RATIO_SETTING "CULUMI_MAX_ARCHIVE_RATIO"

/* The largest published plugins unpack to 1 GB, at most ten times their archive. */
static const uint64_t default_bytes = 4ULL << 30;
enum { DEFAULT_MEMBERS = 200 * 1000, DEFAULT_RATIO = 100 };

/* A high ratio is harmless in a small file. */
enum { RATIO_COUNTS_FROM = 64 << 20 };

static fallible read_limit(const char *setting, uint64_t otherwise, uint64_t *out)
{
    str text = settings_text(setting);

    *out = otherwise;
    if (text.len == 0 || str_to_u64(text, out))
        return NULL;
    return error_new(ERROR_INVALID, "%s is '" STR_FMT "', which is not a number", setting,
                     STR_ARG(text));
}

fallible archive_meter_init(struct archive_meter *meter, str name, uint64_t file_size)
{
    *meter = (struct archive_meter){ .name = name, .file = file_size };
    TRY(read_limit(BYTES_SETTING, default_bytes, &meter->most_bytes));
    TRY(read_limit(MEMBERS_SETTING, DEFAULT_MEMBERS, &meter->most_members));
    TRY(read_limit(RATIO_SETTING, DEFAULT_RATIO, &meter->most_ratio));
    return meter->most_ratio > 0 ? NULL : error_new(ERROR_INVALID, RATIO_SETTING " cannot be 0");
}

static fallible limit_exceeded(const struct archive_meter *meter, const char *what, uint64_t limit,
                               const char *unit, const char *setting)
{
    return error_new(ERROR_INVALID,
                     "'" STR_FMT
                     "' %s more than %llu %s; if you trust it, raise this limit with %s",
                     STR_ARG(meter->name), what, (unsigned long long)limit, unit, setting);
}

fallible archive_meter_member(struct archive_meter *meter, uint64_t claimed_size)
{
    if (++meter->members > meter->most_members)
        return limit_exceeded(meter, "has", meter->most_members, "members", MEMBERS_SETTING);
    if (meter->bytes > meter->most_bytes || claimed_size > meter->most_bytes - meter->bytes)
        return limit_exceeded(meter, "unpacks to", meter->most_bytes, "bytes", BYTES_SETTING);
    return NULL;
}

fallible archive_meter_bytes(struct archive_meter *meter, uint64_t count)
{
    meter->bytes += count;
    if (meter->bytes > meter->most_bytes)
        return limit_exceeded(meter, "unpacks to", meter->most_bytes, "bytes", BYTES_SETTING);
    if (meter->bytes > RATIO_COUNTS_FROM && meter->bytes / meter->most_ratio > meter->file)
        return limit_exceeded(meter, "unpacks to", meter->most_ratio, "times its size",
                              RATIO_SETTING);
    return NULL;
}
