/* install_git.c — fetches a plugin that is a git repository, by the git program. */
#include "plugin/install/install_parts.h"

#include "base/semver.h"
#include "base/strbuf.h"
#include "fiber/process.h"
#include "fiber/process_output.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"
#include "plugin/host/plugin_host.h"

#include <sys/wait.h>

enum { OUTPUT_MAX = 16 << 20, ERRORS_MAX = 64 << 10, WORDS_MAX = 16 };

/* --- running git --- */

/* It must not ask for a password: nobody would see the question. (ssh, which it runs, finds no
 * terminal either.) What is added replaces what is there. */
static const char *const *environment_of(const struct plugin_host *host, struct arena *arena,
                                         struct strs added)
{
    const char *const *ours = host->options.world->environment;
    size_t count = 0;

    while (ours && ours[count])
        count++;
    const char **all = ARENA_ARRAY(arena, const char *, count + added.len + 2);
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        str name, value;
        bool is_replaced = false;
        for (size_t j = 0; j < added.len && !is_replaced; j++)
            is_replaced =
                str_cut(added.items[j], STR("="), &name, &value)
                && str_starts_with(str_from(ours[i]), arena_concat(arena, name, STR("=")));
        if (!is_replaced)
            all[len++] = ours[i];
    }
    for (size_t i = 0; i < added.len; i++)
        all[len++] = arena_cstr(arena, added.items[i]);
    all[len] = "GIT_TERMINAL_PROMPT=0";
    return all;
}

fallible install_run_git(struct plugin_host *host, struct arena *arena, const char *const *words,
                         struct strs variables, str *output)
{
    str path = plugin_find_program(host, arena, STR("git"));
    const char *argv[WORDS_MAX + 1] = { "git" };
    struct process *process;
    int status = 0;

    if (path.len == 0)
        return error_new(
            ERROR_INVALID,
            "could not find git on the $PATH: install git to use what is in repositories");
    for (size_t i = 0; words[i]; i++) {
        BUG_IF(i + 2 > WORDS_MAX);
        argv[i + 1] = words[i];
    }
    struct process_options options = { .path = arena_cstr(arena, path),
                                       .argv = argv,
                                       .environment = environment_of(host, arena, variables),
                                       .has_no_terminal = true };
    TRY(process_open(&options, &process));
    CLEANUP(process_output_release) struct process_output out = { .limit = OUTPUT_MAX };
    CLEANUP(process_output_release) struct process_output err = { .limit = ERRORS_MAX };
    TRY(process_collect(process, 0, &out, &err, &status));
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return error_new(ERROR_NOT_FOUND, "git %s: " STR_FMT, words[0],
                         STR_ARG(str_trim(strbuf_str(&err.text))));
    if (output)
        *output = arena_copy(arena, strbuf_str(&out.text));
    return NULL;
}

static fallible run_git(struct plugin_host *host, struct arena *arena, const char *const *words,
                        str *output)
{
    return install_run_git(host, arena, words, (struct strs){ 0 }, output);
}

/* --- cloning --- */

static fallible clone_tag(struct plugin_host *host, struct arena *arena, const char *url, str tag,
                          const char *folder)
{
    const char *const words[] = {
        "clone", "--quiet", "--depth=1", "--branch", arena_cstr(arena, tag), "--", url, folder, NULL
    };
    return run_git(host, arena, words, NULL);
}

/* A tag of a version begins with "v", mostly. */
static fallible clone_version(struct plugin_host *host, struct arena *arena, const char *url,
                              str version, const char *folder)
{
    struct error *failure =
        clone_tag(host, arena, url, arena_concat(arena, STR("v"), version), folder);
    if (!failure || error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    struct error *second = clone_tag(host, arena, url, version, folder);
    error_ignore(second ? second : failure, "the other attempt tells");
    return second ? failure : NULL;
}

static fallible clone_commit(struct plugin_host *host, struct arena *arena, const char *url,
                             str hash, const char *folder)
{
    const char *const words[] = { "clone", "--quiet", "--no-checkout", "--", url, folder, NULL };
    const char *const checkout[] = { "-C",      folder,     "checkout",
                                     "--quiet", "--detach", arena_cstr(arena, hash),
                                     NULL };

    TRY(run_git(host, arena, words, NULL));
    return run_git(host, arena, checkout, NULL);
}

fallible install_clone(const struct install_request *request, const struct plugin_git *git,
                       str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *url = arena_cstr(&scratch, git->clone_url), *path = arena_cstr(&scratch, folder);
    const char *const head[] = { "clone", "--quiet", "--depth=1", "--", url, path, NULL };
    struct semver version;

    if (!semver_parse_tolerant(request->package.version, &version))
        return error_new(ERROR_INVALID, "invalid plugin semver: '" STR_FMT "'",
                         STR_ARG(request->package.version));
    bool is_zero = version.major == 0 && version.minor == 0 && version.patch == 0;
    if (is_zero && str_starts_with(version.pre, STR("x")))
        return clone_commit(request->host, &scratch, url,
                            str_slice(version.pre, 1, version.pre.len), path);
    if (is_zero && version.pre.len == 0)
        return run_git(request->host, &scratch, head, NULL);
    return clone_version(request->host, &scratch, url, request->package.version, path);
}

/* --- the newest version --- */

struct newest {
    struct semver version; /* of all tags */
    bool has_version;
    str head; /* commit */
};

static void install_git_consider(struct newest *newest, str hash, str name)
{
    struct semver version;

    if (str_equal(name, STR("HEAD")))
        newest->head = hash;
    if (!str_starts_with(name, STR("refs/tags/")) || str_ends_with(name, STR("^{}")))
        return;
    if (!semver_parse_tolerant(str_slice(name, strlen("refs/tags/"), name.len), &version))
        return;
    if (!newest->has_version || plugin_version_is_better(&version, &newest->version))
        newest->version = version;
    newest->has_version = true;
}

fallible install_latest_tag(const struct install_request *request, struct arena *arena, str *out)
{
    struct newest newest = { .head = STR("") };
    struct plugin_git git;
    str text, line, hash, name;

    TRY(plugin_git_parse(arena, request->package.download_url, &git));
    const char *const words[] = { "ls-remote", "--quiet", "--", arena_cstr(arena, git.clone_url),
                                  NULL };
    TRY(run_git(request->host, arena, words, &text));
    while (str_cut(text, STR("\n"), &line, &text))
        if (str_cut(line, STR("\t"), &hash, &name))
            install_git_consider(&newest, hash, name);
    if (newest.has_version)
        *out = semver_format(arena, &newest.version);
    else if (newest.head.len > 0)
        *out = arena_concat(arena, STR("0.0.0-x"), newest.head);
    else
        return error_new(ERROR_NOT_FOUND, "could not determine version in repo '" STR_FMT "'",
                         STR_ARG(git.clone_url));
    return NULL;
}
