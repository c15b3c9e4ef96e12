/* gob.c — reads gob: a stream of messages, each a type or a value. */
#include "spans/gob.h"

#include "base/vec.h"

#include <stdlib.h>

/* What a type is made of, by the numbers of the members of Go's description of types. */
enum gob_form { GOB_ARRAY_OF = 1, GOB_SLICE_OF, GOB_STRUCT_OF, GOB_MAP_OF, GOB_OPAQUE };

/* Types that need no description. */
enum {
    GOB_TYPE_BOOL = 1,
    GOB_TYPE_INT,
    GOB_TYPE_UINT,
    GOB_TYPE_FLOAT,
    GOB_TYPE_BYTES,
    GOB_TYPE_STRING,
};

enum { GOB_MAX_TYPES = 1000 };

struct gob_type {
    int64_t id;
    enum gob_form form;
    int64_t key, element; /* types */
    struct {
        VEC(str);
    } names;
    struct {
        VEC(int64_t);
    } types; /* of the members of a struct */
};

struct gob_reader {
    struct arena *arena;
    str rest;
    struct {
        VEC(struct gob_type);
    } types;
};

static fallible gob_refuse(const char *what)
{
    return error_new(ERROR_INVALID, "%s", what);
}

/* --- numbers --- */

/* One byte below 128; else the count of bytes, negated, and the bytes. */
static fallible gob_unsigned(struct gob_reader *reader, uint64_t *out)
{
    str rest = reader->rest;

    if (!rest.len)
        return gob_refuse("it ends in the middle of a number");
    unsigned char first = (unsigned char)rest.ptr[0];
    size_t count = first < 128 ? 0 : 256U - first;
    if (count > 8 || rest.len < 1 + count)
        return gob_refuse("it has a number that is none");
    *out = count ? 0 : first;
    for (size_t i = 1; i <= count; i++)
        *out = *out << 8 | (unsigned char)rest.ptr[i];
    reader->rest = str_slice(rest, 1 + count, rest.len);
    return NULL;
}

