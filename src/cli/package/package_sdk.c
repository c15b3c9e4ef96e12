/* package_sdk.c — schemas on their way to the makers of SDKs. */
#include "cli/package/package_sdk.h"

#include "base/base64.h"
#include "base/json.h"
#include "cli/package/schema_complaints.h"

#include <ctype.h>

/* --- what is put into the schema --- */

static void package_sdk_add(struct json_writer *writer, const char *key, str text)
{
    if (text.len == 0)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

/* The metadata with the mark that the SDK is a package of its own. */
static fallible package_sdk_put_meta(struct arena *arena, struct json_writer *writer, str raw)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct pairs meta;

    json_reader_init(&reader, arena, raw);
    TRY(json_field_raw_pairs(&reader, &meta));
    json_key(writer, STR("meta"));
    json_begin_object(writer);
    for (size_t i = 0; i < meta.len; i++) {
        if (str_equal(meta.items[i].key, STR("supportPack")))
            continue;
        json_key(writer, meta.items[i].key);
        json_raw(writer, meta.items[i].value);
    }
    json_key(writer, STR("supportPack"));
    json_bool(writer, true);
    json_end_object(writer);
    return NULL;
}

/* What of the schema is left out because we know it better. */
static bool package_sdk_replaces(const struct package_sdk_facts *facts, str key, str raw)
{
    bool is_empty = str_equal(raw, STR("\"\"")) || str_equal(raw, STR("null"));

    if (str_equal(key, STR("version")))
        return facts->version.len && (facts->forces_version || is_empty);
    if (str_equal(key, STR("pluginDownloadURL")))
        return facts->download_url.len && (facts->forces_url || is_empty);
    if (str_equal(key, STR("namespace")))
        return facts->namespace.len && is_empty;
    return str_equal(key, STR("meta")) && facts->supports_pack;
}

static fallible package_sdk_complete(struct arena *arena, str schema,
                                     const struct package_sdk_facts *facts, struct strbuf *out)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_writer writer = { .out = out };
    struct package_sdk_facts left = *facts;
    struct pairs members;
    str meta = STR("{}");

    json_reader_init(&reader, arena, schema);
    TRY(json_field_raw_pairs(&reader, &members));
    json_begin_object(&writer);
    for (size_t i = 0; i < members.len; i++) {
        str key = members.items[i].key, raw = members.items[i].value;
        if (str_equal(key, STR("meta")))
            meta = raw;
        if (package_sdk_replaces(facts, key, raw))
            continue;
        if (str_equal(key, STR("version")))
            left.version = STR("");
        if (str_equal(key, STR("pluginDownloadURL")))
            left.download_url = STR("");
        if (str_equal(key, STR("namespace")))
            left.namespace = STR("");
        json_key(&writer, key);
        json_raw(&writer, raw);
    }
    package_sdk_add(&writer, "version", left.version);
    package_sdk_add(&writer, "pluginDownloadURL", left.download_url);
    package_sdk_add(&writer, "namespace", left.namespace);
    if (facts->supports_pack)
        TRY(package_sdk_put_meta(arena, &writer, meta));
    json_end_object(&writer);
    return NULL;
}

/* --- reading --- */

static fallible package_sdk_find_plugin(struct arena *arena, struct package_sdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    const struct schema *head = sdk->head;
    const struct schema_base *base = &head->parameterization;

    sdk->package = (struct package_ref){ .name = head->name,
                                         .version = head->version,
                                         .download_url = head->download_url };
    if (!base->is_given)
        return NULL;
    if (base->name.len == 0)
        return error_new(ERROR_INVALID, "its schema does not say of which plugin it is made");
    if (!base64_decode(&bytes, base->value))
        return error_new(ERROR_INVALID, "the parameter in its schema is no base64: '" STR_FMT "'",
                         STR_ARG(base->value));
    sdk->package.name = base->name;
    sdk->package.version = base->version;
    sdk->package.is_parameterized = true;
    sdk->package.parameter_name = head->name;
    sdk->package.parameter_version = head->version;
    sdk->package.parameter_value = arena_copy(arena, strbuf_str(&bytes));
    return NULL;
}

/* Names become names of folders. */
static bool package_sdk_has_name(const struct schema *head)
{
    return head->name.len && str_find_char(head->name, '/') == SIZE_MAX
           && str_find_char(head->namespace, '/') == SIZE_MAX && head->name.ptr[0] != '.'
           && !str_starts_with(head->namespace, STR("."));
}

fallible package_sdk_read(struct cli *cli, str schema, const struct package_sdk_facts *facts,
                          struct package_sdk *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct arena *arena = cli->arena;

    if (!str_is_utf8(schema))
        return error_new(ERROR_INVALID, "its schema is no text in UTF-8");
    TRY(error_wrap(package_sdk_complete(arena, schema, facts, &text), "its schema"));
    *out = (struct package_sdk){ .schema = arena_copy(arena, strbuf_str(&text)) };
    TRY(error_wrap(schema_read(arena, out->schema, &out->head), "its schema"));
    schema_release(out->head);
    if (!package_sdk_has_name(out->head))
        return error_new(ERROR_INVALID, "its schema has no usable name");
    out->folder = out->head->namespace.len
                      ? arena_concat(arena, out->head->namespace, STR("-"), out->head->name)
                      : out->head->name;
    return package_sdk_find_plugin(arena, out);
}

fallible package_sdk_check(struct cli *cli, const struct package_sdk *sdk)
{
    const struct complaint_wishes wishes = { .allows_dangling = true };
    size_t errors;

    TRY(schema_complaints_print(cli, sdk->schema, &wishes, &errors));
    return errors ? error_new(ERROR_INVALID,
                              "the schema of package '" STR_FMT
                              "' has errors: no SDK can be made from it. Nothing was changed",
                              STR_ARG(sdk->head->name))
                  : NULL;
}

/* --- names --- */

str package_sdk_title(struct arena *arena, const struct package_sdk *sdk)
{
    const struct schema *head = sdk->head;
    str name = head->display_name.len ? head->display_name : head->name;

    return head->namespace.len ? arena_concat(arena, head->namespace, STR("/"), name) : name;
}

str package_sdk_namespace(struct arena *arena, str url)
{
    str scheme, rest, host, owner, path;

    if (!str_cut(url, STR("git://"), &scheme, &rest) || scheme.len
        || !str_cut(rest, STR("/"), &host, &rest) || !str_cut(rest, STR("/"), &owner, &path))
        return STR("");
    char *copy = arena_cstr(arena, owner);
    for (size_t i = 0; i < owner.len; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (str){ copy, owner.len };
}
