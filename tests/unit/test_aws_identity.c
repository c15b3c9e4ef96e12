/* test_aws_identity.c — where credentials come from: files of profiles, answers of servers, and the
 * order of it all, with a server of the test that stands for STS, containers and IMDS. */
#include "unit/check.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "cloud/aws_identity.h"
#include "cloud/aws_sources.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "http/http.h"

#include <stdio.h>
#include <stdlib.h>

/* --- files and answers --- */

static const char config_text[] = "# a comment\n"
                                  "[default]\n"
                                  "region = eu-west-1 ; here\n"
                                  "[profile work]\n"
                                  "role_arn=arn:aws:iam::1:role/r#1\n"
                                  "source_profile = base\n"
                                  "s3 =\n"
                                  "    max_queue_size = 1\n"
                                  "[ profile   spaced ]\n"
                                  "region=x\n"
                                  "[profile work]\n"
                                  "region = eu-central-1\n"
                                  "[broken\n"
                                  "no sign of a value\n";

static void sections_are_read_as_the_aws_tools_do(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct aws_sections sections;

    (void)state;
    aws_sections_parse(&arena, str_from(config_text), &sections);
    assert_int_equal(sections.len, 5);
    assert_str_equal(sections.items[0].name, STR("default"));
    assert_str_equal(*pairs_find(sections.items[0].values, STR("region")), STR("eu-west-1"));
    assert_str_equal(*pairs_find(sections.items[1].values, STR("role_arn")),
                     STR("arn:aws:iam::1:role/r#1"));
    assert_null(pairs_find(sections.items[1].values, STR("max_queue_size")));
    assert_str_equal(sections.items[4].name, STR("broken"));
    assert_int_equal(sections.items[4].values.len, 0);
}

static void answers_hold_credentials_or_are_refused_without_showing_them(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct aws_credentials found;

    (void)state;
    assert_ok(aws_credentials_parse(
        &arena,
        STR("{\"Version\":1,\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"b\",\"Token\":\"c\","
            "\"Expiration\":\"2030-01-01T00:00:00Z\"}"),
        &found));
    assert_str_equal(found.access_key, STR("a"));
    assert_str_equal(secret_reveal(found.session_token), STR("c"));
    assert_true(found.expires > (int64_t)1893450000 * NS_PER_S);
    struct error *failure = aws_credentials_parse(
        &arena, STR("{\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"hush\" oops"), &found);
    assert_non_null(failure);
    assert_int_equal(str_find(error_message(failure), STR("hush")), SIZE_MAX);
    error_free(failure);
    assert_fails(aws_credentials_parse(&arena, STR("{\"Code\":\"Failed\"}"), &found), ERROR_INVALID,
                 "no credentials: Failed");
    assert_ok(aws_sts_parse(&arena,
                            STR("<R><Credentials><AccessKeyId>A&amp;1</AccessKeyId>"
                                "<SecretAccessKey>s</SecretAccessKey><SessionToken>t"
                                "</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration>"
                                "</Credentials></R>"),
                            &found));
    assert_str_equal(found.access_key, STR("A&1"));
    assert_fails(aws_sts_parse(&arena, STR("<html>"), &found), ERROR_INVALID, "no credentials");
}

/* --- the chain --- */

struct world {
    struct arena arena;
    str home;
    struct listener *listener;
    struct cancel *scope;
    struct work_group fibers;
    struct strbuf heard; /* the first line and the body of every request */
    const char *expires;
    void (*claim)(struct world *world);
};

