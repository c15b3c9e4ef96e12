/* backend_file_url.c — file://PATH?QUERY: home directory, relative paths, percent signs and the
 * parameters we know. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "base/hex.h"
#include "base/strbuf.h"

#include <stdlib.h>

/* A state holds secrets: others see it only where dir_file_mode lets them into the directories. */
enum {
    DEFAULT_FOLDER_MODE = 0700,
    DEFAULT_FILE_MODE = 0600,
    MOST_MODE = 0777,
    NOT_EXECUTABLE = 0666
};

/* In the order in which a normalised URL has them. */
static const char *const parameters[] = {
    "base_url", "create_dir", "dir_file_mode", "metadata", "no_tmp_dir", "secret_key_path",
};
enum {
    PARAMETERS = sizeof(parameters) / sizeof(*parameters),
    CREATE_DIR = 1,
    DIR_FILE_MODE = 2,
    NO_TMP_DIR = 4
};

/* --- path --- */

static fallible decode_path(struct arena *arena, str text, str *out)
{
    if (!percent_decode(arena, text, out))
        return error_new(ERROR_INVALID, "invalid URL escape in '" STR_FMT "'", STR_ARG(text));
    if (str_find_char(*out, '\0') != SIZE_MAX)
        return error_new(ERROR_INVALID, "a path cannot have a NUL byte: '" STR_FMT "'",
                         STR_ARG(text));
    return NULL;
}

static fallible absolute_path(struct arena *arena, str path, str home, str *out)
{
    str current;

    if (str_starts_with(path, STR("~"))) {
        if (path.len > 1 && path.ptr[1] != '/')
            return error_new(ERROR_INVALID,
                             "cannot resolve '" STR_FMT "': only ~ and ~/PATH are understood",
                             STR_ARG(path));
        if (home.len == 0)
            return error_new(ERROR_INVALID, "cannot resolve '" STR_FMT "': no home folder is known",
                             STR_ARG(path));
        path = arena_concat(arena, home, str_slice(path, 1, path.len));
    }
    TRY(fs_working_directory(arena, &current));
    *out = arena_copy(arena, fs_path_absolute(arena, current, path));
    return NULL;
}

/* --- query --- */

static fallible split_query(str query, str values[PARAMETERS], bool present[PARAMETERS])
{
    str pair, key, value;

    while (str_next(&query, STR("&"), &pair)) {
        if (!str_cut(pair, STR("="), &key, &value)) {
            key = pair;
            value = STR("");
        }
        size_t i = 0;
        while (i < PARAMETERS && !str_equal(key, str_from(parameters[i])))
            i++;
        if (i == PARAMETERS && pair.len > 0)
            return error_new(ERROR_INVALID, "unknown query parameter '" STR_FMT "'", STR_ARG(key));
        if (pair.len > 0) {
            values[i] = value;
            present[i] = true;
        }
    }
    return NULL;
}

/* The reference writes next to the target unless configured otherwise, and says so in its URLs. */
static void normalize_no_tmp_dir(str *value, bool *is_present)
{
    if (!*is_present || value->len == 0)
        *value = STR("true");
    *is_present = !str_equal(*value, STR("false"));
}

static fallible parse_query(struct arena *arena, str query, struct file_url *out)
{
    str values[PARAMETERS] = { 0 };
    bool present[PARAMETERS] = { 0 };
    CLEANUP(strbuf_release) struct strbuf normal = { 0 };

    TRY(split_query(query, values, present));
    normalize_no_tmp_dir(&values[NO_TMP_DIR], &present[NO_TMP_DIR]);
    for (size_t i = 0; i < PARAMETERS; i++)
        if (present[i])
            strbuf_printf(&normal, "%c%s=" STR_FMT, normal.len ? '&' : '?', parameters[i],
                          STR_ARG(values[i]));
    out->query = arena_copy(arena, strbuf_str(&normal));
    out->creates_folder = present[CREATE_DIR] && !str_equal(values[CREATE_DIR], STR("false"))
                          && !str_equal(values[CREATE_DIR], STR("0"));
    out->folder_mode = DEFAULT_FOLDER_MODE;
    out->file_mode = DEFAULT_FILE_MODE;
    if (present[DIR_FILE_MODE]) {
        char *end;
        const char *text = arena_cstr(arena, values[DIR_FILE_MODE]);
        unsigned long mode = strtoul(text, &end, 0);
        if (*text < '0' || *text > '9' || *end || mode > MOST_MODE)
            return error_new(ERROR_INVALID, "invalid value '%s' of query parameter 'dir_file_mode'",
                             text);
        out->folder_mode = (mode_t)mode;
        out->file_mode |= (mode_t)mode & NOT_EXECUTABLE;
    }
    return NULL;
}

fallible file_url_parse(struct arena *arena, str url, str home, struct file_url *out)
{
    str path = str_slice(url, STR("file://").len, url.len), query = STR("");

    str_cut(path, STR("?"), &path, &query);
    TRY(error_wrap(decode_path(arena, path, &path), "parsing the provided URL"));
    TRY(error_wrap(parse_query(arena, query, out), "backend URL '" STR_FMT "'", STR_ARG(url)));
    return absolute_path(arena, path, home, &out->folder);
}

static bool is_plain_in_path(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || (c != '\0' && strchr("-_.~$&+,/:;=@!'()*", c));
}

str file_url_format(const struct file_backend *file, struct arena *arena, str path)
{
    CLEANUP(strbuf_release) struct strbuf url = { 0 };

    strbuf_add(&url, STR("file://"));
    for (size_t i = 0; i < path.len; i++) {
        if (is_plain_in_path(path.ptr[i]))
            strbuf_add_char(&url, path.ptr[i]);
        else
            strbuf_printf(&url, "%%%02X", (unsigned char)path.ptr[i]);
    }
    strbuf_add(&url, file->query);
    return arena_copy(arena, strbuf_str(&url));
}
