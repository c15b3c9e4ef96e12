/* graphemes.h — how many characters a reader sees in a text. */
#pragma once

#include "base/str.h"

/* Combining marks, joined and modified emoji, flags and line ends count once. */
size_t graphemes_count(str text);
