/* ts_metadata.c — what npm, the compiler and people read about the SDK: package.json,
 * tsconfig.json, README.md. */
#include "nodejs/sdk/ts_file.h"

#include "base/json.h"
#include "model/value_ops.h"
#include "nodejs/sdk/ts_texts.h"

/* Versions that the SDK works with. */
static const char ts_core_range[] = "^3.142.0";
static const char ts_core_range_of_parameterized[] = "^3.238.0";
static const char ts_compiler_range[] = "^4.7.0";
static const char ts_node_types_range[] = "^20";

/* --- package.json --- */

/* Packages by name. */
struct ts_ranges {
    VEC(struct pair);
};

static void ts_ranges_put(struct ts_ranges *ranges, str name, str range)
{
    for (size_t i = 0; i < ranges->len; i++) {
        if (str_equal(ranges->items[i].key, name)) {
            ranges->items[i].value = range;
            return;
        }
    }
    vec_add(ranges, ((struct pair){ name, range }));
}

static bool ts_ranges_have(const struct ts_ranges *ranges, str name)
{
    for (size_t i = 0; i < ranges->len; i++)
        if (str_equal(ranges->items[i].key, name))
            return true;
    return false;
}

struct ts_manifest {
    struct ts_sdk *sdk;
    struct arena arena;
    struct ts_ranges dependencies;
    struct ts_ranges development;
    struct ts_ranges peers;
    struct ts_ranges resolutions;
};

static void ts_manifest_release(struct ts_manifest *manifest)
{
    vec_release(&manifest->dependencies);
    vec_release(&manifest->development);
    vec_release(&manifest->peers);
    vec_release(&manifest->resolutions);
    arena_release(&manifest->arena);
}

/* A local SDK is compiled in its place: with the compiler and types that are known to work. */
static bool ts_is_own_tool(const struct ts_manifest *manifest, str name)
{
    return manifest->sdk->request->is_local
           && (str_equal(name, STR("typescript")) || str_equal(name, STR("@types/node")));
}

static void ts_ranges_told(struct ts_manifest *manifest, struct ts_ranges *ranges, str key)
{
    struct value hints = schema_language_object(manifest->sdk->hints, key);

    for (size_t i = 0; hints.kind == VALUE_OBJECT && i < hints.len; i++) {
        const struct member *member = &hints.members[i];
        const str *local = pairs_find(manifest->sdk->request->local_dependencies, member->key);
        bool is_dependency = ranges == &manifest->dependencies;
        if (member->value.kind != VALUE_STRING || ts_is_own_tool(manifest, member->key))
            continue;
        ts_ranges_put(ranges, member->key,
                      local && is_dependency ? *local : value_text(member->value));
    }
}

/* The npm package of another package: its schema says it. */
static fallible ts_dependency_package(struct ts_manifest *manifest,
                                      const struct schema_dependency *dependency, str *out)
{
    struct schema *schema = manifest->sdk->schema, *other;
    const struct map_entry *entry;
    str json, name = dependency->parameter_name.len ? dependency->parameter_name : dependency->name;

    for (size_t i = 0; map_next(&schema->read_others, &i, &entry);) {
        other = entry->value;
        if (str_equal(other->name, name)) {
            *out = ts_package_name(&manifest->arena, other);
            return NULL;
        }
    }
    *out = arena_concat(&manifest->arena, STR("@pulumi/"), name);
    if (!schema->others)
        return NULL;
    TRY(schema->others->load(schema->others->context, dependency, &manifest->arena, &json));
    TRY(schema_read(&manifest->arena, json, &other));
    *out = ts_package_name(&manifest->arena, other);
    schema_release(other);
    return NULL;
}

static fallible ts_ranges_of_packages(struct ts_manifest *manifest)
{
    struct schema_dependencies list = schema_dependencies(manifest->sdk->schema);

    for (size_t i = 0; i < list.len; i++) {
        const struct schema_dependency *item = &list.items[i];
        const str *local = pairs_find(manifest->sdk->request->local_dependencies, item->name);
        str version = item->parameter_name.len ? item->parameter_version : item->version, name;
        TRY(ts_dependency_package(manifest, item, &name));
        ts_ranges_put(&manifest->dependencies, name, local ? *local : version);
    }
    return NULL;
}

static void ts_range_of_core(struct ts_manifest *manifest)
{
    const str *local = pairs_find(manifest->sdk->request->local_dependencies, STR("pulumi"));
    bool is_parameterized = manifest->sdk->schema->parameterization.is_given;
    str core = STR("@pulumi/pulumi");

    if (ts_ranges_have(&manifest->dependencies, core)
        || ts_ranges_have(&manifest->development, core) || ts_ranges_have(&manifest->peers, core))
        return;
    ts_ranges_put(
        &manifest->dependencies, core,
        local ? *local
              : str_from(is_parameterized ? ts_core_range_of_parameterized : ts_core_range));
}

