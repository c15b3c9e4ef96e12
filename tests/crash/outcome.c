/* outcome.c — compares what exists with what the state knows. */
#include "crash/outcome.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "model/urn.h"
#include "support/collect.h"
#include "support/json_value.h"

#include <ctype.h>
#include <string.h>

/* --- looking things up --- */

static struct value list_of(struct value state, const char *key)
{
    struct value list = object_get(state, str_from(key));

    return list.kind == VALUE_ARRAY ? list : (struct value){ .kind = VALUE_ARRAY };
}

/* A resource that a provider made, so that there must be an object for it. One that is pending
 * replacement was deleted before its replacement comes. */
static bool is_made(struct value resource)
{
    return object_flag(resource, STR("custom")) && !object_flag(resource, STR("pendingReplacement"))
           && object_text(resource, STR("id")).len
           && !str_starts_with(object_text(resource, STR("type")), STR("pulumi:"));
}

static bool is_known(struct value state, str id, str type)
{
    struct value resources = list_of(state, "resources");

    for (size_t i = 0; i < resources.len; i++)
        if (str_equal(object_text(resources.items[i], STR("id")), id)
            && str_equal(object_text(resources.items[i], STR("type")), type))
            return true;
    return false;
}

/* Ids are NAME-SERIAL, and only a create makes an object that has no id yet. */
static bool may_be_pending_create(struct value state, str id, str type)
{
    struct value pending = list_of(state, "pending_operations");
    str name, serial;
    struct urn urn;

    if (!str_cut_last(id, STR("-"), &name, &serial))
        return false;
    for (size_t i = 0; i < pending.len; i++) {
        struct value resource = object_get(pending.items[i], STR("resource"));
        struct error *failure = urn_parse(object_text(resource, STR("urn")), &urn);
        if (!failure && str_equal(object_text(pending.items[i], STR("type")), STR("creating"))
            && str_equal(object_text(resource, STR("type")), type) && str_equal(urn.name, name))
            return true;
        error_ignore(failure, "a resource without a proper URN matches nothing");
    }
    return false;
}

static bool has_pending_delete(struct value state, str id)
{
    struct value pending = list_of(state, "pending_operations");

    for (size_t i = 0; i < pending.len; i++)
        if (str_equal(object_text(pending.items[i], STR("type")), STR("deleting"))
            && str_equal(object_text(object_get(pending.items[i], STR("resource")), STR("id")), id))
            return true;
    return false;
}

fallible outcome_cloud(struct workdir *workdir, struct value foreign, struct value state,
                       struct value *out)
{
    CLEANUP(values_release) struct values lines = { 0 };

    *out = VALUE_EMPTY_OBJECT;
    TRY(collect_lines(workdir, "run/deeds.jsonl", &lines));
    for (size_t i = 0; i < lines.len; i++) {
        str made = object_text(lines.items[i], STR("made"));
        str unmade = object_text(lines.items[i], STR("unmade"));
        *out = made.len ? value_with(workdir->arena, *out, made, lines.items[i])
                        : value_without(workdir->arena, *out, unmade);
    }
    for (size_t i = 0; foreign.kind == VALUE_OBJECT && i < foreign.len; i++) {
        str id = foreign.members[i].key, type = object_text(foreign.members[i].value, STR("type"));
        if (!is_known(state, id, type))
            *out = value_without(workdir->arena, *out, id);
    }
    return NULL;
}

fallible outcome_check_accounts(struct arena *arena, struct value state, struct value cloud,
                                struct strs vanished)
{
    struct value resources = list_of(state, "resources");

    if (state.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "the state cannot be read: " STR_FMT,
                         STR_ARG(json_value_text(arena, state, 0)));
    for (size_t i = 0; cloud.kind == VALUE_OBJECT && i < cloud.len; i++) {
        str id = cloud.members[i].key, type = object_text(cloud.members[i].value, STR("type"));
        if (!is_known(state, id, type) && !may_be_pending_create(state, id, type))
            return error_new(ERROR_INVALID, "'" STR_FMT "' exists, and the state does not know it",
                             STR_ARG(id));
    }
    for (size_t i = 0; i < resources.len; i++) {
        str id = object_text(resources.items[i], STR("id"));
        bool exists =
            (cloud.kind == VALUE_OBJECT && value_has(cloud, id)) || strs_has(vanished, id);
        if (is_made(resources.items[i]) && !exists && !has_pending_delete(state, id))
            return error_new(ERROR_INVALID, "the state has '" STR_FMT "', which does not exist",
                             STR_ARG(id));
    }
    return NULL;
}

