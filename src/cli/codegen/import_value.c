/* import_value.c — values of the state as expressions of PCL, by the types of the schema. */
#include "cli/codegen/import_parts.h"

#include "base/json.h"

#include <math.h>

enum { DEEPEST_ZERO = 16, FEWEST_PRINTABLE = 0x20 };

/* --- text --- */

void pcl_put_string(struct strbuf *out, str text)
{
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool is_mark = (c == '$' || c == '%') && i + 1 < text.len && text.ptr[i + 1] == '{';
        if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            strbuf_add(out, STR("\\n"));
        else if (c == '\r')
            strbuf_add(out, STR("\\r"));
        else if (c == '\t')
            strbuf_add(out, STR("\\t"));
        else if (c < FEWEST_PRINTABLE)
            strbuf_printf(out, "\\u%04x", c);
        else if (is_mark)
            strbuf_printf(out, "%c%c", c, c);
        else
            strbuf_add_char(out, (char)c);
    }
    strbuf_add_char(out, '"');
}

bool pcl_is_identifier(str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (i == 0 || (!char_is_digit(c) && c != '-')))
            return false;
    }
    return name.len > 0;
}

void pcl_put_name(struct strbuf *out, str name)
{
    if (pcl_is_identifier(name))
        strbuf_add(out, name);
    else
        pcl_put_string(out, name);
}

void pcl_new_line(struct import_writer *writer)
{
    strbuf_add_char(&writer->text, '\n');
    strbuf_add_repeated(&writer->text, ' ', 4 * (size_t)writer->indent);
}

/* --- does a value fit a type? --- */

static struct value bare_value(struct value value)
{
    while (value.kind == VALUE_SECRET || value.kind == VALUE_OUTPUT)
        value = value.kind == VALUE_SECRET ? value.secret->element : value.output->element;
    return value;
}

static const struct schema_properties *properties_of(const struct schema_type *type)
{
    return schema_type_properties((struct schema_type *)(uintptr_t)type);
}

static bool value_fits(struct value value, const struct schema_type *type);

static bool object_fits(struct value value, const struct schema_type *type)
{
    const struct schema_properties *properties = properties_of(type);

    if (value.kind != VALUE_OBJECT)
        return false;
    for (size_t i = 0; properties && i < properties->len; i++) {
        const struct value *member = value_find(value, properties->items[i].name);
        bool is_there = member && bare_value(*member).kind != VALUE_NULL;
        if (is_there ? !value_fits(*member, properties->items[i].type)
                     : properties->items[i].is_required && !properties->items[i].has_constant)
            return false;
    }
    return true;
}

static bool items_fit(struct value value, const struct schema_type *element)
{
    for (uint32_t i = 0; i < value.len; i++)
        if (!value_fits(value.kind == VALUE_ARRAY ? value.items[i] : value.members[i].value,
                        element))
            return false;
    return true;
}

static bool member_fits(struct value value, const struct schema_type *type)
{
    for (size_t i = 0; i < type->len; i++)
        if (value_fits(value, type->members[i]))
            return true;
    return false;
}

static bool value_fits(struct value value, const struct schema_type *type)
{
    value = bare_value(value);
    switch (type->kind) {
    case TYPE_ANY: return true;
    case TYPE_BOOL: return value.kind == VALUE_BOOL;
    case TYPE_INTEGER: return value.kind == VALUE_NUMBER && floor(value.number) == value.number;
    case TYPE_NUMBER: return value.kind == VALUE_NUMBER;
    case TYPE_STRING: return value.kind == VALUE_STRING;
    case TYPE_ASSET: return value.kind == VALUE_ASSET || value.kind == VALUE_STRING;
    case TYPE_ARCHIVE: return value.kind == VALUE_ARCHIVE || value.kind == VALUE_STRING;
    case TYPE_ARRAY: return value.kind == VALUE_ARRAY && items_fit(value, type->element);
    case TYPE_MAP: return value.kind == VALUE_OBJECT && items_fit(value, type->element);
    case TYPE_UNION: return member_fits(value, type);
    case TYPE_OBJECT: return object_fits(value, type);
    case TYPE_ENUM:
        return type->base == TYPE_STRING ? value.kind == VALUE_STRING
               : type->base == TYPE_BOOL ? value.kind == VALUE_BOOL
                                         : value.kind == VALUE_NUMBER;
    case TYPE_RESOURCE: return value.kind == VALUE_REFERENCE || value.kind == VALUE_STRING;
    }
    return false;
}

