/* install_source.c — where a plugin can be downloaded from. */
#include "plugin/install/install_parts.h"

#include "base/regex_cost.h"
#include "base/strbuf.h"

#include <regex.h>

#if defined(__x86_64__)
#define ARCHITECTURE "amd64"
#elif defined(__aarch64__)
#define ARCHITECTURE "arm64"
#else
#error "plugins are published for amd64 and arm64 only"
#endif

static const str usual_place = STR_INIT("https://get.pulumi.com/releases/plugins");

str plugin_platform(void)
{
    return STR("linux-" ARCHITECTURE);
}

str install_archive_name(struct arena *arena, const struct install_request *request)
{
    return arena_concat(arena, STR("pulumi-"), request->package.kind, STR("-"),
                        request->package.name, STR("-v"), request->package.version, STR("-"),
                        plugin_platform(), STR(".tar.gz"));
}

/* --- templates --- */

static str replace_all(struct arena *arena, str text, str from, str to)
{
    str head, tail;

    while (str_cut(text, from, &head, &tail))
        text = arena_concat(arena, head, to, tail);
    return text;
}

/* ${NAME} and its like; URLs that went through a parser have their braces escaped. */
static str fill_template(struct arena *arena, str url, const struct install_request *request)
{
    const struct {
        str name, value;
    } variables[] = {
        { STR("NAME"), request->package.name },
        { STR("VERSION"), request->package.version },
        { STR("OS"), STR("linux") },
        { STR("ARCH"), STR(ARCHITECTURE) },
    };

    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
        str plain = arena_concat(arena, STR("${"), variables[i].name, STR("}"));
        str escaped = arena_concat(arena, STR("$%7B"), variables[i].name, STR("%7D"));
        str mixed = arena_concat(arena, STR("$%7b"), variables[i].name, STR("%7d"));
        url = replace_all(arena, url, plain, variables[i].value);
        url = replace_all(arena, url, escaped, variables[i].value);
        url = replace_all(arena, url, mixed, variables[i].value);
    }
    return url;
}

/* --- overrides --- */

enum { GROUPS = 10 };

/* "$1", "${1}" */
static bool read_group(str text, size_t *at, size_t *group)
{
    bool has_brace = *at + 1 < text.len && text.ptr[*at + 1] == '{';
    size_t digit = *at + (has_brace ? 2 : 1);

    if (text.ptr[*at] != '$' || digit >= text.len || text.ptr[digit] < '0' || text.ptr[digit] > '9')
        return false;
    if (has_brace && (digit + 1 >= text.len || text.ptr[digit + 1] != '}'))
        return false;
    *group = (size_t)(text.ptr[digit] - '0');
    *at = digit + (has_brace ? 1 : 0);
    return true;
}

static str expand(struct arena *arena, str replacement, str source, const regmatch_t *matches)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0, group; i < replacement.len; i++) {
        if (!read_group(replacement, &i, &group))
            strbuf_add_char(&text, replacement.ptr[i]);
        else if (matches[group].rm_so >= 0)
            strbuf_add(&text, str_slice(source, (size_t)matches[group].rm_so,
                                        (size_t)matches[group].rm_eo));
    }
    return arena_copy(arena, strbuf_str(&text));
}

/* The first "regexp=URL" of the list whose expression matches decides. */
static fallible override(struct arena *arena, str list, str source, str *out)
{
    *out = source;
    while (list.len > 0) {
        str entry = list, pattern, replacement;
        regmatch_t matches[GROUPS];
        regex_t regex;
        if (!str_cut(list, STR(","), &entry, &list))
            list = STR("");
        if (!str_cut(entry, STR("="), &pattern, &replacement) || pattern.len == 0
            || replacement.len == 0 || !regex_is_affordable(pattern)
            || regcomp(&regex, arena_cstr(arena, pattern), REG_EXTENDED) != 0)
            return error_new(ERROR_INVALID,
                             "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: '" STR_FMT
                             "' is not of the form regexp=URL",
                             STR_ARG(entry));
        bool is_match = regexec(&regex, arena_cstr(arena, source), GROUPS, matches, 0) == 0;
        regfree(&regex);
        if (is_match) {
            *out = expand(arena, replacement, source, matches);
            return NULL;
        }
    }
    return NULL;
}

