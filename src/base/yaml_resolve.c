/* yaml_resolve.c — what a scalar means: the core rules as the reference's library has them. */
#include "base/yaml.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>

enum { LONGEST_NUMBER = 512 };

static bool scalar_is_one_of(str text, const char *const *words)
{
    for (; *words; words++)
        if (str_equal(text, str_from(*words)))
            return true;
    return false;
}

/* --- integers --- */

static int digit_value(char c)
{
    if (char_is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool read_digits(str text, unsigned base, uint64_t *out)
{
    uint64_t total = 0;

    if (text.len == 0)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned digit = (unsigned)digit_value(text.ptr[i]);
        if (digit >= base || __builtin_mul_overflow(total, base, &total)
            || __builtin_add_overflow(total, digit, &total))
            return false;
    }
    *out = total;
    return true;
}

static unsigned base_of(str *digits)
{
    if (digits->len > 2 && digits->ptr[0] == '0') {
        char mark = (char)(digits->ptr[1] | 0x20);
        unsigned base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
        if (base) {
            *digits = str_slice(*digits, 2, digits->len);
            return base;
        }
    }
    return digits->len > 1 && digits->ptr[0] == '0' ? 8 : 10;
}

static bool scalar_read_integer(str text, struct yaml_scalar *out)
{
    bool is_negative = text.len && text.ptr[0] == '-';
    str digits =
        is_negative || (text.len && text.ptr[0] == '+') ? str_slice(text, 1, text.len) : text;
    unsigned base = base_of(&digits);
    uint64_t size;

    if (!read_digits(digits, base, &size))
        return false;
    if (is_negative ? size > (uint64_t)INT64_MAX + 1 : false)
        return false;
    out->type = YAML_INT;
    out->is_unsigned = !is_negative && size > INT64_MAX;
    out->integer = (int64_t)(is_negative ? -size : size);
    out->number = is_negative && size ? -(double)size : (double)size; /* -0 is an integer: 0 */
    return true;
}

/* --- floats --- */

static size_t scalar_skip_digits(str text, size_t at)
{
    while (at < text.len && char_is_digit(text.ptr[at]))
        at++;
    return at;
}

/* [-+]? ( .[0-9]+ | [0-9]+ (.[0-9]*)? ) ([eE][-+]?[0-9]+)? */
static bool is_float(str text)
{
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+') ? 1 : 0;
    size_t whole = scalar_skip_digits(text, at);
    bool has_whole = whole > at;

    at = whole;
    if (at < text.len && text.ptr[at] == '.') {
        size_t end = scalar_skip_digits(text, at + 1);
        if (!has_whole && end == at + 1)
            return false;
        at = end;
    } else if (!has_whole) {
        return false;
    }
    if (at < text.len && (text.ptr[at] | 0x20) == 'e') {
        at++;
        if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+'))
            at++;
        size_t end = scalar_skip_digits(text, at);
        if (end == at)
            return false;
        at = end;
    }
    return at == text.len;
}

static bool read_float(str text, struct yaml_scalar *out)
{
    char copy[LONGEST_NUMBER + 1];

    if (!is_float(text))
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    double number = strtod(copy, NULL);
    if (isinf(number))
        return false;
    out->type = YAML_FLOAT;
    out->number = number;
    return true;
}

static bool read_special_float(str text, struct yaml_scalar *out)
{
    static const char *const nans[] = { ".nan", ".NaN", ".NAN", NULL };
    static const char *const infinities[] = { ".inf",  ".Inf",  ".INF", "+.inf",
                                              "+.Inf", "+.INF", NULL };
    static const char *const negatives[] = { "-.inf", "-.Inf", "-.INF", NULL };

    if (scalar_is_one_of(text, nans))
        out->number = NAN;
    else if (scalar_is_one_of(text, infinities))
        out->number = INFINITY;
    else if (scalar_is_one_of(text, negatives))
        out->number = -INFINITY;
    else
        return false;
    out->type = YAML_FLOAT;
    return true;
}

static bool scalar_read_number(str text, struct yaml_scalar *out)
{
    char copy[LONGEST_NUMBER];
    size_t len = 0;

    if (read_special_float(text, out))
        return true;
    bool may_be = text.len && (char_is_digit(text.ptr[0]) || strchr("+-.", text.ptr[0]));
    if (!may_be || text.ptr[0] == '\0' || text.len > LONGEST_NUMBER)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '_' || text.ptr[0] == '.')
            copy[len++] = text.ptr[i];
    str plain = { copy, len };
    return (text.ptr[0] != '.' && scalar_read_integer(plain, out)) || read_float(plain, out);
}

/* --- timestamps --- */

struct moment {
    int year, month, day, hour, minute, second;
    str fraction; /* digits */
    bool has_zone;
    int zone_minutes;
};

static bool moment_take_number(str *text, size_t least, size_t most, int *out)
{
    size_t end = scalar_skip_digits(str_slice(*text, 0, most), 0);
    uint64_t number;

    if (end < least || !str_to_u64(str_slice(*text, 0, end), &number))
        return false;
    *out = (int)number;
    *text = str_slice(*text, end, text->len);
    return true;
}

static bool moment_take(str *text, char c)
{
    if (text->len == 0 || text->ptr[0] != c)
        return false;
    *text = str_slice(*text, 1, text->len);
    return true;
}

