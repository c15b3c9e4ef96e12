/* config_edit.h — what the config commands and the -c options of operations have in common. */
#pragma once

#include "cli/stack/stack_secrets.h"

/* Options every config command has. */
struct config_common {
    str stack;
    str config_file;
};
#define CONFIG_COMMON_OPTIONS(args)                                                              \
    TEXT(args, common.stack, 's', "stack", "The stack to work on; the selected one by default"), \
        TEXT(args, common.config_file, 0, "config-file",                                         \
             "Use this file instead of Pulumi.<stack>.yaml")

/* "ns:name" or a bare name of the project. */
fallible config_edit_key(struct cli *cli, str text, bool is_path, struct config_key *out);
/* The same for a key that is to be set: it has a name. */
fallible config_edit_new_key(struct cli *cli, str text, bool is_path, struct config_key *out);
/* "key=value", or a key in quotes, which may hold equals signs: "\"a=b\"=value". With `is_path` an
 * equals sign inside quotes belongs to the key too. */
fallible config_edit_pair(struct cli *cli, str text, bool is_path, struct config_key *key,
                          str *value);

/* As the user would write it: without the project's namespace. */
str config_edit_pretty_key(struct cli *cli, struct config_key key);

/* Sets plain values from pairs. */
fallible config_edit_set_plain(struct cli *cli, struct config *config, struct strs pairs,
                               bool is_path);

/* One entry as `config --json` shows it; a hidden secret has no value. `shown` is unsealed. */
void config_edit_write_json(struct json_writer *writer, struct arena *arena, struct value stored,
                            const struct value *shown);

/* Copies the file to PATH.bak.N, the first number that is free. */
fallible config_edit_back_up(struct arena *arena, str path, str *copy);