static fallible ts_manifest_ranges(struct ts_manifest *manifest)
{
    struct ts_sdk *sdk = manifest->sdk;
    struct ts_ranges *tools =
        sdk->request->is_local ? &manifest->dependencies : &manifest->development;
    str compiler = value_find_text(sdk->hints, STR("typescriptVersion"));

    ts_ranges_put(tools, STR("typescript"), compiler.len ? compiler : str_from(ts_compiler_range));
    ts_ranges_put(tools, STR("@types/node"), str_from(ts_node_types_range));
    ts_ranges_told(manifest, &manifest->dependencies, STR("dependencies"));
    ts_ranges_told(manifest, &manifest->development, STR("devDependencies"));
    ts_ranges_told(manifest, &manifest->peers, STR("peerDependencies"));
    ts_ranges_told(manifest, &manifest->resolutions, STR("resolutions"));
    TRY(ts_ranges_of_packages(manifest));
    ts_range_of_core(manifest);
    return NULL;
}

static void ts_json_text(struct json_writer *json, const char *key, str text)
{
    if (!text.len)
        return;
    json_key(json, str_from(key));
    json_string(json, text);
}

static void ts_json_ranges(struct ts_manifest *manifest, struct json_writer *json, const char *key,
                           const struct ts_ranges *ranges)
{
    struct pairs sorted =
        pairs_sorted(&manifest->arena, (struct pairs){ ranges->items, ranges->len });

    if (!sorted.len)
        return;
    json_key(json, str_from(key));
    json_begin_object(json);
    for (size_t i = 0; i < sorted.len; i++) {
        json_key(json, sorted.items[i].key);
        json_string(json, sorted.items[i].value);
    }
    json_end_object(json);
}

/* The version of the SDK; one that is published gets it when it is. */
static fallible ts_manifest_version(const struct ts_sdk *sdk, str *out)
{
    const struct schema *schema = sdk->schema;
    bool is_known = schema_language_bool(sdk->hints, STR("respectSchemaVersion"), false)
                    || schema->supports_pack || sdk->has_package;

    *out = STR("");
    if (!is_known)
        return NULL;
    *out = schema->version;
    if (!out->len && schema->supports_pack)
        return error_new(ERROR_INVALID, "the schema of the package '" STR_FMT "' has no version",
                         STR_ARG(schema->name));
    return NULL;
}

static void ts_json_plugin(struct json_writer *json, const struct schema *schema, str version)
{
    bool is_parameterized = schema->parameterization.is_given;
    bool has_base = is_parameterized || schema->extension.is_given;
    const struct schema_base *base =
        is_parameterized ? &schema->parameterization : &schema->extension;

    json_key(json, STR("pulumi"));
    json_begin_object(json);
    json_key(json, STR("resource"));
    json_bool(json, true);
    ts_json_text(json, "name", has_base ? base->name : schema->name);
    ts_json_text(json, "version", has_base ? base->version : version);
    ts_json_text(json, "server", schema->download_url);
    if (has_base) {
        json_key(json,
                 is_parameterized ? STR("parameterization") : STR("extensionParameterization"));
        json_begin_object(json);
        ts_json_text(json, "name", schema->name);
        ts_json_text(json, "version", schema->version);
        json_key(json, STR("value"));
        json_string(json, base->value);
        json_end_object(json);
    }
    json_end_object(json);
}

static void ts_json_manifest(struct ts_manifest *manifest, struct json_writer *json, str version)
{
    const struct ts_sdk *sdk = manifest->sdk;
    const struct schema *schema = sdk->schema;

    json_begin_object(json);
    ts_json_text(json, "name", ts_package_name(&manifest->arena, schema));
    ts_json_text(json, "version", version.len ? version : STR("${VERSION}"));
    ts_json_text(json, "description", value_find_text(sdk->hints, STR("packageDescription")));
    if (schema->keywords.len) {
        json_key(json, STR("keywords"));
        json_strings(json, schema->keywords.items, schema->keywords.len);
    }
    ts_json_text(json, "homepage", schema->homepage);
    ts_json_text(json, "repository", schema->repository);
    ts_json_text(json, "license", schema->license);
    if (sdk->request->is_local)
        ts_json_text(json, "main", STR("bin/index.js"));
    json_key(json, STR("scripts"));
    json_begin_object(json);
    ts_json_text(json, "build", STR("tsc"));
    if (sdk->request->is_local)
        ts_json_text(json, "postinstall", STR("node ./scripts/postinstall.js"));
    json_end_object(json);
    ts_json_ranges(manifest, json, "dependencies", &manifest->dependencies);
    ts_json_ranges(manifest, json, "devDependencies", &manifest->development);
    ts_json_ranges(manifest, json, "peerDependencies", &manifest->peers);
    ts_json_ranges(manifest, json, "resolutions", &manifest->resolutions);
    ts_json_plugin(json, schema, version);
    json_end_object(json);
}

