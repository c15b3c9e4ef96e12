/* store_gs.h — objects in a bucket of Google Cloud Storage: what its parts share. */
#pragma once

#include "backend/store_web.h"

/* The answer to a listing; keys as the server has them. Pure, fuzzed. */
fallible gs_page_parse(struct arena *arena, str text, struct store_page *out);
