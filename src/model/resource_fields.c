/* resource_fields.c — the one list of what a checkpoint keeps of a resource, and how each type of
 * member is read, written and compared. */
#include "model/resource_fields.h"

#include "base/map.h"
#include "base/vec.h"

/* --- booleans and texts --- */

static fallible read_bool(struct json_reader *reader, void *member)
{
    return json_read_bool(reader, member);
}

static void write_bool(struct json_writer *writer, const void *member, enum secret_form form)
{
    (void)form;
    json_bool(writer, *(const bool *)member);
}

static bool bool_is_empty(const void *member)
{
    return !*(const bool *)member;
}

static bool bool_equal(const void *a, const void *b)
{
    return *(const bool *)a == *(const bool *)b;
}

static fallible read_text(struct json_reader *reader, void *member)
{
    return json_read_string(reader, member);
}

static void write_text(struct json_writer *writer, const void *member, enum secret_form form)
{
    (void)form;
    json_string(writer, *(const str *)member);
}

static bool text_is_empty(const void *member)
{
    return ((const str *)member)->len == 0;
}

static bool text_equal(const void *a, const void *b)
{
    return str_equal(*(const str *)a, *(const str *)b);
}

/* --- lists of texts --- */

struct texts {
    VEC(str);
};

static void texts_release(struct texts *texts)
{
    vec_release(texts);
}

static struct strs texts_take(struct arena *arena, struct texts *texts)
{
    if (texts->len == 0)
        return (struct strs){ 0 };
    return (struct strs){ arena_copy_bytes(arena, texts->items, texts->len * sizeof(str)),
                          texts->len };
}

static fallible read_texts(struct json_reader *reader, void *member)
{
    CLEANUP(texts_release) struct texts texts = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        str text;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(json_read_string(reader, &text));
        vec_add(&texts, text);
    }
    *(struct strs *)member = texts_take(reader->arena, &texts);
    return NULL;
}

static void write_list(struct json_writer *writer, struct strs list)
{
    json_begin_array(writer);
    for (size_t i = 0; i < list.len; i++)
        json_string(writer, list.items[i]);
    json_end_array(writer);
}

static void write_texts(struct json_writer *writer, const void *member, enum secret_form form)
{
    (void)form;
    write_list(writer, *(const struct strs *)member);
}

static bool texts_is_empty(const void *member)
{
    return ((const struct strs *)member)->len == 0;
}

static bool texts_equal(const void *a, const void *b)
{
    return strs_equal(*(const struct strs *)a, *(const struct strs *)b);
}

static bool sets_equal(const void *a, const void *b)
{
    return strs_equal_set(*(const struct strs *)a, *(const struct strs *)b);
}

/* --- stack frames: texts in objects of their own, which are empty for an empty text --- */

static fallible read_frame(struct json_reader *reader, str *out)
{
    static const struct json_field fields[] = { { "sourcePosition", json_field_string, 0 }, { 0 } };

    *out = STR("");
    return json_read_fields(reader, fields, out);
}

static fallible read_frames(struct json_reader *reader, void *member)
{
    CLEANUP(texts_release) struct texts frames = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        str frame;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(read_frame(reader, &frame));
        vec_add(&frames, frame);
    }
    *(struct strs *)member = texts_take(reader->arena, &frames);
    return NULL;
}

static void write_frames(struct json_writer *writer, const void *member, enum secret_form form)
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

static fallible read_value(struct json_reader *reader, void *member)
{
    return value_read(reader, member);
}

static fallible read_properties(struct json_reader *reader, void *member)
{
    struct value value;

    TRY(value_read(reader, &value));
    if (value.kind == VALUE_NULL)
        value = VALUE_EMPTY_OBJECT;
    if (value.kind != VALUE_OBJECT)
        return json_fail(reader, "expected an object of properties");
    *(struct value *)member = value;
    return NULL;
}

static void write_value(struct json_writer *writer, const void *member, enum secret_form form)
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

static bool values_equal(const void *a, const void *b)
{
    return value_equal(*(const struct value *)a, *(const struct value *)b);
}

/* No properties and not said are the same. */
static bool properties_equal(const void *a, const void *b)
{
    struct value left = value_is_null(a) ? VALUE_EMPTY_OBJECT : *(const struct value *)a;
    struct value right = value_is_null(b) ? VALUE_EMPTY_OBJECT : *(const struct value *)b;

    return value_equal(left, right);
}

/* --- property dependencies --- */

struct dependencies {
    VEC(struct property_dependency);
};

static void dependencies_release(struct dependencies *dependencies)
{
    vec_release(dependencies);
}