/* The member that the value says it is, else the first that it fits; NULL: none. */
static const struct schema_type *choose_member(struct value value, const struct schema_type *type)
{
    value = bare_value(value);
    if (type->discriminator.len && value.kind == VALUE_OBJECT) {
        str said = value_find_text(value, type->discriminator);
        const str *token = pairs_find(type->mapping, said);
        for (size_t i = 0; i < type->len; i++)
            if (token ? str_equal(type->members[i]->token, *token)
                      : said.len && str_equal(schema_member(type->members[i]->token), said))
                return type->members[i];
    }
    for (size_t i = 0; i < type->len; i++)
        if (value_fits(value, type->members[i]))
            return type->members[i];
    return NULL;
}

/* --- writing --- */

bool pcl_is_absent(const struct import_writer *writer, struct value value)
{
    value = bare_value(value);
    if (value.kind == VALUE_REFERENCE) {
        const str *variable = map_find(&writer->variables, value.reference->urn);
        return !variable || !pcl_is_identifier(*variable);
    }
    return value.kind == VALUE_NULL || value.kind == VALUE_COMPUTED;
}

static void put_call(struct import_writer *writer, const char *function, str text)
{
    strbuf_printf(&writer->text, "%s(", function);
    pcl_put_string(&writer->text, text);
    strbuf_add_char(&writer->text, ')');
}

static void pcl_put_text(struct import_writer *writer, str text, const struct schema_type *type)
{
    struct import_reference *reference =
        writer->has_references ? map_find(&writer->references, text) : NULL;

    if (type && type->kind == TYPE_ASSET) {
        put_call(writer, "fileAsset", text);
    } else if (type && type->kind == TYPE_ARCHIVE) {
        put_call(writer, "fileArchive", text);
    } else if (reference && !reference->is_ambiguous && !str_equal(reference->urn, writer->urn)) {
        strbuf_add(&writer->text, reference->expression);
        vec_add(writer->edges, reference->urn);
    } else {
        pcl_put_string(&writer->text, text);
    }
}

static void put_list(struct import_writer *writer, struct value value,
                     const struct schema_type *element)
{
    strbuf_add_char(&writer->text, '[');
    writer->indent++;
    for (uint32_t i = 0; i < value.len; i++) {
        pcl_new_line(writer);
        pcl_put_value(writer, value.items[i], element);
        strbuf_add_char(&writer->text, ',');
    }
    writer->indent--;
    if (value.len)
        pcl_new_line(writer);
    strbuf_add_char(&writer->text, ']');
}

static void put_map(struct import_writer *writer, struct value value,
                    const struct schema_type *element)
{
    bool is_empty = true;

    strbuf_add_char(&writer->text, '{');
    writer->indent++;
    for (uint32_t i = 0; i < value.len; i++) {
        struct value member = value.members[i].value;
        if (element && (pcl_is_absent(writer, member) || !value_fits(member, element)))
            continue;
        is_empty = false;
        pcl_new_line(writer);
        pcl_put_string(&writer->text, value.members[i].key);
        strbuf_add(&writer->text, STR(" = "));
        pcl_put_value(writer, member, element);
        strbuf_add_char(&writer->text, ',');
    }
    writer->indent--;
    if (!is_empty)
        pcl_new_line(writer);
    strbuf_add_char(&writer->text, '}');
}

static void put_property(struct import_writer *writer, const struct schema_property *property,
                         const struct value *member)
{
    pcl_new_line(writer);
    pcl_put_name(&writer->text, property->name);
    strbuf_add(&writer->text, STR(" = "));
    if (member)
        pcl_put_value(writer, *member, property->type);
    else if (property->has_constant)
        pcl_put_value(writer, property->constant, NULL);
    else
        pcl_put_zero(writer, property->type);
    strbuf_add_char(&writer->text, ',');
}

static void pcl_put_object(struct import_writer *writer, struct value value,
                           const struct schema_type *type)
{
    const struct schema_properties *properties = properties_of(type);
    bool is_empty = true;

    strbuf_add_char(&writer->text, '{');
    writer->indent++;
    for (size_t i = 0; properties && i < properties->len; i++) {
        const struct schema_property *property = &properties->items[i];
        const struct value *member = value_find(value, property->name);
        if (member && pcl_is_absent(writer, *member))
            member = NULL;
        if (!member && !property->is_required)
            continue;
        is_empty = false;
        put_property(writer, property, member);
    }
    writer->indent--;
    if (!is_empty)
        pcl_new_line(writer);
    strbuf_add_char(&writer->text, '}');
}

static void put_asset(struct import_writer *writer, struct value value)
{
    const struct asset *asset = value.asset;
    bool is_archive = value.kind == VALUE_ARCHIVE;

    if (is_archive && asset->has_members) {
        strbuf_add(&writer->text, STR("assetArchive("));
        put_map(writer, asset->members, NULL);
        strbuf_add_char(&writer->text, ')');
    } else if (asset->uri.len) {
        put_call(writer, is_archive ? "remoteArchive" : "remoteAsset", asset->uri);
    } else if (asset->path.len) {
        put_call(writer, is_archive ? "fileArchive" : "fileAsset", asset->path);
    } else {
        put_call(writer, "stringAsset", asset->text);
    }
}

