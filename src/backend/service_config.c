/* service_config.c — configuration as the service keeps it: a text for each key, and whether it is
 * sealed or JSON. */
#include "backend/backend_service.h"

#include "base/json.h"
#include "base/pairs.h"

/* {"secure":"…"} and nothing else. */
static bool is_sealed_text(struct arena *arena, str raw, str *ciphertext)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct pairs members = { 0 };

    json_reader_init(&reader, arena, raw);
    error_ignore(json_field_pairs(&reader, &members), "then it is an object like any other");
    bool is_sealed = members.len == 1 && str_equal(members.items[0].key, STR("secure"));
    if (is_sealed)
        *ciphertext = members.items[0].value;
    return is_sealed;
}

static void write_config_value(struct json_writer *writer, str text, bool is_secret, bool is_object)
{
    json_begin_object(writer);
    json_key(writer, STR("string"));
    json_string(writer, text);
    json_key(writer, STR("secret"));
    json_bool(writer, is_secret);
    json_key(writer, STR("object"));
    json_bool(writer, is_object);
    json_end_object(writer);
}

static void convert_value(struct json_writer *writer, struct arena *arena, str raw)
{
    bool is_object = str_starts_with(raw, STR("{"));
    str text;

    if (is_object && is_sealed_text(arena, raw, &text))
        write_config_value(writer, text, true, false);
    else if (is_object || str_starts_with(raw, STR("[")))
        write_config_value(writer, raw, str_find(raw, STR("\"secure\":")) != SIZE_MAX, true);
    else
        write_config_value(writer, raw, false, false);
}

static fallible convert_member(struct json_reader *reader, str key, void *writer)
{
    enum json_kind kind;
    str text;

    json_key(writer, key);
    TRY(json_peek(reader, &kind));
    if (kind != JSON_STRING) {
        TRY(json_skip(reader, &text));
        convert_value(writer, reader->arena, text);
        return NULL;
    }
    TRY(json_read_string(reader, &text));
    write_config_value(writer, text, false, false);
    return NULL;
}

fallible service_config_write(struct json_writer *writer, struct arena *arena, str config)
{
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, arena, config.len ? config : STR("{}"));
    json_begin_object(writer);
    TRY(json_read_members(&reader, convert_member, writer));
    json_end_object(writer);
    return NULL;
}

/* --- reading --- */

struct kept_value {
    str text;
    bool is_secret;
    bool is_object;
};

static bool is_whole_json(struct arena *arena, str text)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    enum json_kind end = JSON_NULL;

    json_reader_init(&reader, arena, text);
    struct error *failure = json_skip(&reader, NULL);
    if (!failure)
        failure = json_peek(&reader, &end);
    bool is_whole = !failure && end == JSON_END;
    error_ignore(failure, "then it is kept as a text");
    return is_whole;
}

static void write_kept(struct json_writer *writer, struct arena *arena,
                       const struct kept_value *value)
{
    if (value->is_object && is_whole_json(arena, value->text)) {
        json_raw(writer, value->text);
        return;
    }
    if (!value->is_secret || value->is_object) {
        json_string(writer, value->text);
        return;
    }
    json_begin_object(writer);
    json_key(writer, STR("secure"));
    json_string(writer, value->text);
    json_end_object(writer);
}

static fallible keep_member(struct json_reader *reader, str key, void *writer)
{
    static const struct json_field fields[] = {
        JSON_FIELD("string", struct kept_value, text, json_field_string),
        JSON_FIELD("secret", struct kept_value, is_secret, json_field_bool),
        JSON_FIELD("object", struct kept_value, is_object, json_field_bool),
        { 0 },
    };
    struct kept_value value = { 0 };

    TRY(json_read_fields(reader, fields, &value));
    json_key(writer, key);
    write_kept(writer, reader->arena, &value);
    return NULL;
}

fallible service_config_read(struct arena *arena, str text, str *config)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_writer writer = { .out = &out };

    json_reader_init(&reader, arena, text.len ? text : STR("{}"));
    json_begin_object(&writer);
    TRY(json_read_members(&reader, keep_member, &writer));
    json_end_object(&writer);
    *config = arena_copy(arena, strbuf_str(&out));
    return NULL;
}