static void world_answer(struct world *world, str request, struct strbuf *out)
{
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    str line, rest;

    str_cut(request, STR("\r\n"), &line, &rest);
    if (str_starts_with(line, STR("GET /federation/credentials?")))
        strbuf_add(&body, STR("{\"roleCredentials\":{\"accessKeyId\":\"SSO\",\"secretAccessKey\":"
                              "\"s\",\"sessionToken\":\"t\",\"expiration\":2840140800000}}"));
    else if (str_starts_with(line, STR("POST /token ")))
        strbuf_add(&body, STR("{\"accessToken\":\"new-token\",\"refreshToken\":\"refresh-2\","
                              "\"expiresIn\":3600,\"tokenType\":\"Bearer\"}"));
    else if (str_starts_with(line, STR("POST ")))
        strbuf_printf(&body,
                      "<Credentials><AccessKeyId>STS</AccessKeyId><SecretAccessKey>s"
                      "</SecretAccessKey><SessionToken>t</SessionToken><Expiration>%s"
                      "</Expiration></Credentials>",
                      world->expires);
    else if (str_starts_with(line, STR("PUT /latest/api/token ")))
        strbuf_add(&body, STR("imds-token"));
    else if (str_find(line, STR("/security-credentials/ ")) != SIZE_MAX)
        strbuf_add(&body, STR("the-role"));
    else
        strbuf_printf(&body,
                      "{\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"s\",\"Token\":\"t\","
                      "\"Expiration\":\"%s\"}",
                      str_find(line, STR("the-role")) != SIZE_MAX ? "IMDS" : "ECS", world->expires);
    strbuf_printf(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                  body.len, body.ptr);
}

/* A whole request is in one or two pieces here. */
static bool world_is_whole(str text)
{
    str head, body, before, length;
    uint64_t size = 0;

    if (!str_cut(text, STR("\r\n\r\n"), &head, &body))
        return false;
    if (str_cut(head, STR("Content-Length: "), &before, &length)) {
        str_cut(length, STR("\r\n"), &length, &before);
        assert_true(str_to_u64(length, &size));
    }
    return body.len >= size;
}

static void world_serve(void *world_)
{
    struct world *world = world_;
    struct stream *stream;
    struct error *failure;

    while (!(failure = listener_accept(world->listener, &stream))) {
        CLEANUP(strbuf_release) struct strbuf text = { 0 }, out = { 0 };
        char piece[4096];
        size_t got = 1;
        while (got > 0 && !world_is_whole(strbuf_str(&text))) {
            assert_ok(stream_read(stream, piece, sizeof(piece), &got));
            strbuf_add(&text, (str){ piece, got });
        }
        strbuf_add(&world->heard, strbuf_str(&text));
        strbuf_add_char(&world->heard, '\n');
        world_answer(world, strbuf_str(&text), &out);
        assert_ok(stream_write(stream, strbuf_str(&out)));
        stream_close(stream);
    }
    error_ignore(failure, "the test is over");
    work_group_done(&world->fibers);
}

static const char *const variables[] = {
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_ROLE_ARN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
    "AWS_EC2_METADATA_SERVICE_ENDPOINT",
    "AWS_EC2_METADATA_DISABLED",
    "AWS_ENDPOINT_URL_STS",
    "AWS_ENDPOINT_URL_SSO",
    "AWS_ENDPOINT_URL_SSO_OIDC",
};

static void world_write(struct world *world, const char *name, str text)
{
    str path = arena_concat(&world->arena, world->home, STR("/"), str_from(name));

    assert_ok(fs_make_directory(fs_path_directory(path), 0700));
    assert_ok(fs_replace(path, text, 0600));
}

static str world_url(struct world *world)
{
    return arena_printf(&world->arena, "http://127.0.0.1:%u", listener_port(world->listener));
}

static void world_set(const char *name, str value)
{
    assert_int_equal(setenv(name, value.ptr, 1), 0);
}

static void world_main(void *world_)
{
    struct world *world = world_;

    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
        unsetenv(variables[i]);
    assert_ok(listener_open(0, &world->listener));
    world->scope = cancel_open(NULL);
    world->expires = "2060-01-01T00:00:00Z";
    world_set("AWS_ENDPOINT_URL_STS", world_url(world));
    world_set("AWS_ENDPOINT_URL_SSO", world_url(world));
    world_set("AWS_ENDPOINT_URL_SSO_OIDC", world_url(world));
    world_set("AWS_EC2_METADATA_SERVICE_ENDPOINT", world_url(world));
    work_group_add(&world->fibers, 1);
    fiber_spawn_in(world->scope, world_serve, world);
    world->claim(world);
    cancel_fire(world->scope);
    work_group_wait_uncancelable(&world->fibers);
    fiber_yield();
    listener_close(world->listener);
    cancel_close(world->scope);
}

