/* builtin_random.h — how the results of package "random" are made; private to this folder. */
#pragma once

#include "plugin/provider.h"

struct random_result {
    str id;
    struct value outputs; /* only what is made, in clear */
};

fallible random_make_bytes(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_id(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_integer(struct arena *arena, struct value inputs, struct random_result *out);
/* Blocks: a hash that is made to be slow is computed on a helper thread. */
fallible random_make_password(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_pet(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_shuffle(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_string(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_uuid4(struct arena *arena, struct value inputs, struct random_result *out);
fallible random_make_uuid7(struct arena *arena, struct value inputs, struct random_result *out);

/* Numbers that contradict each other. */
void random_check(struct arena *arena, bool is_range, struct value inputs, struct check_failures *failures);
/* The inputs with the defaults of texts or pets. */
struct value random_defaults(struct arena *arena, bool is_text, bool is_pet, struct value inputs);
/* A resource of that value that was made elsewhere. */
fallible random_import(struct arena *arena, str token, str id, struct value *inputs, struct random_result *out);
