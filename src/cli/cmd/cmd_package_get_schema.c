/* cmd_package_get_schema.c — `package get-schema`: the schema of a package as JSON. */
#include "cli/package/package_words.h"

#include "base/json.h"
#include "cli/screen/input.h"

struct get_schema_args {
    str server;
    str extension;
};

static const struct option options[] = {
    TEXT(struct get_schema_args, server, 0, "server", "Where its plugin is downloaded from"),
    TEXT(struct get_schema_args, extension, 0, "extension",
         "Extend the plugin's own package by these parameters, in one text"),
    { 0 },
};

/* --- layout --- */

static fallible copy_json(struct json_reader *reader, struct json_writer *writer)
{
    struct json_token token;
    size_t depth = 0;

    do {
        TRY(json_next(reader, &token));
        switch (token.kind) {
        case JSON_END: return json_fail(reader, "the text ends too early");
        case JSON_NULL: json_null(writer); break;
        case JSON_TRUE:
        case JSON_FALSE: json_bool(writer, token.kind == JSON_TRUE); break;
        case JSON_NUMBER: json_raw(writer, token.text); break;
        case JSON_STRING: json_string(writer, token.text); break;
        case JSON_KEY: json_key(writer, token.text); break;
        case JSON_OBJECT_BEGIN: json_begin_object(writer); break;
        case JSON_OBJECT_END: json_end_object(writer); break;
        case JSON_ARRAY_BEGIN: json_begin_array(writer); break;
        case JSON_ARRAY_END: json_end_array(writer); break;
        }
        depth += token.kind == JSON_OBJECT_BEGIN || token.kind == JSON_ARRAY_BEGIN;
        depth -= token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END;
    } while (depth > 0 || token.kind == JSON_KEY);
    return NULL;
}

struct schema_part {
    str key;
    str raw;
    bool is_written;
};

static fallible write_part(struct arena *arena, struct json_writer *writer,
                           struct schema_part *part)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    if (part->is_written)
        return NULL;
    part->is_written = true;
    json_key(writer, part->key);
    json_reader_init(&reader, arena, part->raw);
    return copy_json(&reader, writer);
}

/* What describes the package comes first, in an order that is always the same. */
static fallible lay_out(struct arena *arena, str json, struct strbuf *out)
{
    static const char *const order[] = {
        "name",
        "displayName",
        "version",
        "description",
        "keywords",
        "homepage",
        "license",
        "attribution",
        "repository",
        "logoUrl",
        "pluginDownloadURL",
        "publisher",
        "namespace",
        "dependencies",
        "meta",
        "allowedPackageNames",
        "language",
        "config",
        "types",
        "provider",
        "resources",
        "functions",
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_writer writer = { .out = out, .indent = 2 };
    struct pairs members;

    json_reader_init(&reader, arena, json);
    TRY(json_field_raw_pairs(&reader, &members));
    struct schema_part *parts = ARENA_ARRAY(arena, struct schema_part, members.len);
    for (size_t i = 0; i < members.len; i++)
        parts[i] = (struct schema_part){ members.items[i].key, members.items[i].value, false };
    json_begin_object(&writer);
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        for (size_t j = 0; j < members.len; j++)
            if (str_equal(parts[j].key, str_from(order[i])))
                TRY(write_part(arena, &writer, &parts[j]));
    for (size_t j = 0; j < members.len; j++)
        TRY(write_part(arena, &writer, &parts[j]));
    json_end_object(&writer);
    strbuf_add_char(out, '\n');
    return NULL;
}

static struct error *cmd_package_get_schema_run(struct cli *cli, const void *args_)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct get_schema_args *args = args_;
    struct package_source source;
    struct package_words words;
    str json;

    TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_words_read(cli, args->extension, &words));
    TRY(package_words_text(cli, &source, args->server, &words, &json));
    TRY(error_wrap(lay_out(cli->arena, json, &text), "the schema of '" STR_FMT "'",
                   STR_ARG(cli_operand(cli, 0))));
    return output_write(STR(""), strbuf_str(&text));
}

const struct command cmd_package_get_schema = {
    .path = "package get-schema",
    .operands = "SOURCE [PARAMETER...]",
    .summary = "Print the schema of a package",
    .details = PACKAGE_SOURCE_HELP,
    .example = "package get-schema random@4.18.0\n"
               "package get-schema ./pulumi-resource-mine",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct get_schema_args),
    .options = OPTIONS(options),
    .run = cmd_package_get_schema_run,
};
