/* fuzz_names.c — names that a user or a folder gives, chosen by the first byte: a stack, a key of
 * configuration, a plugin in the cache, the URL of a store, a pattern for files. */
#include "fuzz/fuzz_support.h"

#include "backend/backend_file.h"
#include "backend/diy_layout.h"
#include "builtin/builtin_command.h"
#include "plugin/plugin_cache.h"
#include "project/config_draft.h"

/* No part of an accepted name leads out of a folder, and its long form is the same stack. */
static void try_stack(struct arena *arena, str text)
{
    struct stack_ref stack, again;

    if (!fuzz_accepts(stack_ref_parse(arena, text, STR("proj"), &stack)))
        return;
    const str parts[] = { stack.project, stack.name };
    for (size_t i = 0; i < 2; i++)
        REQUIRE(parts[i].len > 0 && parts[i].len <= 100 && !str_equal(parts[i], STR(".."))
                && !str_equal(parts[i], STR(".")) && str_find_char(parts[i], '/') == SIZE_MAX
                && str_find_char(parts[i], '\0') == SIZE_MAX);
    str qualified = stack_ref_qualified(arena, stack);
    REQUIRE(fuzz_accepts(stack_ref_parse(arena, qualified, STR(""), &again)));
    REQUIRE(str_equal(stack.name, again.name) && str_equal(stack.project, again.project));
}

/* The stack of a file is the beginning of its name. */
static void try_stack_file(struct arena *arena, str text)
{
    str name;

    (void)arena;
    if (diy_stack_of_file(text, &name))
        REQUIRE(name.len < text.len && str_starts_with(text, name));
}

static void try_config_key(struct arena *arena, str text)
{
    struct config_key key, again;

    if (!fuzz_accepts(config_key_parse(arena, text, STR("proj"), false, &key)))
        return;
    REQUIRE(fuzz_accepts(
        config_key_parse(arena, config_key_format(arena, key), STR("other"), false, &again)));
    REQUIRE(config_key_compare(key, again) == 0);
}

/* What was set at a path is found there, and what was removed is not. */
static void try_config_path(struct arena *arena, str text)
{
    struct config config = { 0 };
    struct config_draft draft;
    struct config_key key;
    const struct value *found;

    if (!fuzz_accepts(config_key_parse(arena, text, STR("proj"), true, &key)))
        return;
    if (!fuzz_accepts(config_set(arena, &config, key, STR("text"), CONFIG_STRING, true)))
        return;
    REQUIRE(fuzz_accepts(config_get(arena, &config, key, true, &found)));
    REQUIRE(found && found->kind == VALUE_STRING && str_equal(value_text(*found), STR("text")));
    config_draft_open(&draft, arena, &config);
    REQUIRE(fuzz_accepts(config_draft_remove(&draft, key, true)));
    config_draft_close(&draft, &config);
    REQUIRE(!fuzz_accepts(config_get(arena, &config, key, true, &found)) || !found);
}

static void try_plugin(struct arena *arena, str text)
{
    struct semver version, again;
    str kind, name, same_kind, same_name;

    if (!plugin_cache_parse(text, &kind, &name, &version))
        return;
    REQUIRE(plugin_is_kind(kind) && plugin_is_cache_name(name));
    str folder = plugin_cache_folder(arena, STR("/home"), kind, name, &version);
    REQUIRE(str_equal(fs_path_directory(folder), STR("/home/plugins")));
    REQUIRE(plugin_cache_parse(fs_path_name(folder), &same_kind, &same_name, &again));
    REQUIRE(str_equal(kind, same_kind) && str_equal(name, same_name)
            && semver_compare(&version, &again) == 0);
}

static void try_url(struct arena *arena, str text)
{
    struct file_url url, again;

    text = arena_concat(arena, STR("file://"), text);
    if (!fuzz_accepts(file_url_parse(arena, text, STR("/home/me"), &url)))
        return;
    REQUIRE(fs_path_is_absolute(url.folder) && str_find_char(url.folder, '\0') == SIZE_MAX);
    REQUIRE(url.folder_mode <= 0777 && url.file_mode <= 0777);
    const struct file_backend file = { .query = url.query };
    REQUIRE(fuzz_accepts(
        file_url_parse(arena, file_url_format(&file, arena, url.folder), STR(""), &again)));
    REQUIRE(str_equal(url.folder, again.folder) && url.folder_mode == again.folder_mode);
}

/* Pattern and path, parted by a NUL byte. Long ones only take the time up to where matching gives
 * up. */
static void try_glob(struct arena *arena, str text)
{
    text = str_slice(text, 0, 64);
    str pattern = fuzz_part(&text);

    (void)arena;
    bool is_match = local_glob_match(pattern, text);
    REQUIRE(local_glob_match(STR("**"), text));
    bool is_plain = true;
    for (size_t i = 0; i < pattern.len; i++)
        is_plain = is_plain && !strchr("*?[]{},\\!^", pattern.ptr[i]);
    REQUIRE(!is_plain || is_match == str_equal(pattern, text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const names[])(struct arena * arena, str text) = {
        try_stack, try_config_key, try_config_path, try_plugin, try_url, try_glob, try_stack_file,
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    names[fuzz_choice(&input, sizeof(names) / sizeof(names[0]))](&arena, input);
    return 0;
}
