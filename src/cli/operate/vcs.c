/* vcs.c — asks git about the commit that a project is at. */
#include "cli/operate/vcs.h"

#include "base/fs.h"
#include "fiber/process.h"
#include "fiber/process_output.h"

enum { MOST_OUTPUT = 64 * 1024, LONGEST_MS = 5000 };

static bool is_repository(struct arena *arena, str directory)
{
    for (str at = directory; at.len > 1; at = fs_path_directory(at)) {
        if (fs_exists(fs_path_join(arena, at, STR(".git"))))
            return true;
        if (str_equal(at, STR(".")))
            return false;
    }
    return false;
}

/* What git prints; empty if it fails, takes too long or is not to be asked. */
static str vcs_ask(struct arena *arena, const char *git, str directory, const char *const *argv)
{
    CLEANUP(process_output_release) struct process_output output = { .limit = MOST_OUTPUT };
    CLEANUP(process_output_release) struct process_output errors = { .limit = MOST_OUTPUT };
    struct process_options options = {
        .path = git,
        .argv = argv,
        .directory = arena_cstr(arena, directory),
        .has_no_terminal = true,
        .leaves_daemons = true,
    };
    struct process *process;
    int status = 1;

    struct error *failure = process_open(&options, &process);
    if (failure) {
        error_ignore(failure, "an update needs no repository");
        return STR("");
    }
    failure = process_collect(process, LONGEST_MS, &output, &errors, &status);
    bool is_good = !failure && status == 0;
    error_ignore(failure, "an update needs no repository");
    return is_good ? arena_copy(arena, str_trim(strbuf_str(&output.text))) : STR("");
}

static void vcs_add(struct vcs_facts *facts, str key, str value)
{
    if (value.len && facts->count < sizeof(facts->pairs) / sizeof(facts->pairs[0]))
        facts->pairs[facts->count++] = (struct pair){ key, value };
}

/* git@host:owner/repo.git or https://host/owner/repo */
static void add_remote(struct vcs_facts *facts, str url)
{
    static const struct {
        const char *host, *kind;
    } known[] = { { "github.com", "github.com" },
                  { "gitlab.com", "gitlab.com" },
                  { "bitbucket.org", "bitbucket.org" } };
    str path = url, head, owner, repository;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        size_t at = str_find(url, str_from(known[i].host));
        if (at == SIZE_MAX)
            continue;
        path = str_slice(url, at + strlen(known[i].host) + 1, url.len);
        if (str_ends_with(path, STR(".git")))
            path.len -= 4;
        if (!str_cut_last(path, STR("/"), &owner, &repository))
            return;
        if (str_cut_last(owner, STR("/"), &head, &owner) && !owner.len)
            return;
        vcs_add(facts, STR("vcs.owner"), owner);
        vcs_add(facts, STR("vcs.repo"), repository);
        vcs_add(facts, STR("vcs.kind"), str_from(known[i].kind));
        return;
    }
}

void vcs_look(struct arena *arena, str directory, str search_path, struct vcs_facts *out)
{
    static const char *const log[] = { "git", "log", "-1", "--format=%H%n%cn%n%ce%n%an%n%ae%n%s",
                                       NULL };
    static const char *const log_lines[] = { "git.head", "git.committer", "git.committer.email",
                                             "git.author", "git.author.email" };
    static const char *const branch[] = { "git", "symbolic-ref", "-q", "HEAD", NULL };
    static const char *const changes[] = { "git", "status", "--porcelain", NULL };
    static const char *const remote[] = { "git", "config", "--get", "remote.origin.url", NULL };
    static const char *const root[] = { "git", "rev-parse", "--show-prefix", NULL };

    *out = (struct vcs_facts){ 0 };
    str program =
        is_repository(arena, directory) ? fs_find_program(arena, search_path, STR("git")) : STR("");
    const char *git = arena_cstr(arena, program);
    str commit = program.len ? vcs_ask(arena, git, directory, log) : STR(""), line;
    if (!commit.len)
        return;
    for (size_t i = 0; i < sizeof(log_lines) / sizeof(*log_lines); i++)
        if (str_next(&commit, STR("\n"), &line))
            vcs_add(out, str_from(log_lines[i]), line);
    str_next(&commit, STR("\n"), &out->title);
    vcs_add(out, STR("git.headName"), vcs_ask(arena, git, directory, branch));
    vcs_add(out, STR("git.dirty"),
            vcs_ask(arena, git, directory, changes).len ? STR("true") : STR("false"));
    vcs_add(out, STR("vcs.root"), vcs_ask(arena, git, directory, root));
    add_remote(out, vcs_ask(arena, git, directory, remote));
}
