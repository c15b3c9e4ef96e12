/* cloud.c — the scripted cloud in its file. */
#include "support/cloud.h"

#include "base/fs.h"
#include "support/json_value.h"
#include "support/script.h"

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

fallible cloud_close(struct cloud *cloud)
{
    struct value file =
        script_record(cloud->arena, "objects", cloud->objects, "serial", cloud->serials, NULL);
    struct error *failure =
        fs_replace_quick(cloud->path, json_value_text(cloud->arena, file, 1), 0644);

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
}

void cloud_remove(struct cloud *cloud, str id)
{
    cloud->objects = value_without(cloud->arena, cloud->objects, id);
}
