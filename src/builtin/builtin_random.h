/* builtin_random.h — how the results of package "random" are made; private to this folder. */
#pragma once

#include "plugin/provider.h"

struct builtin_token;
struct seed_table;

struct random_result {
    str id;
    struct value outputs; /* only what is made, in clear */
};

struct random_call {
    struct arena *arena;
    struct value inputs; /* as random_texts gives them */
    struct seed_table *seeds;
};

typedef fallible random_maker(const struct random_call *call, struct random_result *out);
fallible random_make_bytes(const struct random_call *call, struct random_result *out);
fallible random_make_id(const struct random_call *call, struct random_result *out);
fallible random_make_integer(const struct random_call *call, struct random_result *out);
/* Blocks: a hash that is made to be slow is computed on a helper thread. */
fallible random_make_password(const struct random_call *call, struct random_result *out);
fallible random_make_pet(const struct random_call *call, struct random_result *out);
fallible random_make_shuffle(const struct random_call *call, struct random_result *out);
fallible random_make_string(const struct random_call *call, struct random_result *out);
fallible random_make_uuid4(const struct random_call *call, struct random_result *out);
fallible random_make_uuid7(const struct random_call *call, struct random_result *out);

/* What belongs to a value that is there already. A password blocks. */
void random_describe_id(struct arena *arena, str bytes, str prefix, struct random_result *out);
void random_describe_integer(struct arena *arena, double number, struct random_result *out);
fallible random_describe_password(struct arena *arena, str password, struct random_result *out);
fallible random_describe_uuid(struct arena *arena, str uuid, struct random_result *out);

/* Numbers and truth values where text is wanted become text. */
struct value random_texts(struct arena *arena, const struct builtin_token *token,
                          struct value inputs);
/* Inputs that contradict each other. */
void random_check(struct arena *arena, bool is_range, struct value inputs,
                  struct check_failures *failures);
/* The inputs with the defaults of texts or pets. */
struct value random_defaults(struct arena *arena, bool is_text, bool is_pet, struct value inputs);
/* Which inputs differ from those in the state, and which of them replace. Both have their
 * defaults. */
void random_diff(struct arena *arena, const struct builtin_token *token, struct value before,
                 struct value after, struct diff_answer *out);
/* A resource of that value that was made elsewhere. A password blocks. */
fallible random_import(struct arena *arena, str token, str id, struct value *inputs,
                       struct random_result *out);
