/* json_value.h — JSON as plain values: what scripts, traces and golden files are made of. */
#pragma once

#include "base/vec.h"
#include "model/resource.h"

/* A growing list; make it a value with `values_array`. */
struct values {
    VEC(struct value);
};
void values_release(struct values *values);
struct value values_array(struct arena *arena, const struct values *values);

fallible json_value_parse(struct arena *arena, str text, struct value *out);
fallible json_value_load(struct arena *arena, str path, struct value *out);

/* Keys sorted; one line, or one member a line if there is an indent. */
str json_value_text(struct arena *arena, struct value value, unsigned indent);

/* Exactly the same text; unlike value_equal, a null member is not an absent one. */
bool json_value_equal(struct value a, struct value b);

/* --- members of an object that may be absent, or no object at all --- */

struct value object_get(struct value object, str key); /* null if absent */
str object_text(struct value object, str key);         /* empty if absent or no text */
bool object_flag(struct value object, str key);        /* true only if it is true */
double object_number(struct value object, str key, double otherwise);
struct strs object_strs(struct arena *arena, struct value object, str key);

/* Scalars as text: numbers and booleans too. */
str value_as_text(struct arena *arena, struct value scalar);
struct strs value_as_strs(struct arena *arena, struct value array);
struct value value_from_strs(struct arena *arena, struct strs list);
