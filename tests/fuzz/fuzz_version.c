/* fuzz_version.c — versions and ranges: what is a version is written as it was, orders consistently
 * with others, and lies in the ranges that are made of it. */
#include "fuzz/fuzz_support.h"

#include "base/semver_range.h"

static bool is_in(struct arena *arena, const struct semver *version, const char *comparison, str of)
{
    bool answer;

    REQUIRE(fuzz_accepts(
        semver_in_range(version, arena_concat(arena, str_from(comparison), of), &answer)));
    return answer;
}

static void try_version(struct arena *arena, str text, struct semver *out)
{
    struct semver again;

    REQUIRE(semver_parse_tolerant(text, &again) && semver_compare(out, &again) == 0);
    REQUIRE(str_equal(semver_format(arena, out), text));
    REQUIRE(semver_compare(out, out) == 0);
    REQUIRE(is_in(arena, out, "", text) && is_in(arena, out, ">=", text)
            && is_in(arena, out, "<=", text));
    REQUIRE(!is_in(arena, out, "!", text) && !is_in(arena, out, "<", text)
            && !is_in(arena, out, ">", text));
}

/* Two versions and a range, parted by NUL bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str rest = { (const char *)data, size };
    str first = fuzz_part(&rest), second = fuzz_part(&rest);
    const struct semver ours = { .major = 3, .minor = 260, .pre = STR(""), .build = STR("") };
    struct semver a, b, tolerant;
    bool answer;

    bool has_first = semver_parse(first, &a), has_second = semver_parse(second, &b);
    if (has_first)
        try_version(&arena, first, &a);
    if (has_first && has_second) {
        int order = semver_compare(&a, &b);
        REQUIRE((order < 0) == (semver_compare(&b, &a) > 0));
        REQUIRE(is_in(&arena, &a, "<", second) == (order < 0));
        REQUIRE(is_in(&arena, &a, ">", second) == (order > 0));
    }
    if (semver_parse_tolerant(first, &tolerant)) {
        REQUIRE(str_trim(first).len > 0);
        REQUIRE(semver_parse(semver_format(&arena, &tolerant), &b)
                && semver_compare(&tolerant, &b) == 0);
    }
    fuzz_accepts(semver_in_range(has_first ? &a : &ours, rest, &answer));
    return 0;
}
