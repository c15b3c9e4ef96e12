/* checker.h — types of expressions, and what fits where; shared by the files that check
 * programs. */
#pragma once

#include "yaml/check/check.h"

struct checker {
    struct arena *arena;
    struct graph *graph;
    struct schemas *schemas;
    struct diags *diags;
    struct map types;      /* name of a declaration → struct schema_type * */
    struct map composites; /* pointer to a list or an object → struct schema_type * */
    struct schema_type *simple[TYPE_ARCHIVE + 1];
    struct map verdicts; /* what was compared → struct verdict * */
    unsigned depth;      /* of what is being compared */
    bool ignores_types;
};

/* The types of all declarations, in their order: each needs only those before it. */
void checker_learn_types(struct checker *checker);

/* What an expression will be; TYPE_ANY where that cannot be said. Complains about properties that
 * do not exist, once for each expression that is checked. Blocks while schemas are loaded. */
struct schema_type *checker_type_of(struct checker *checker, const struct expr *expr);
/* The same for one ${…}. */
struct schema_type *checker_access_type(struct checker *checker, struct range range,
                                        const struct access *access);
struct schema_type *checker_new_type(struct checker *checker, enum type_kind kind);

/* Of an object given as properties. */
struct schema_type *checker_properties_type(struct checker *checker, struct properties properties);

/* Why something does not fit, and because of what in it. */
struct mismatch {
    str property;                        /* empty: the whole */
    const struct schema_type *from, *to; /* NULL: `reason` says it */
    str reason;
    str summary; /* empty: that it is not assignable */
    struct range range;
    struct mismatch **because;
    size_t len;
};

bool type_is_primitive(const struct schema_type *type);

/* NULL: it fits. `expr` may be NULL if only the type is known. */
struct mismatch *checker_mismatch(struct checker *checker, const struct expr *expr,
                                  struct schema_type *from, struct schema_type *to);
/* Of an object given as properties; `range` is where the object is. */
struct mismatch *checker_object_mismatch(struct checker *checker, struct properties given,
                                         struct range range, const struct schema_type *to,
                                         struct schema_properties wanted, bool needs_all);
void checker_report(struct checker *checker, struct range range, const struct schema_type *to,
                    const struct schema_type *from, const struct mismatch *mismatch);
