/* config.h — a stack's configuration: typed values under namespaced keys, some of them sealed. */
#pragma once

#include "base/json.h"
#include "model/config_facts.h"
#include "model/crypter.h"

struct project;

struct config_key {
    str namespace; /* a package or the project */
    str name;
};

/* A value is a string, or an object or array with real types inside; numbers and booleans at the
 * top exist only where `--type` made them. A sealed text is an opaque VALUE_SECRET whose ciphertext
 * is the raw text's: only the functions of this file unseal it. */
struct config_entry {
    struct config_key key;
    struct value value;
};

/* Sorted by namespace and name. The zero value is empty. Entries live in the arena that the
 * functions are given. */
struct config {
    struct config_entry *items;
    size_t len;
};

/* `ns:name` or the old `ns:config:name`; a bare name belongs to `project_name`. With `is_path` the
 * name may be a property path. */
fallible config_key_parse(struct arena *arena, str text, str project_name, bool is_path,
                          struct config_key *out);
str config_key_format(struct arena *arena, struct config_key key);
int config_key_compare(struct config_key a, struct config_key b);

enum config_type { CONFIG_UNTYPED, CONFIG_STRING, CONFIG_BOOL, CONFIG_INT, CONFIG_FLOAT };
/* What `--type` says. */
fallible config_type_parse(str text, enum config_type *out);

/* NULL if absent. */
const struct value *config_find(const struct config *config, struct config_key key);
/* With `is_path` the key's name is a path into a value. *out is NULL if nothing is there. */
fallible config_get(struct arena *arena, const struct config *config, struct config_key key,
                    bool is_path, const struct value **out);
/* Of many at once, in any order; of two with the same key the later counts. */
struct config config_new(struct arena *arena, const struct config_entry *entries, size_t count);
/* config_put_all is that of each in turn, in one go: many in turn cost their square. */
void config_put(struct arena *arena, struct config *config, struct config_key key,
                struct value value);
void config_put_all(struct arena *arena, struct config *config, const struct config_entry *entries,
                    size_t count);
/* What `config set` does: inside a path an untyped plain text becomes a boolean or a number where
 * it looks like one. */
fallible config_set(struct arena *arena, struct config *config, struct config_key key,
                    str plaintext, enum config_type type, bool is_path);
/* Any value at a path, as it is. */
fallible config_put_path(struct arena *arena, struct config *config, struct config_key key,
                         struct value value);
/* A secret; it is sealed here. Blocks. */
fallible config_set_secret(struct arena *arena, struct config *config, struct config_key key,
                           struct secret plaintext, struct crypter *crypter, bool is_path);
/* Is it, or is something in it, sealed? */
bool config_is_secret(struct value value);
bool config_has_secret(const struct config *config);

/* A copy with "[secret]" for whatever is sealed. */
struct value config_blind(struct arena *arena, struct value value);

/* With open secrets in place of sealed ones; numbers and strings stay as they are. A NULL crypter
 * is an error only if something is sealed. Blocks. */
fallible config_unseal(struct arena *arena, struct value value, struct crypter *crypter,
                       struct value *out);
/* Where each unsealing takes a round trip, all that follow take one together. Blocks. */
fallible config_unseal_ahead(const struct config *config, struct crypter *crypter);
/* Unsealed with one, sealed with the other. Blocks. */
fallible config_reseal(struct arena *arena, struct config *config, struct crypter *from,
                       struct crypter *to);

/* The text of an unsealed value: a string as it is, anything else compact JSON, secrets in the
 * clear. */
struct secret config_text(struct arena *arena, struct value unsealed);

/* What a program is given: every value as text. Blocks. */
fallible config_decrypt(struct arena *arena, const struct config *config, struct crypter *crypter,
                        struct config_facts *out);

/* {"ns:name": value or {"secure": …}}, as the history of updates keeps it. */
void config_write_json(struct json_writer *writer, const struct config *config);
fallible config_read_json(struct json_reader *reader, struct config *out);

/* --- the file Pulumi.<stack>.yaml --- */

struct stack_config {
    str path;
    str secrets_provider; /* secretsprovider */
    str encrypted_key;    /* encryptedkey */
    str encryption_salt;  /* encryptionsalt */
    struct config config;
    bool has_environment;    /* an `environment` section; it is kept as it is */
    const str *environments; /* the names of its imports */
    size_t environment_count;
    const str *warnings; /* e.g. a key without a value */
    size_t warning_count;
    bool existed;      /* the file is there */
    bool is_elsewhere; /* there is no file: an environment of the hosted service has it all */
    /* Private: what writing back needs. */
    str original;
    str project_name;
    struct arena *arena;
};

/* Where the file of a stack lives. */
str stack_config_path(struct arena *arena, const struct project *project, str stack_name);
/* A missing file is an empty config. Reads: blocks. */
fallible stack_config_load(struct arena *arena, str path, str project_name,
                           struct stack_config *out);
fallible stack_config_parse(struct arena *arena, str path, str text, str project_name,
                            struct stack_config *out);
/* Writes what changed since it was loaded and leaves comments, order and quoting of the rest.
 * Writes: blocks. */
fallible stack_config_save(struct stack_config *stack);
/* The `environment` section as JSON: {"imports":[…]} and what else it defines. */
fallible stack_config_environment(struct arena *arena, const struct stack_config *stack, str *out);
/* Adds names at the end of its imports; takes the last import of that name away, ERROR_NOT_FOUND
 * if there is none. The rest of the file stays as it is. */
fallible stack_config_import(struct stack_config *stack, struct strs names);
fallible stack_config_drop_import(struct stack_config *stack, str name);
/* Adds what an environment brings and the stack does not say: `values` is an object whose keys are
 * those of configuration, with open secrets, which the crypter seals; NULL: they will only be
 * blinded. Blocks. */
fallible config_add_environment(struct arena *arena, struct config *config, str project_name,
                                struct value values, struct crypter *crypter);
/* The definition of an environment that brings this configuration, as YAML: `unsealed` are its
 * values with open secrets. `hides_secrets`: others stand in their place; such a definition can be
 * checked and shown. */
str config_definition(struct arena *arena, const struct config *config,
                      const struct value *unsealed, bool hides_secrets);
/* ERROR_INVALID if there is no file that could be saved. */
fallible stack_config_check(const struct stack_config *stack);
/* The text that save would write; lives in the arena. */
fallible stack_config_render(struct arena *arena, const struct stack_config *stack, str *out);

/* A tree as a plain value: dates are texts, keys are texts. */
struct yaml_node;
struct value config_value_from_yaml(struct arena *arena, const struct yaml_node *node);
