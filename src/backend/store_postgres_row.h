/* store_postgres_row.h — bytes as the reference keeps them in a row: {"data":"BASE64"}. No I/O. */
#pragma once

#include "base/error.h"
#include "base/strbuf.h"

str postgres_row_format(struct arena *arena, str bytes);
/* ERROR_INVALID if it is something else. */
fallible postgres_row_parse(struct arena *arena, str text, str *out);
