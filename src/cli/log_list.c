/* log_list.c — finds log files by their names, and what they are about by their first lines. */
#include "cli/log_list.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/settings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What follows a mark in the text, to the end of its line or to a comma. */
static str log_text_behind(struct arena *arena, str text, str mark)
{
    size_t at = str_find(text, mark);
    str rest, word;

    if (at == SIZE_MAX)
        return STR("");
    rest = str_slice(text, at + mark.len, text.len);
    if (str_cut(rest, STR("\n"), &word, &rest))
        rest = word;
    if (str_cut(rest, STR(","), &word, &rest))
        return arena_copy(arena, word);
    return arena_copy(arena, rest);
}

static void log_entry_look(struct arena *arena, struct log_entry *entry)
{
    enum { HEAD = 4096 };
    char head[HEAD];
    int fd = open(arena_cstr(arena, entry->path), O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, head, sizeof(head));

    if (fd >= 0)
        close(fd);
    str text = { head, len > 0 ? (size_t)len : 0 };
    entry->command = log_text_behind(arena, text, STR(" command: "));
    entry->stack = log_text_behind(arena, text, STR(" stack: "));
}

/* "pulumi.HOST.USER.log.INFO.20261116-104349.PID", as base/log_file.c names them. */
static bool log_name_parse(str name, struct log_entry *out)
{
    str head, number;

    if (!str_starts_with(name, STR("pulumi")) || str_find(name, STR(".log.INFO.")) == SIZE_MAX
        || !str_cut_last(name, STR("."), &head, &number) || !str_to_u64(number, &out->pid))
        return false;
    out->file = name;
    return true;
}

static int log_compare(const void *a_, const void *b_)
{
    const struct log_entry *a = a_, *b = b_;

    if (a->time != b->time)
        return a->time < b->time ? 1 : -1;
    return str_compare(a->file, b->file);
}

fallible log_list(struct arena *arena, struct log_entries *out)
{
    str folder = settings_text("TMPDIR"), *names;
    size_t count;

    folder = folder.len ? folder : STR("/tmp");
    *out = (struct log_entries){ 0 };
    TRY(fs_list(arena, folder, &names, &count));
    out->items = ARENA_ARRAY(arena, struct log_entry, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct log_entry entry = { 0 };
        struct stat status;
        if (!log_name_parse(names[i], &entry))
            continue;
        entry.path = fs_path_join(arena, folder, names[i]);
        if (lstat(arena_cstr(arena, entry.path), &status) < 0 || !S_ISREG(status.st_mode)
            || status.st_uid != geteuid())
            continue; /* of somebody else, or gone by now */
        entry.size = (uint64_t)status.st_size;
        entry.time = status.st_ctim.tv_sec * (int64_t)NS_PER_S + status.st_ctim.tv_nsec;
        log_entry_look(arena, &entry);
        out->items[out->len++] = entry;
    }
    qsort(out->items, out->len, sizeof(*out->items), log_compare);
    return NULL;
}

static bool log_unit(char letter, int64_t *seconds)
{
    switch (letter) {
    case 's': *seconds = 1; return true;
    case 'm': *seconds = 60; return true;
    case 'h': *seconds = 3600; return true;
    case 'd': *seconds = 24 * 3600; return true;
    default: return false;
    }
}

static bool log_duration_parse(str text, int64_t *out)
{
    int64_t total = 0;

    for (size_t i = 0; i < text.len;) {
        int64_t number = 0, unit;
        size_t start = i;
        for (; i < text.len && char_is_digit(text.ptr[i]) && i - start < 9; i++)
            number = number * 10 + (text.ptr[i] - '0');
        if (i == start || i == text.len || !log_unit(text.ptr[i++], &unit))
            return false;
        total += number * unit;
    }
    *out = total;
    return text.len > 0 && total < INT64_MAX / NS_PER_S;
}

bool log_time_parse(str text, int64_t now, int64_t *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    int64_t seconds;

    if (log_duration_parse(text, &seconds)) {
        *out = now - seconds * NS_PER_S;
        return true;
    }
    return clock_parse(text, out)
           || clock_parse(arena_concat(&scratch, text, STR("T00:00:00Z")), out);
}
