/* page_value.c — writes values without what nobody may see. */
#include "page/page_value.h"

#include "model/signatures.h"
#include "model/value_json.h"

void page_member_text(struct json_writer *writer, str key, str text)
{
    if (!text.len)
        return;
    json_key(writer, key);
    json_string(writer, text);
}

static void page_write_secret_mark(struct json_writer *writer)
{
    json_begin_object(writer);
    json_key(writer, SIGNATURE_KEY);
    json_string(writer, SIGNATURE_SECRET);
    json_end_object(writer);
}

static void page_value_write_items(struct json_writer *writer, struct value value,
                                   void (*write)(struct json_writer *writer, struct value value))
{
    json_begin_array(writer);
    for (uint32_t i = 0; i < value.len; i++)
        write(writer, value.items[i]);
    json_end_array(writer);
}

static void page_value_write_members(struct json_writer *writer, struct value value)
{
    json_begin_object(writer);
    for (uint32_t i = 0; i < value.len; i++) {
        json_key(writer, value.members[i].key);
        page_value_write_state(writer, value.members[i].value);
    }
    json_end_object(writer);
}

static void page_write_asset(struct json_writer *writer, struct value value)
{
    const struct asset *asset = value.asset;

    json_begin_object(writer);
    json_key(writer, SIGNATURE_KEY);
    json_string(writer, value.kind == VALUE_ASSET ? SIGNATURE_ASSET : SIGNATURE_ARCHIVE);
    json_key(writer, STR("hash"));
    json_string(writer, asset->hash);
    page_member_text(writer, STR("path"), asset->path);
    page_member_text(writer, STR("uri"), asset->uri);
    json_end_object(writer);
}

void page_value_write_state(struct json_writer *writer, struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_SECRET: page_write_secret_mark(writer); break;
    case VALUE_OUTPUT:
        if (value.output->is_secret)
            page_write_secret_mark(writer);
        else
            page_value_write_state(writer, value.output->is_known ? value.output->element
                                                                  : value_computed(UNKNOWN_STRING));
        break;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: page_write_asset(writer, value); break;
    case VALUE_ARRAY: page_value_write_items(writer, value, page_value_write_state); break;
    case VALUE_OBJECT: page_value_write_members(writer, value); break;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_COMPUTED:
    case VALUE_REFERENCE: value_write(writer, value, SECRET_MASKED); break;
    }
}

/* The contents of a text asset are left out. */
static void page_write_plain_object(struct json_writer *writer, struct value value)
{
    str signature = value_find_text(value, SIGNATURE_KEY);
    bool is_asset = str_equal(signature, SIGNATURE_ASSET);

    if (str_equal(signature, SIGNATURE_SECRET)) {
        page_write_secret_mark(writer);
        return;
    }
    json_begin_object(writer);
    for (uint32_t i = 0; i < value.len; i++) {
        if (is_asset && str_equal(value.members[i].key, STR("text")))
            continue;
        json_key(writer, value.members[i].key);
        page_value_write_plain(writer, value.members[i].value);
    }
    json_end_object(writer);
}

void page_value_write_plain(struct json_writer *writer, struct value value)
{
    if (value.kind == VALUE_ARRAY)
        page_value_write_items(writer, value, page_value_write_plain);
    else if (value.kind == VALUE_OBJECT)
        page_write_plain_object(writer, value);
    else
        value_write(writer, value, SECRET_MASKED);
}
