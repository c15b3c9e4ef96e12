/* duration.c — durations as the reference writes them. */
#include "base/duration.h"

#include <stdlib.h>

struct unit {
    const char *name;
    double seconds;
};

/* Longer names first, so that "ms" is not taken for "m". */
static const struct unit units[] = {
    { "ns", 1e-9 }, { "us", 1e-6 }, { "\xc2\xb5s", 1e-6 }, { "\xce\xbcs", 1e-6 },
    { "ms", 1e-3 }, { "s", 1 },     { "m", 60 },           { "h", 3600 },
};

/* What the reference can hold: 2^63 nanoseconds. */
static const double longest = 9223372036.0;

static const struct unit *find_unit(str text)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (str_starts_with(text, str_from(units[i].name)))
            return &units[i];
    return NULL;
}

/* Digits with a point among them, or before or behind them. */
static str take_number(str *rest)
{
    size_t len = 0, points = 0;

    while (len < rest->len
           && (char_is_digit(rest->ptr[len]) || (rest->ptr[len] == '.' && points++ == 0)))
        len++;
    str number = str_slice(*rest, 0, len);
    *rest = str_slice(*rest, len, rest->len);
    return str_equal(number, STR(".")) ? STR("") : number;
}

/* A number and its unit at the beginning of the text. */
static bool parse_part(struct arena *scratch, str *rest, double *total)
{
    str number = take_number(rest);
    const struct unit *unit = find_unit(*rest);

    if (!number.len || !unit)
        return false;
    *total += strtod(arena_cstr(scratch, number), NULL) * unit->seconds;
    *rest = str_slice(*rest, strlen(unit->name), rest->len);
    return true;
}

bool duration_parse(str text, double *seconds)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str rest = text;
    double total = 0, sign = 1;

    if (rest.len && (rest.ptr[0] == '-' || rest.ptr[0] == '+')) {
        sign = rest.ptr[0] == '-' ? -1 : 1;
        rest = str_slice(rest, 1, rest.len);
    }
    bool is_valid = rest.len > 0;
    if (str_equal(rest, STR("0")))
        rest = STR("");
    while (rest.len && is_valid)
        is_valid = parse_part(&scratch, &rest, &total);
    *seconds = sign * total;
    return is_valid && total <= longest;
}

/* Without an exponent, and without zeros at its end. */
static const char *number_text(struct arena *arena, double number, int digits)
{
    str text = arena_printf(arena, "%.*f", digits, number);

    while (text.ptr[text.len - 1] == '0')
        text.len--;
    text.len -= text.ptr[text.len - 1] == '.';
    return arena_cstr(arena, text);
}

str duration_format(struct arena *arena, double seconds)
{
    seconds = seconds < longest ? seconds : longest; /* those of a state may be any number */
    int64_t whole = seconds > 0 ? (int64_t)seconds : 0;
    int64_t hours = whole / 3600, minutes = whole / 60 % 60;
    double rest = seconds - (double)(hours * 3600 + minutes * 60);
    const char *rest_text = number_text(arena, rest, 9);

    if (seconds < 1)
        return arena_printf(arena, "%sms", number_text(arena, seconds * 1000, 6));
    if (hours)
        return arena_printf(arena, "%ldh%ldm%ss", (long)hours, (long)minutes, rest_text);
    if (minutes)
        return arena_printf(arena, "%ldm%ss", (long)minutes, rest_text);
    return arena_printf(arena, "%ss", rest_text);
}
