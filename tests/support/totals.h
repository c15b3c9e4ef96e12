/* totals.h — how many claims of a group of tests held; tools/check adds them up. */
#pragma once

#include "base/error.h"

/* Prints them, and appends them to the file that $TOTALS names. */
fallible totals_report(size_t passed, size_t failed, size_t skipped);