static int compare_keys(const void *a, const void *b)
{
    return str_compare(((const struct property_dependency *)a)->key,
                       ((const struct property_dependency *)b)->key);
}

/* Sorts by key; the last of equal keys stays. Files that we or the reference wrote are sorted. */
static void sort_dependencies(struct dependencies *list)
{
    CLEANUP(map_release) struct map places = { 0 };
    size_t sorted = 1, kept = 0;

    while (sorted < list->len && compare_keys(&list->items[sorted - 1], &list->items[sorted]) < 0)
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
    qsort(list->items, list->len, sizeof(*list->items), compare_keys);
}

static fallible read_dependencies(struct json_reader *reader, void *member)
{
    CLEANUP(dependencies_release) struct dependencies list = { 0 };
    struct property_dependencies *out = member;
    bool more;

    TRY(json_object_begin(reader));
    for (;;) {
        struct property_dependency dependency;
        TRY(json_object_next(reader, &dependency.key, &more));
        if (!more)
            break;
        TRY(read_texts(reader, &dependency.urns));
        vec_add(&list, dependency);
    }
    sort_dependencies(&list);
    *out = (struct property_dependencies){ 0 };
    if (list.len) {
        out->items = arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
        out->len = list.len;
    }
    return NULL;
}

static void write_dependencies(struct json_writer *writer, const void *member,
                               enum secret_form form)
{
    const struct property_dependencies *list = member;

    (void)form;
    json_begin_object(writer);
    for (size_t i = 0; i < list->len; i++) {
        json_key(writer, list->items[i].key);
        write_list(writer, list->items[i].urns);
    }
    json_end_object(writer);
}

static bool dependencies_is_empty(const void *member)
{
    return ((const struct property_dependencies *)member)->len == 0;
}

static bool dependencies_equal(const void *a, const void *b)
{
    return property_dependencies_equal(*(const struct property_dependencies *)a,
                                       *(const struct property_dependencies *)b);
}

/* --- timeouts --- */

static fallible read_timeouts(struct json_reader *reader, void *member)
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

static void write_timeout(struct json_writer *writer, str key, double seconds)
{
    if (seconds == 0)
        return;
    json_key(writer, key);
    json_number(writer, seconds);
}

static void write_timeouts(struct json_writer *writer, const void *member, enum secret_form form)
{
    const struct timeouts *timeouts = member;

    (void)form;
    json_begin_object(writer);
    write_timeout(writer, STR("create"), timeouts->create);
    write_timeout(writer, STR("update"), timeouts->update);
    write_timeout(writer, STR("delete"), timeouts->delete);
    write_timeout(writer, STR("read"), timeouts->read);
    json_end_object(writer);
}

static bool timeouts_equal(const void *a, const void *b)
{
    const struct timeouts *left = a, *right = b;

    return left->create == right->create && left->update == right->update
           && left->delete == right->delete &&left->read == right->read;
}

static bool timeouts_is_empty(const void *member)
{
    return timeouts_equal(member, &(const struct timeouts){ 0 });
}

/* --- hooks --- */

/* In the order of their names. */
static const enum hook_kind hook_order[HOOK_KINDS] = {
    HOOK_AFTER_CREATE,  HOOK_AFTER_DELETE,  HOOK_AFTER_UPDATE, HOOK_BEFORE_CREATE,
    HOOK_BEFORE_DELETE, HOOK_BEFORE_UPDATE, HOOK_ON_ERROR,
};

static fallible read_hooks(struct json_reader *reader, void *member)
{
    struct strs *hooks = member;
    bool more;
    str key;

    TRY(json_object_begin(reader));
    for (;;) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        int kind = 0;
        while (kind < HOOK_KINDS && !str_equal(key, str_from(hook_names[kind])))
            kind++;
        if (kind < HOOK_KINDS)
            TRY(read_texts(reader, &hooks[kind]));
        else
            TRY(json_skip(reader, NULL));
    }
}

