/* json_fields.c — whole objects and arrays: into structs by tables of their members, into lists, or
 * member by member. */
#include "base/json.h"

#include "base/pairs.h"

fallible json_field_string(struct json_reader *reader, void *member)
{
    return json_read_string(reader, member);
}

fallible json_field_bool(struct json_reader *reader, void *member)
{
    return json_read_bool(reader, member);
}

fallible json_field_number(struct json_reader *reader, void *member)
{
    return json_read_number(reader, member);
}

fallible json_field_raw(struct json_reader *reader, void *member)
{
    return json_skip(reader, member);
}

fallible json_field_strs(struct json_reader *reader, void *member)
{
    CLEANUP(str_list_release) struct str_list texts = { 0 };
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
    *(struct strs *)member = str_list_keep(reader->arena, &texts);
    return NULL;
}

/* --- objects with any keys --- */

fallible json_read_members(struct json_reader *reader,
                           fallible (*read)(struct json_reader *reader, str key, void *context),
                           void *context)
{
    bool more;
    str key;

    TRY(json_object_begin(reader));
    for (;;) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        TRY(read(reader, key, context));
    }
}

static struct error *json_add_text(struct json_reader *reader, str key, void *list)
{
    struct pair pair = { .key = key };

    TRY(json_read_string(reader, &pair.value));
    vec_add((struct pair_list *)list, pair);
    return NULL;
}

static struct error *json_add_raw(struct json_reader *reader, str key, void *list)
{
    struct pair pair = { .key = key };

    TRY(json_skip(reader, &pair.value));
    vec_add((struct pair_list *)list, pair);
    return NULL;
}

fallible json_field_pairs(struct json_reader *reader, void *member)
{
    CLEANUP(pair_list_release) struct pair_list list = { 0 };

    TRY(json_read_members(reader, json_add_text, &list));
    *(struct pairs *)member = pair_list_keep(reader->arena, &list);
    return NULL;
}

fallible json_field_raw_pairs(struct json_reader *reader, void *member)
{
    CLEANUP(pair_list_release) struct pair_list list = { 0 };

    TRY(json_read_members(reader, json_add_raw, &list));
    *(struct pairs *)member = pair_list_keep(reader->arena, &list);
    return NULL;
}

/* --- objects that go into structs --- */

static const struct json_field *json_find_field(const struct json_field *fields, str key)
{
    while (fields->key && !str_equal(str_from(fields->key), key))
        fields++;
    return fields->key ? fields : NULL;
}

struct json_fields {
    const struct json_field *fields;
    char *out;
};

static struct error *json_read_field(struct json_reader *reader, str key, void *fields_)
{
    const struct json_fields *fields = fields_;
    const struct json_field *field = json_find_field(fields->fields, key);

    return field ? field->read(reader, fields->out + field->offset) : json_skip(reader, NULL);
}

fallible json_read_fields(struct json_reader *reader, const struct json_field *fields, void *out)
{
    struct json_fields context = { fields, out };

    return json_read_members(reader, json_read_field, &context);
}
