/* template_copy.c — writes the files of a template, all of them or none. */
#include "template/template.h"

#include "base/fs.h"
#include "base/map.h"
#include "template/template_folder.h"

#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 30, SHOWN_OF_NAME = 40 };

struct copied_file {
    str name; /* below the target */
    str path; /* absolute */
    unsigned mode;
    str source;  /* of the template; empty: */
    str content; /* filled in */
    bool is_manifest;
    bool existed; /* what was there before: */
    str former;
    unsigned former_mode;
};

/* --- planning --- */

static fallible check_copied_name(str name)
{
    str rest = name, part;
    size_t parts = 0;

    if (fs_path_is_absolute(name) || name.len == 0 || str_find_char(name, '\0') != SIZE_MAX)
        return error_new(ERROR_INVALID, "the template has a file named '" STR_FMT "'",
                         STR_ARG(name));
    while (str_next(&rest, STR("/"), &part)) {
        if (str_equal(part, STR("..")) || str_equal(part, STR(".git")))
            return error_new(ERROR_INVALID,
                             "the template has a file named '" STR_FMT "', which is refused",
                             STR_ARG(name));
        if (++parts > TEMPLATE_DEPTH_MAX + 1)
            return error_new(ERROR_INVALID,
                             "the template has a file named '" STR_FMT
                             "...', which is nested too deeply",
                             STR_ARG(str_slice(name, 0, SHOWN_OF_NAME)));
    }
    return NULL;
}

static fallible plan_file(struct template_copy *copy, enum template_kind kind,
                          const struct template_file *file, const struct template_values *values)
{
    struct copied_file *planned = &copy->files[copy->len];

    *planned = (struct copied_file){ .mode = file->mode | 0600, .source = file->source };
    planned->name = template_fill_path(copy->arena, file->path, values);
    TRY(check_copied_name(planned->name));
    planned->path = fs_path_join(copy->arena, copy->target, planned->name);
    planned->content = template_fill(copy->arena, file->path, file->content, values);
    planned->is_manifest = str_equal(file->path, template_manifest_name(kind));
    copy->len++;
    if (!planned->is_manifest || planned->source.len == 0)
        return NULL;
    str text;
    TRY(fs_read(copy->arena, planned->source, FILE_MAX, &text));
    planned->content = template_fill(copy->arena, file->path, text, values);
    planned->source = STR("");
    return NULL;
}

/* Two names can become one when the project's name is put in. */
static fallible check_distinct(const struct template_copy *copy)
{
    struct map names = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; i < copy->len && !failure; i++) {
        if (map_has(&names, copy->files[i].name))
            failure = error_new(ERROR_INVALID, "two files of the template become '" STR_FMT "'",
                                STR_ARG(copy->files[i].name));
        map_put(&names, copy->files[i].name, &copy->files[i]);
    }
    map_release(&names);
    return failure;
}

static bool is_for_authors(str path)
{
    return str_equal(path, STR("Pulumi.yaml.append"))
           || str_equal(fs_path_name(path), STR(".pulumi.template.yaml"));
}

fallible template_copy_plan(struct arena *arena, struct template *template, str target,
                            const struct template_values *values, struct template_copy *out)
{
    struct template_copy copy = { .arena = arena, .target = target };

    TRY(template_load_files(arena, template));
    copy.files = ARENA_ARRAY(arena, struct copied_file, template->files.len + 1);
    for (size_t i = 0; i < template->files.len; i++)
        if (!is_for_authors(template->files.items[i].path))
            TRY(plan_file(&copy, template->kind, &template->files.items[i], values));
    TRY(check_distinct(&copy));
    *out = copy;
    return NULL;
}

static struct copied_file *find_manifest(const struct template_copy *copy)
{
    for (size_t i = 0; i < copy->len; i++)
        if (copy->files[i].is_manifest)
            return &copy->files[i];
    return NULL;
}

str template_copy_manifest(const struct template_copy *copy)
{
    const struct copied_file *manifest = find_manifest(copy);

    return manifest ? manifest->content : STR("");
}

void template_copy_set_manifest(struct template_copy *copy, str text)
{
    struct copied_file *manifest = find_manifest(copy);

    BUG_IF(!manifest);
    manifest->content = text;
}

/* --- writing --- */

/* With its parents, each of which is remembered if it was made here. */
static fallible make_folder(struct template_copy *copy, str folder)
{
    if (fs_is_directory(folder))
        return NULL;
    str above = fs_path_directory(folder);
    if (!str_equal(above, folder))
        TRY(make_folder(copy, above));
    TRY(fs_make_directory(folder, str_equal(folder, copy->target) ? 0755 : 0700));
    copy->folders = strs_join(copy->arena, copy->folders, (struct strs){ &folder, 1 });
    return NULL;
}

static fallible remember_former(struct template_copy *copy, struct copied_file *file)
{
    struct fs_status status;

    if (!fs_exists(file->path))
        return NULL;
    TRY(fs_stat(file->path, &status));
    if (!status.is_file)
        return error_new(ERROR_EXISTS, "'" STR_FMT "' is in the way of a file of the template",
                         STR_ARG(file->path));
    TRY(fs_read(copy->arena, file->path, FILE_MAX, &file->former));
    file->former_mode = status.mode & 0777;
    file->existed = true;
    return NULL;
}

static fallible write_file(struct template_copy *copy, struct copied_file *file,
                           const struct template_values *values)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str content = file->content;

    TRY(make_folder(copy, fs_path_directory(file->path)));
    TRY(remember_former(copy, file));
    copy->begun++;
    if (file->source.len) {
        TRY(fs_read(&scratch, file->source, FILE_MAX, &content));
        content = template_fill(&scratch, file->name, content, values);
    }
    TRY(fs_replace_quick(file->path, content, file->mode));
    if (file->existed && chmod(arena_cstr(&scratch, file->path), file->mode) < 0)
        return error_os("set the mode of '" STR_FMT "'", STR_ARG(file->path));
    return NULL;
}

fallible template_copy_write(struct template_copy *copy, const struct template_values *values)
{
    struct error *failure = make_folder(copy, copy->target);

    for (size_t i = 0; i < copy->len && !failure; i++)
        failure = write_file(copy, &copy->files[i], values);
    if (failure)
        template_copy_undo(copy);
    return failure;
}

void template_copy_undo(struct template_copy *copy)
{
    while (copy->begun > 0) {
        const struct copied_file *file = &copy->files[--copy->begun];
        error_ignore(file->existed ? fs_replace(file->path, file->former, file->former_mode)
                                   : fs_remove_if_present(file->path),
                     "the failure that led here is reported");
    }
    for (size_t i = copy->folders.len; i > 0; i--)
        if (rmdir(arena_cstr(copy->arena, copy->folders.items[i - 1])) < 0)
            break; /* somebody else has put something there */
    copy->folders.len = 0;
}

/* --- looking before --- */

fallible template_obstacles(struct arena *arena, str folder, struct strs *out)
{
    str *names, *found;
    size_t len, count = 0;

    *out = (struct strs){ 0 };
    if (!fs_exists(folder))
        return NULL;
    TRY(fs_list(arena, folder, &names, &len));
    found = ARENA_ARRAY(arena, str, len + 1);
    for (size_t i = 0; i < len; i++)
        if (!str_equal(names[i], STR(".git")) && !str_equal(names[i], STR(".hg"))
            && !str_equal(names[i], STR(".bzr")))
            found[count++] = names[i];
    *out = (struct strs){ found, count };
    return NULL;
}
