/* pysdk_metadata.c — what pip and Pulumi know of an SDK: setup.py or pyproject.toml, the plugin,
 * and the text for people. */
#include "base/json.h"
#include "python/sdk/pysdk_parts.h"

/* SDKs of packages that are parameterized register the package, which came later. */
#define OLDEST_PULUMI ">=3.231.0,<4.0.0"
#define OLDEST_PULUMI_WITH_PARAMETERS ">=3.247.0,<4.0.0"
#define OLDEST_PYTHON ">=3.9"

/* What installing it installs with it: "name>=1.2", by name. */
struct requirements {
    struct map entries; /* name → str * of a range */
};

static void requirement_add(struct pysdk *sdk, struct requirements *list, str name, str range)
{
    str *kept = ARENA_NEW(sdk->arena, str);

    *kept = range;
    map_put(&list->entries, name, kept);
}

/* Packages whose types are used here are installed too. */
static void requirement_add_packages(struct pysdk *sdk, struct requirements *list)
{
    struct schema_dependencies packages = schema_dependencies(sdk->schema);

    for (size_t i = 0; i < packages.len; i++) {
        const struct schema_dependency *package = &packages.items[i];
        bool has_parameter = package->parameter_name.len > 0;
        str version = has_parameter ? package->parameter_version : package->version;
        struct schema unknown = { .name = has_parameter ? package->parameter_name : package->name };
        const struct schema *other = map_find(
            &sdk->schema->read_others, arena_concat(sdk->arena, unknown.name, STR("@"), version));
        str name = python_package(sdk->arena, other ? other : &unknown);
        if (version.len)
            version = arena_concat(sdk->arena, STR(">="), version);
        requirement_add(sdk, list, name, version);
    }
}

static struct strs requirement_lines(struct pysdk *sdk)
{
    struct requirements list = { 0 };
    struct value hints = schema_language_object(sdk->hints, STR("requires"));
    const struct map_entry *entry;
    size_t len = 0;

    requirement_add(sdk, &list, STR("pulumi"),
                    sdk->is_parameterized ? STR(OLDEST_PULUMI_WITH_PARAMETERS)
                                          : STR(OLDEST_PULUMI));
    requirement_add(sdk, &list, STR("parver"), STR(">=0.2.1"));
    requirement_add(sdk, &list, STR("semver"), STR(">=2.8.1"));
    if (sdk->uses_dicts)
        requirement_add(sdk, &list, STR("typing-extensions"),
                        STR(">=4.11,<5; python_version < \"3.11\""));
    requirement_add_packages(sdk, &list);
    for (size_t i = 0; i < hints.len; i++)
        if (hints.members[i].value.kind == VALUE_STRING)
            requirement_add(sdk, &list, hints.members[i].key, value_text(hints.members[i].value));
    str *lines = ARENA_ARRAY(sdk->arena, str, list.entries.len);
    for (size_t i = 0; map_next(&list.entries, &i, &entry);)
        lines[len++] = arena_concat(sdk->arena, entry->key, *(const str *)entry->value);
    map_release(&list.entries);
    return strs_sorted(sdk->arena, (struct strs){ lines, len });
}

/* --- values of both files --- */

/* Without a version of its own it gets one when it is published. */
static str metadata_version(struct pysdk *sdk)
{
    bool is_kept = sdk->schema->supports_pack
                   || schema_language_bool(sdk->hints, STR("respectSchemaVersion"), false);
    str version = is_kept ? python_index_version(sdk->arena, sdk->schema->version) : STR("");

    return version.len ? version : STR("0.0.0");
}

static str metadata_python(const struct pysdk *sdk)
{
    str hints = value_find_text(sdk->hints, STR("pythonRequires"));
    return hints.len ? hints : STR(OLDEST_PYTHON);
}

static str metadata_summary(const struct pysdk *sdk)
{
    str line = sdk->schema->description, rest;

    str_cut(sdk->schema->description, STR("\n"), &line, &rest);
    return str_trim(line);
}

