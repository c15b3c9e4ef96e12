/* config_value.h — private to this folder: configuration values between YAML, JSON and memory; keys
 * that are paths. */
#pragma once

#include "base/yaml.h"
#include "model/path.h"
#include "project/config.h"

/* A key whose name is a path, as the key of the value and the path to what is meant: its first
 * step is that key. */
fallible config_split_path(struct arena *arena, struct config_key key, struct config_key *top,
                           struct path *path);

/* The name that a step into an object has. */
str config_step_key(const struct path_element *element);
/* What is there; NULL if nothing is. */
const struct value *config_step(const struct value *value, const struct path_element *element);

/* A sealed text. */
struct value config_sealed(struct arena *arena, str ciphertext);

/* Same meaning; sealed texts by ciphertext. */
bool config_equal(struct value a, struct value b);

/* Digits with an optional sign, 64 bits at most. */
bool config_read_integer(str text, struct value *out);
/* A number or a boolean where a plain text looks like one. */
struct value config_coerce(struct value value);

/* {"secure": text} becomes a sealed text, at any depth. At the top, a scalar becomes its text. */
struct value config_from_plain(struct arena *arena, struct value plain, bool is_top);
struct value config_from_yaml(struct arena *arena, const struct yaml_node *node, bool is_top);
/* A number or a truth value as YAML and JSON have it, so that it is read as the same. */
str config_scalar_text(struct arena *arena, struct value value);
struct yaml_node *config_to_yaml(struct arena *arena, struct value value);

/* A tree as indented JSON, with a newline at the end. */
str yaml_to_json(struct arena *arena, const struct yaml_node *root);
