/* resource_fields.h — the one list of what a checkpoint keeps of a resource; reading, writing,
 * copying and comparing walk it. */
#pragma once

#include "model/resource.h"
#include "model/value_json.h"

/* What a member is; resource_fields.def names them without the prefix. */
enum field_kind {
    KIND_BOOL,
    KIND_TEXT,
    KIND_URN, /* text that names a resource */
    KIND_TEXTS,
    KIND_URNS,
    KIND_FRAMES, /* texts, in the checkpoint objects of their own */
    KIND_VALUE,
    KIND_PROPERTIES, /* an object, never null */
    KIND_DEPENDENCIES,
    KIND_TIMEOUTS,
    KIND_HOOKS,
    KIND_ALIASES, /* this and the following are never in a checkpoint */
    KIND_PAIRS,
    KIND_BYTE_PAIRS,
    FIELD_KINDS,
};

/* How a kind of member is read, written, copied and compared. The pointers lead to the member. */
struct field_ops {
    fallible (*read)(struct json_reader *reader, void *member);
    void (*write)(struct json_writer *writer, const void *member, enum secret_form form);
    bool (*is_empty)(const void *member);
    /* Makes the member independent of what it points to. */
    void (*own)(struct arena *arena, void *member);
    /* Nothing is overlooked: they are written the same. */
    bool (*is_equal)(const void *a, const void *b);
    size_t size;
};
extern const struct field_ops field_ops[FIELD_KINDS]; /* zero for those never in a checkpoint */

enum field_flags {
    FIELD_ALWAYS = 1,  /* written even if empty */
    FIELD_PASSING = 2, /* in the journal, never in a checkpoint */
};

struct resource_field {
    str key;
    enum field_kind kind;
    size_t offset; /* in struct resource */
    int since;     /* the first version of the format that has it */
    unsigned flags;
};

/* In the order in which they are written. */
extern const struct resource_field resource_fields[];
extern const size_t resource_field_count;
