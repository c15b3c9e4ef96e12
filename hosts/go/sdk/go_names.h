/* go_names.h — names of Go for names of a schema. */
#pragma once

#include "schema/schema_package.h"

/* A name that is exported: SomeName of some-name. */
str go_title(struct arena *arena, str name);
/* The exported name of a token's last part; Resource/method is one name. */
str go_member_name(struct arena *arena, str token);
/* The field of a property; `resource` is what it belongs to, or empty. */
str go_field_name(struct arena *arena, str property, str resource);
/* The method of an output that gives a property; of a pointer if `is_pointer`. */
str go_getter_name(struct arena *arena, str property, str resource, bool is_pointer);
/* A parameter of a function. */
str go_parameter_name(struct arena *arena, str property);
/* The constant of an enum's value. */
fallible go_constant_name(struct arena *arena, const struct schema_type *type, size_t index,
                          str type_name, str *out);
/* Folders of packages have no dashes; what a package calls itself is no keyword either. */
str go_package_word(struct arena *arena, str name);
str go_package_clause(struct arena *arena, str name);
