/* operation.h — what is particular to update, refresh, destroy and import, with and without their
 * program. Whether something is a refresh is asked here and nowhere else. */
#pragma once

#include "base/str.h"

struct engine_options;

enum operation_source {
    SOURCE_PROGRAM, /* it runs and registers resources */
    SOURCE_NOTHING, /* nothing is registered: everything goes */
    SOURCE_LIST,    /* what exists is imported from a list */
    SOURCE_NONE,    /* nobody registers anything, and nothing goes */
};

/* What becomes of what is registered, and of what is not. */
enum plan_mode { MODE_UPDATE, MODE_DESTROY, MODE_REFRESH };

enum operation_rule {
    RULE_REFRESHES = 1 << 0,      /* the state is read, whether the user asks for it or not */
    RULE_READS_EACH = 1 << 1,     /* what is registered is read then, and not before */
    RULE_NAMES_STATE = 1 << 2,    /* targets must be in the state */
    RULE_LACKS_HOOKS = 1 << 3,    /* it deletes, but the hooks are in the program */
    RULE_CHOOSES_NAMES = 1 << 4,  /* automatic names are configured */
    RULE_HAS_NO_VIEWS = 1 << 5,   /* nothing that it creates has views yet */
    RULE_SPARES_PROGRAM = 1 << 6, /* there may be a program, but it is not run */
};

struct operation_row {
    const char *noun;
    enum operation_source source;
    enum plan_mode mode;
    unsigned rules;
};

/* By kind, and whether the program runs. */
const struct operation_row *operation_of(const struct engine_options *options);
/* One of several rules, given as a sum. */
bool operation_has(const struct engine_options *options, unsigned rules);
/* By itself, or because the user asks for it. */
bool operation_refreshes(const struct engine_options *options);
/* Is everything read before anything else? */
bool operation_refreshes_first(const struct engine_options *options);
/* Is each resource read when it is registered? */
bool operation_refreshes_each(const struct engine_options *options);
