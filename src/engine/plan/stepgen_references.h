/* stepgen_references.h — references that could not be recorded are refused: to what is not in the
 * new state yet (stepgen_references.c). */
#pragma once

#include "base/error.h"
#include "base/str.h"

struct registration;
struct stepgen;

fallible stepgen_check_parent(const struct stepgen *gen, str parent);
fallible stepgen_check_references(const struct stepgen *gen, const struct registration *reg);