static void pcl_put_variable(struct import_writer *writer, str urn)
{
    const str *variable = map_find(&writer->variables, urn);

    bool is_usable = variable && pcl_is_identifier(*variable);

    strbuf_add(&writer->text, is_usable ? *variable : STR("null"));
    if (is_usable)
        vec_add(writer->edges, urn);
}

static void put_secret(struct import_writer *writer, struct value element,
                       const struct schema_type *type)
{
    strbuf_add(&writer->text, STR("secret("));
    pcl_put_value(writer, element, type);
    strbuf_add_char(&writer->text, ')');
}

static void pcl_put_members(struct import_writer *writer, struct value value,
                            const struct schema_type *type)
{
    if (type && type->kind == TYPE_OBJECT)
        pcl_put_object(writer, value, type);
    else
        put_map(writer, value, type && type->kind == TYPE_MAP ? type->element : NULL);
}

void pcl_put_value(struct import_writer *writer, struct value value, const struct schema_type *type)
{
    if (type && type->kind == TYPE_UNION)
        type = choose_member(value, type);
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL:
    case VALUE_COMPUTED: strbuf_add(&writer->text, STR("null")); break;
    case VALUE_BOOL: strbuf_add(&writer->text, value.boolean ? STR("true") : STR("false")); break;
    case VALUE_NUMBER: json_format_number(&writer->text, value.number); break;
    case VALUE_STRING: pcl_put_text(writer, value_text(value), type); break;
    case VALUE_ARRAY:
        put_list(writer, value, type && type->kind == TYPE_ARRAY ? type->element : NULL);
        break;
    case VALUE_OBJECT: pcl_put_members(writer, value, type); break;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: put_asset(writer, value); break;
    case VALUE_SECRET: put_secret(writer, value.secret->element, type); break;
    case VALUE_OUTPUT:
        if (value.output->is_secret)
            put_secret(writer, value.output->element, type);
        else
            pcl_put_value(writer, value.output->element, type);
        break;
    case VALUE_REFERENCE: pcl_put_variable(writer, value.reference->urn); break;
    }
}

/* --- zero values --- */

/* The simpler, the smaller. */
static int rank_of(const struct schema_type *type)
{
    static const int ranks[] = {
        [TYPE_BOOL] = 0,  [TYPE_INTEGER] = 1, [TYPE_NUMBER] = 2,    [TYPE_STRING] = 3,
        [TYPE_ASSET] = 4, [TYPE_ARCHIVE] = 5, [TYPE_ENUM] = 7,      [TYPE_ARRAY] = 8,
        [TYPE_MAP] = 9,   [TYPE_OBJECT] = 10, [TYPE_RESOURCE] = 11, [TYPE_UNION] = 12,
        [TYPE_ANY] = 13,
    };
    return type->kind == TYPE_ANY && type->is_json ? 6 : ranks[type->kind];
}

static const struct schema_type *simplest_member(const struct schema_type *type)
{
    const struct schema_type *best = type->preset;

    for (size_t i = 0; !type->preset && i < type->len; i++)
        if (!best || rank_of(type->members[i]) < rank_of(best))
            best = type->members[i];
    return best;
}

static void put_zero_object(struct import_writer *writer, const struct schema_type *type)
{
    if (writer->indent < DEEPEST_ZERO)
        pcl_put_object(writer, VALUE_EMPTY_OBJECT, type);
    else
        strbuf_add(&writer->text, STR("{}"));
}

void pcl_put_zero(struct import_writer *writer, const struct schema_type *type)
{
    while (type->kind == TYPE_UNION && simplest_member(type))
        type = simplest_member(type);
    switch (type->kind) {
    case TYPE_BOOL: strbuf_add(&writer->text, STR("false")); break;
    case TYPE_INTEGER:
    case TYPE_NUMBER: strbuf_add(&writer->text, STR("0")); break;
    case TYPE_STRING: strbuf_add(&writer->text, STR("\"\"")); break;
    case TYPE_ARRAY: strbuf_add(&writer->text, STR("[]")); break;
    case TYPE_ASSET:
    case TYPE_ARCHIVE:
    case TYPE_RESOURCE: strbuf_add(&writer->text, STR("null")); break;
    case TYPE_OBJECT: put_zero_object(writer, type); break;
    case TYPE_ENUM: pcl_put_value(writer, type->len ? type->values[0] : value_null(), NULL); break;
    case TYPE_ANY:
    case TYPE_MAP:
    case TYPE_UNION: strbuf_add(&writer->text, STR("{}")); break;
    }
}
