/* schema_checker.h — one check under way; shared by the files that check schemas. */
#pragma once

#include "base/map.h"
#include "schema/schema_check.h"

struct checker {
    struct arena *arena;
    const struct schema_check_options *options;
    struct value root; /* VALUE_OBJECT */
    str name;
    struct schema_complaints *out;
    struct map others;  /* package and version → struct value * */
    struct map methods; /* tokens of functions that are a method of some resource */
};

/* A place below another: the last part is a key or an index. */
str place_below(struct checker *checker, str place, str key);
str place_at(struct checker *checker, str place, size_t index);
void schema_complain(struct checker *checker, str place, const char *format, ...) PRINTF(3, 4);
void schema_warn(struct checker *checker, str place, const char *format, ...) PRINTF(3, 4);

/* A member that is an object, or an empty one. */
struct value member_object(struct value object, str key);
/* A member that is a list, or an empty one. */
struct value member_list(struct value object, str key);

/* What a constant is called in complaints. */
const char *constant_name(struct value value);
/* Whether a constant is one of a simple type; integers have 32 bits. */
bool constant_fits(struct value value, str type);

/* A type, or a property with its type among its own members. */
void check_type_spec(struct checker *checker, str place, struct value spec);
/* The properties of an object at `place` under `key`, and the names under `required` that must be
 * among them. `kind` says what the properties are of. */
enum property_kind { PROPERTIES_OF_TYPE, PROPERTIES_IN, PROPERTIES_OUT, PROPERTIES_OF_PROVIDER };
void check_property_list(struct checker *checker, str place, struct value object, str key,
                         str required, enum property_kind kind, bool is_component);
