/* output.h — values that come from resources: known or not, secret or not, and which resources they
 * depend on.
 *
 * In the evaluator a VALUE_OUTPUT may stand anywhere in a value. A function looks only at plain
 * values: what it is given is stripped, with the marks of all that was stripped gathered in a
 * taint, and what it makes carries that taint again. */
#pragma once

#include "model/resource.h"

struct strbuf;

struct taint {
    bool is_output;  /* something was stripped */
    bool is_unknown; /* a part is not known yet, so nothing made of it is */
    bool is_secret;
    unsigned outputs_around; /* around what is being stripped */
    str *dependencies;       /* URNs, each once; in the arena */
    size_t len;
    size_t capacity;
};

void taint_add(struct arena *arena, struct taint *taint, str urn);
void taint_merge(struct arena *arena, struct taint *taint, const struct taint *other);

/* The value without outputs, secrets and unknowns at any depth. Meaningless if the taint then says
 * unknown. A reference to a resource stays. It counts as a dependency on that resource, but not
 * inside an output, which says itself what it depends on. */
struct value output_strip(struct arena *arena, struct value value, struct taint *taint);

/* The plain value with the taint, if there is any. */
struct value output_wrap(struct arena *arena, struct value plain, const struct taint *taint);
struct value output_unknown(struct arena *arena, const struct taint *taint);

/* All dependencies of a value. */
void output_dependencies(struct arena *arena, struct value value, struct taint *taint);

/* As it goes to the engine: members that are null are left out; those that came out as null
 * stay. */
struct value output_prune(struct arena *arena, struct value value);

bool output_has(struct value value); /* an output anywhere in it */

/* What `what` is called in messages: nil, a boolean, a number, a string, a list, an object. */
const char *value_kind_text(struct value value);

/* The text of a value inside a string: <nil>, true, 1e+06, [1 a], map[k:v]. */
void value_add_text(struct strbuf *out, struct value value);