static void metadata_add_list(struct pysdk *sdk, struct strbuf *out, struct strs texts,
                              const char *indent)
{
    strbuf_add(out, STR("[\n"));
    for (size_t i = 0; i < texts.len; i++)
        strbuf_printf(out, "%s    " STR_FMT ",\n", indent,
                      STR_ARG(pysdk_quoted(sdk->arena, texts.items[i])));
    strbuf_printf(out, "%s]", indent);
}

static void metadata_add_text(struct pysdk *sdk, struct strbuf *out, const char *before, str text,
                              const char *behind)
{
    if (text.len)
        strbuf_printf(out, "%s" STR_FMT "%s", before, STR_ARG(pysdk_quoted(sdk->arena, text)),
                      behind);
}

/* --- pyproject.toml --- */

static void metadata_add_project(struct pysdk *sdk, struct strbuf *out)
{
    const struct schema *schema = sdk->schema;

    strbuf_add(out, STR("[project]\n"));
    metadata_add_text(sdk, out, "name = ", sdk->package, "\n");
    metadata_add_text(sdk, out, "version = ", metadata_version(sdk), "\n");
    metadata_add_text(sdk, out, "description = ", metadata_summary(sdk), "\n");
    strbuf_printf(out, "readme = \"" STR_FMT "/README.md\"\n", STR_ARG(sdk->package));
    metadata_add_text(sdk, out, "requires-python = ", metadata_python(sdk), "\n");
    if (schema->keywords.len) {
        strbuf_add(out, STR("keywords = "));
        metadata_add_list(sdk, out, schema->keywords, "");
        strbuf_add_char(out, '\n');
    }
    strbuf_add(out, STR("dependencies = "));
    metadata_add_list(sdk, out, requirement_lines(sdk), "");
    strbuf_add_char(out, '\n');
    metadata_add_text(sdk, out, "\n[project.license]\ntext = ", schema->license, "\n");
    if (schema->homepage.len || schema->repository.len)
        strbuf_add(out, STR("\n[project.urls]\n"));
    metadata_add_text(sdk, out, "Homepage = ", schema->homepage, "\n");
    metadata_add_text(sdk, out, "Repository = ", schema->repository, "\n");
}

static fallible metadata_write_pyproject(struct pysdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    metadata_add_project(sdk, &out);
    strbuf_printf(&out,
                  "\n[build-system]\nrequires = [\"setuptools>=61.0\"]\n"
                  "build-backend = \"setuptools.build_meta\"\n"
                  "\n[tool.setuptools.package-data]\n" STR_FMT
                  " = [\"py.typed\", \"pulumi-plugin.json\"]\n",
                  STR_ARG(sdk->package));
    return sdk_put(sdk->files, STR("pyproject.toml"), strbuf_str(&out));
}

/* --- setup.py --- */

static void metadata_add_keywords(struct pysdk *sdk, struct strbuf *out)
{
    CLEANUP(strbuf_release) struct strbuf words = { 0 };

    for (size_t i = 0; i < sdk->schema->keywords.len; i++) {
        strbuf_add(&words, i ? STR(" ") : STR(""));
        strbuf_add(&words, sdk->schema->keywords.items[i]);
    }
    metadata_add_text(sdk, out, "    keywords=", strbuf_str(&words), ",\n");
}

static fallible metadata_write_setup(struct pysdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct schema *schema = sdk->schema;

    pysdk_put_notice(sdk, &out);
    strbuf_printf(&out,
                  "from pathlib import Path\n\nfrom setuptools import find_packages, setup\n\n"
                  "VERSION = \"" STR_FMT "\"\nREADME = Path(__file__).parent / \"" STR_FMT
                  "\" / \"README.md\"\n\nsetup(\n",
                  STR_ARG(metadata_version(sdk)), STR_ARG(sdk->package));
    metadata_add_text(sdk, &out, "    name=", sdk->package, ",\n");
    strbuf_add(&out, STR("    version=VERSION,\n"));
    metadata_add_text(sdk, &out, "    python_requires=", metadata_python(sdk), ",\n");
    metadata_add_text(sdk, &out, "    description=", metadata_summary(sdk), ",\n");
    strbuf_add(&out, STR("    long_description=README.read_text(encoding=\"utf-8\"),\n"
                         "    long_description_content_type=\"text/markdown\",\n"));
    metadata_add_keywords(sdk, &out);
    metadata_add_text(sdk, &out, "    url=", schema->homepage, ",\n");
    metadata_add_text(sdk, &out, "    project_urls={\"Repository\": ", schema->repository, "},\n");
    metadata_add_text(sdk, &out, "    license=", schema->license, ",\n");
    strbuf_printf(&out,
                  "    packages=find_packages(),\n    package_data={\"" STR_FMT
                  "\": [\"py.typed\", \"pulumi-plugin.json\"]},\n    install_requires=",
                  STR_ARG(sdk->package));
    metadata_add_list(sdk, &out, requirement_lines(sdk), "    ");
    strbuf_add(&out, STR(",\n    zip_safe=False,\n)\n"));
    return sdk_put(sdk->files, STR("setup.py"), strbuf_str(&out));
}

