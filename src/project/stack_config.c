/* stack_config.c — the file Pulumi.<stack>.yaml: read, and written back with as little change as
 * possible. */
#include "project/project.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/vec.h"
#include "project/config_value.h"

enum { MAX_FILE_SIZE = 16 << 20 };

str stack_config_path(struct arena *arena, const struct project *project, str stack_name)
{
    char *name = arena_cstr(arena, stack_name);

    for (char *p = name; *p; p++)
        if (*p == '/')
            *p = '-';
    str directory = project->stack_config_dir.len
                        ? fs_path_absolute(arena, project->directory, project->stack_config_dir)
                        : project->directory;
    str file =
        arena_concat(arena, STR("Pulumi."), str_from(name), fs_path_extension(project->path));
    return fs_path_join(arena, directory, file);
}

static bool stack_config_is_json(str path)
{
    return str_equal(fs_path_extension(path), STR(".json"));
}

static str skip_bom(str text)
{
    return str_starts_with(text, STR("\xef\xbb\xbf")) ? str_slice(text, 3, text.len) : text;
}

/* --- reading --- */

static fallible stack_config_read_text(const struct yaml_node *root, const char *key, str *out)
{
    const struct yaml_node *node = yaml_find(root, str_from(key));

    *out = STR("");
    if (!node || yaml_is_null(node))
        return NULL;
    if (node->kind != YAML_SCALAR)
        return error_new(ERROR_INVALID, "line %zu column %zu: '%s' must be a string", node->line,
                         node->column, key);
    *out = node->text;
    return NULL;
}

/* Takes the collected texts over into the arena. */
static const str *texts_keep(struct arena *arena, struct str_list *texts, size_t *count)
{
    struct strs kept = str_list_keep(arena, texts);

    str_list_release(texts);
    *count = kept.len;
    return kept.items;
}

static fallible stack_config_read_entries(struct arena *arena, const struct yaml_node *node,
                                          str project_name, struct stack_config *out)
{
    struct config_entry *entries = ARENA_ARRAY(arena, struct config_entry, node->len);
    struct str_list warnings = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; i < node->len && !failure; i++) {
        const struct yaml_pair *pair = &node->pairs[i];
        struct config_key key;
        failure = config_key_parse(arena, pair->key->text, project_name, false, &key);
        if (failure)
            break;
        if (yaml_is_null(pair->value)) {
            str name = config_key_format(arena, key);
            vec_add(&warnings, arena_printf(arena,
                                            "No value for configuration key \"" STR_FMT
                                            "\". This is currently treated as an "
                                            "empty string `\"\"`, but will be treated as `null` in "
                                            "a future version of pulumi.",
                                            STR_ARG(name)));
        }
        entries[i] = (struct config_entry){ key, config_from_yaml(arena, pair->value, true) };
    }
    if (!failure)
        out->config = config_new(arena, entries, node->len);
    out->warnings = texts_keep(arena, &warnings, &out->warning_count);
    return error_wrap(failure, "could not unmarshal map");
}

static fallible stack_config_read_config(struct arena *arena, const struct yaml_node *root,
                                         str project_name, struct stack_config *out)
{
    const struct yaml_node *node = yaml_find(root, STR("config"));

    if (!node || yaml_is_null(node))
        return NULL;
    if (node->kind != YAML_MAPPING)
        return error_new(ERROR_INVALID, "line %zu column %zu: 'config' must be a map", node->line,
                         node->column);
    return stack_config_read_entries(arena, node, project_name, out);
}

/* A list of names, or a definition with imports. A list of none says nothing: it is what is left
 * when the last name was taken out. */
static void read_environment(struct arena *arena, const struct yaml_node *root,
                             struct stack_config *out)
{
    const struct yaml_node *node = yaml_find(root, STR("environment"));
    struct str_list names = { 0 };

    bool is_empty_list = node && node->kind == YAML_SEQUENCE && node->len == 0;
    out->has_environment = node && !yaml_is_null(node) && !is_empty_list;
    if (node && node->kind == YAML_MAPPING)
        node = yaml_find(node, STR("imports"));
    for (size_t i = 0; node && node->kind == YAML_SEQUENCE && i < node->len; i++) {
        const struct yaml_node *item = node->items[i];
        if (item->kind == YAML_MAPPING && item->len == 1)
            vec_add(&names, item->pairs[0].key->text);
        else if (item->kind == YAML_SCALAR)
            vec_add(&names, item->text);
    }
    out->environments = texts_keep(arena, &names, &out->environment_count);
}

