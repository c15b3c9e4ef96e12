/* fuzz_template_files.c — templates that others made: files of any names and texts. What is shown
 * of a template cannot command a terminal; a copy stays in its folder, and nothing of it is left
 * when it is undone or fails. The first byte chooses the kind; then names and texts, parted by NUL
 * bytes. */
#include "fuzz/fuzz_support.h"

#include "base/console.h"
#include "template/template_pack.h"

enum { FILES_MAX = 12, COPIES_MAX = 3 };

static struct template_files read_files(struct arena *arena, str input)
{
    struct template_files files = { ARENA_ARRAY(arena, struct template_file, FILES_MAX), 0 };

    while (input.len && files.len < FILES_MAX) {
        str path = arena_copy(arena, fuzz_part(&input));
        files.items[files.len++] = (struct template_file){
            .path = path, .mode = 0644, .content = arena_copy(arena, fuzz_part(&input))
        };
    }
    return files;
}

static size_t count_names(struct arena *arena, str folder)
{
    size_t len;
    str *names;

    REQUIRE(fuzz_accepts(fs_list(arena, folder, &names, &len)));
    return len;
}

static void try_copy(struct arena *arena, struct template *template, str parent)
{
    const struct template_values values = { STR("p"), STR("some text") };
    struct template_copy copy = { 0 };
    str target = fs_path_join(arena, parent, STR("new"));

    if (!fuzz_accepts(template_copy_plan(arena, template, target, &values, &copy)))
        return;
    if (fuzz_accepts(template_copy_write(&copy, &values))) {
        REQUIRE(count_names(arena, parent) == (copy.len > 0));
        template_copy_undo(&copy);
    }
    REQUIRE(count_names(arena, parent) == 0);
}

static void check_text(struct arena *arena, str text)
{
    REQUIRE(str_equal(console_plain(arena, text), text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    str parent = fs_path_join(&arena, fuzz_folder(), STR("parent"));
    enum template_kind kind = (enum template_kind)fuzz_choice(&input, TEMPLATE_PACKAGE + 1);
    struct templates found;
    bool is_collection;

    template_from_files(&arena, kind, STR("t"), read_files(&arena, input), &found, &is_collection);
    REQUIRE(is_collection || found.len == 1);
    REQUIRE(fuzz_accepts(fs_make_directory(parent, 0700)));
    for (size_t i = 0; i < found.len; i++) {
        template_inspect(&arena, &found.items[i]);
        check_text(&arena, found.items[i].description);
        check_text(&arena, found.items[i].quickstart);
        REQUIRE(template_find(&found, found.items[i].name));
        if (i < COPIES_MAX)
            try_copy(&arena, &found.items[i], parent);
    }
    return 0;
}
