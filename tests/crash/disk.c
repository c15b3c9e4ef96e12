/* disk.c — a small model of a file system: what is there now, and what is there after a power cut.
 */
#include "crash/disk.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <fcntl.h>

struct inode {
    bool is_folder;
    struct strbuf now, synced;          /* of a file */
    struct map names_now, names_synced; /* of a folder: name to inode */
};

enum { MOST_FDS = 1024 };

struct disk {
    struct arena arena;
    struct {
        VEC(struct inode *);
    } inodes;
    struct inode *root;
    str folder; /* what the paths of the log begin with */
    struct inode *open[MOST_FDS];
};

static struct inode *inode_new(struct disk *disk, bool is_folder)
{
    struct inode *inode = ARENA_NEW(&disk->arena, struct inode);

    inode->is_folder = is_folder;
    vec_add(&disk->inodes, inode);
    return inode;
}

static void inode_sync(struct inode *inode)
{
    const struct map_entry *entry;

    strbuf_clear(&inode->synced);
    strbuf_add(&inode->synced, strbuf_str(&inode->now));
    map_release(&inode->names_synced);
    inode->names_synced = (struct map){ 0 };
    for (size_t i = 0; map_next(&inode->names_now, &i, &entry);)
        map_put(&inode->names_synced, entry->key, entry->value);
}

static void disk_release(struct disk *disk)
{
    for (size_t i = 0; i < disk->inodes.len; i++) {
        strbuf_release(&disk->inodes.items[i]->now);
        strbuf_release(&disk->inodes.items[i]->synced);
        map_release(&disk->inodes.items[i]->names_now);
        map_release(&disk->inodes.items[i]->names_synced);
    }
    vec_release(&disk->inodes);
    arena_release(&disk->arena);
}

/* --- from and to a real folder --- */

static fallible disk_load(struct disk *disk, str path, struct inode **out)
{
    struct inode *inode = inode_new(disk, fs_is_directory(path));
    struct inode *child;
    str content, *names = NULL;
    size_t len = 0;

    if (inode->is_folder) {
        TRY(fs_list(&disk->arena, path, &names, &len));
        for (size_t i = 0; i < len; i++) {
            TRY(disk_load(disk, fs_path_join(&disk->arena, path, names[i]), &child));
            map_put(&inode->names_now, names[i], child);
        }
    } else {
        TRY(fs_read(&disk->arena, path, FS_ANY_SIZE, &content));
        strbuf_add(&inode->now, content);
    }
    inode_sync(inode);
    *out = inode;
    return NULL;
}

static fallible disk_write(struct disk *disk, const struct inode *inode, str path,
                           enum disk_names names)
{
    const struct map *children = names == DISK_NAMES_NOW ? &inode->names_now : &inode->names_synced;
    const struct map_entry *entry;

    if (!inode->is_folder)
        return fs_replace_quick(path, strbuf_str(&inode->synced), 0600);
    TRY(fs_make_directory(path, 0700));
    for (size_t i = 0; map_next(children, &i, &entry);)
        TRY(disk_write(disk, entry->value, fs_path_join(&disk->arena, path, entry->key), names));
    return NULL;
}

/* --- what the log says --- */

/* The folder that holds the last name of a path, and that name. */
static fallible disk_find(struct disk *disk, str path, struct inode **parent, str *name)
{
    str rest = path, part;

    *parent = disk->root;
    *name = STR("");
    if (str_starts_with(path, disk->folder))
        rest = str_slice(path, disk->folder.len, path.len);
    while (str_starts_with(rest, STR("/")))
        rest = str_slice(rest, 1, rest.len);
    while (str_cut(rest, STR("/"), &part, &rest)) {
        *parent = map_find(&(*parent)->names_now, part);
        if (!*parent)
            return error_new(ERROR_INVALID, "no folder for '" STR_FMT "'", STR_ARG(path));
    }
    *name = arena_copy(&disk->arena, rest);
    return NULL;
}

static fallible disk_open_file(struct disk *disk, uint64_t fd, uint64_t flags, str path)
{
    struct inode *parent, *inode;
    str name;

    TRY(disk_find(disk, path, &parent, &name));
    inode = name.len ? map_find(&parent->names_now, name) : parent;
    if (!inode) {
        inode = inode_new(disk, false);
        map_put(&parent->names_now, name, inode);
    }
    if (flags & O_TRUNC)
        strbuf_clear(&inode->now);
    if (fd < MOST_FDS)
        disk->open[fd] = inode;
    return NULL;
}

