/* ts_types.h — types, properties and what they are if nobody sets them. */
#pragma once

#include "nodejs/sdk/ts_file.h"

enum ts_place {
    TS_ARGS,  /* arguments; everything in them may be promised */
    TS_PLAIN, /* arguments that are there */
    TS_RESULT,
};

/* The text of a type; with `is_optional` it may be undefined. */
str ts_type(struct ts_file *file, const struct schema_type *type, enum ts_place place,
            bool is_optional);
/* The interface of an object, without its namespace. */
str ts_object_name(const struct ts_sdk *sdk, struct arena *arena, const struct schema_type *type,
                   enum ts_place place);

/* "name?: type" as interfaces declare it. */
void ts_property(struct ts_file *file, const struct schema_property *property, enum ts_place place,
                 bool is_readonly);
void ts_interface(struct ts_file *file, str name, struct schema_properties properties,
                  enum ts_place place, bool is_readonly);
/* Of an output of a resource. */
str ts_output_type(struct ts_file *file, const struct schema_property *property);

/* Without "__self__". */
struct schema_properties ts_without_self(struct arena *arena, struct schema_properties list);
bool ts_all_optional(struct schema_properties list);

/* --- values that nobody has set --- */

/* An expression: what the environment says, else what the schema says. Empty: nothing. */
str ts_default(struct ts_file *file, const struct schema_property *property);
str ts_constant(struct arena *arena, struct value value);

/* Some property, of itself or of an object in it, has one. */
bool ts_has_defaults(const struct ts_sdk *sdk, struct schema_type *type);
/* Finds the objects of the package that have some. */
void ts_find_defaults(struct ts_sdk *sdk);
/* The function that sets them in an object, and a call of it for what may be promised (TS_ARGS)
 * and, unless `is_there`, undefined. */
str ts_defaults_function(struct ts_file *file, const struct schema_type *type, enum ts_place place);
str ts_defaults_call(struct ts_file *file, const struct schema_property *property,
                     enum ts_place place, str argument, bool is_there);