/* --- messages --- */

/* Without what changes from run to run: "dev.json.159c1b169d7550a6.tmp" is about "dev.json". */
static str stem_of(str path)
{
    str name = fs_path_name(path), first, second;

    if (!str_cut(name, STR("."), &first, &second))
        return name;
    size_t more = str_find_char(second, '.');
    return (str){ name.ptr, first.len + 1 + (more < second.len ? more : second.len) };
}

/* What the library says that it struck: a file of this world, or nothing. */
static str struck_file(struct arena *arena, str calls)
{
    str list = STR(""), line, kind, path = STR("");
    struct error *failure = fs_read(arena, calls, FS_ANY_SIZE, &list);

    error_ignore(failure, "then the reason is enough");
    while (str_cut(list, STR("\n"), &line, &list))
        if (str_starts_with(line, STR("struck ")))
            str_cut(str_slice(line, strlen("struck "), line.len), STR(" "), &kind, &path);
    return str_starts_with(path, fs_path_directory(calls)) ? path : STR("");
}

/* A command that meets a failing call says which file it is about, or at least its folder, and why.
 */
bool outcome_names_failure(struct arena *arena, const struct strike *strike, str calls, str output)
{
    str path = struck_file(arena, calls);
    str folder = fs_path_name(fs_path_directory(path));

    if (!strcasestr(arena_cstr(arena, output), strerrordesc_np(strike->number)))
        return false;
    return path.len == 0 || str_find(output, stem_of(path)) != SIZE_MAX
           || str_find(output, arena_concat(arena, folder, STR("/"))) != SIZE_MAX;
}

/* --- ends --- */

/* Serial numbers depend on how often something was tried: "b-2" becomes "b-#". */
static str without_serials(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        size_t end = i + 1;
        while (text.ptr[i] == '-' && end < text.len && isdigit((unsigned char)text.ptr[end]))
            end++;
        if (text.ptr[i] != '-' || end == i + 1 || end == text.len || text.ptr[end] != '"') {
            strbuf_add_char(&out, text.ptr[i]);
            continue;
        }
        strbuf_add(&out, STR("-#"));
        i = end - 1;
    }
    return arena_copy(arena, strbuf_str(&out));
}

static struct value sorted_resources(struct arena *arena, struct value state)
{
    static const char *const dropped[] = { "created", "modified" };
    CLEANUP(values_release) struct values kept = { 0 };
    struct value resources = list_of(state, "resources");

    for (size_t i = 0; i < resources.len; i++) {
        struct value resource = resources.items[i];
        for (size_t j = 0; j < sizeof(dropped) / sizeof(*dropped); j++)
            resource = value_without(arena, resource, str_from(dropped[j]));
        vec_add(&kept, resource);
    }
    return collect_sorted(arena, values_array(arena, &kept));
}

str outcome_normalize(struct arena *arena, struct value state, struct value cloud,
                      size_t *duplicates)
{
    CLEANUP(values_release) struct values objects = { 0 };

    *duplicates = 0;
    for (size_t i = 0; cloud.kind == VALUE_OBJECT && i < cloud.len; i++) {
        if (is_known(state, cloud.members[i].key, object_text(cloud.members[i].value, STR("type"))))
            vec_add(&objects, cloud.members[i].value);
        else
            ++*duplicates;
    }
    str resources = json_value_text(arena, sorted_resources(arena, state), 1);
    str existing = json_value_text(arena, collect_sorted(arena, values_array(arena, &objects)), 1);
    return without_serials(arena, arena_concat(arena, resources, STR("\n"), existing, STR("\n")));
}