fallible stack_config_parse(struct arena *arena, str path, str text, str project_name,
                            struct stack_config *out)
{
    struct stack_config stack = { .path = path,
                                  .original = skip_bom(text),
                                  .project_name = project_name,
                                  .arena = arena,
                                  .existed = true };
    struct yaml_node *root;

    TRY(error_wrap(yaml_read(arena, stack.original, &root), "invalid YAML file"));
    if (root->kind != YAML_MAPPING && !yaml_is_null(root))
        return error_new(ERROR_INVALID, "expected the stack's configuration file to be a map");
    TRY(stack_config_read_text(root, "secretsprovider", &stack.secrets_provider));
    TRY(stack_config_read_text(root, "encryptedkey", &stack.encrypted_key));
    TRY(stack_config_read_text(root, "encryptionsalt", &stack.encryption_salt));
    TRY(stack_config_read_config(arena, root, project_name, &stack));
    read_environment(arena, root, &stack);
    *out = stack;
    return NULL;
}

fallible stack_config_load(struct arena *arena, str path, str project_name,
                           struct stack_config *out)
{
    str text;
    struct error *failure = fs_read(arena, path, MAX_FILE_SIZE, &text);

    path = arena_copy(arena, path);
    project_name = arena_copy(arena, project_name);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "a stack without a file has no configuration");
        *out = (struct stack_config){ .path = path, .project_name = project_name, .arena = arena };
        return NULL;
    }
    TRY(failure);
    return error_wrap(stack_config_parse(arena, path, text, project_name, out),
                      "could not unmarshal '" STR_FMT "'", STR_ARG(path));
}

/* --- writing --- */

static void stack_config_put_text(struct arena *arena, struct yaml_node *root, const char *key,
                                  str text)
{
    const struct yaml_node *old = yaml_find(root, str_from(key));

    if (text.len == 0)
        yaml_drop(root, str_from(key));
    else if (!old || old->kind != YAML_SCALAR || !str_equal(old->text, text))
        yaml_put(arena, root, str_from(key), yaml_new_string(arena, text));
}

/* Keeps the nodes of values that have not changed, replaces the others, drops what is gone and what
 * has an old form of its key. */
static fallible update_entries(struct arena *arena, const struct stack_config *stack,
                               struct yaml_node *mapping, struct map *known)
{
    size_t kept = 0;

    for (size_t i = 0; i < mapping->len; i++) {
        struct yaml_pair pair = mapping->pairs[i];
        struct config_key key;
        TRY(config_key_parse(arena, pair.key->text, stack->project_name, false, &key));
        const struct value *now = config_find(&stack->config, key);
        if (!now || !str_equal(pair.key->text, config_key_format(arena, key)))
            continue;
        if (!config_equal(config_from_yaml(arena, pair.value, true), *now))
            pair.value = config_to_yaml(arena, *now);
        mapping->pairs[kept++] = pair;
        map_put(known, pair.key->text, known);
    }
    mapping->len = kept;
    return NULL;
}

static int compare_new(const void *a, const void *b)
{
    return yaml_compare_keys(((const struct yaml_pair *)a)->key->text,
                             ((const struct yaml_pair *)b)->key->text);
}

static void add_entries(struct arena *arena, const struct stack_config *stack,
                        struct yaml_node *mapping, const struct map *known)
{
    size_t old = mapping->len;

    for (size_t i = 0; i < stack->config.len; i++) {
        str key = config_key_format(arena, stack->config.items[i].key);
        if (!map_has(known, key))
            yaml_append_pair(arena, mapping, yaml_new_string(arena, key),
                             config_to_yaml(arena, stack->config.items[i].value));
    }
    if (mapping->len > old)
        qsort(mapping->pairs + old, mapping->len - old, sizeof(*mapping->pairs), compare_new);
}