/* The lowest bit says that the others are to be flipped. */
static fallible gob_signed(struct gob_reader *reader, int64_t *out)
{
    uint64_t bits;

    TRY(gob_unsigned(reader, &bits));
    *out = (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
    return NULL;
}

/* How many of something follow: each takes a byte at least. */
static fallible gob_count(struct gob_reader *reader, size_t *out)
{
    uint64_t count;

    TRY(gob_unsigned(reader, &count));
    if (count > reader->rest.len)
        return gob_refuse("it is cut off");
    *out = (size_t)count;
    return NULL;
}

static fallible gob_text(struct gob_reader *reader, str *out)
{
    size_t len;

    TRY(gob_count(reader, &len));
    *out = str_slice(reader->rest, 0, len);
    reader->rest = str_slice(reader->rest, len, reader->rest.len);
    return NULL;
}

/* Which member comes next, counted from 1; 0: the struct is over. */
static fallible gob_member(struct gob_reader *reader, uint64_t *number)
{
    uint64_t step;

    TRY(gob_unsigned(reader, &step));
    if (step > GOB_MAX_TYPES)
        return gob_refuse("it has a member that its type lacks");
    *number = step ? *number + step : 0;
    return NULL;
}

/* --- descriptions of types --- */

/* Name and number of the type, which it was introduced by already. */
static fallible gob_skip_common(struct gob_reader *reader)
{
    uint64_t member = 0;
    int64_t id;
    str name;

    do {
        TRY(gob_member(reader, &member));
        TRY(member == 1   ? gob_text(reader, &name)
            : member == 2 ? gob_signed(reader, &id)
            : member      ? gob_refuse("it describes a type in an unknown way")
                          : NULL);
    } while (member);
    return NULL;
}

static fallible gob_read_field(struct gob_reader *reader, struct gob_type *type)
{
    uint64_t member = 0;
    int64_t id = 0;
    str name = STR("");

    do {
        TRY(gob_member(reader, &member));
        TRY(member == 1   ? gob_text(reader, &name)
            : member == 2 ? gob_signed(reader, &id)
            : member      ? gob_refuse("it describes a member in an unknown way")
                          : NULL);
    } while (member);
    vec_add(&type->names, name);
    vec_add(&type->types, id);
    return NULL;
}

static fallible gob_read_fields(struct gob_reader *reader, struct gob_type *type)
{
    size_t count;

    TRY(gob_count(reader, &count));
    for (size_t i = 0; i < count; i++)
        TRY(gob_read_field(reader, type));
    return NULL;
}

static fallible gob_read_form(struct gob_reader *reader, struct gob_type *type)
{
    uint64_t member = 0;
    int64_t length;

    do {
        TRY(gob_member(reader, &member));
        if (member == 1)
            TRY(gob_skip_common(reader));
        else if (member == 2 && type->form == GOB_STRUCT_OF)
            TRY(gob_read_fields(reader, type));
        else if (member == 2 && type->form != GOB_OPAQUE)
            TRY(gob_signed(reader, type->form == GOB_MAP_OF ? &type->key : &type->element));
        else if (member == 3 && type->form == GOB_MAP_OF)
            TRY(gob_signed(reader, &type->element));
        else if (member == 3 && type->form == GOB_ARRAY_OF)
            TRY(gob_signed(reader, &length));
        else if (member)
            return gob_refuse("it describes a type in an unknown way");
    } while (member);
    return NULL;
}

static fallible gob_read_type(struct gob_reader *reader, int64_t id)
{
    uint64_t member = 0;

    if (reader->types.len == GOB_MAX_TYPES)
        return gob_refuse("it has too many types");
    vec_add(&reader->types, ((struct gob_type){ .id = id }));
    struct gob_type *type = &reader->types.items[reader->types.len - 1];
    TRY(gob_member(reader, &member));
    if (member < GOB_ARRAY_OF || member > GOB_OPAQUE + 2)
        return gob_refuse("it describes a type in an unknown way");
    type->form = member < GOB_OPAQUE ? (enum gob_form)member : GOB_OPAQUE;
    TRY(gob_read_form(reader, type));
    TRY(gob_member(reader, &member));
    return member ? gob_refuse("it describes a type twice") : NULL;
}

static fallible gob_find_type(const struct gob_reader *reader, int64_t id, size_t *out)
{
    for (*out = 0; *out < reader->types.len; ++*out)
        if (reader->types.items[*out].id == id)
            return NULL;
    return gob_refuse("it has a value of a type that it does not describe");
}

/* --- values --- */

static fallible gob_read_value(struct gob_reader *reader, int64_t type, unsigned depth,
                               struct gob_value *out);

/* Reads one and puts it behind `end`. */
static fallible gob_append(struct gob_reader *reader, int64_t type, unsigned depth,
                           const struct gob_value ***end, struct gob_value **out)
{
    *out = ARENA_NEW(reader->arena, struct gob_value);
    TRY(gob_read_value(reader, type, depth, *out));
    **end = *out;
    *end = &(*out)->next;
    return NULL;
}

static fallible gob_read_items(struct gob_reader *reader, const struct gob_type *type,
                               unsigned depth, struct gob_value *out)
{
    const struct gob_value **end = &out->first;
    struct gob_value *item;
    size_t count;

    out->kind = type->form == GOB_MAP_OF ? GOB_MAP : GOB_LIST;
    TRY(gob_count(reader, &count));
    for (size_t i = 0; i < count; i++) {
        if (out->kind == GOB_MAP)
            TRY(gob_append(reader, type->key, depth, &end, &item));
        TRY(gob_append(reader, type->element, depth, &end, &item));
    }
    return NULL;
}

/* Goes to the next member of a value of this type; SIZE_MAX: there is none. */
static fallible gob_next_member(struct gob_reader *reader, const struct gob_type *type,
                                uint64_t *number, size_t *index)
{
    TRY(gob_member(reader, number));
    if (*number > type->names.len)
        return gob_refuse("it has a member that its type lacks");
    *index = *number ? (size_t)*number - 1 : SIZE_MAX;
    return NULL;
}

static fallible gob_read_struct(struct gob_reader *reader, const struct gob_type *type,
                                unsigned depth, struct gob_value *out)
{
    const struct gob_value **end = &out->first;
    struct gob_value *item;
    uint64_t number = 0;
    size_t index;

    out->kind = GOB_STRUCT;
    while (true) {
        TRY(gob_next_member(reader, type, &number, &index));
        if (index == SIZE_MAX)
            return NULL;
        TRY(gob_append(reader, type->types.items[index], depth, &end, &item));
        item->name = type->names.items[index];
    }
}

/* At most GOB_MAX_DEPTH deep. */
static fallible gob_read_value(struct gob_reader *reader, int64_t type, unsigned depth,
                               struct gob_value *out)
{
    size_t index;

    if (type == GOB_TYPE_BYTES || type == GOB_TYPE_STRING) {
        out->kind = GOB_TEXT;
        return gob_text(reader, &out->text);
    }
    if (type >= GOB_TYPE_BOOL && type <= GOB_TYPE_FLOAT)
        return gob_unsigned(reader, &out->number);
    if (depth == GOB_MAX_DEPTH)
        return gob_refuse("it is nested too deeply");
    TRY(gob_find_type(reader, type, &index));
    const struct gob_type *found = &reader->types.items[index];
    switch (found->form) {
    case GOB_STRUCT_OF: return gob_read_struct(reader, found, depth + 1, out);
    case GOB_OPAQUE: out->kind = GOB_TEXT; return gob_text(reader, &out->text);
    case GOB_ARRAY_OF:
    case GOB_SLICE_OF:
    case GOB_MAP_OF: return gob_read_items(reader, found, depth + 1, out);
    }
    return gob_refuse("it describes a type in an unknown way");
}

static fallible gob_read_wanted(struct gob_reader *reader, int64_t id, const char *name,
                                struct gob_value *out)
{
    uint64_t number = 0;
    size_t index;

    TRY(gob_find_type(reader, id, &index));
    const struct gob_type *type = &reader->types.items[index];
    while (true) {
        struct gob_value value = { 0 };
        TRY(gob_next_member(reader, type, &number, &index));
        if (index == SIZE_MAX)
            return error_new(ERROR_INVALID, "it has no '%s'", name);
        TRY(gob_read_value(reader, type->types.items[index], 0, &value));
        if (!str_equal(type->names.items[index], str_from(name)))
            continue;
        *out = value;
        return NULL;
    }
}

static fallible gob_read_messages(struct gob_reader *reader, const char *member,
                                  struct gob_value *out)
{
    while (true) {
        size_t len;
        int64_t type;
        TRY(gob_count(reader, &len));
        str next = str_slice(reader->rest, len, reader->rest.len);
        reader->rest = str_slice(reader->rest, 0, len);
        TRY(gob_signed(reader, &type));
        if (type >= 0)
            return gob_read_wanted(reader, type, member, out);
        if (type == INT64_MIN)
            return gob_refuse("it describes a type in an unknown way");
        TRY(gob_read_type(reader, -type));
        reader->rest = next;
    }
}

fallible gob_read(struct arena *arena, str bytes, const char *member, struct gob_value *out)
{
    struct gob_reader reader = { .arena = arena, .rest = bytes };
    struct error *failure = gob_read_messages(&reader, member, out);

    for (size_t i = 0; i < reader.types.len; i++) {
        vec_release(&reader.types.items[i].names);
        vec_release(&reader.types.items[i].types);
    }
    vec_release(&reader.types);
    return failure;
}

const struct gob_value *gob_find(const struct gob_value *value, const char *name)
{
    const struct gob_value *item = value && value->kind == GOB_STRUCT ? value->first : NULL;

    while (item && !str_equal(item->name, str_from(name)))
        item = item->next;
    return item;
}