static fallible ts_write_manifest(struct ts_sdk *sdk)
{
    CLEANUP(ts_manifest_release) struct ts_manifest manifest = { .sdk = sdk };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer json = { .out = &out, .indent = 4 };
    str version;

    TRY(ts_manifest_version(sdk, &version));
    TRY(ts_manifest_ranges(&manifest));
    ts_json_manifest(&manifest, &json, version);
    TRY(json_writer_finish(&json));
    strbuf_add_char(&out, '\n');
    return sdk_put(sdk->files, STR("package.json"), strbuf_str(&out));
}

/* --- tsconfig.json --- */

/* Files that were written, that are given, and that the schema says will be there. */
static struct strs ts_compiled_files(struct ts_sdk *sdk, struct arena *arena)
{
    struct strs files = sdk_paths(arena, sdk->files, STR(".ts"));
    const struct value *hints = value_find(sdk->hints, STR("extraTypeScriptFiles"));
    struct pairs extra = sdk->request->extra_files;
    size_t hint_len = hints && hints->kind == VALUE_ARRAY ? hints->len : 0, len = 0;
    str *more = ARENA_ARRAY(arena, str, extra.len + hint_len + 1);

    for (size_t i = 0; i < extra.len; i++)
        if (str_ends_with(extra.items[i].key, STR(".ts")))
            more[len++] = extra.items[i].key;
    for (size_t i = 0; i < hint_len; i++)
        if (hints->items[i].kind == VALUE_STRING)
            more[len++] = value_text(hints->items[i]);
    return strs_sorted(arena, strs_union(arena, files, (struct strs){ more, len }));
}

static fallible ts_write_compiler_settings(struct ts_sdk *sdk)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct strs files = ts_compiled_files(sdk, &arena);

    strbuf_add(&out, STR("{\n"
                         "    \"compilerOptions\": {\n"
                         "        \"target\": \"ES2022\",\n"
                         "        \"module\": \"nodenext\",\n"
                         "        \"moduleResolution\": \"nodenext\",\n"
                         "        \"moduleDetection\": \"force\",\n"
                         "        \"types\": [\"node\"],\n"
                         "        \"strict\": true,\n"
                         "        \"noFallthroughCasesInSwitch\": true,\n"
                         "        \"noImplicitReturns\": true,\n"
                         "        \"skipLibCheck\": true,\n"
                         "        \"outDir\": \"bin\",\n"
                         "        \"declaration\": true,\n"
                         "        \"declarationMap\": true,\n"
                         "        \"sourceMap\": true,\n"
                         "        \"stripInternal\": true\n"
                         "    },\n"
                         "    \"files\": [\n"));
    for (size_t i = 0; i < files.len; i++) {
        strbuf_add(&out, STR("        "));
        json_format_string(&out, files.items[i], false);
        strbuf_add(&out, i + 1 < files.len ? STR(",\n") : STR("\n"));
    }
    strbuf_add(&out, STR("    ]\n}\n"));
    return sdk_put(sdk->files, STR("tsconfig.json"), strbuf_str(&out));
}

/* --- for people --- */

static fallible ts_write_readme(struct ts_sdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str parts[] = { value_find_text(sdk->hints, STR("readme")), sdk->schema->description,
                    sdk->schema->attribution };
    size_t first = parts[0].len ? 0 : 1, last = parts[0].len ? 1 : 3;

    for (size_t i = first; i < last; i++) {
        if (!str_trim(parts[i]).len)
            continue;
        if (out.len)
            strbuf_add_char(&out, '\n');
        strbuf_add(&out, parts[i]);
        if (out.ptr[out.len - 1] != '\n')
            strbuf_add_char(&out, '\n');
    }
    return sdk_put(sdk->files, STR("README.md"), strbuf_str(&out));
}

fallible ts_write_metadata(struct ts_sdk *sdk)
{
    TRY(ts_write_manifest(sdk));
    TRY(ts_write_compiler_settings(sdk));
    TRY(ts_write_readme(sdk));
    if (sdk->request->is_local)
        TRY(sdk_put(sdk->files, STR("scripts/postinstall.js"), ts_text_postinstall()));
    TRY(sdk_put(sdk->files, STR(".gitignore"), STR("node_modules/\nbin/\n")));
    return sdk_put(sdk->files, STR(".gitattributes"), STR("* linguist-generated\n"));
}