static void inode_write(struct inode *inode, size_t at, str bytes)
{
    if (inode->now.len < at)
        strbuf_add_repeated(&inode->now, '\0', at - inode->now.len);
    size_t over = inode->now.len - at < bytes.len ? inode->now.len - at : bytes.len;
    memcpy(inode->now.ptr + at, bytes.ptr, over);
    strbuf_add(&inode->now, str_slice(bytes, over, bytes.len));
}

static fallible disk_rename(struct disk *disk, str from, str to, bool keeps_old)
{
    struct inode *old_parent, *new_parent;
    str old_name, new_name;

    TRY(disk_find(disk, from, &old_parent, &old_name));
    TRY(disk_find(disk, to, &new_parent, &new_name));
    struct inode *inode = map_find(&old_parent->names_now, old_name);
    if (!inode)
        return error_new(ERROR_INVALID, "no file '" STR_FMT "'", STR_ARG(from));
    if (!keeps_old)
        map_remove(&old_parent->names_now, old_name);
    map_put(&new_parent->names_now, new_name, inode);
    return NULL;
}

static fallible disk_name(struct disk *disk, str verb, str path)
{
    struct inode *parent;
    str name;

    TRY(disk_find(disk, path, &parent, &name));
    if (str_equal(verb, STR("mkdir")))
        map_put(&parent->names_now, name, inode_new(disk, true));
    else
        map_remove(&parent->names_now, name);
    return NULL;
}

/* One line; `rest` is what follows it and loses the bytes of a write. */
static fallible disk_play_line(struct disk *disk, str line, str *rest)
{
    str verb, first, second, third;
    uint64_t fd = MOST_FDS, number = 0, len = 0;

    str_cut(line, STR(" "), &verb, &line);
    if (str_equal(verb, STR("rename")) || str_equal(verb, STR("link"))) {
        str_cut(line, STR("\t"), &first, &second);
        return disk_rename(disk, first, second, str_equal(verb, STR("link")));
    }
    if (str_equal(verb, STR("mkdir")) || str_equal(verb, STR("unlink")))
        return disk_name(disk, verb, line);
    if (!str_cut(line, STR(" "), &first, &second))
        first = line;
    if (!str_to_u64(first, &fd) || fd >= MOST_FDS)
        return error_new(ERROR_INVALID, "no descriptor: " STR_FMT, STR_ARG(line));
    if (str_equal(verb, STR("open"))) {
        str_cut(second, STR(" "), &first, &third);
        str_to_u64(first, &number);
        return disk_open_file(disk, fd, number, third);
    }
    struct inode *inode = disk->open[fd];
    if (!inode)
        return error_new(ERROR_INVALID, "nothing was opened: " STR_FMT, STR_ARG(line));
    if (str_equal(verb, STR("write"))) {
        str_cut(second, STR(" "), &first, &third);
        str_to_u64(first, &number);
        str_to_u64(third, &len);
        if (len > rest->len)
            return NULL; /* it was cut off here */
        inode_write(inode, number, str_slice(*rest, 0, len));
        *rest = str_slice(*rest, len, rest->len);
    } else if (str_equal(verb, STR("truncate"))) {
        str_to_u64(second, &number);
        if (number < inode->now.len)
            inode->now.len = number;
        else
            strbuf_add_repeated(&inode->now, '\0', number - inode->now.len);
    } else if (str_equal(verb, STR("sync"))) {
        inode_sync(inode);
    }
    return NULL;
}

static fallible disk_play(struct disk *disk, str log)
{
    str line;

    while (str_cut(log, STR("\n"), &line, &log))
        TRY(error_wrap(disk_play_line(disk, line, &log), "the log of the disk"));
    return NULL;
}

fallible disk_replay(str saved, str log, str folder, enum disk_names names)
{
    struct disk disk = { .folder = folder };
    str text = STR("");
    struct error *failure = disk_load(&disk, saved, &disk.root);

    if (!failure)
        failure = fs_read(&disk.arena, log, FS_ANY_SIZE, &text);
    if (!failure)
        failure = disk_play(&disk, text);
    if (!failure)
        failure = fs_remove_tree(folder);
    if (!failure)
        failure = disk_write(&disk, disk.root, folder, names);
    disk_release(&disk);
    return failure;
}
