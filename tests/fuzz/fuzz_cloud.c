/* fuzz_cloud.c — answers of clouds and the files of their tools, chosen by the first byte: XML,
 * listings of S3, credentials in XML and JSON, profiles, URLs of stores. What is found is a part of
 * the input or was decoded from it, and messages show no secrets. */
#include "fuzz/fuzz_support.h"

#include "backend/store_s3.h"
#include "cloud/aws_profile.h"
#include "cloud/aws_sources.h"
#include "cloud/xml.h"

static void try_xml(struct arena *arena, str text)
{
    str rest = text, content;
    size_t found = 0;

    while (xml_next(&rest, "a", &content)) {
        REQUIRE(content.len <= text.len);
        REQUIRE(++found <= text.len);
    }
    REQUIRE(xml_text(arena, text, "a").len <= text.len);
}

static void try_page(struct arena *arena, str text)
{
    struct store_page page;

    if (!fuzz_accepts(s3_page_parse(arena, text, &page)))
        return;
    REQUIRE(page.objects.len <= text.len);
    for (size_t i = 0; i < page.objects.len; i++)
        REQUIRE(page.objects.items[i].key.len > 0);
}

static void try_credentials(struct arena *arena, str text, bool is_xml)
{
    struct aws_credentials found;
    struct error *failure =
        is_xml ? aws_sts_parse(arena, text, &found) : aws_credentials_parse(arena, text, &found);

    REQUIRE(failure || (found.access_key.len > 0 && found.secret_key.hidden_len > 0));
    error_free(failure);
    if (is_xml)
        return;
    struct aws_sso_token token;
    failure = aws_sso_token_parse(arena, text, &token);
    REQUIRE(failure || (token.access.len > 0 && token.expires_at.len > 0));
    error_free(failure);
}

static void try_profiles(struct arena *arena, str text)
{
    struct aws_sections sections;

    aws_sections_parse(arena, text, &sections);
    REQUIRE(sections.len <= text.len);
    for (size_t i = 0; i < sections.len; i++)
        for (size_t j = 0; j < sections.items[i].values.len; j++)
            REQUIRE(str_find_char(sections.items[i].values.items[j].key, '=') == SIZE_MAX);
}

static void try_url(struct arena *arena, str text)
{
    struct object_url url;
    struct s3_options options;
    struct s3_place place;

    if (fuzz_accepts(object_url_parse(arena, text, &url)))
        REQUIRE(url.prefix.len == 0 || str_ends_with(url.prefix, STR("/")));
    REQUIRE(str_find_char(object_url_show(arena, text), '?') == SIZE_MAX
            || str_find(text, STR("://")) == SIZE_MAX
            || str_find_char(text, '?') < str_find(text, STR("://")));
    if (fuzz_accepts(s3_url_parse(arena, &(struct object_store_options){ .url = text }, &options)))
        fuzz_accepts(s3_place_of(arena, &options, options.aws.region, &place));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = { (const char *)data + 1, size ? size - 1 : 0 };

    if (size == 0)
        return 0;
    switch (data[0]) {
    case 'x': try_xml(&arena, text); break;
    case 'l': try_page(&arena, text); break;
    case 's': try_credentials(&arena, text, true); break;
    case 'j': try_credentials(&arena, text, false); break;
    case 'p': try_profiles(&arena, text); break;
    default: try_url(&arena, text); break;
    }
    return 0;
}
