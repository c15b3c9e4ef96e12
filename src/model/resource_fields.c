/* resource_fields.c — how each kind of member of a resource is read, written, copied and
 * compared. */
#include "model/resource_fields.h"

#include "base/map.h"
#include "base/vec.h"
#include "model/value_ops.h"

/* --- booleans and texts --- */

static fallible field_read_bool(struct json_reader *reader, void *member)
{
    return json_read_bool(reader, member);
}

static void field_write_bool(struct json_writer *writer, const void *member, enum secret_form form)
{
    (void)form;
    json_bool(writer, *(const bool *)member);
}

static bool bool_is_empty(const void *member)
{
    return !*(const bool *)member;
}

static fallible field_read_text(struct json_reader *reader, void *member)
{
    return json_read_string(reader, member);
}

static void field_write_text(struct json_writer *writer, const void *member, enum secret_form form)
{
    (void)form;
    json_string(writer, *(const str *)member);
}

static bool text_is_empty(const void *member)
{
    return ((const str *)member)->len == 0;
}

/* --- lists of texts --- */

static void field_write_list(struct json_writer *writer, struct strs list)
{
    json_begin_array(writer);
    for (size_t i = 0; i < list.len; i++)
        json_string(writer, list.items[i]);
    json_end_array(writer);
}

static void field_write_texts(struct json_writer *writer, const void *member, enum secret_form form)
{
    (void)form;
    field_write_list(writer, *(const struct strs *)member);
}

static bool texts_is_empty(const void *member)
{
    return ((const struct strs *)member)->len == 0;
}

/* --- stack frames: texts in objects of their own, which are empty for an empty text --- */

static fallible field_read_frame(struct json_reader *reader, str *out)
{
    static const struct json_field fields[] = { { "sourcePosition", json_field_string, 0 }, { 0 } };

    *out = STR("");
    return json_read_fields(reader, fields, out);
}

static fallible field_read_frames(struct json_reader *reader, void *member)
{
    CLEANUP(str_list_release) struct str_list frames = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        str frame;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(field_read_frame(reader, &frame));
        vec_add(&frames, frame);
    }
    *(struct strs *)member = str_list_keep(reader->arena, &frames);
    return NULL;
}

static void field_write_frames(struct json_writer *writer, const void *member,
                               enum secret_form form)
{
    const struct strs *frames = member;

    (void)form;
    json_begin_array(writer);
    for (size_t i = 0; i < frames->len; i++) {
        json_begin_object(writer);
        if (frames->items[i].len) {
            json_key(writer, STR("sourcePosition"));
            json_string(writer, frames->items[i]);
        }
        json_end_object(writer);
    }
    json_end_array(writer);
}

/* --- property values --- */

static fallible field_read_value(struct json_reader *reader, void *member)
{
    return value_read(reader, member);
}

static fallible field_read_properties(struct json_reader *reader, void *member)
{
    struct value value;

    TRY(value_read_properties(reader, &value));
    if (value.kind == VALUE_NULL)
        value = VALUE_EMPTY_OBJECT;
    if (value.kind != VALUE_OBJECT)
        return json_fail(reader, "expected an object of properties");
    *(struct value *)member = value;
    return NULL;
}

static void field_write_value(struct json_writer *writer, const void *member, enum secret_form form)
{
    value_write(writer, *(const struct value *)member, form);
}

static bool value_is_null(const void *member)
{
    return ((const struct value *)member)->kind == VALUE_NULL;
}

static bool properties_is_empty(const void *member)
{
    return ((const struct value *)member)->len == 0;
}

/* --- property dependencies --- */

struct dependencies {
    VEC(struct property_dependency);
};

static int fields_compare_keys(const void *a, const void *b)
{
    return str_compare(((const struct property_dependency *)a)->key,
                       ((const struct property_dependency *)b)->key);
}

/* Sorts by key; the last of equal keys stays. Files that we or the reference wrote are sorted. */
static void sort_dependencies(struct dependencies *list)
{
    CLEANUP(map_release) struct map places = { 0 };
    size_t sorted = 1, kept = 0;

    while (sorted < list->len
           && fields_compare_keys(&list->items[sorted - 1], &list->items[sorted]) < 0)
        sorted++;
    if (sorted >= list->len)
        return;
    for (size_t i = 0; i < list->len; i++) {
        struct property_dependency *place = map_find(&places, list->items[i].key);
        if (!place) {
            place = &list->items[kept++];
            map_put(&places, list->items[i].key, place);
        }
        *place = list->items[i];
    }
    list->len = kept;
    qsort(list->items, list->len, sizeof(*list->items), fields_compare_keys);
}

