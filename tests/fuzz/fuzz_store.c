/* fuzz_store.c — the small files of a store, chosen by the first byte: its layout, tags, history
 * and the locks of others. */
#include "fuzz/fuzz_support.h"

#include "backend/backend_file.h"

static const struct stack_ref stack = { .project = STR_INIT("proj"), .name = STR_INIT("dev") };

/* A store of which the layout is known. Whoever takes its lock gives it back. */
static struct file_backend open_store(void)
{
    static struct file_locks *locks;

    if (!locks)
        locks = file_locks_new();
    return (struct file_backend){
        .backend = { .options = { .host = STR("here"), .user = STR("me") } },
        .folder = fuzz_folder(),
        .query = STR(""),
        .lock_id = STR("ours"),
        .locks = locks,
        .folder_mode = 0700,
        .file_mode = 0600,
    };
}

static void try_meta(struct arena *arena, str text)
{
    str url = arena_concat(arena, STR("file://"), fuzz_folder());
    const struct backend_options options = { .url = url, .diy.ignores_legacy_error = true };
    struct backend *backend;

    fuzz_file(arena, STR(".pulumi/meta.yaml"), text);
    if (fuzz_accepts(backend_open(&options, &backend)))
        backend_close(backend);
}

/* Tags that were read are written so that they read the same, each once and sorted. */
static void try_tags(struct arena *arena, str text)
{
    struct file_backend file = open_store();
    struct tags tags, again;

    fuzz_file(arena, STR(".pulumi/stacks/proj/dev.json"), STR("{}"));
    fuzz_file(arena, STR(".pulumi/stacks/proj/dev.pulumi-tags"), text);
    if (!fuzz_accepts(file_tags(&file.backend, stack, arena, &tags)) || tags.len == 0)
        return;
    struct pair last = tags.items[tags.len - 1];
    REQUIRE(fuzz_accepts(file_change_tag(&file.backend, stack, last.key, &last.value)));
    REQUIRE(fuzz_accepts(file_tags(&file.backend, stack, arena, &again)));
    REQUIRE(again.len > 0 && again.len <= tags.len);
    REQUIRE(str_equal(again.items[again.len - 1].key, last.key));
    REQUIRE(str_equal(again.items[again.len - 1].value, last.value));
    for (size_t i = 0; i < again.len; i++) {
        REQUIRE(str_equal(tags.items[i].key, again.items[i].key));
        REQUIRE(i == 0 || str_compare(again.items[i - 1].key, again.items[i].key) <= 0);
    }
}

static void try_history(struct arena *arena, str text)
{
    struct file_backend file = open_store();
    struct history history;

    file.backend.options.diy.disables_backups = true;
    str path = fuzz_file(arena, STR(".pulumi/history/proj/dev/dev-1.history.json"), text);
    if (!fuzz_accepts(file_history(&file.backend, stack, arena, 1, 1, &history)))
        return;
    REQUIRE(history.len == 1);
    REQUIRE(fuzz_accepts(fs_remove_tree(fs_path_directory(path))));
    REQUIRE(fuzz_accepts(file_add_history(&file.backend, stack, &history.items[0])));
    struct history_entry entry = history.items[0];
    REQUIRE(fuzz_accepts(file_history(&file.backend, stack, arena, 1, 0, &history)));
    REQUIRE(history.len == 1 && str_equal(history.items[0].message, entry.message)
            && str_equal(history.items[0].kind, entry.kind)
            && history.items[0].start_time == entry.start_time
            && history.items[0].change_count == entry.change_count
            && history.items[0].environment_count == entry.environment_count);
    REQUIRE(fuzz_accepts(fs_remove_tree(fs_path_directory(path))));
}

/* Whatever a lock says, it is one; and ours is not left behind. */
static void try_lock(struct arena *arena, str text)
{
    struct file_backend file = open_store();
    str folder, *names;
    size_t len;

    fuzz_file(arena, STR(".pulumi/locks/organization/proj/dev/theirs.json"), text);
    folder = file_lock_folder(&file, arena, stack);
    REQUIRE(str_ends_with(folder, STR("/.pulumi/locks/organization/proj/dev")));
    REQUIRE(!fuzz_accepts(file_lock(&file.backend, stack)));
    REQUIRE(fuzz_accepts(fs_list(arena, folder, &names, &len)) && len == 1);
    REQUIRE(fuzz_accepts(file_break_locks(&file.backend, stack, &len)) && len == 1);
    REQUIRE(fuzz_accepts(file_lock(&file.backend, stack)));
    REQUIRE(fuzz_accepts(file_unlock(&file.backend, stack)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const files[])(struct arena * arena, str text) = { try_meta, try_tags,
                                                                     try_history, try_lock };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    files[fuzz_choice(&input, sizeof(files) / sizeof(files[0]))](&arena, input);
    return 0;
}
