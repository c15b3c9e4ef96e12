/* resource_fields.h — the one list of what a checkpoint keeps of a resource; reading, writing and
 * comparing walk it. */
#pragma once

#include "model/resource.h"
#include "model/value_json.h"

/* How one type of member is read, written and compared. The pointers lead to the member. */
struct field_kind {
    struct error *(*read)(struct json_reader *reader, void *member);
    void (*write)(struct json_writer *writer, const void *member, enum secret_form form);
    bool (*is_empty)(const void *member);
    bool (*equal)(const void *a, const void *b);
};

enum field_flags {
    FIELD_ALWAYS = 1,   /* written even if empty */
    FIELD_COMPARED = 2, /* a difference alone makes a state worth writing */
    FIELD_PASSING = 4,  /* in the journal, never in a checkpoint */
};

struct resource_field {
    str key;
    const struct field_kind *kind;
    size_t offset; /* in struct resource */
    int since;     /* the first version of the format that has it */
    unsigned flags;
};

/* In the order in which they are written. */
extern const struct resource_field resource_fields[];
extern const size_t resource_field_count;
