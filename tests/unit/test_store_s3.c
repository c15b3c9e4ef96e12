/* test_store_s3.c — URLs of buckets, the servers that they mean, and listings. */
#include "unit/check.h"

#include "backend/store_s3.h"

#include <stdlib.h>

static struct error *parse(struct arena *arena, const char *url, struct s3_options *out)
{
    return s3_url_parse(arena, &(struct object_store_options){ .url = str_from(url) }, out);
}

static void assert_place(const char *url, const char *origin, const char *path)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct s3_options options;
    struct s3_place place;

    assert_ok(parse(&arena, url, &options));
    assert_ok(s3_place_of(&arena, &options, options.aws.region, &place));
    assert_str_equal(place.origin, str_from(origin));
    assert_str_equal(place.path, str_from(path));
}

static void a_url_means_a_server(void **state)
{
    (void)state;
    assert_place("s3://b?region=eu-west-1", "https://b.s3.eu-west-1.amazonaws.com", "/");
    assert_place("s3://b.c?region=eu-west-1", "https://s3.eu-west-1.amazonaws.com", "/b.c/");
    assert_place("s3://b?region=cn-north-1", "https://b.s3.cn-north-1.amazonaws.com.cn", "/");
    assert_place("s3://b?region=r&fips=true&dualstack=1",
                 "https://b.s3-fips.dualstack.r.amazonaws.com", "/");
    assert_place("s3://b?region=r&accelerate=true", "https://b.s3-accelerate.amazonaws.com", "/");
    assert_place("s3://b?region=r&disable_https=true", "http://b.s3.r.amazonaws.com", "/");
    assert_place("s3://b?endpoint=store.example", "https://b.store.example", "/");
    assert_place("s3://b?endpoint=store.example&disableSSL=true", "http://b.store.example", "/");
    assert_place("s3://b?endpoint=http://store.example:9000/&s3ForcePathStyle=true",
                 "http://store.example:9000", "/b/");
    assert_place("s3://b?endpoint=http://store.example&use_path_style=true", "http://store.example",
                 "/b/");
    assert_place("s3://b?endpoint=http://store.example&hostname_immutable=true",
                 "http://store.example", "/b/");
    assert_place("s3://b?endpoint=http://127.0.0.1:7070", "http://127.0.0.1:7070", "/b/");
    assert_place("s3://b?endpoint=http%3A%2F%2Flocalhost:1%2Fdeep", "http://localhost:1",
                 "/deep/b/");
}

static void the_environment_names_a_server_too(void **state)
{
    (void)state;
    setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1", 1);
    assert_place("s3://b", "http://127.0.0.1:1", "/b/");
    setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:2", 1);
    assert_place("s3://b", "http://127.0.0.1:2", "/b/");
    assert_place("s3://b?endpoint=http://127.0.0.1:3", "http://127.0.0.1:3", "/b/");
    unsetenv("AWS_ENDPOINT_URL");
    unsetenv("AWS_ENDPOINT_URL_S3");
}

static void parameters_are_read(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct s3_options options;

    (void)state;
    assert_ok(parse(&arena,
                    "s3://b/a//b%20c/?profile=p&role=arn:r&anonymous=true&kmskeyid=k+1&awssdk=v2"
                    "&rate_limiter_capacity=5",
                    &options));
    assert_str_equal(options.prefix, STR("a/b c/"));
    assert_str_equal(options.aws.profile, STR("p"));
    assert_str_equal(options.aws.role, STR("arn:r"));
    assert_true(options.aws.is_anonymous);
    assert_str_equal(options.encryption, STR("aws:kms"));
    assert_str_equal(options.encryption_key, STR("k 1"));
    assert_true(options.sends_checksums);
    assert_ok(parse(&arena, "s3://b?endpoint=h&ssetype=AES256", &options));
    assert_false(options.sends_checksums);
    assert_true(options.checks_checksums);
    assert_str_equal(options.encryption, STR("AES256"));
    assert_ok(parse(&arena,
                    "s3://b?endpoint=h&request_checksum_calculation=when_supported"
                    "&response_checksum_validation=when_required",
                    &options));
    assert_true(options.sends_checksums);
    assert_false(options.checks_checksums);
}

