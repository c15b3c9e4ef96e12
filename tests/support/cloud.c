/* cloud.c — the scripted cloud in its file. */
#include "support/cloud.h"

#include "base/fs.h"
#include "support/json_value.h"
#include "support/script.h"

#include <fcntl.h>
#include <unistd.h>

static fallible load(struct cloud *cloud)
{
    struct value file = value_null();
    struct error *failure = json_value_load(cloud->arena, cloud->path, &file);

    if (failure && error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    error_ignore(failure, "nothing exists yet");
    cloud->objects = object_get(file, STR("objects"));
    cloud->serials = object_get(file, STR("serial"));
    if (cloud->objects.kind != VALUE_OBJECT)
        cloud->objects = VALUE_EMPTY_OBJECT;
    if (cloud->serials.kind != VALUE_OBJECT)
        cloud->serials = VALUE_EMPTY_OBJECT;
    return NULL;
}

fallible cloud_open(struct arena *arena, str directory, struct cloud *out)
{
    *out = (struct cloud){ .arena = arena,
                           .path = fs_path_join(arena, directory, STR("cloud.json")),
                           .lock = -1 };
    TRY(fs_lock(arena_concat(arena, out->path, STR(".lock")), &out->lock));
    struct error *failure = load(out);
    if (failure)
        fs_unlock(out->lock);
    return failure;
}

static fallible log_deeds(struct cloud *cloud)
{
    str path = arena_concat(cloud->arena, fs_path_directory(cloud->path), STR("/deeds.jsonl"));
    struct error *failure = NULL;

    if (cloud->deeds.len) {
        int fd = open(path.ptr, O_APPEND | O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        if (fd < 0 || write(fd, cloud->deeds.ptr, cloud->deeds.len) != (ssize_t)cloud->deeds.len)
            failure = error_os("write '%s'", path.ptr);
        if (fd >= 0)
            close(fd);
    }
    strbuf_release(&cloud->deeds);
    return failure;
}

static void add_deed(struct cloud *cloud, const char *deed, str id, str type)
{
    struct value record =
        script_record(cloud->arena, deed, value_string(id), "type", value_string(type), NULL);

    strbuf_add(&cloud->deeds, json_value_text(cloud->arena, record, 0));
    strbuf_add_char(&cloud->deeds, '\n');
}

fallible cloud_close(struct cloud *cloud)
{
    struct value file =
        script_record(cloud->arena, "objects", cloud->objects, "serial", cloud->serials, NULL);
    struct error *failure = log_deeds(cloud);

    if (!failure)
        failure = fs_replace_quick(cloud->path, json_value_text(cloud->arena, file, 1), 0644);

    fs_unlock(cloud->lock);
    return failure;
}

str cloud_next_id(struct cloud *cloud, str type, str name)
{
    str key = arena_concat(cloud->arena, type, STR("/"), name);
    double serial = object_number(cloud->serials, key, 0) + 1;

    cloud->serials = value_with(cloud->arena, cloud->serials, key, value_number(serial));
    return arena_concat(cloud->arena, name, STR("-"), arena_printf(cloud->arena, "%.0f", serial));
}

void cloud_put(struct cloud *cloud, str id, str type, struct value properties)
{
    struct value object =
        script_record(cloud->arena, "type", value_string(type), "props", properties, NULL);

    cloud->objects = value_with(cloud->arena, cloud->objects, id, object);
    add_deed(cloud, "made", id, type);
}

void cloud_remove(struct cloud *cloud, str id)
{
    cloud->objects = value_without(cloud->arena, cloud->objects, id);
    add_deed(cloud, "unmade", id, STR(""));
}