static fallible field_read_dependency(struct json_reader *reader, str key, void *list)
{
    struct property_dependency dependency = { .key = key };

    TRY(json_field_strs(reader, &dependency.urns));
    vec_add((struct dependencies *)list, dependency);
    return NULL;
}

static fallible field_read_dependencies(struct json_reader *reader, void *member)
{
    CLEANUP(vec_drop) struct dependencies list = { 0 };
    struct property_dependencies *out = member;

    TRY(json_read_members(reader, field_read_dependency, &list));
    sort_dependencies(&list);
    *out = (struct property_dependencies){ 0 };
    if (list.len) {
        out->items = arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
        out->len = list.len;
    }
    return NULL;
}

static void field_write_dependencies(struct json_writer *writer, const void *member,
                                     enum secret_form form)
{
    const struct property_dependencies *list = member;

    (void)form;
    json_begin_object(writer);
    for (size_t i = 0; i < list->len; i++) {
        json_key(writer, list->items[i].key);
        field_write_list(writer, list->items[i].urns);
    }
    json_end_object(writer);
}

static bool dependencies_is_empty(const void *member)
{
    return ((const struct property_dependencies *)member)->len == 0;
}

/* --- timeouts --- */

static fallible field_read_timeouts(struct json_reader *reader, void *member)
{
    static const struct json_field fields[] = {
        JSON_FIELD("create", struct timeouts, create, json_field_number),
        JSON_FIELD("update", struct timeouts, update, json_field_number),
        JSON_FIELD("delete", struct timeouts, delete, json_field_number),
        JSON_FIELD("read", struct timeouts, read, json_field_number),
        { 0 },
    };

    *(struct timeouts *)member = (struct timeouts){ 0 };
    return json_read_fields(reader, fields, member);
}

static void field_write_timeout(struct json_writer *writer, str key, double seconds)
{
    if (seconds == 0)
        return;
    json_key(writer, key);
    json_number(writer, seconds);
}

static void field_write_timeouts(struct json_writer *writer, const void *member,
                                 enum secret_form form)
{
    const struct timeouts *timeouts = member;

    (void)form;
    json_begin_object(writer);
    field_write_timeout(writer, STR("create"), timeouts->create);
    field_write_timeout(writer, STR("update"), timeouts->update);
    field_write_timeout(writer, STR("delete"), timeouts->delete);
    field_write_timeout(writer, STR("read"), timeouts->read);
    json_end_object(writer);
}

static bool timeouts_is_empty(const void *member)
{
    const struct timeouts *timeouts = member;

    return timeouts->create == 0 && timeouts->update == 0 && timeouts->delete == 0
           && timeouts->read == 0;
}

/* --- hooks --- */

/* In the order of their names. */
static const enum hook_kind hook_order[HOOK_KINDS] = {
    HOOK_AFTER_CREATE,  HOOK_AFTER_DELETE,  HOOK_AFTER_UPDATE, HOOK_BEFORE_CREATE,
    HOOK_BEFORE_DELETE, HOOK_BEFORE_UPDATE, HOOK_ON_ERROR,
};

static fallible field_read_hook(struct json_reader *reader, str key, void *hooks_)
{
    struct strs *hooks = hooks_;
    int kind = 0;

    while (kind < HOOK_KINDS && !str_equal(key, str_from(hook_names[kind])))
        kind++;
    return kind < HOOK_KINDS ? json_field_strs(reader, &hooks[kind]) : json_skip(reader, NULL);
}

static fallible field_read_hooks(struct json_reader *reader, void *member)
{
    return json_read_members(reader, field_read_hook, member);
}

static void field_write_hooks(struct json_writer *writer, const void *member, enum secret_form form)
{
    const struct strs *hooks = member;

    (void)form;
    json_begin_object(writer);
    for (int i = 0; i < HOOK_KINDS; i++) {
        if (hooks[hook_order[i]].len == 0)
            continue;
        json_key(writer, str_from(hook_names[hook_order[i]]));
        field_write_list(writer, hooks[hook_order[i]]);
    }
    json_end_object(writer);
}

static bool hooks_is_empty(const void *member)
{
    const struct strs *hooks = member;

    for (int i = 0; i < HOOK_KINDS; i++)
        if (hooks[i].len)
            return false;
    return true;
}

/* --- copies --- */

static void field_own_nothing(struct arena *arena, void *member)
{
    (void)arena;
    (void)member;
}

static void field_own_text(struct arena *arena, void *member)
{
    str *text = member;

    *text = text->len ? arena_copy(arena, *text) : STR("");
}

