/* workspace.c — the home directory and the selected stack of each project. */
#include "project/project.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "model/value_json.h"

enum { MAX_FILE_SIZE = 1 << 20 };

fallible workspace_home(struct arena *arena, const struct workspace *workspace, str *out)
{
    if (workspace->home.len) {
        *out = workspace->home;
        return NULL;
    }
    if (workspace->user_home.len == 0)
        return error_new(ERROR_INVALID,
                         "cannot find the home directory: neither PULUMI_HOME nor HOME is set");
    *out = fs_path_join(arena, workspace->user_home, STR(".pulumi"));
    return NULL;
}

fallible workspace_path(struct arena *arena, const struct workspace *workspace, str below, str *out)
{
    str home;

    TRY(workspace_home(arena, workspace, &home));
    *out = fs_path_join(arena, home, below);
    return NULL;
}

/* --- the selected stack --- */

/* workspaces/<project>-<sha1 of the project file's path>-workspace.json */
static fallible selection_path(struct arena *arena, const struct workspace *workspace,
                               const struct project *project, str *out)
{
    str digest = hash_sha1_hex(arena, project->path);
    str name = arena_concat(arena, STR("workspaces/"), project->name, STR("-"), digest,
                            STR("-workspace.json"));
    return workspace_path(arena, workspace, name, out);
}

/* A missing file selects nothing. */
static fallible read_selection(struct arena *arena, str path, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    enum json_kind end; /* what follows is refused by looking at it */
    str text;

    *out = VALUE_EMPTY_OBJECT;
    struct error *failure = fs_read(arena, path, MAX_FILE_SIZE, &text);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "nothing is selected then");
        return NULL;
    }
    TRY(failure);
    if (str_trim(text).len == 0)
        return NULL;
    json_reader_init(&reader, arena, text);
    failure = value_read_plain(&reader, out);
    if (!failure)
        failure = json_peek(&reader, &end);
    TRY(error_wrap(failure, "could not parse file '" STR_FMT "'", STR_ARG(path)));
    if (out->kind != VALUE_OBJECT)
        *out = VALUE_EMPTY_OBJECT;
    return NULL;
}

static struct value stacks_of(struct value selection)
{
    const struct value *stacks = value_find(selection, STR("stacks"));
    return stacks && stacks->kind == VALUE_OBJECT ? *stacks : VALUE_EMPTY_OBJECT;
}

fallible workspace_selected_stack(struct arena *arena, const struct workspace *workspace,
                                  const struct project *project, str backend_url, str *out)
{
    struct value selection;
    str path;

    TRY(selection_path(arena, workspace, project, &path));
    TRY(read_selection(arena, path, &selection));
    struct value stacks = stacks_of(selection);
    /* Before there was one for each backend there was one. */
    *out = value_has(stacks, backend_url) ? value_find_text(stacks, backend_url)
                                          : value_find_text(selection, STR("stack"));
    return NULL;
}

static str selection_text(struct arena *arena, str legacy, struct value stacks)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4, .escapes_html = true };

    json_begin_object(&writer);
    if (legacy.len) {
        json_key(&writer, STR("stack"));
        json_string(&writer, legacy);
    }
    if (stacks.len) {
        json_key(&writer, STR("stacks"));
        value_write(&writer, stacks, SECRET_BARE);
    }
    json_end_object(&writer);
    return arena_copy(arena, strbuf_str(&text));
}

static fallible change_selection(struct arena *scratch, str path, str backend_url, str stack)
{
    struct value selection;

    TRY(read_selection(scratch, path, &selection));
    struct value stacks = stacks_of(selection);
    str legacy = value_find_text(selection, STR("stack"));
    if (stack.len) {
        stacks = value_with(scratch, stacks, backend_url, value_string(stack));
    } else {
        stacks = value_without(scratch, stacks, backend_url);
        legacy = STR("");
    }
    if (stacks.len == 0 && legacy.len == 0)
        return fs_remove_if_present(path);
    return fs_replace(path, selection_text(scratch, legacy, stacks), 0600);
}

/* Others may select a stack of another backend at the same time. */
fallible workspace_select_stack(const struct workspace *workspace, const struct project *project,
                                str backend_url, str stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str path;

    TRY(selection_path(&scratch, workspace, project, &path));
    str folder = fs_path_directory(path);
    TRY(fs_make_directory(folder, 0700));
    int lock = fs_lock_folder(folder);
    struct error *failure = change_selection(&scratch, path, backend_url, stack);
    fs_unlock(lock);
    return failure;
}
