/* value_describe.h — values in messages to the user: short, and without secrets. */
#pragma once

#include "base/strbuf.h"
#include "model/value.h"

void value_describe(struct strbuf *out, struct value value);
