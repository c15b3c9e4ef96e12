/* semver_range.h — ranges of semantic versions: ">=3.5.0 !3.7.7 || <2.0.0". */
#pragma once

#include "base/error.h"
#include "base/semver.h"

/* Comparisons joined by blanks must all hold; alternatives are parted by ||; x stands for any
 * number. ERROR_INVALID if it is no range. */
fallible semver_in_range(const struct semver *version, str range, bool *out);