/* --- kinds of places --- */

static str install_source_trim_slashes(str url)
{
    while (str_ends_with(url, STR("/")))
        url = str_slice(url, 0, url.len - 1);
    return url;
}

static void install_source_add(struct install_sources *sources, struct install_source source)
{
    BUG_IF(sources->len == sizeof(sources->items) / sizeof(*sources->items));
    sources->items[sources->len++] = source;
}

static void add_server(struct install_sources *sources, struct arena *arena,
                       const struct install_request *request, str url)
{
    str base = install_source_trim_slashes(fill_template(arena, url, request));
    install_source_add(sources, (struct install_source){
                                    .url = arena_concat(arena, base, STR("/"),
                                                        install_archive_name(arena, request)) });
}

struct github {
    str host; /* of its API */
    str owner;
    str repository;
};

static str repository_name(struct arena *arena, const struct install_request *request)
{
    bool is_short = str_equal(request->package.name, STR("yaml"))
                    || str_equal(request->package.name, STR("hcl"));

    if (str_equal(request->package.kind, STR("converter")) && !is_short)
        return arena_concat(arena, STR("pulumi-converter-"), request->package.name);
    if (str_equal(request->package.kind, STR("tool")))
        return arena_concat(arena, STR("pulumi-tool-"), request->package.name);
    return arena_concat(arena, STR("pulumi-"), request->package.name);
}

/* github://HOST/OWNER[/REPOSITORY] */
static fallible parse_github(struct arena *arena, const struct install_request *request, str url,
                             struct github *out)
{
    str rest = install_source_trim_slashes(str_slice(url, strlen("github://"), url.len)), more;

    *out = (struct github){ .repository = STR("") };
    if (str_cut(rest, STR("/"), &out->host, &out->owner))
        str_cut(out->owner, STR("/"), &out->owner, &out->repository);
    if (out->host.len == 0 || out->owner.len == 0
        || str_cut(out->repository, STR("/"), &more, &more))
        return error_new(ERROR_INVALID,
                         "the download URL '" STR_FMT
                         "' is not of the form github://HOST/OWNER[/REPOSITORY]",
                         STR_ARG(url));
    if (out->repository.len == 0)
        out->repository = repository_name(arena, request);
    return NULL;
}

/* A second time without the token: one that has expired is refused even what everybody may see. */
static void set_headers(struct install_source *source, struct arena *arena, str accept,
                        str authorization)
{
    str *headers = ARENA_ARRAY(arena, str, 2);

    headers[0] = accept;
    headers[1] = authorization;
    source->headers = source->public_headers = headers;
    source->public_header_count = 1;
    source->header_count = authorization.len > 0 ? 2 : 1;
}

static struct install_source github_api(struct arena *arena, const struct install_request *request,
                                        const struct github *github, str release)
{
    struct install_source source = { .answers_with = ANSWER_GITHUB_RELEASE };
    str token = request->github_token;

    source.url = arena_concat(arena, STR("https://"), github->host, STR("/repos/"), github->owner,
                              STR("/"), github->repository, STR("/releases/"), release);
    set_headers(&source, arena, STR("Accept: application/json"),
                token.len > 0 ? arena_concat(arena, STR("Authorization: token "), token) : STR(""));
    return source;
}

static fallible add_github(struct install_sources *sources, struct arena *arena,
                           const struct install_request *request, str url)
{
    struct github github;

    TRY(parse_github(arena, request, url, &github));
    if (str_equal(github.host, STR("api.github.com")) && str_equal(github.owner, STR("pulumi")))
        install_source_add(
            sources, (struct install_source){
                         .url = arena_concat(arena, STR("https://github.com/"), github.owner,
                                             STR("/"), github.repository,
                                             STR("/releases/download/v"), request->package.version,
                                             STR("/"), install_archive_name(arena, request)) });
    install_source_add(sources,
                       github_api(arena, request, &github,
                                  arena_concat(arena, STR("tags/v"), request->package.version)));
    return NULL;
}