static void write_hooks(struct json_writer *writer, const void *member, enum secret_form form)
{
    const struct strs *hooks = member;

    (void)form;
    json_begin_object(writer);
    for (int i = 0; i < HOOK_KINDS; i++) {
        if (hooks[hook_order[i]].len == 0)
            continue;
        json_key(writer, str_from(hook_names[hook_order[i]]));
        write_list(writer, hooks[hook_order[i]]);
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

static bool hooks_equal(const void *a, const void *b)
{
    const struct strs *left = a, *right = b;

    for (int i = 0; i < HOOK_KINDS; i++)
        if (!strs_equal(left[i], right[i]))
            return false;
    return true;
}

/* --- the list --- */

static const struct field_kind boolean = { read_bool, write_bool, bool_is_empty, bool_equal };
static const struct field_kind text = { read_text, write_text, text_is_empty, text_equal };
static const struct field_kind texts = { read_texts, write_texts, texts_is_empty, texts_equal };
static const struct field_kind text_set = { read_texts, write_texts, texts_is_empty, sets_equal };
static const struct field_kind frames = { read_frames, write_frames, texts_is_empty, texts_equal };
static const struct field_kind value = { read_value, write_value, value_is_null, values_equal };
static const struct field_kind properties = { read_properties, write_value, properties_is_empty,
                                              properties_equal };
static const struct field_kind dependencies = { read_dependencies, write_dependencies,
                                                dependencies_is_empty, dependencies_equal };
static const struct field_kind timeouts = { read_timeouts, write_timeouts, timeouts_is_empty,
                                            timeouts_equal };
static const struct field_kind hooks = { read_hooks, write_hooks, hooks_is_empty, hooks_equal };

enum { FIELD_IDENTITY = FIELD_ALWAYS | FIELD_COMPARED };

#define FIELD(key, kind, member, since, flags)                                \
    {                                                                         \
        STR_INIT(key), &kind, offsetof(struct resource, member), since, flags \
    }
#define OPTION(key, kind, member, since, flags) FIELD(key, kind, options.member, since, flags)

/* clang-format off */
const struct resource_field resource_fields[] = {
    /*     key                        kind          member                     since, flags */
    FIELD( "urn",                     text,         urn,                       1, FIELD_IDENTITY),
    FIELD( "custom",                  boolean,      is_custom,                 1, FIELD_IDENTITY),
    FIELD( "delete",                  boolean,      is_delete,                 1, 0),
    FIELD( "id",                      text,         id,                        1, 0),
    FIELD( "type",                    text,         type,                      1, FIELD_IDENTITY),
    FIELD( "inputs",                  properties,   inputs,                    1, FIELD_COMPARED),
    FIELD( "outputs",                 properties,   outputs,                   1, FIELD_COMPARED),
    FIELD( "parent",                  text,         parent,                    1, FIELD_COMPARED),
    OPTION("protect",                 boolean,      protect,                   1, FIELD_COMPARED),
    FIELD( "taint",                   boolean,      is_tainted,                3, 0),
    FIELD( "external",                boolean,      is_external,               2, 0),
    FIELD( "dependencies",            text_set,     dependencies,              1, FIELD_COMPARED),
    FIELD( "initErrors",              texts,        init_errors,               1, 0),
    FIELD( "provider",                text,         provider,                  2, FIELD_COMPARED),
    FIELD( "propertyDependencies",    dependencies, property_dependencies,     3, 0),
    FIELD( "pendingReplacement",      boolean,      is_pending_replacement,    3, 0),
    OPTION("additionalSecretOutputs", texts,        additional_secret_outputs, 3, 0),
    FIELD( "aliases",                 texts,        aliases,                   3, FIELD_PASSING),
    OPTION("customTimeouts",          timeouts,     custom_timeouts,           3, FIELD_COMPARED),
    OPTION("importID",                text,         import_id,                 3, 0),
    OPTION("retainOnDelete",          boolean,      retain_on_delete,          3, FIELD_COMPARED),
    OPTION("deletedWith",             text,         deleted_with,              3, FIELD_COMPARED),
    OPTION("replaceWith",             texts,        replace_with,              3, FIELD_COMPARED),
    FIELD( "created",                 text,         created,                   3, 0),
    FIELD( "modified",                text,         modified,                  3, 0),
    OPTION("sourcePosition",          text,         source_position,           3, 0),
    OPTION("stackTrace",              frames,       stack_trace,               3, 0),
    OPTION("ignoreChanges",           texts,        ignore_changes,            3, 0),
    OPTION("hideDiff",                texts,        hide_diff,                 3, 0),
    OPTION("replaceOnChanges",        texts,        replace_on_changes,        3, 0),
    OPTION("replacementTrigger",      value,        replacement_trigger,       3, FIELD_COMPARED),
    FIELD( "refreshBeforeUpdate",     boolean,      refreshes_before_update,   3, 0),
    FIELD( "viewOf",                  text,         view_of,                   3, 0),
    OPTION("resourceHooks",           hooks,        hooks,                     3, FIELD_COMPARED),
    OPTION("extensionRef",            text,         extension_ref,             3, 0),
    OPTION("snippetID",               text,         snippet_id,                3, 0),
};
/* clang-format on */

const size_t resource_field_count = sizeof(resource_fields) / sizeof(resource_fields[0]);