static fallible put_config(struct arena *arena, const struct stack_config *stack,
                           struct yaml_node *root)
{
    const struct yaml_node *old = yaml_find(root, STR("config"));
    struct yaml_node *mapping =
        old && old->kind == YAML_MAPPING ? yaml_copy_shallow(arena, old) : yaml_new_mapping(arena);

    CLEANUP(map_release) struct map known = { 0 };
    TRY(update_entries(arena, stack, mapping, &known));
    add_entries(arena, stack, mapping, &known);
    if (mapping->len == 0)
        yaml_drop(root, STR("config"));
    else
        yaml_put(arena, root, STR("config"), mapping);
    return NULL;
}

static bool has_same_values(const struct config *a, const struct config *b)
{
    for (size_t i = 0; a->len == b->len && i < a->len; i++) {
        const struct value *other = config_find(b, a->items[i].key);
        if (!other || !config_equal(a->items[i].value, *other))
            return false;
    }
    return a->len == b->len;
}

/* No empty lines at either end, and a newline at the last line, unless they belong to a block of
 * text there. */
static str without_outer_lines(struct arena *arena, const struct stack_config *stack, str text)
{
    struct stack_config now;
    bool has_returns = str_find(text, STR("\r\n")) != SIZE_MAX
                       && (str_ends_with(text, STR("\r\n")) || !str_ends_with(text, STR("\n")));
    str tidy = text;

    while (str_starts_with(tidy, STR("\n")) || str_starts_with(tidy, STR("\r\n")))
        tidy = str_slice(tidy, tidy.ptr[0] == '\n' ? 1 : 2, tidy.len);
    while (str_ends_with(tidy, STR("\n")) || str_ends_with(tidy, STR("\r")))
        tidy.len--;
    tidy = arena_concat(arena, tidy, has_returns ? STR("\r\n") : STR("\n"));
    struct error *failure = stack_config_parse(arena, stack->path, tidy, stack->project_name, &now);
    if (failure) {
        error_ignore(failure, "then the text stays as it is");
        return text;
    }
    return has_same_values(&now.config, &stack->config) ? tidy : text;
}

fallible stack_config_render(struct arena *arena, const struct stack_config *stack, str *out)
{
    struct yaml_node *old;

    TRY(yaml_read(arena, stack->original, &old));
    struct yaml_node *root =
        old->kind == YAML_MAPPING ? yaml_copy_shallow(arena, old) : yaml_new_mapping(arena);
    stack_config_put_text(arena, root, "secretsprovider", stack->secrets_provider);
    stack_config_put_text(arena, root, "encryptedkey", stack->encrypted_key);
    stack_config_put_text(arena, root, "encryptionsalt", stack->encryption_salt);
    TRY(put_config(arena, stack, root));
    bool has_nothing_to_say = stack->existed && old->kind != YAML_MAPPING && root->len == 0;
    if (has_nothing_to_say)
        *out = stack->original;
    else if (stack_config_is_json(stack->path))
        *out = yaml_to_json(arena, root);
    else
        *out = without_outer_lines(arena, stack, yaml_update(arena, stack->original, old, root));
    return NULL;
}

fallible stack_config_check(const struct stack_config *stack)
{
    if (!stack->is_elsewhere)
        return NULL;
    return error_new(ERROR_INVALID,
                     "the configuration of this stack is kept by the hosted service in " STR_FMT
                     "; change it there",
                     STR_ARG(stack->path));
}

/* A file that nobody can read any more would take all values along: it may be too large for that,
 * or nested too deeply. */
static fallible stack_config_check_text(const struct stack_config *stack, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_config now;

    return stack_config_parse(&scratch, stack->path, text, stack->project_name, &now);
}

fallible stack_config_save(struct stack_config *stack)
{
    str text;

    TRY(stack_config_check(stack));
    TRY(stack_config_render(stack->arena, stack, &text));
    struct error *failure = stack_config_check_text(stack, text);
    if (!failure)
        failure = fs_make_directory(fs_path_directory(stack->path), 0700);
    if (!failure)
        failure = fs_replace(stack->path, text, 0600);
    TRY(error_wrap(failure, "cannot save the configuration to '" STR_FMT "'",
                   STR_ARG(stack->path)));
    stack->original = text;
    stack->existed = true;
    return NULL;
}
