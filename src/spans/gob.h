/* gob.h — values as Go's encoding/gob writes them: the types that occur first, then a value. */
#pragma once

#include "base/error.h"

enum gob_kind {
    GOB_NUMBER, /* also bool and float, as their bits */
    GOB_TEXT,   /* also bytes */
    GOB_LIST,
    GOB_MAP,    /* a key and its value by turns */
    GOB_STRUCT, /* without members that are zero */
};

struct gob_value {
    enum gob_kind kind;
    uint64_t number;
    str text;                      /* a slice of the input */
    str name;                      /* as the member of a struct */
    const struct gob_value *first; /* of a list, a map, a struct */
    const struct gob_value *next;  /* after this one, in what it is a part of */
};

enum { GOB_MAX_DEPTH = 500 };

/* The member of this name of the struct that comes first; what follows it is not looked at.
 * ERROR_INVALID if there is none. */
fallible gob_read(struct arena *arena, str bytes, const char *member, struct gob_value *out);

/* A member of a struct; NULL if it is zero or missing. */
const struct gob_value *gob_find(const struct gob_value *value, const char *name);