static void what_is_wrong_with_a_url_is_named(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct s3_options options;
    struct s3_place place;

    (void)state;
    assert_fails(parse(&arena, "s3://b?bogus=1", &options), ERROR_INVALID,
                 "unknown query parameter \"bogus\"");
    assert_fails(parse(&arena, "s3:///x", &options), ERROR_INVALID, "names no bucket");
    assert_fails(parse(&arena, "s3://b?fips=maybe", &options), ERROR_INVALID,
                 "\"fips\" is 'maybe'");
    assert_fails(parse(&arena, "s3://b?ssetype=none", &options), ERROR_INVALID, "\"ssetype\"");
    assert_fails(parse(&arena, "s3://b?rate_limiter_capacity=x", &options), ERROR_INVALID,
                 "expected a number");
    assert_fails(parse(&arena, "s3://b?endpoint=ftp://x", &options), ERROR_INVALID, "http://");
    assert_fails(parse(&arena, "s3://b?region=%zz", &options), ERROR_INVALID, "invalid escape");
    assert_ok(parse(&arena, "s3://b", &options));
    assert_fails(s3_place_of(&arena, &options, STR(""), &place), ERROR_INVALID,
                 "region of the bucket is not known");
}

static void a_page_of_a_listing_is_read(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct store_page page;

    (void)state;
    assert_ok(s3_page_parse(
        &arena,
        STR("<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://x\"><Name>b</Name>"
            "<Contents><Key>a&amp;b/&#x20;c</Key><LastModified>2026-01-02T03:04:05.000Z"
            "</LastModified><ETag>&quot;e1&quot;</ETag><Size>7</Size></Contents>"
            "<Contents><Key>z</Key></Contents><CommonPrefixes><Prefix>p/</Prefix>"
            "</CommonPrefixes><IsTruncated>true</IsTruncated>"
            "<NextContinuationToken>t==</NextContinuationToken></ListBucketResult>"),
        &page));
    assert_int_equal(page.objects.len, 2);
    assert_str_equal(page.objects.items[0].key, STR("a&b/ c"));
    assert_str_equal(page.objects.items[0].version, STR("\"e1\""));
    assert_int_equal(page.objects.items[0].size, 7);
    assert_true(page.objects.items[0].modified > 0);
    assert_str_equal(page.next, STR("t=="));
    assert_ok(s3_page_parse(&arena, STR("<ListBucketResult/>"), &page));
    assert_int_equal(page.objects.len, 0);
    assert_fails(s3_page_parse(&arena, STR("<html><body>Hello</body></html>"), &page),
                 ERROR_INVALID, "no listing of S3");
    /* A server that knows the first version only: what comes behind cannot be asked for. */
    assert_fails(s3_page_parse(&arena,
                               STR("<ListBucketResult><IsTruncated>true</IsTruncated>"
                                   "<NextMarker>z</NextMarker></ListBucketResult>"),
                               &page),
                 ERROR_INVALID, "not how to ask for the rest");
}

static void urls_are_shown_without_secrets(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(object_url_show(&arena, STR("postgres://u:p@h:1/db?password=x")),
                     STR("postgres://****:****@h:1/db"));
    assert_str_equal(object_url_show(&arena, STR("s3://b/a@b?x")), STR("s3://b/a@b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_means_a_server),
        cmocka_unit_test(the_environment_names_a_server_too),
        cmocka_unit_test(parameters_are_read),
        cmocka_unit_test(what_is_wrong_with_a_url_is_named),
        cmocka_unit_test(a_page_of_a_listing_is_read),
        cmocka_unit_test(urls_are_shown_without_secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
