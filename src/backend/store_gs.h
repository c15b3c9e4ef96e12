/* store_gs.h — objects in a bucket of Google Cloud Storage: what its parts share. */
#pragma once

#include "backend/object_store.h"

/* The answer to a listing; keys as the server has them. Pure, fuzzed. */
struct gs_page {
    struct object_list objects;
    str next; /* token of the next page; empty: it was the last */
};
fallible gs_page_parse(struct arena *arena, str text, struct gs_page *out);