static void world_run(void (*claim)(struct world *world))
{
    char name[] = "/tmp/culumi-aws-XXXXXX";
    struct world world = { .claim = claim };

    assert_non_null(mkdtemp(name));
    world.home = str_from(name);
    assert_ok(scheduler_run(world_main, &world));
    assert_ok(fs_remove_tree(world.home));
    strbuf_release(&world.heard);
    arena_release(&world.arena);
}

#define IN_WORLD(name)                             \
    static void name##_claim(struct world *world); \
    static void name(void **state)                 \
    {                                              \
        (void)state;                               \
        world_run(name##_claim);                   \
    }                                              \
    static void name##_claim(struct world *world)

static struct error *world_get(struct world *world, struct aws_options options,
                               struct aws_credentials *out)
{
    struct http_client *http = http_client_new();
    struct aws_identity *identity;

    options.home = world->home;
    struct error *failure = aws_identity_new(&options, http, &identity);
    if (!failure) {
        failure = aws_identity_get(identity, &world->arena, out);
        aws_identity_free(identity);
    }
    http_client_free(http);
    return failure;
}

static bool world_heard(const struct world *world, str text)
{
    return str_find(strbuf_str(&world->heard), text) != SIZE_MAX;
}

static void assert_key(struct world *world, struct aws_options options, const char *key)
{
    struct aws_credentials found;

    assert_ok(world_get(world, options, &found));
    assert_str_equal(found.access_key, str_from(key));
}

IN_WORLD(the_first_source_that_has_credentials_is_used)
{
    const struct aws_options none = { 0 };

    world_set("AWS_REGION", STR("here"));
    assert_key(world, none, "IMDS");
    assert_true(world_heard(world, STR("X-Aws-Ec2-Metadata-Token: imds-token")));
    world_set("AWS_CONTAINER_CREDENTIALS_FULL_URI",
              arena_concat(&world->arena, world_url(world), STR("/ecs")));
    world_set("AWS_CONTAINER_AUTHORIZATION_TOKEN", STR("container-token"));
    assert_key(world, none, "ECS");
    assert_true(world_heard(world, STR("Authorization: container-token")));
    world_write(world, ".aws/credentials",
                STR("[default]\naws_access_key_id=FILE\naws_secret_access_key=s\n"));
    assert_key(world, none, "FILE");
    world_write(world, "token", STR("web-token\n"));
    world_set("AWS_WEB_IDENTITY_TOKEN_FILE",
              arena_concat(&world->arena, world->home, STR("/token")));
    world_set("AWS_ROLE_ARN", STR("arn:web"));
    assert_key(world, none, "STS");
    assert_true(world_heard(world, STR("Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aweb")));
    assert_true(world_heard(world, STR("WebIdentityToken=web-token%0A")));
    world_set("AWS_ACCESS_KEY_ID", STR("ENV"));
    world_set("AWS_SECRET_ACCESS_KEY", STR("s"));
    assert_key(world, none, "ENV");
    /* A profile that the URL names goes before everything. */
    assert_key(world, (struct aws_options){ .profile = STR("default") }, "FILE");
}

IN_WORLD(profiles_take_roles_with_what_their_source_has)
{
    world_write(world, ".aws/config",
                STR("[profile top]\nrole_arn=arn:top\nsource_profile=middle\nregion=r1\n"
                    "[profile middle]\nrole_arn=arn:middle\nsource_profile=bottom\nregion=r2\n"
                    "[profile self]\nrole_arn=arn:self\nsource_profile=self\nregion=r3\n"
                    "[profile circle]\nrole_arn=a\nsource_profile=circle2\n"
                    "[profile circle2]\nrole_arn=a\nsource_profile=circle\n"
                    "[profile program]\ncredential_process = echo '{\"Version\":1,"
                    "\"AccessKeyId\":\"PROC\",\"SecretAccessKey\":\"s\"}'\n"
                    "[profile broken]\ncredential_process = exit 3\n"));
    world_write(world, ".aws/credentials",
                STR("[bottom]\naws_access_key_id=BOTTOM\naws_secret_access_key=s\n"
                    "[self]\naws_access_key_id=SELF\naws_secret_access_key=s\n"));
    assert_key(world, (struct aws_options){ .profile = STR("top") }, "STS");
    assert_true(world_heard(world, STR("RoleArn=arn%3Amiddle")));
    assert_true(world_heard(world, STR("Credential=BOTTOM/")));
    assert_true(world_heard(world, STR("/r2/sts/aws4_request")));
    assert_true(world_heard(world, STR("RoleArn=arn%3Atop")));
    assert_true(world_heard(world, STR("Credential=STS/")));
    assert_key(world, (struct aws_options){ .profile = STR("self") }, "STS");
    assert_true(world_heard(world, STR("Credential=SELF/")));
    assert_key(world, (struct aws_options){ .profile = STR("program") }, "PROC");
    assert_key(world,
               (struct aws_options){
                   .profile = STR("bottom"), .role = STR("arn:url"), .region = STR("r4") },
               "STS");
    assert_true(world_heard(world, STR("RoleArn=arn%3Aurl")));
}

#define SSO_TOKEN(token, until, more)                                                      \
    STR("{\"startUrl\":\"https://start\",\"region\":\"r1\",\"accessToken\":\"" token "\"," \
        "\"expiresAt\":\"" until "\"" more "}")
#define SSO_MAY_RENEW \
    ",\"clientId\":\"client\",\"clientSecret\":\"hush\",\"refreshToken\":\"refresh-1\""

/* The names of the files are the SHA-1 of the session, or of the URL. */
IN_WORLD(profiles_log_in_by_what_aws_sso_login_left)
{
    static const char file[] = ".aws/sso/cache/e274eeff768c6396088ec6eb091f4bf4d47ab1e0.json";
    const struct aws_options session = { .profile = STR("session") };
    str old = arena_concat(&world->arena, STR(".aws/sso/cache/"),
                           hash_sha1_hex(&world->arena, STR("https://old")), STR(".json"));
    struct aws_credentials found;
    str text;

    world_write(world, ".aws/config",
                STR("[profile session]\nsso_session=work\nsso_account_id=12\nsso_role_name=a b\n"
                    "[sso-session work]\nsso_start_url=https://start\nsso_region=r1\n"
                    "[profile old]\nsso_start_url=https://old\nsso_region=r1\n"
                    "sso_account_id=13\nsso_role_name=r\n"
                    "[profile role]\nrole_arn=arn:role\nsource_profile=session\nregion=r2\n"));
    assert_fails(world_get(world, session, &found), ERROR_INVALID,
                 "nobody is logged in by SSO; run `aws sso login --profile session`");
    world_write(world, file, SSO_TOKEN("good-token", "2060-01-01T00:00:00Z", ""));
    assert_key(world, session, "SSO");
    assert_true(world_heard(world, STR("account_id=12&role_name=a%20b")));
    assert_true(world_heard(world, STR("x-amz-sso_bearer_token: good-token")));
    assert_key(world, (struct aws_options){ .profile = STR("role") }, "STS");
    assert_true(world_heard(world, STR("Credential=SSO/")));
    /* One that has ended is renewed, if it can be, and kept for others. */
    world_write(world, file, SSO_TOKEN("late", "2020-01-01T00:00:00Z", ""));
    assert_fails(world_get(world, session, &found), ERROR_INVALID, "has ended; run `aws sso login");
    world_write(world, file, SSO_TOKEN("late", "2020-01-01T00:00:00Z", SSO_MAY_RENEW));
    assert_key(world, session, "SSO");
    assert_true(world_heard(world, STR("\"refreshToken\":\"refresh-1\"")));
    assert_true(world_heard(world, STR("x-amz-sso_bearer_token: new-token")));
    assert_ok(fs_read(&world->arena,
                      arena_concat(&world->arena, world->home, STR("/"), str_from(file)), 4096,
                      &text));
    assert_true(str_find(text, STR("\"refreshToken\":\"refresh-2\"")) != SIZE_MAX);
    assert_true(str_find(text, STR("\"clientSecret\":\"hush\"")) != SIZE_MAX);
    /* The older form. */
    world_write(world, old.ptr, SSO_TOKEN("old-token", "2060-01-01T00:00:00Z", ""));
    assert_key(world, (struct aws_options){ .profile = STR("old") }, "SSO");
    assert_true(world_heard(world, STR("x-amz-sso_bearer_token: old-token")));
    /* What cannot be read is not shown. */
    world_write(world, file, STR("{\"accessToken\":\"hush-hush\" oops"));
    struct error *failure = world_get(world, session, &found);
    assert_non_null(failure);
    assert_int_equal(str_find(error_message(failure), STR("hush-hush")), SIZE_MAX);
    error_free(failure);
}

IN_WORLD(profiles_that_cannot_be_used_say_why)
{
    struct aws_credentials found;

    world_write(world, ".aws/config",
                STR("[profile circle]\nrole_arn=a\nsource_profile=circle2\n"
                    "[profile circle2]\nrole_arn=a\nsource_profile=circle\n"
                    "[profile sso]\nsso_session=x\n"
                    "[profile half]\nsso_start_url=u\nsso_region=r\n"
                    "[profile device]\nrole_arn=a\nmfa_serial=m\naws_access_key_id=k\n"
                    "aws_secret_access_key=s\n"
                    "[profile lost]\nrole_arn=a\nsource_profile=nowhere\n"
                    "[profile keyless]\nrole_arn=a\nregion=x\n"
                    "[profile broken]\ncredential_process = exit 3\n"));
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("circle") }, &found),
                 ERROR_INVALID, "in a circle");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("sso") }, &found),
                 ERROR_INVALID, "no section [sso-session x]");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("half") }, &found),
                 ERROR_INVALID, "no sso_account_id");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("device") }, &found),
                 ERROR_INVALID, "a code of a device (mfa_serial)");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("lost") }, &found),
                 ERROR_INVALID, "no AWS profile 'nowhere'");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("keyless") }, &found),
                 ERROR_INVALID, "no credentials to take the role with");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("broken") }, &found),
                 ERROR_INVALID, "exit code 3");
    assert_fails(world_get(world, (struct aws_options){ .profile = STR("none") }, &found),
                 ERROR_INVALID, "no AWS profile 'none'");
    world_set("AWS_EC2_METADATA_DISABLED", STR("true"));
    assert_fails(world_get(world, (struct aws_options){ 0 }, &found), ERROR_INVALID,
                 "no AWS credentials were found");
}

