/* json_fields.c — objects that go into structs, by tables of their members. */
#include "base/json.h"

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

static const struct json_field *json_find_field(const struct json_field *fields, str key)
{
    while (fields->key && !str_equal(str_from(fields->key), key))
        fields++;
    return fields->key ? fields : NULL;
}

fallible json_read_fields(struct json_reader *reader, const struct json_field *fields, void *out)
{
    bool more;
    str key;

    TRY(json_object_begin(reader));
    for (;;) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        const struct json_field *field = json_find_field(fields, key);
        if (field)
            TRY(field->read(reader, (char *)out + field->offset));
        else
            TRY(json_skip(reader, NULL));
    }
}
