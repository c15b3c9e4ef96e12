/* ts_utilities.c — utilities.ts: what all files of the SDK use, and which package the engine is
 * said to be of. */
#include "nodejs/sdk/ts_file.h"

#include "nodejs/sdk/ts_texts.h"

static void ts_put_registered(struct ts_file *file, const char *key, str text)
{
    ts_line(file, "%s: " STR_FMT ",", key, STR_ARG(ts_quoted(&file->arena, text)));
}

/* A package that a plugin becomes by its parameter is registered with the engine. */
static void ts_put_get_package(struct ts_file *file)
{
    const struct schema *schema = file->sdk->schema;
    bool is_extension = !schema->parameterization.is_given;
    const struct schema_base *base = is_extension ? &schema->extension : &schema->parameterization;

    ts_blank(file);
    ts_line(file, "/** Tells the engine which plugin and parameter this package is made of. */");
    ts_open(file, "export async function getPackage(): Promise<string | undefined> {");
    ts_open(file, "return runtime.registerPackage({");
    ts_put_registered(file, "baseProviderName", base->name);
    ts_put_registered(file, "baseProviderVersion", base->version);
    ts_put_registered(file, "baseProviderDownloadUrl", schema->download_url);
    ts_put_registered(file, "packageName", schema->name);
    ts_put_registered(file, "packageVersion", schema->version);
    ts_put_registered(file, "base64Parameter", base->value);
    if (is_extension)
        ts_line(file, "extension: true,");
    ts_close(file, "});");
    ts_close(file, "}");
}

fallible ts_write_utilities(struct ts_sdk *sdk)
{
    CLEANUP(ts_file_release) struct ts_file file;
    str before, after, url = sdk->schema->download_url;

    ts_file_init(&file, sdk, STR(""));
    BUG_IF(!str_cut(ts_text_utilities(), STR("@DOWNLOAD_URL@"), &before, &after));
    strbuf_add(&file.body, before);
    if (url.len)
        ts_put(&file, ", pluginDownloadURL: " STR_FMT, STR_ARG(ts_quoted(&file.arena, url)));
    strbuf_add(&file.body, after);
    if (sdk->has_package)
        ts_put_get_package(&file);
    return ts_file_write(&file, STR("utilities"));
}
