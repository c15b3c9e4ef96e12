/* fuzz_plugin_git.c — whatever stands for a repository, its folder stays among the plugins and git
 * is given an address. */
#include "plugin/plugin_git.h"

#include "base/arena.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_part(str path, str wanted)
{
    str part;

    while (path.len > 0) {
        if (!str_cut(path, STR("/"), &part, &path)) {
            part = path;
            path = STR("");
        }
        if (str_equal(part, wanted))
            return true;
    }
    return false;
}

static void check(struct arena *arena, str url)
{
    struct plugin_git git;
    struct error *failure = plugin_git_parse(arena, url, &git);

    if (failure) {
        error_free(failure);
        return;
    }
    if (str_find(git.cache_name, STR("/")) != SIZE_MAX || has_part(git.subfolder, STR("..")))
        abort();
    if (!str_starts_with(git.clone_url, STR("https://"))
        || str_starts_with(git.clone_url, STR("https://-")))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str name = { (const char *)data, size }, version = STR(""), url = STR("");

    check(&arena, name);
    struct error *failure = plugin_git_name(&arena, &name, &version, &url);
    if (!failure && url.len > 0)
        check(&arena, url);
    if (!failure && url.len == 0 && (name.len != size || version.len > 0))
        abort();
    error_free(failure);
    return 0;
}
