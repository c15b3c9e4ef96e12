/* pysdk_utilities.c — _utilities.py: a text that all SDKs share, and what is said of the package.
 */
#include "python/sdk/pysdk_parts.h"

__asm__(".section .rodata.pysdk, \"a\"\n"
        ".globl pysdk_utilities_start\n"
        ".globl pysdk_utilities_end\n"
        "pysdk_utilities_start:\n"
        ".incbin \"hosts/python/sdk/utilities.py\"\n"
        "pysdk_utilities_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char pysdk_utilities_start[], pysdk_utilities_end[];

static void utilities_put_package(struct pysdk *sdk, struct strbuf *out)
{
    bool is_extension = sdk->schema->extension.is_given;
    const struct schema_base *base =
        is_extension ? &sdk->schema->extension : &sdk->schema->parameterization;
    struct arena *arena = sdk->arena;

    strbuf_printf(
        out,
        "\n\nasync def get_package() -> str:\n"
        "    return await pulumi.runtime.register_package(\n"
        "        base_provider_name=" STR_FMT ",\n"
        "        base_provider_version=" STR_FMT ",\n"
        "        base_provider_download_url=get_plugin_download_url() or \"\",\n"
        "        package_name=" STR_FMT ",\n"
        "        package_version=get_version(),\n"
        "        base64_parameter=" STR_FMT ",\n%s    )\n",
        STR_ARG(pysdk_quoted(arena, base->name)), STR_ARG(pysdk_quoted(arena, base->version)),
        STR_ARG(pysdk_quoted(arena, sdk->schema->name)), STR_ARG(pysdk_quoted(arena, base->value)),
        is_extension ? "        extension=True,\n" : "");
}

fallible pysdk_write_utilities(struct pysdk *sdk)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct schema *schema = sdk->schema;
    str url =
        schema->download_url.len ? pysdk_quoted(sdk->arena, schema->download_url) : STR("None");

    pysdk_put_notice(sdk, &out);
    strbuf_add(&out, (str){ pysdk_utilities_start,
                            (size_t)(pysdk_utilities_end - pysdk_utilities_start) });
    strbuf_printf(&out,
                  "\n\ndef get_plugin_download_url() -> typing.Optional[str]:\n    return " STR_FMT
                  "\n\n\n",
                  STR_ARG(url));
    if (sdk->version.len)
        strbuf_printf(&out, "def get_version() -> str:\n    return " STR_FMT "\n",
                      STR_ARG(pysdk_quoted(sdk->arena, sdk->version)));
    else
        strbuf_add(&out, STR("_version = version_of_distribution()\n\n\n"
                             "def get_version() -> str:\n    return _version\n"));
    if (sdk->is_parameterized)
        utilities_put_package(sdk, &out);
    return sdk_put(
        sdk->files,
        pysdk_path(sdk, sdk->arena, map_find(&sdk->modules, STR("")), STR("_utilities.py")),
        strbuf_str(&out));
}