/* gitlab://HOST/PROJECT */
static fallible gitlab_source(struct arena *arena, const struct install_request *request, str url,
                              str release, struct install_source *out)
{
    str rest = install_source_trim_slashes(str_slice(url, strlen("gitlab://"), url.len)), host,
        project;
    str token = request->gitlab_token;

    if (!str_cut(rest, STR("/"), &host, &project) || host.len == 0 || project.len == 0)
        return error_new(ERROR_INVALID,
                         "the download URL '" STR_FMT "' is not of the form gitlab://HOST/PROJECT",
                         STR_ARG(url));
    *out = (struct install_source){ .url = arena_concat(arena, STR("https://"), host,
                                                        STR("/api/v4/projects/"), project,
                                                        STR("/releases/"), release) };
    set_headers(out, arena, STR("Accept: */*"),
                token.len > 0 ? arena_concat(arena, STR("Authorization: Bearer "), token)
                              : STR(""));
    return NULL;
}

/* Packages that other people publish in one well-known place. */
static bool is_from_pulumiverse(str name)
{
    static const char names[] = " acme aquasec astra aws-eksa buildkite clickhouse cockroach "
                                "concourse configcat cpln doppler dynatrace "
                                "esxi-native exoscale fortios gandi github-credentials "
                                "googleworkspace grafana harbor hcp heroku ibm matchbox "
                                "mssql ngrok purrl redpanda scaleway sentry statuscake talos time "
                                "unifi vercel vra zitadel ";
    CLEANUP(arena_release) struct arena scratch = { 0 };

    return str_find(str_from(names), arena_concat(&scratch, STR(" "), name, STR(" "))) != SIZE_MAX;
}

static str usual_github(struct arena *arena, const struct install_request *request)
{
    str owner = is_from_pulumiverse(request->package.name) ? STR("pulumiverse") : STR("pulumi");
    return arena_concat(arena, STR("github://api.github.com/"), owner, STR("/"),
                        repository_name(arena, request));
}

/* --- all together --- */

static fallible add_place(struct install_sources *sources, struct arena *arena,
                          const struct install_request *request, str place)
{
    str url;

    TRY(override(arena, request->url_overrides, place, &url));
    if (str_starts_with(url, STR("http://")) || str_starts_with(url, STR("https://"))) {
        add_server(sources, arena, request, url);
        return NULL;
    }
    if (str_starts_with(url, STR("github://")))
        return add_github(sources, arena, request, url);
    if (str_starts_with(url, STR("gitlab://"))) {
        struct install_source source;
        str release = arena_concat(arena, STR("v"), request->package.version, STR("/downloads/"),
                                   install_archive_name(arena, request));
        TRY(gitlab_source(arena, request, url, release, &source));
        install_source_add(sources, source);
        return NULL;
    }
    return error_new(ERROR_INVALID,
                     "the download URL '" STR_FMT
                     "' begins with none of https://, http://, github://, gitlab://",
                     STR_ARG(url));
}

fallible install_find_sources(const struct install_request *request, struct arena *arena,
                              struct install_sources *out)
{
    *out = (struct install_sources){ 0 };
    if (request->package.download_url.len > 0)
        return add_place(out, arena, request, request->package.download_url);
    TRY(add_place(out, arena, request, usual_github(arena, request)));
    return is_from_pulumiverse(request->package.name) ? NULL
                                                      : add_place(out, arena, request, usual_place);
}

fallible install_find_latest(const struct install_request *request, struct arena *arena,
                             struct install_source *out)
{
    struct github github;
    str url;

    TRY(override(arena, request->url_overrides,
                 request->package.download_url.len > 0 ? request->package.download_url
                                                       : usual_github(arena, request),
                 &url));
    if (str_starts_with(url, STR("gitlab://")))
        return gitlab_source(arena, request, url, STR("permalink/latest"), out);
    if (!str_starts_with(url, STR("github://")))
        return error_new(ERROR_INVALID,
                         "the newest version of plugin '" STR_FMT
                         "' cannot be asked for at '" STR_FMT "': give a version",
                         STR_ARG(request->package.name), STR_ARG(url));
    TRY(parse_github(arena, request, url, &github));
    *out = github_api(arena, request, &github, STR("latest"));
    return NULL;
}