IN_WORLD(credentials_are_asked_for_again_when_they_end)
{
    struct http_client *http = http_client_new();
    struct aws_identity *identity;
    struct aws_credentials found;
    const struct aws_options options = { .home = world->home };

    assert_ok(aws_identity_new(&options, http, &identity));
    assert_ok(aws_identity_get(identity, &world->arena, &found));
    size_t heard = world->heard.len;
    assert_ok(aws_identity_get(identity, &world->arena, &found));
    assert_int_equal(world->heard.len, heard);
    aws_identity_expire(identity);
    world->expires = "2001-01-01T00:00:00Z";
    assert_ok(aws_identity_get(identity, &world->arena, &found));
    assert_true(world->heard.len > heard);
    heard = world->heard.len;
    assert_ok(aws_identity_get(identity, &world->arena, &found));
    assert_true(world->heard.len > heard);
    aws_identity_free(identity);
    http_client_free(http);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_read_as_the_aws_tools_do),
        cmocka_unit_test(answers_hold_credentials_or_are_refused_without_showing_them),
        cmocka_unit_test(the_first_source_that_has_credentials_is_used),
        cmocka_unit_test(profiles_take_roles_with_what_their_source_has),
        cmocka_unit_test(profiles_log_in_by_what_aws_sso_login_left),
        cmocka_unit_test(profiles_that_cannot_be_used_say_why),
        cmocka_unit_test(credentials_are_asked_for_again_when_they_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
