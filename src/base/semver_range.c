/* semver_range.c — ranges of semantic versions. */
#include "base/semver_range.h"

static fallible range_refuse(str range)
{
    return error_new(ERROR_INVALID, "invalid version range '" STR_FMT "'", STR_ARG(range));
}

/* What a comparison allows, as an interval: from (included) to (excluded), or the outside of it. */
struct bounds {
    struct semver from;
    struct semver to;
    bool has_from;
    bool has_to;
    bool includes_to;
    bool excludes_from;
    bool is_inverted;
};

/* Cuts a wildcard tail off: "1.x" is 1.0.0 with one number fixed. Returns how many are fixed. */
static size_t cut_wildcard(str *text)
{
    size_t fixed = 0, start = 0;

    for (size_t i = 0; i <= text->len && fixed < 3; i++) {
        if (i < text->len && text->ptr[i] != '.')
            continue;
        str part = str_slice(*text, start, i);
        if (str_equal(part, STR("x")) || str_equal(part, STR("X")) || str_equal(part, STR("*"))) {
            *text = str_slice(*text, 0, start ? start - 1 : 0);
            return fixed;
        }
        fixed++;
        start = i + 1;
    }
    return 3;
}

/* The smallest version above all that share the fixed numbers. */
static struct semver next_version(struct semver version, size_t fixed)
{
    if (fixed == 1)
        return (struct semver){ .major = version.major + 1 };
    return (struct semver){ .major = version.major, .minor = version.minor + 1 };
}

static bool bounds_contain(const struct bounds *bounds, const struct semver *version)
{
    if (bounds->has_from) {
        int order = semver_compare(version, &bounds->from);
        if (order < 0 || (order == 0 && bounds->excludes_from))
            return bounds->is_inverted;
    }
    if (bounds->has_to) {
        int order = semver_compare(version, &bounds->to);
        if (order > 0 || (order == 0 && !bounds->includes_to))
            return bounds->is_inverted;
    }
    return !bounds->is_inverted;
}

static struct bounds make_bounds(str operator, struct semver version, size_t fixed)
{
    bool is_exact = fixed == 3;
    struct semver next = is_exact ? version : next_version(version, fixed);

    if (str_equal(operator, STR(">")))
        return (struct bounds){ .from = next, .has_from = true, .excludes_from = is_exact };
    if (str_equal(operator, STR(">=")))
        return (struct bounds){ .from = version, .has_from = true };
    if (str_equal(operator, STR("<")))
        return (struct bounds){ .to = version, .has_to = true };
    if (str_equal(operator, STR("<=")))
        return (struct bounds){ .to = next, .has_to = true, .includes_to = is_exact };
    bool is_negated = operator.len && operator.ptr[0] == '!';
    return (struct bounds){ .from = version,
                            .has_from = true,
                            .to = next,
                            .has_to = true,
                            .includes_to = is_exact,
                            .is_inverted = is_negated };
}

static bool is_operator(str text)
{
    static const str operators[] = { STR_INIT(""),   STR_INIT("="),  STR_INIT("=="),
                                     STR_INIT("!"),  STR_INIT("!="), STR_INIT(">"),
                                     STR_INIT(">="), STR_INIT("<"),  STR_INIT("<=") };

    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (str_equal(text, operators[i]))
            return true;
    return false;
}

static fallible check_one(const struct semver *version, str comparison, str range, bool *out)
{
    size_t at = 0;
    struct semver bound = { 0 };

    while (at < comparison.len && strchr("<>=!", comparison.ptr[at]))
        at++;
    str operator= str_slice(comparison, 0, at);
    str text = str_slice(comparison, at, comparison.len);
    if (!is_operator(operator) || text.len == 0)
        return range_refuse(range);
    size_t fixed = cut_wildcard(&text);
    if (fixed == 0) {
        *out = true;
        return NULL;
    }
    if (fixed == 3 ? !semver_parse(text, &bound) : !semver_parse_tolerant(text, &bound))
        return range_refuse(range);
    struct bounds bounds = make_bounds(operator, bound, fixed);
    *out = bounds_contain(&bounds, version);
    return NULL;
}

/* Takes the next comparison: an operator may be parted from its version by blanks. */
static str take_comparison(struct arena *arena, str *rest)
{
    *rest = str_trim(*rest);
    size_t at = 0;
    while (at < rest->len && strchr("<>=!", rest->ptr[at]))
        at++;
    str operator= str_slice(*rest, 0, at);
    str text = str_trim(str_slice(*rest, at, rest->len));
    size_t end = 0;
    while (end < text.len && !strchr(" \t<>=!", text.ptr[end]))
        end++;
    *rest = str_slice(text, end, text.len);
    return arena_concat(arena, operator, str_slice(text, 0, end));
}

static fallible check_all(struct arena *scratch, const struct semver *version, str alternative,
                          str range, bool *out)
{
    *out = true;
    str rest = str_trim(alternative);
    if (rest.len == 0)
        return range_refuse(range);
    while (rest.len) {
        bool holds;
        TRY(check_one(version, take_comparison(scratch, &rest), range, &holds));
        *out = *out && holds;
        rest = str_trim(rest);
    }
    return NULL;
}

fallible semver_in_range(const struct semver *version, str range, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool any = false;
    str alternative = { 0 }, rest = range;

    do {
        bool holds;
        if (!str_cut(rest, STR("||"), &alternative, &rest)) {
            alternative = rest;
            rest = (str){ 0 };
        }
        TRY(check_all(&scratch, version, alternative, range, &holds));
        any = any || holds;
    } while (rest.ptr);
    *out = any;
    return NULL;
}
