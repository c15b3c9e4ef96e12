/* semver.h — semantic versions: parsed, compared, written. */
#pragma once

#include "base/arena.h"

/* `pre` and `build` are slices of what was parsed: dot-separated identifiers, empty if absent. */
struct semver {
    uint64_t major;
    uint64_t minor;
    uint64_t patch;
    str pre;
    str build;
};

/* False leaves `out` untouched. */
bool semver_parse(str text, struct semver *out);

/* Also takes blanks around it, a leading "v", missing parts ("1", "1.2") and leading zeros
 * ("01.2.3"). */
bool semver_parse_tolerant(str text, struct semver *out);

/* Negative, 0 or positive; build metadata does not count, a pre-release comes before its
 * release. */
int semver_compare(const struct semver *a, const struct semver *b);

/* "1.2.3-rc.1+build", without "v". */
str semver_format(struct arena *arena, const struct semver *version);