static void field_own_texts(struct arena *arena, void *member)
{
    struct strs *list = member;

    *list = strs_copy(arena, *list);
}

static void field_own_value(struct arena *arena, void *member)
{
    struct value *value = member;

    *value = value_copy(arena, *value);
}

static void field_own_dependencies(struct arena *arena, void *member)
{
    struct property_dependencies *list = member;
    struct property_dependency *items = ARENA_ARRAY(arena, struct property_dependency, list->len);

    for (size_t i = 0; i < list->len; i++)
        items[i] = (struct property_dependency){ arena_copy(arena, list->items[i].key),
                                                 strs_copy(arena, list->items[i].urns) };
    list->items = items;
}

static void field_own_hooks(struct arena *arena, void *member)
{
    struct strs *hooks = member;

    for (int kind = 0; kind < HOOK_KINDS; kind++)
        field_own_texts(arena, &hooks[kind]);
}

/* --- comparison --- */

static bool field_equal_bool(const void *a, const void *b)
{
    return *(const bool *)a == *(const bool *)b;
}

static bool field_equal_text(const void *a, const void *b)
{
    return str_equal(*(const str *)a, *(const str *)b);
}

static bool field_equal_texts(const void *a, const void *b)
{
    return strs_equal(*(const struct strs *)a, *(const struct strs *)b);
}

static bool field_equal_value(const void *a, const void *b)
{
    return value_identical(*(const struct value *)a, *(const struct value *)b);
}

static bool field_equal_dependencies(const void *a, const void *b)
{
    const struct property_dependencies *one = a, *other = b;
    bool is_equal = one->len == other->len;

    for (size_t i = 0; i < one->len && is_equal; i++)
        is_equal = str_equal(one->items[i].key, other->items[i].key)
                   && strs_equal(one->items[i].urns, other->items[i].urns);
    return is_equal;
}

static bool field_equal_timeouts(const void *a, const void *b)
{
    const struct timeouts *one = a, *other = b;

    return one->create == other->create && one->update == other->update
           && one->delete == other->delete &&one->read == other->read;
}

static bool field_equal_hooks(const void *a, const void *b)
{
    const struct strs *one = a, *other = b;

    for (int kind = 0; kind < HOOK_KINDS; kind++)
        if (!strs_equal(one[kind], other[kind]))
            return false;
    return true;
}

/* --- the lists --- */

const struct field_ops field_ops[FIELD_KINDS] = {
    [KIND_BOOL] = { field_read_bool, field_write_bool, bool_is_empty, field_own_nothing,
                    field_equal_bool, sizeof(bool) },
    [KIND_TEXT] = { field_read_text, field_write_text, text_is_empty, field_own_text,
                    field_equal_text, sizeof(str) },
    [KIND_URN] = { field_read_text, field_write_text, text_is_empty, field_own_text,
                   field_equal_text, sizeof(str) },
    [KIND_TEXTS] = { json_field_strs, field_write_texts, texts_is_empty, field_own_texts,
                     field_equal_texts, sizeof(struct strs) },
    [KIND_URNS] = { json_field_strs, field_write_texts, texts_is_empty, field_own_texts,
                    field_equal_texts, sizeof(struct strs) },
    [KIND_FRAMES] = { field_read_frames, field_write_frames, texts_is_empty, field_own_texts,
                      field_equal_texts, sizeof(struct strs) },
    [KIND_VALUE] = { field_read_value, field_write_value, value_is_null, field_own_value,
                     field_equal_value, sizeof(struct value) },
    [KIND_PROPERTIES] = { field_read_properties, field_write_value, properties_is_empty,
                          field_own_value, field_equal_value, sizeof(struct value) },
    [KIND_DEPENDENCIES] = { field_read_dependencies, field_write_dependencies,
                            dependencies_is_empty, field_own_dependencies, field_equal_dependencies,
                            sizeof(struct property_dependencies) },
    [KIND_TIMEOUTS] = { field_read_timeouts, field_write_timeouts, timeouts_is_empty,
                        field_own_nothing, field_equal_timeouts, sizeof(struct timeouts) },
    [KIND_HOOKS] = { field_read_hooks, field_write_hooks, hooks_is_empty, field_own_hooks,
                     field_equal_hooks, sizeof(hook_lists) },
};

const struct resource_field resource_fields[] = {
#define FIELD(key, kind, member, since, flags) \
    { STR_INIT(key), KIND_##kind, offsetof(struct resource, member), since, flags },
#define OPTION(member, kind, key, since, ...) FIELD(key, kind, options.member, since, 0)
#include "model/resource_fields.def"
};

const size_t resource_field_count = sizeof(resource_fields) / sizeof(resource_fields[0]);
