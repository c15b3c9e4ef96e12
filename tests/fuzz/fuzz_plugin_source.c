/* fuzz_plugin_source.c — where a plugin is downloaded from, as a program and the environment say:
 * every place is a URL of the web, and tokens only go where one of a service was asked for. The
 * first byte chooses the kind; then URL, name, version and overrides, parted by NUL bytes. Behind a
 * fourth kind is the answer about a release: its archive has a name that was asked for. */
#include "fuzz/fuzz_support.h"

#include "plugin/install/install_parts.h"
#include "plugin/plugin_cache.h"

static bool has_token(const str *headers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_find(headers[i], STR("hush")) != SIZE_MAX)
            return true;
    return false;
}

static void check_source(const struct install_source *source)
{
    /* One slash where the URL is nothing else: that has no host, and nobody can be asked. */
    bool is_safe = str_starts_with(source->url, STR("https:/"));

    REQUIRE(is_safe || str_starts_with(source->url, STR("http:/")));
    REQUIRE(!has_token(source->headers, source->header_count)
            || (is_safe
                && (str_find(source->url, STR("/repos/")) != SIZE_MAX
                    || str_find(source->url, STR("/api/v4/projects/")) != SIZE_MAX)));
    REQUIRE(!has_token(source->public_headers, source->public_header_count));
}

static void try_release(struct arena *arena, str text)
{
    struct install_release release, latest;

    if (!fuzz_accepts(install_release_parse(arena, text, STR("a.tar.gz"), &release)))
        return;
    REQUIRE(release.archive_url.len == 0 || str_find(text, STR("assets")) != SIZE_MAX
            || str_find_char(text, '\\') != SIZE_MAX);
    REQUIRE(fuzz_accepts(install_release_parse(arena, text, STR(""), &latest)));
    REQUIRE(latest.archive_url.len == 0 && str_equal(latest.tag, release.tag));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kinds[] = { "resource", "converter", "tool" };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    struct install_request request = { .github_token = STR("hush"), .gitlab_token = STR("hush") };
    struct install_sources sources;
    struct install_source latest;
    struct semver version;

    unsigned choice = fuzz_choice(&input, 4);
    if (choice == 3) {
        try_release(&arena, input);
        return 0;
    }
    request.package.kind = str_from(kinds[choice]);
    request.package.download_url = fuzz_part(&input);
    request.package.name = fuzz_part(&input);
    request.package.version = fuzz_part(&input);
    request.url_overrides = str_slice(input, 0, 100); /* expressions may take their time */
    if (!plugin_is_cache_name(request.package.name)
        || !semver_parse_tolerant(request.package.version, &version))
        return 0;
    if (fuzz_accepts(install_find_sources(&request, &arena, &sources)))
        for (size_t i = 0; i < sources.len; i++)
            check_source(&sources.items[i]);
    if (fuzz_accepts(install_find_latest(&request, &arena, &latest)))
        check_source(&latest);
    return 0;
}