/* --- the plugin --- */

static void metadata_add_member(struct json_writer *json, const char *key, str text)
{
    if (!text.len)
        return;
    json_key(json, str_from(key));
    json_string(json, text);
}

static fallible metadata_write_plugin(struct pysdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer json = { .out = &out, .indent = 2 };
    const struct schema *schema = sdk->schema;
    bool is_kept = schema->supports_pack
                   || schema_language_bool(sdk->hints, STR("respectSchemaVersion"), false);
    const struct schema_base *base =
        schema->extension.is_given ? &schema->extension : &schema->parameterization;

    json_begin_object(&json);
    json_key(&json, STR("resource"));
    json_bool(&json, true);
    metadata_add_member(&json, "name", base->is_given ? base->name : schema->name);
    metadata_add_member(&json, "version",
                        base->is_given ? base->version : (is_kept ? schema->version : STR("")));
    metadata_add_member(&json, "server", schema->download_url);
    if (base->is_given) {
        json_key(&json, schema->extension.is_given ? STR("extensionParameterization")
                                                   : STR("parameterization"));
        json_begin_object(&json);
        metadata_add_member(&json, "name", schema->name);
        metadata_add_member(&json, "version", is_kept ? schema->version : STR(""));
        metadata_add_member(&json, "value", base->value);
        json_end_object(&json);
    }
    json_end_object(&json);
    TRY(json_writer_finish(&json));
    strbuf_add_char(&out, '\n');
    return sdk_put(sdk->files, arena_concat(sdk->arena, sdk->package, STR("/pulumi-plugin.json")),
                   strbuf_str(&out));
}

/* --- for people --- */

static fallible metadata_write_readme(struct pysdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str hints = value_find_text(sdk->hints, STR("readme"));

    if (hints.len) {
        strbuf_add(&out, hints);
    } else {
        strbuf_add(&out, sdk->schema->description);
        if (out.len && sdk->schema->attribution.len)
            strbuf_add(&out, str_ends_with(strbuf_str(&out), STR("\n")) ? STR("\n") : STR("\n\n"));
        strbuf_add(&out, sdk->schema->attribution);
        if (out.len && !str_ends_with(strbuf_str(&out), STR("\n")))
            strbuf_add_char(&out, '\n');
    }
    return sdk_put(sdk->files, arena_concat(sdk->arena, sdk->package, STR("/README.md")),
                   strbuf_str(&out));
}

fallible pysdk_write_metadata(struct pysdk *sdk)
{
    struct value pyproject = schema_language_object(sdk->hints, STR("pyproject"));

    TRY(sdk_put(sdk->files, STR(".gitignore"),
                STR("*.egg-info\n*.pyc\n.mypy_cache\n__pycache__\nbuild\ndist\n")));
    TRY(sdk_put(sdk->files, STR(".gitattributes"), STR("* linguist-generated\n")));
    TRY(sdk_put(sdk->files, arena_concat(sdk->arena, sdk->package, STR("/py.typed")), STR("")));
    TRY(metadata_write_readme(sdk));
    TRY(metadata_write_plugin(sdk));
    return schema_language_bool(pyproject, STR("enabled"), false) ? metadata_write_pyproject(sdk)
                                                                  : metadata_write_setup(sdk);
}
