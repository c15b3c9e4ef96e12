/* fuzz_workspace.c — the files that are kept between runs: accounts in credentials.json survive a
 * login beside them, and a selected stack is the one that was selected. */
#include "fuzz/fuzz_support.h"

#include "project/project.h"

static void try_credentials(struct arena *arena, str text)
{
    const struct workspace workspace = { .home = fuzz_folder() };
    struct account account = { .url = STR("file:///new"), .access_token = STR("t") };
    struct credentials credentials, again;

    fuzz_file(arena, STR("credentials.json"), text);
    if (!fuzz_accepts(credentials_load(arena, &workspace, &credentials)))
        return;
    credentials_login(arena, &credentials, account);
    REQUIRE(credentials_find(&credentials, account.url));
    REQUIRE(fuzz_accepts(credentials_save(&workspace, &credentials)));
    REQUIRE(fuzz_accepts(credentials_load(arena, &workspace, &again)));
    REQUIRE(again.len == credentials.len && str_equal(again.current, account.url));
    for (size_t i = 0; i < credentials.len; i++) {
        const struct account *one = &credentials.accounts[i];
        const struct account *found = credentials_find(&again, one->url);
        REQUIRE(found && str_equal(found->access_token, one->access_token)
                && str_equal(found->username, one->username)
                && found->is_insecure == one->is_insecure);
    }
    credentials_logout(&again, account.url);
    REQUIRE(again.current.len == 0 && !credentials_find(&again, account.url));
}

/* The name of the file depends on the project alone, so it is known after the first selection. */
static str selection_file(struct arena *arena, const struct workspace *workspace,
                          const struct project *project)
{
    str folder = fs_path_join(arena, fuzz_folder(), STR("workspaces")), *names;
    size_t len;

    REQUIRE(fuzz_accepts(
        workspace_select_stack(workspace, project, STR("file:///a"), STR("organization/p/dev"))));
    REQUIRE(fuzz_accepts(fs_list(arena, folder, &names, &len)) && len == 1);
    return fs_path_join(arena, STR("workspaces"), names[0]);
}

static void try_selection(struct arena *arena, str text)
{
    static char name[300];
    const struct workspace workspace = { .home = fuzz_folder() };
    const struct project project = { .name = STR("p"), .path = STR("/p/Pulumi.yaml") };
    str other, selected;

    if (!name[0])
        snprintf(name, sizeof(name), "%s", selection_file(arena, &workspace, &project).ptr);
    fuzz_file(arena, str_from(name), text);
    if (!fuzz_accepts(
            workspace_selected_stack(arena, &workspace, &project, STR("file:///b"), &other)))
        return;
    REQUIRE(fuzz_accepts(
        workspace_select_stack(&workspace, &project, STR("file:///a"), STR("organization/p/x"))));
    REQUIRE(fuzz_accepts(
        workspace_selected_stack(arena, &workspace, &project, STR("file:///a"), &selected)));
    REQUIRE(str_equal(selected, STR("organization/p/x")));
    REQUIRE(fuzz_accepts(
        workspace_selected_stack(arena, &workspace, &project, STR("file:///b"), &selected)));
    REQUIRE(str_equal(selected, other));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    if (fuzz_choice(&input, 2) == 0)
        try_credentials(&arena, input);
    else
        try_selection(&arena, input);
    return 0;
}
