/* git_repository.c — any git repository: its branches, a clone of it, bringing one up to date. */
#include "plugin/install/install_parts.h"

#include "base/base64.h"
#include "base/settings.h"
#include "base/vec.h"
#include "plugin/plugin_git.h"

#include <stdlib.h>
#include <string.h>

/* What a password is before it was written into a URL. */
static void add_unescaped(struct strbuf *out, str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned byte = 0;
        bool is_escape = text.ptr[i] == '%' && i + 2 < text.len;
        if (is_escape) {
            char digits[3] = { text.ptr[i + 1], text.ptr[i + 2], '\0' };
            char *end;
            byte = (unsigned)strtoul(digits, &end, 16);
            is_escape = *end == '\0';
        }
        strbuf_add_char(out, is_escape ? (char)byte : text.ptr[i]);
        i += is_escape ? 2 : 0;
    }
}

/* The login goes to git as a setting in its environment: its arguments can be read by everybody on
 * the machine. Settings that the user gives in this way stay. */
static struct strs login_variables(struct arena *arena, const struct git_remote *remote)
{
    enum { VARIABLES = 3 };
    CLEANUP(strbuf_release) struct strbuf login = { 0 }, encoded = { 0 };
    uint64_t count = settings_number("GIT_CONFIG_COUNT", 0);
    str *variables = ARENA_ARRAY(arena, str, VARIABLES);

    if (remote->login.len == 0)
        return (struct strs){ 0 };
    add_unescaped(&login, remote->login);
    if (str_find_char(remote->login, ':') == SIZE_MAX)
        strbuf_add_char(&login, ':');
    base64_encode(&encoded, strbuf_str(&login));
    variables[0] = arena_printf(arena, "GIT_CONFIG_COUNT=%llu", (unsigned long long)count + 1);
    variables[1] = arena_printf(arena, "GIT_CONFIG_KEY_%llu=http." STR_FMT ".extraHeader",
                                (unsigned long long)count, STR_ARG(remote->url));
    variables[2] = arena_printf(arena, "GIT_CONFIG_VALUE_%llu=Authorization: Basic " STR_FMT,
                                (unsigned long long)count, STR_ARG(strbuf_str(&encoded)));
    explicit_bzero(login.ptr, login.len);
    return (struct strs){ variables, VARIABLES };
}

static void add_reference(struct str_list *list, str line)
{
    str hash, name;

    if (!str_cut(line, STR("\t"), &hash, &name) || str_ends_with(name, STR("^{}")))
        return;
    if (str_starts_with(name, STR("refs/heads/")))
        vec_add(list, str_slice(name, strlen("refs/heads/"), name.len));
    else if (str_starts_with(name, STR("refs/tags/")))
        vec_add(list, str_slice(name, strlen("refs/tags/"), name.len));
}

fallible plugin_git_references(struct plugin_host *host, const struct git_remote *remote,
                               struct arena *arena, struct strs *out)
{
    const char *const words[] = { "ls-remote", "--quiet", "--heads",
                                  "--tags",    "--",      arena_cstr(arena, remote->url),
                                  NULL };
    struct str_list list = { 0 };
    str text, line;

    TRY(install_run_git(host, arena, words, login_variables(arena, remote), &text));
    while (str_cut(text, STR("\n"), &line, &text))
        add_reference(&list, line);
    *out = strs_copy(arena, (struct strs){ list.items, list.len });
    vec_release(&list);
    return NULL;
}

fallible plugin_git_clone(struct plugin_host *host, const struct git_remote *remote, str reference,
                          str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *url = arena_cstr(&scratch, remote->url), *path = arena_cstr(&scratch, folder);
    const char *const head[] = { "clone", "--quiet", "--depth=1", "--", url, path, NULL };
    const char *const named[] = {
        "clone", "--quiet", "--depth=1", "--branch", arena_cstr(&scratch, reference),
        "--",    url,       path,        NULL
    };

    return install_run_git(host, &scratch, reference.len ? named : head,
                           login_variables(&scratch, remote), NULL);
}

fallible plugin_git_pull(struct plugin_host *host, str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *const words[] = { "-C",        arena_cstr(&scratch, folder),
                                  "pull",      "--quiet",
                                  "--ff-only", NULL };

    return install_run_git(host, &scratch, words, (struct strs){ 0 }, NULL);
}
