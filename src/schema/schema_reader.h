/* schema_reader.h — reading parts of a schema's text; shared by the files that read schemas. */
#pragma once

#include "base/json.h"
#include "base/vec.h"
#include "schema/schema.h"

/* Remembers the first thing that was not understood; takes the error. */
void schema_note_trouble(struct schema *schema, str place, struct error *failure);

struct schema_type *schema_new_type(struct schema *schema, enum type_kind kind);
/* Of "#/types/TOKEN", "pulumi.json#/Asset", "/PKG/v1.2.3/schema.json#/resources/TOKEN" … */
struct schema_type *schema_referenced_type(struct schema *schema, str ref);

/* The text of a member of an object; empty if it is none or has no such member. */
str schema_raw_member(struct arena *arena, str object, str wanted);

/* A token in a reference: %2F stands for a slash. */
str schema_decode_token(struct arena *arena, str text);

/* A member of `properties`. */
fallible read_property(struct schema *schema, struct json_reader *reader,
                       struct schema_property *out);
/* Sorted by name. */
fallible schema_read_property_list(struct schema *schema, struct json_reader *reader,
                                   struct schema_properties *out);
/* Those that are named are required. */
void mark_required(struct schema_properties properties, struct strs names);
/* An object with `properties` and `required`. */
fallible schema_read_object(struct schema *schema, struct json_reader *reader,
                            struct schema_properties *out);
