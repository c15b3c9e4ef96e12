/* cloud.h — what "really" exists, as far as the scripted provider is concerned: one file beside the
 * script, and a log of everything that was made and unmade (deeds.jsonl), which only ever grows. */
#pragma once

#include "base/error.h"
#include "base/strbuf.h"
#include "model/value.h"

/* Locked from open to close, so that all provider processes see one world. */
struct cloud {
    struct arena *arena;
    str path;
    struct value objects; /* id to { type, props } */
    struct value serials; /* "type/name" to how many were made so far */
    struct strbuf deeds;  /* since it was opened: one JSON value a line */
    int lock;
};

/* `directory` holds, or will hold, cloud.json. */
fallible cloud_open(struct arena *arena, str directory, struct cloud *out);
/* Writes it back. */
fallible cloud_close(struct cloud *cloud);

/* The id for a new object of that type and name: "name-1", then "name-2" … */
str cloud_next_id(struct cloud *cloud, str type, str name);
void cloud_put(struct cloud *cloud, str id, str type, struct value properties);
void cloud_remove(struct cloud *cloud, str id);