static bool is_calendar_day(const struct moment *moment)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool is_leap = (moment->year % 4 == 0 && moment->year % 100 != 0) || moment->year % 400 == 0;

    if (moment->month < 1 || moment->month > 12)
        return false;
    return moment->day >= 1
           && moment->day <= days[moment->month - 1] + (moment->month == 2 && is_leap);
}

static bool take_time(str *text, struct moment *out)
{
    bool is_read = moment_take_number(text, 1, 2, &out->hour) && moment_take(text, ':')
                   && moment_take_number(text, 1, 2, &out->minute) && moment_take(text, ':')
                   && moment_take_number(text, 1, 2, &out->second);
    if (!is_read || out->hour > 23 || out->minute > 59 || out->second > 59)
        return false;
    if (moment_take(text, '.')) {
        size_t end = scalar_skip_digits(*text, 0);
        if (end == 0)
            return false;
        out->fraction = str_slice(*text, 0, end);
        *text = str_slice(*text, end, text->len);
    }
    return true;
}

static bool moment_take_zone(str *text, struct moment *out)
{
    int hours, minutes;

    out->has_zone = true;
    if (moment_take(text, 'Z'))
        return true;
    bool is_west = text->len && text->ptr[0] == '-';
    if (!moment_take(text, '+') && !moment_take(text, '-'))
        return false;
    if (!moment_take_number(text, 2, 2, &hours) || !moment_take(text, ':')
        || !moment_take_number(text, 2, 2, &minutes) || hours > 24 || minutes > 59)
        return false;
    out->zone_minutes = (hours * 60 + minutes) * (is_west ? -1 : 1);
    return true;
}

/* 2006-1-2, 2006-1-2 15:4:5.9 (no zone) or 2006-1-2T15:4:5.9Z. */
static bool read_moment(str text, struct moment *out)
{
    *out = (struct moment){ 0 };
    bool is_date = moment_take_number(&text, 4, 4, &out->year) && moment_take(&text, '-')
                   && moment_take_number(&text, 1, 2, &out->month) && moment_take(&text, '-')
                   && moment_take_number(&text, 1, 2, &out->day) && is_calendar_day(out);
    if (!is_date || text.len == 0)
        return is_date;
    if (moment_take(&text, ' '))
        return take_time(&text, out) && text.len == 0;
    if (!moment_take(&text, 'T') && !moment_take(&text, 't'))
        return false;
    return take_time(&text, out) && moment_take_zone(&text, out) && text.len == 0;
}

str yaml_timestamp_text(struct arena *arena, const struct yaml_node *node)
{
    struct moment moment;
    str fraction = { 0 }, zone = STR("+0000 UTC");

    if (!read_moment(node->text, &moment))
        return node->text;
    while (moment.fraction.len && moment.fraction.ptr[moment.fraction.len - 1] == '0')
        moment.fraction.len--;
    if (moment.fraction.len)
        fraction = arena_concat(arena, STR("."), str_slice(moment.fraction, 0, 9));
    if (moment.zone_minutes) {
        int minutes = abs(moment.zone_minutes);
        str offset = arena_printf(arena, "%c%02d%02d", moment.zone_minutes < 0 ? '-' : '+',
                                  minutes / 60, minutes % 60);
        zone = arena_concat(arena, offset, STR(" "), offset);
    }
    str day = arena_printf(arena, "%04d-%02d-%02d %02d:%02d:%02d", moment.year, moment.month,
                           moment.day, moment.hour, moment.minute, moment.second);
    return arena_concat(arena, day, fraction, STR(" "), zone);
}

/* --- scalars --- */

static struct yaml_scalar as_string(str text)
{
    return (struct yaml_scalar){ .type = YAML_STRING, .text = text };
}

static struct yaml_scalar resolve_plain(str text)
{
    static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
    static const char *const trues[] = { "true", "True", "TRUE", NULL };
    static const char *const falses[] = { "false", "False", "FALSE", NULL };
    struct yaml_scalar result = { .type = YAML_NULL };
    struct moment moment;

    if (scalar_is_one_of(text, nulls))
        return result;
    if (scalar_is_one_of(text, trues))
        return (struct yaml_scalar){ .type = YAML_BOOL, .boolean = true };
    if (scalar_is_one_of(text, falses))
        return (struct yaml_scalar){ .type = YAML_BOOL };
    if (char_is_digit(text.ptr[0]) && read_moment(text, &moment))
        return (struct yaml_scalar){ .type = YAML_TIMESTAMP, .text = text };
    return scalar_read_number(text, &result) ? result : as_string(text);
}

struct yaml_scalar yaml_resolve(const struct yaml_node *node)
{
    str kind;

    if (node->tag.len) {
        kind = node->tag;
        if (str_starts_with(kind, STR("tag:yaml.org,2002:")))
            kind = str_slice(kind, sizeof("tag:yaml.org,2002:") - 1, kind.len);
        struct yaml_scalar result = resolve_plain(node->text);
        if (str_equal(kind, STR("float")) && result.type == YAML_INT)
            return (struct yaml_scalar){ .type = YAML_FLOAT, .number = result.number };
        bool is_typed = str_equal(kind, STR("int")) || str_equal(kind, STR("bool"))
                        || str_equal(kind, STR("float")) || str_equal(kind, STR("null"))
                        || str_equal(kind, STR("timestamp"));
        return is_typed ? result : as_string(node->text);
    }
    return node->style == YAML_PLAIN ? resolve_plain(node->text) : as_string(node->text);
}
