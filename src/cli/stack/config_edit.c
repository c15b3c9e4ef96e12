/* config_edit.c — keys, pairs and entries of a stack's configuration as the command line writes
 * them. */
#include "cli/stack/config_edit.h"

#include "base/fs.h"
#include "cli/open.h"
#include "model/value_json.h"
#include "project/config_draft.h"

fallible config_edit_key(struct cli *cli, str text, bool is_path, struct config_key *out)
{
    return error_wrap(config_key_parse(cli->arena, text, cli_project_name(cli), is_path, out),
                      "invalid configuration key");
}

fallible config_edit_new_key(struct cli *cli, str text, bool is_path, struct config_key *out)
{
    TRY(config_edit_key(cli, text, is_path, out));
    return out->name.len || is_path
               ? NULL
               : error_new(ERROR_INVALID, "invalid configuration key: '" STR_FMT "' has no name",
                           STR_ARG(text));
}

/* A key in quotes ends with the quote before an equals sign. */
static bool cut_quoted_key(str text, str *key, str *value)
{
    str end = str_starts_with(text, STR("'")) ? STR("'=") : STR("\"=");

    return str_cut(str_slice(text, 1, text.len), end, key, value);
}

/* The equals sign that ends the key; one inside a quoted part of a path does not. */
static size_t find_equals(str text, bool is_path)
{
    bool is_quoted = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' && is_path)
            is_quoted = !is_quoted;
        else if (text.ptr[i] == '=' && !is_quoted)
            return i;
    }
    return SIZE_MAX;
}

fallible config_edit_pair(struct cli *cli, str text, bool is_path, struct config_key *key,
                          str *value)
{
    bool is_quoted = str_starts_with(text, STR("\"")) || str_starts_with(text, STR("'"));
    size_t at = is_quoted ? SIZE_MAX : find_equals(text, is_path);
    str name;

    if (at != SIZE_MAX) {
        name = str_slice(text, 0, at);
        *value = str_slice(text, at + 1, text.len);
    } else if (!is_quoted || !cut_quoted_key(text, &name, value)) {
        return error_new(ERROR_INVALID,
                         "config value must be in the form [key]=[value], not '" STR_FMT "'",
                         STR_ARG(text));
    }
    return config_edit_new_key(cli, name, is_path, key);
}

str config_edit_pretty_key(struct cli *cli, struct config_key key)
{
    return str_equal(key.namespace, cli_project_name(cli)) ? key.name
                                                           : config_key_format(cli->arena, key);
}

static fallible config_edit_set_pair(struct cli *cli, struct config_draft *draft, str pair,
                                     bool is_path)
{
    struct config_key key;
    str value;

    TRY(config_edit_pair(cli, pair, is_path, &key, &value));
    return config_draft_set(draft, key, value, CONFIG_UNTYPED, is_path);
}

fallible config_edit_set_plain(struct cli *cli, struct config *config, struct strs pairs,
                               bool is_path)
{
    struct config_draft draft;
    struct error *failure = NULL;

    config_draft_open(&draft, cli->arena, config);
    for (size_t i = 0; i < pairs.len && !failure; i++)
        failure = config_edit_set_pair(cli, &draft, pairs.items[i], is_path);
    config_draft_close(&draft, failure ? NULL : config);
    return failure;
}

void config_edit_write_json(struct json_writer *writer, struct arena *arena, struct value stored,
                            const struct value *shown)
{
    json_begin_object(writer);
    if (shown) {
        json_key(writer, STR("value"));
        json_string(writer, secret_reveal(config_text(arena, *shown)));
        if (shown->kind == VALUE_OBJECT || shown->kind == VALUE_ARRAY) {
            json_key(writer, STR("objectValue"));
            value_write(writer, *shown, SECRET_BARE);
        }
    }
    json_key(writer, STR("secret"));
    json_bool(writer, config_is_secret(stored));
    json_end_object(writer);
}

fallible config_edit_back_up(struct arena *arena, str path, str *copy)
{
    str text;

    TRY(fs_read(arena, path, FS_ANY_SIZE, &text));
    for (unsigned number = 1;; number++) {
        *copy = arena_printf(arena, STR_FMT ".bak.%u", STR_ARG(path), number);
        struct error *failure = fs_create(*copy, text, 0600);
        if (!failure || error_kind(failure) != ERROR_EXISTS)
            return failure;
        error_ignore(failure, "the next number may be free");
    }
}
