/* python_names.h — what things of a schema are called in Python: in programs and in SDKs alike. */
#pragma once

#include "schema/schema.h"

/* some_name of someName; an abbreviation is one word, and a keyword gets an underscore behind it.
 */
str python_name(struct arena *arena, str name);
/* The same of a token's last part: functions and files. */
str python_member(struct arena *arena, str token);
/* The class of a token's member: the first letter is a capital, hyphens are gone. */
str python_class_name(struct arena *arena, str member);
/* A member of an enum's class: SOME_NAME. The name may be empty: then it is made of the value. */
str python_enum_member(struct arena *arena, const struct schema_type *type, size_t index);
/* The module of a token, below the package: "store.deep"; empty at the root. */
str python_module(struct arena *arena, const struct schema *schema, str token);
/* The package as programs import it: pulumi_acme. */
str python_package(struct arena *arena, const struct schema *schema);
/* "1.2.3-rc.4" as Python's index of packages wants versions: "1.2.3rc4"; empty if it is none. */
str python_index_version(struct arena *arena, str semver);
