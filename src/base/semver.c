/* semver.c — semantic versions: parsed, compared, written. */
#include "base/semver.h"

static bool is_identifier_char(char c)
{
    return char_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static bool is_numeric(str identifier)
{
    for (size_t i = 0; i < identifier.len; i++)
        if (!char_is_digit(identifier.ptr[i]))
            return false;
    return identifier.len > 0;
}

/* Takes the text up to the next dot and leaves what follows it; false at the end. */
static bool next_identifier(str *rest, str *out)
{
    if (!rest->ptr)
        return false;
    if (!str_cut(*rest, STR("."), out, rest)) {
        *out = *rest;
        *rest = (str){ 0 };
    }
    return true;
}

static bool are_identifiers(str list, bool allows_leading_zeros)
{
    str identifier;
    while (next_identifier(&list, &identifier)) {
        if (identifier.len == 0)
            return false;
        for (size_t i = 0; i < identifier.len; i++)
            if (!is_identifier_char(identifier.ptr[i]))
                return false;
        if (!allows_leading_zeros && identifier.len > 1 && identifier.ptr[0] == '0'
            && is_numeric(identifier))
            return false;
    }
    return true;
}

static bool semver_parse_number(str text, bool allows_leading_zeros, uint64_t *out)
{
    if (!allows_leading_zeros && text.len > 1 && text.ptr[0] == '0')
        return false;
    return is_numeric(text) && str_to_u64(text, out);
}

/* What precedes the first of the two marks, which begin pre-release and build metadata. */
static str core_of(str text)
{
    size_t end = 0;
    while (end < text.len && text.ptr[end] != '-' && text.ptr[end] != '+')
        end++;
    return str_slice(text, 0, end);
}

static bool semver_parse_either(str text, bool is_tolerant, struct semver *out)
{
    struct semver version = { .pre = STR(""), .build = STR("") };
    str core = core_of(text), rest = str_slice(text, core.len, text.len);
    uint64_t *const numbers[] = { &version.major, &version.minor, &version.patch };
    size_t count = 0;
    str part;

    while (next_identifier(&core, &part)) {
        if (count == 3 || !semver_parse_number(part, is_tolerant, numbers[count]))
            return false;
        count++;
    }
    if (count == 0 || (count < 3 && (!is_tolerant || rest.len > 0)))
        return false;

    str_cut(rest, STR("+"), &rest, &version.build);
    bool has_build = version.build.len > 0 || str_ends_with(text, STR("+"));
    bool has_pre = rest.len > 0;
    if (has_pre)
        version.pre = str_slice(rest, 1, rest.len);
    if ((has_pre && !are_identifiers(version.pre, false))
        || (has_build && !are_identifiers(version.build, true)))
        return false;
    *out = version;
    return true;
}

bool semver_parse(str text, struct semver *out)
{
    return semver_parse_either(text, false, out);
}

bool semver_parse_tolerant(str text, struct semver *out)
{
    text = str_trim(text);
    if (str_starts_with(text, STR("v")))
        text = str_slice(text, 1, text.len);
    return semver_parse_either(text, true, out);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Numbers by value and before words; words by bytes. */
static int compare_identifiers(str a, str b)
{
    bool a_is_numeric = is_numeric(a), b_is_numeric = is_numeric(b);

    if (a_is_numeric != b_is_numeric)
        return a_is_numeric ? -1 : 1;
    if (a_is_numeric && a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return str_compare(a, b);
}

static int compare_pre(str a, str b)
{
    if (a.len == 0 || b.len == 0)
        return (a.len == 0) - (b.len == 0);
    while (true) {
        str first, second;
        bool has_first = next_identifier(&a, &first), has_second = next_identifier(&b, &second);
        if (!has_first || !has_second)
            return has_first - has_second;
        int order = compare_identifiers(first, second);
        if (order != 0)
            return order;
    }
}

int semver_compare(const struct semver *a, const struct semver *b)
{
    int order = compare_numbers(a->major, b->major);
    if (order == 0)
        order = compare_numbers(a->minor, b->minor);
    if (order == 0)
        order = compare_numbers(a->patch, b->patch);
    return order != 0 ? order : compare_pre(a->pre, b->pre);
}

str semver_format(struct arena *arena, const struct semver *version)
{
    str core = arena_printf(arena, "%llu.%llu.%llu", (unsigned long long)version->major,
                            (unsigned long long)version->minor, (unsigned long long)version->patch);
    return arena_concat(arena, core, version->pre.len > 0 ? STR("-") : STR(""), version->pre,
                        version->build.len > 0 ? STR("+") : STR(""), version->build);
}
