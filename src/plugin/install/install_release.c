/* install_release.c — what GitHub and GitLab say of a release. */
#include "plugin/install/install_parts.h"

#include "base/json.h"

struct asset_entry {
    str name;
    str url;
};

static fallible read_assets(struct json_reader *reader, void *release_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct asset_entry, name, json_field_string),
        JSON_FIELD("url", struct asset_entry, url, json_field_string),
        { 0 },
    };
    struct install_release *release = release_;
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        struct asset_entry entry = { STR(""), STR("") };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, fields, &entry));
        if (release->archive.len > 0 && str_equal(entry.name, release->archive))
            release->archive_url = entry.url;
    }
}

fallible install_release_parse(struct arena *arena, str text, str archive,
                               struct install_release *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("tag_name", struct install_release, tag, json_field_string),
        { "assets", read_assets, 0 },
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;

    *out = (struct install_release){ archive, STR(""), STR("") };
    json_reader_init(&reader, arena, text);
    return json_read_fields(&reader, fields, out);
}
