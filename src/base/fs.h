/* fs.h — files and paths. Everything that touches the disk blocks the thread: from a fiber, offload
 * what may be slow. Failures name the operation and the path; a missing file is ERROR_NOT_FOUND,
 * one that is in the way ERROR_EXISTS, the rest ERROR_OS. */
#pragma once

#include "base/error.h"

/* --- whole files --- */

enum { FS_ANY_SIZE = 0 };

/* The content, NUL-terminated behind its length. Refuses more than `limit` bytes unless that is
 * FS_ANY_SIZE. */
fallible fs_read(struct arena *arena, str path, size_t limit, str *out);

/* Replaces a file so that a crash leaves either the old content or the new, never a mixture:
 * temporary file beside it, fsync, rename, fsync of the folder. What a killed writer of the same
 * file left beside it is removed. An existing file keeps its mode
 * and, where it is a symbolic link, its place; a new one gets `mode` less the umask. */
fallible fs_replace(str path, str content, unsigned mode);

/* All of it into a file that is open; `path` is for the message. */
fallible fs_write_all(int fd, str path, str content);

/* Removes what killed writers of fs_replace left in a folder beside files whose names begin so. */
fallible fs_sweep(str folder, str prefix);

/* The same without any fsync: for what can be made again. */
fallible fs_replace_quick(str path, str content, unsigned mode);

/* Creates it; ERROR_EXISTS if it is there. */
fallible fs_create(str path, str content, unsigned mode);

/* What is about to replace a file gets its mode, and its owner and group where we may give it away.
 * A file that is not there leaves it as it is. */
fallible fs_keep_owner(int fd, str path);

/* To a new or existing file, atomically; the mode comes along. */
fallible fs_copy(str from, str to);
/* Replaces `to`. The folder of `to` is made durable. */
fallible fs_rename(str from, str to);
/* Many files of one folder into another, which is made durable once, at the end. */
struct fs_new_name {
    str old, new;
};
fallible fs_rename_all(str from, str to, const struct fs_new_name *names, size_t count);
/* A second name for a file, durable; it replaces `to`. A copy where files have one name only. */
fallible fs_link(str from, str to);
fallible fs_remove(str path);
/* A file that is not there is fine. */
fallible fs_remove_if_present(str path);
/* The name of a file is on the disk, once it was made, renamed or removed. */
fallible fs_sync_name(str path);
/* A new folder for its owner alone, where the system wants such things (TMPDIR); its name begins as
 * asked for. */
fallible fs_make_temporary(struct arena *arena, const char *name, str *out);
/* A file without a name, in the same place; in memory where no file can be without one. */
fallible fs_open_nameless(const char *name, int *out);
/* What was written to the file system of this folder so far, by whom ever, is on the disk. For
 * trees of many files: one call, where a sync of each would take minutes. Blocks the thread. */
fallible fs_settle(str folder);
/* A folder and everything below it; symbolic links are not followed. What is not there is fine. */
fallible fs_remove_tree(str path);

/* --- folders --- */

/* With its parents; one that is there is fine. */
fallible fs_make_directory(str path, unsigned mode);

/* The names in a folder, without "." and "..", sorted by bytes. */
fallible fs_list(struct arena *arena, str path, str **out, size_t *len);

/* --- asking --- */

/* Links are followed; a question that cannot be answered is answered with false. */
bool fs_exists(str path);
bool fs_is_directory(str path);
bool fs_is_file(str path);
bool fs_is_executable(str path);
/* The first program of that name in the directories of a search path, which are separated by
 * colons; empty if there is none. A relative one is passed over: it would mean another file after
 * each change of directory. */
str fs_find_program(struct arena *arena, str search_path, str name);

struct fs_status {
    bool is_directory;
    bool is_file;
    unsigned mode;
    uint64_t size;
    int64_t modified; /* nanoseconds since 1970 */
};
fallible fs_stat(str path, struct fs_status *out);

/* --- locks between processes --- */

/* Waits for the lock on a file that is made if it is missing and never removed. Give the descriptor
 * to fs_unlock. */
fallible fs_lock(str path, int *out);
/* Waits for the lock on a folder. -1 where there is nothing to lock: no such folder, or a file
 * system without locks. */
int fs_lock_folder(str path);
/* The same without waiting: false if another process has it. */
bool fs_try_lock_folder(str path, int *out);
void fs_unlock(int fd);

/* --- paths, without looking at the disk --- */

/* Joined by '/' and cleaned; an absolute `name` does not win. */
str fs_path_join(struct arena *arena, str directory, str name);
/* Without "//", "." and "x/..": "." if nothing is left. */
str fs_path_clean(struct arena *arena, str path);
/* As it is if absolute, else below `directory`; cleaned. */
str fs_path_absolute(struct arena *arena, str directory, str path);
bool fs_path_is_absolute(str path);
/* Whether a part of it is "..". */
bool fs_path_climbs(str path);
/* Without slashes at both ends. */
str fs_path_bare(str path);
/* What is before the last '/', cleaned of trailing ones: "." if there is none, "/" at the root. */
str fs_path_directory(str path);
/* What is behind the last '/'. */
str fs_path_name(str path);
/* From the last '.' of the name on: ".yaml"; empty if there is none. */
str fs_path_extension(str path);

fallible fs_working_directory(struct arena *arena, str *out);
