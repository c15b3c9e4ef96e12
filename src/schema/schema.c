/* schema.c — reads schemas: where each definition is in the text. What they say is read when it is
 * asked for. */
#include "schema/schema_reader.h"

/* --- the index --- */

/* A map of each definition's text. */
static fallible index_definitions(struct json_reader *reader, void *map)
{
    struct pairs definitions;

    TRY(json_field_raw_pairs(reader, &definitions));
    for (size_t i = 0; i < definitions.len; i++)
        map_put(map, definitions.items[i].key, (void *)&definitions.items[i].value);
    return NULL;
}

static fallible schema_read_meta(struct json_reader *reader, void *schema)
{
    static const struct json_field fields[] = {
        JSON_FIELD("moduleFormat", struct schema, module_format, json_field_string),
        JSON_FIELD("supportPack", struct schema, supports_pack, json_field_bool),
        { 0 },
    };
    return json_read_fields(reader, fields, schema);
}

static fallible read_base_plugin(struct json_reader *reader, void *base)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema_base, plugin_name, json_field_string),
        JSON_FIELD("version", struct schema_base, plugin_version, json_field_string),
        { 0 },
    };
    return json_read_fields(reader, fields, base);
}

static fallible read_base_parameter(struct json_reader *reader, void *base)
{
    static const struct json_field fields[] = {
        { "basePlugin", read_base_plugin, 0 },
        JSON_FIELD("parameter", struct schema_base, plugin_value, json_field_string),
        { 0 },
    };
    return json_read_fields(reader, fields, base);
}

static fallible read_base_provider(struct json_reader *reader, void *base)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema_base, name, json_field_string),
        JSON_FIELD("version", struct schema_base, version, json_field_string),
        { "parameterization", read_base_parameter, 0 },
        { 0 },
    };
    return json_read_fields(reader, fields, base);
}

static fallible schema_read_base(struct json_reader *reader, void *base_)
{
    static const struct json_field fields[] = {
        { "baseProvider", read_base_provider, 0 },
        JSON_FIELD("parameter", struct schema_base, value, json_field_string),
        { 0 },
    };
    struct schema_base *base = base_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    base->is_given = kind != JSON_NULL;
    return json_read_fields(reader, fields, base);
}

fallible schema_read(struct arena *arena, str json, struct schema **out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema, name, json_field_string),
        JSON_FIELD("displayName", struct schema, display_name, json_field_string),
        JSON_FIELD("version", struct schema, version, json_field_string),
        JSON_FIELD("namespace", struct schema, namespace, json_field_string),
        JSON_FIELD("description", struct schema, description, json_field_string),
        JSON_FIELD("repository", struct schema, repository, json_field_string),
        JSON_FIELD("homepage", struct schema, homepage, json_field_string),
        JSON_FIELD("license", struct schema, license, json_field_string),
        JSON_FIELD("attribution", struct schema, attribution, json_field_string),
        JSON_FIELD("publisher", struct schema, publisher, json_field_string),
        JSON_FIELD("logoUrl", struct schema, logo_url, json_field_string),
        JSON_FIELD("keywords", struct schema, keywords, json_field_strs),
        JSON_FIELD("pluginDownloadURL", struct schema, download_url, json_field_string),
        JSON_FIELD("parameterization", struct schema, parameterization, schema_read_base),
        JSON_FIELD("extensionParameterization", struct schema, extension, schema_read_base),
        JSON_FIELD("language", struct schema, language, json_field_raw),
        JSON_FIELD("config", struct schema, config, json_field_raw),
        JSON_FIELD("dependencies", struct schema, dependencies, json_field_raw),
        { "meta", schema_read_meta, 0 },
        JSON_FIELD("resources", struct schema, resources, index_definitions),
        JSON_FIELD("functions", struct schema, functions, index_definitions),
        JSON_FIELD("types", struct schema, types, index_definitions),
        JSON_FIELD("provider", struct schema, provider, json_field_raw),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema *schema = ARENA_NEW(arena, struct schema);

    schema->arena = arena;
    json_reader_init(&reader, arena, json);
    struct error *failure = json_read_fields(&reader, fields, schema);
    if (failure) {
        schema_release(schema);
        return failure;
    }
    *out = schema;
    return NULL;
}

void schema_note_trouble(struct schema *schema, str place, struct error *failure)
{
    if (schema->trouble.len == 0)
        schema->trouble = arena_printf(schema->arena, STR_FMT ": " STR_FMT, STR_ARG(place),
                                       STR_ARG(error_message(failure)));
    error_ignore(failure, "treated as if the schema did not have it");
}

void schema_release(struct schema *schema)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&schema->read_others, &i, &entry);)
        schema_release(entry->value);
    map_release(&schema->read_others);
    map_release(&schema->methods);
    map_release(&schema->resources);
    map_release(&schema->functions);
    map_release(&schema->types);
    map_release(&schema->read_resources);
    map_release(&schema->read_functions);
    map_release(&schema->read_types);
}
