/* duration.c — durations as the reference writes them. */
#include "base/duration.h"

#include <stdlib.h>

struct unit {
    const char *name;
    double seconds;
};

/* Longer names first, so that "ms" is not taken for "m". */
static const struct unit units[] = {
    { "ns", 1e-9 }, { "us", 1e-6 }, { "\xc2\xb5s", 1e-6 }, { "ms", 1e-3 },
    { "s", 1 },     { "m", 60 },    { "h", 3600 },
};

static const struct unit *find_unit(str text)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (str_starts_with(text, str_from(units[i].name)))
            return &units[i];
    return NULL;
}

/* A number and its unit at the beginning of the text, which a NUL byte ends. */
static bool parse_part(str *rest, double *total)
{
    char *end = NULL;
    bool is_number = rest->ptr[0] == '.' || (rest->ptr[0] >= '0' && rest->ptr[0] <= '9');
    double number = is_number ? strtod(rest->ptr, &end) : 0;

    if (!end)
        return false;
    *rest = str_slice(*rest, (size_t)(end - rest->ptr), rest->len);
    const struct unit *unit = find_unit(*rest);
    if (!unit)
        return false;
    *total += number * unit->seconds;
    *rest = str_slice(*rest, strlen(unit->name), rest->len);
    return true;
}

bool duration_parse(str text, double *seconds)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str rest = arena_copy(&scratch, text); /* ended by a NUL byte */
    double total = 0, sign = 1;

    if (rest.len && (rest.ptr[0] == '-' || rest.ptr[0] == '+')) {
        sign = rest.ptr[0] == '-' ? -1 : 1;
        rest = str_slice(rest, 1, rest.len);
    }
    bool is_valid = rest.len > 0;
    if (str_equal(rest, STR("0")))
        rest = STR("");
    while (rest.len && is_valid)
        is_valid = parse_part(&rest, &total);
    *seconds = sign * total;
    return is_valid;
}

str duration_format(struct arena *arena, double seconds)
{
    int64_t whole = (int64_t)seconds;
    int64_t hours = whole / 3600, minutes = whole / 60 % 60;
    double rest = seconds - (double)(hours * 3600 + minutes * 60);

    if (seconds < 1)
        return arena_printf(arena, "%gms", seconds * 1000);
    if (hours)
        return arena_printf(arena, "%ldh%ldm%gs", (long)hours, (long)minutes, rest);
    if (minutes)
        return arena_printf(arena, "%ldm%gs", (long)minutes, rest);
    return arena_printf(arena, "%gs", rest);
}
