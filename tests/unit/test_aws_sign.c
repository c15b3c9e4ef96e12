/* test_aws_sign.c — signatures: the examples that AWS publishes, and what goes into one. */
#include "unit/check.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/hex.h"
#include "cloud/aws_sign.h"

/* 2013-05-24T00:00:00Z, the day of the published examples. */
#define EXAMPLE_DAY ((int64_t)1369353600 * NS_PER_S)

static const struct aws_credentials example_credentials = {
    .access_key = STR_INIT("AKIAIOSFODNN7EXAMPLE"),
    .secret_key = { "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", 40 },
};

static struct aws_signed sign(struct arena *arena, struct aws_request request)
{
    struct aws_signed done;

    request.origin = STR("https://examplebucket.s3.amazonaws.com");
    request.hashes_body = true;
    aws_sign(arena, &request,
             &(struct aws_signing){ .credentials = &example_credentials,
                                    .region = STR("us-east-1"),
                                    .service = STR("s3"),
                                    .time = EXAMPLE_DAY },
             &done);
    return done;
}

static void assert_signature(const struct aws_signed *done, const char *signature)
{
    assert_true(done->headers.len > 0);
    str last = done->headers.items[done->headers.len - 1];
    assert_true(str_starts_with(last, STR("authorization: AWS4-HMAC-SHA256 Credential="
                                          "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
                                          "aws4_request, SignedHeaders=")));
    assert_str_equal(str_slice(last, last.len - 64, last.len), str_from(signature));
}

static void a_read_of_a_range_has_the_published_signature(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct pair range = { STR("range"), STR("bytes=0-9") };

    (void)state;
    struct aws_signed done = sign(&arena, (struct aws_request){ .method = STR("GET"),
                                                                .path = STR("/test.txt"),
                                                                .headers = { &range, 1 } });
    assert_str_equal(done.url, STR("https://examplebucket.s3.amazonaws.com/test.txt"));
    assert_signature(&done, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

static void a_write_has_the_published_signature(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct pair headers[] = {
        { STR("x-amz-storage-class"), STR("REDUCED_REDUNDANCY") },
        { STR("date"), STR("Fri, 24 May 2013 00:00:00 GMT") },
    };

    (void)state;
    struct aws_signed done =
        sign(&arena, (struct aws_request){ .method = STR("PUT"),
                                           .path = STR("/test$file.text"),
                                           .headers = { headers, 2 },
                                           .body = STR("Welcome to Amazon S3.") });
    assert_str_equal(done.url, STR("https://examplebucket.s3.amazonaws.com/test%24file.text"));
    assert_signature(&done, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

static void parameters_with_and_without_value_have_the_published_signatures(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct pair lifecycle = { STR("lifecycle"), STR("") };
    const struct pair list[] = { { STR("prefix"), STR("J") }, { STR("max-keys"), STR("2") } };

    (void)state;
    struct aws_signed done = sign(
        &arena,
        (struct aws_request){ .method = STR("GET"), .path = STR("/"), .query = { &lifecycle, 1 } });
    assert_signature(&done, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    done =
        sign(&arena,
             (struct aws_request){ .method = STR("GET"), .path = STR("/"), .query = { list, 2 } });
    assert_str_equal(done.url, STR("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"));
    assert_signature(&done, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

static bool has_header(const struct aws_signed *done, str start)
{
    for (size_t i = 0; i < done->headers.len; i++)
        if (str_starts_with(done->headers.items[i], start))
            return true;
    return false;
}

static void a_session_token_is_sent_and_signed(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct aws_credentials credentials = example_credentials;
    struct aws_signed done;

    (void)state;
    credentials.session_token = secret_hide(STR("the-token"));
    aws_sign(&arena,
             &(struct aws_request){ .method = STR("POST"),
                                    .origin = STR("https://sts.x.amazonaws.com:443"),
                                    .path = STR("/") },
             &(struct aws_signing){ .credentials = &credentials,
                                    .region = STR("x"),
                                    .service = STR("sts"),
                                    .time = EXAMPLE_DAY },
             &done);
    assert_true(has_header(&done, STR("x-amz-security-token: the-token")));
    assert_false(has_header(&done, STR("x-amz-content-sha256")));
    assert_false(has_header(&done, STR("host")));
    str last = done.headers.items[done.headers.len - 1];
    assert_true(str_find(last, STR("SignedHeaders=host;x-amz-date;x-amz-security-token,"))
                != SIZE_MAX);
}

static void who_is_nobody_signs_nothing(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct aws_credentials nobody = { .access_key = STR("") };
    struct aws_signed done;

    (void)state;
    aws_sign(
        &arena,
        &(struct aws_request){
            .method = STR("GET"), .origin = STR("http://h:1"), .path = STR("/a b") },
        &(struct aws_signing){ .credentials = &nobody, .region = STR("x"), .service = STR("s3") },
        &done);
    assert_str_equal(done.url, STR("http://h:1/a%20b"));
    assert_false(has_header(&done, STR("authorization")));
}

static str hmac_hex(struct arena *arena, str key, str bytes)
{
    unsigned char digest[SHA256_SIZE];

    hash_hmac_sha256(key, bytes, digest);
    return hex_encode(arena, (str){ (const char *)digest, SHA256_SIZE });
}

/* Cases 2 and 6 of RFC 4231. */
static void the_hmac_is_that_of_the_standard(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    char long_key[131];

    (void)state;
    memset(long_key, 0xaa, sizeof(long_key));
    assert_str_equal(hmac_hex(&arena, STR("Jefe"), STR("what do ya want for nothing?")),
                     STR("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    assert_str_equal(hmac_hex(&arena, (str){ long_key, sizeof(long_key) },
                              STR("Test Using Larger Than Block-Size Key - Hash Key First")),
                     STR("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_of_a_range_has_the_published_signature),
        cmocka_unit_test(a_write_has_the_published_signature),
        cmocka_unit_test(parameters_with_and_without_value_have_the_published_signatures),
        cmocka_unit_test(a_session_token_is_sent_and_signed),
        cmocka_unit_test(who_is_nobody_signs_nothing),
        cmocka_unit_test(the_hmac_is_that_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
