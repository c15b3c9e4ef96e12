/* test_value_json.c — property values as JSON, and the sealing of secrets. */
#include "unit/check.h"

#include "model/crypter.h"
#include "model/value_json.h"

#include <math.h>

#define SIG "\"4dabf18193072939515e22adb298388d\":"

static struct error *read_text(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_token token;
    json_reader_init(&reader, arena, text);
    TRY(value_read(&reader, out));
    return json_next(&reader, &token);
}

static struct value must_read(struct arena *arena, str text)
{
    struct value value = value_null();
    assert_ok(read_text(arena, text, &value));
    return value;
}

static str written(struct arena *arena, struct value value, enum secret_form form)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    value_write(&writer, value, form);
    return arena_copy(arena, strbuf_str(&out));
}

static void assert_kept(str text)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_str_equal(written(&arena, must_read(&arena, text), SECRET_CIPHERTEXT), text);
}

/* Seals by putting a letter in front, and counts. */
struct letter_crypter {
    struct crypter crypter;
    int sealed, unsealed;
};

static struct error *seal(struct crypter *crypter, str plaintext, struct arena *arena,
                          str *ciphertext)
{
    ((struct letter_crypter *)crypter)->sealed++;
    *ciphertext = arena_concat(arena, STR("E"), plaintext);
    return NULL;
}

static struct error *unseal(struct crypter *crypter, str ciphertext, struct arena *arena,
                            str *plaintext)
{
    ((struct letter_crypter *)crypter)->unsealed++;
    if (ciphertext.ptr[0] != 'E')
        return error_new(ERROR_OTHER, "bad value");
    *plaintext = arena_copy(arena, str_slice(ciphertext, 1, ciphertext.len));
    return NULL;
}

static struct letter_crypter letters(void)
{
    return (struct letter_crypter){ .crypter = { .seal = seal, .unseal = unseal } };
}

static void every_kind_is_written_as_it_was_read(void **state)
{
    (void)state;
    assert_kept(STR("null"));
    assert_kept(STR("[true,false,1.5,-0,1e-9,1e+21,\"x\",[],{},[[]]]"));
    assert_kept(STR("{\"\":\"empty key\",\"a\":{\"b\":[{\"c\":null}]}}"));
    assert_kept(STR("{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"v1:abc\"}"));
    assert_kept(STR("{" SIG "\"c44067f5952c0a294b673a41bacd8c17\",\"hash\":\"h\",\"text\":\"t\"}"));
    assert_kept(
        STR("{" SIG "\"0def7320c3a5731c473e5ecbe6d01bc7\",\"assets\":{\"f\":{" SIG
            "\"c44067f5952c0a294b673a41bacd8c17\",\"path\":\"p\"},\"g\":{" SIG
            "\"0def7320c3a5731c473e5ecbe6d01bc7\",\"hash\":\"i\",\"uri\":\"u\"}},\"hash\":\"h\"}"));
    assert_kept(STR("{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\",\"id\":\"i\",\"packageVersion\":"
                    "\"\",\"urn\":\"u\"}"));
    assert_kept(STR(
        "{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\",\"packageVersion\":\"1\",\"urn\":\"u\"}"));
    assert_kept(STR("{" SIG "\"803fd3297a5875dc03ca845dda5d2a98\",\"value\":\"//4=\"}"));
    assert_kept(
        STR("{" SIG "\"8ad145fe-0d11-4827-bfd7-1abcbf086f5c\",\"value\":\"7fffffffffffffff\"}"));
    assert_kept(STR("\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\""));
}

static void special_objects_become_their_kinds(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = must_read(
        &arena,
        STR("{" SIG "\"8ad145fe-0d11-4827-bfd7-1abcbf086f5c\",\"value\":\"fff0000000000000\"}"));
    assert_true(isinf(value.number) && value.number < 0);
    value =
        must_read(&arena, STR("{" SIG "\"803fd3297a5875dc03ca845dda5d2a98\",\"value\":\"/wA=\"}"));
    assert_str_equal(value_text(value), STR("\xff\0"));
    assert_int_equal(must_read(&arena, STR("\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"")).kind,
                     VALUE_COMPUTED);
    value = must_read(
        &arena,
        STR("{\"hash\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"," SIG
            "\"c44067f5952c0a294b673a41bacd8c17\"}"));
    assert_true(value.asset->has_text);
    value =
        must_read(&arena, STR("{" SIG "\"c44067f5952c0a294b673a41bacd8c17\",\"hash\":\"elided\"}"));
    assert_false(value.asset->has_text);
    value = must_read(&arena, STR("{" SIG "\"0def7320c3a5731c473e5ecbe6d01bc7\"}"));
    assert_true(value.asset->has_members);
}

static void the_old_broken_ids_of_references_are_understood(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = must_read(
        &arena,
        STR("{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\",\"id\":{\"V\":\"x\"},\"urn\":\"u\"}"));
    assert_str_equal(value_text(value.reference->id), STR("x"));
    value = must_read(
        &arena,
        STR("{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\",\"id\":{\"V\":null},\"urn\":\"u\"}"));
    assert_false(value.reference->has_id);
    value = must_read(
        &arena,
        STR("{" SIG
            "\"5cf8f73096256a8f31e491e813e4eb8e\",\"id\":{\"V\":{\"Element\":{}}},\"urn\":\"u\"}"));
    assert_true(value.reference->has_id);
    assert_int_equal(value.reference->id.kind, VALUE_COMPUTED);
    assert_str_equal(written(&arena, value, SECRET_BARE),
                     STR("{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\",\"id\":\"\","
                         "\"packageVersion\":\"\",\"urn\":\"u\"}"));
}

static void malformed_special_objects_are_refused_with_their_place(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    assert_fails(read_text(&arena, STR("{\n" SIG "\"X\"}"), &value), ERROR_INVALID,
                 "unrecognized signature 'X' in property map");
    assert_fails(read_text(&arena, STR("{\n" SIG "\"X\"}"), &value), ERROR_INVALID,
                 "line 2 column");
    assert_fails(read_text(&arena, STR("{" SIG "1}"), &value), ERROR_INVALID,
                 "unrecognized signature");
    assert_fails(
        read_text(&arena, STR("{" SIG "\"1b47061264138c4ac30d75fd1eb44270\"}"), &value),
        ERROR_INVALID,
        "malformed secret value: exactly one of `ciphertext` or `plaintext` must be supplied");
    assert_fails(
        read_text(
            &arena,
            STR("{" SIG
                "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"a\",\"plaintext\":\"1\"}"),
            &value),
        ERROR_INVALID, "malformed secret value: exactly one of");
    assert_fails(read_text(&arena,
                           STR("{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"plaintext\":\"{\"}"),
                           &value),
                 ERROR_INVALID, "malformed secret value: line 1 column 2");
    assert_fails(read_text(&arena, STR("{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\"}"), &value),
                 ERROR_INVALID, "missing urn");
    assert_fails(
        read_text(&arena,
                  STR("{" SIG "\"5cf8f73096256a8f31e491e813e4eb8e\",\"urn\":\"u\",\"id\":5}"),
                  &value),
        ERROR_INVALID, "malformed resource reference: id must be a string");
    assert_fails(read_text(&arena,
                           STR("{" SIG "\"803fd3297a5875dc03ca845dda5d2a98\",\"value\":\"!\"}"),
                           &value),
                 ERROR_INVALID, "base64");
    assert_fails(
        read_text(&arena,
                  STR("{" SIG "\"8ad145fe-0d11-4827-bfd7-1abcbf086f5c\",\"value\":\"xyz\"}"),
                  &value),
        ERROR_INVALID, "malformed float value");
    assert_fails(
        read_text(&arena, STR("{" SIG "\"c44067f5952c0a294b673a41bacd8c17\",\"hash\":7}"), &value),
        ERROR_INVALID, "malformed asset: hash must be a string");
    assert_fails(
        read_text(&arena, STR("{" SIG "\"0def7320c3a5731c473e5ecbe6d01bc7\",\"assets\":{\"a\":1}}"),
                  &value),
        ERROR_INVALID, "archive member 'a' is not an asset or archive");
    assert_fails(read_text(&arena, STR(""), &value), ERROR_INVALID, "unexpected end");
    assert_fails(read_text(&arena, STR("[1,"), &value), ERROR_INVALID, "unexpected end");
}

static void exact_reading_keeps_the_digits_of_whole_numbers(void **state)
{
    static const char *const texts[] = { "9007199254740993", "-9223372036854775808", "7",
                                         "{\"a\":[9223372036854775807]}" };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct json_reader reader;
    struct value value;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        json_reader_init(&reader, &arena, str_from(texts[i]));
        assert_ok(value_read_exact(&reader, &value));
        assert_str_equal(written(&arena, value, SECRET_PLAINTEXT), str_from(texts[i]));
        json_reader_release(&reader);
    }
}

static void plain_reading_takes_signatures_as_they_are(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct value value;
    json_reader_init(&reader, &arena,
                     STR("{" SIG "\"X\",\"u\":\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"}"));
    assert_ok(value_read_plain(&reader, &value));
    assert_int_equal(value.kind, VALUE_OBJECT);
    assert_int_equal(value_find(value, STR("u"))->kind, VALUE_STRING);
}

/* A property may have that name. What is in it is read as anywhere. */
static void the_signature_key_is_a_name_like_any_other_in_a_map_of_properties(void **state)
{
    (void)state;
    const char *const texts[] = { "{" SIG "\"X\",\"a\":1}",
                                  "{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"value\":1}",
                                  "{" SIG "{\"a\":1}}" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        CLEANUP(json_reader_release) struct json_reader reader;
        struct value value;
        json_reader_init(&reader, &arena, str_from(texts[i]));
        assert_ok(value_read_properties(&reader, &value));
        assert_int_equal(value.kind, VALUE_OBJECT);
        assert_str_equal(written(&arena, value, SECRET_PLAINTEXT), str_from(texts[i]));
    }
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct value value;
    json_reader_init(&reader, &arena, STR("{\"a\":{" SIG "\"X\"}}"));
    assert_fails(value_read_properties(&reader, &value), ERROR_INVALID,
                 "line 1 column 45: unrecognized signature 'X' in property map");
}

static str nested_arrays(struct arena *arena, size_t depth)
{
    char *text = arena_alloc(arena, 2 * depth);
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    return (str){ text, 2 * depth };
}

static void nesting_ends_at_the_limit(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    assert_ok(read_text(&arena, nested_arrays(&arena, VALUE_MAX_DEPTH), &value));
    assert_fails(read_text(&arena, nested_arrays(&arena, VALUE_MAX_DEPTH + 1), &value),
                 ERROR_INVALID, "nested more than 500 levels deep");
    assert_ok(
        value_from_secret_text(&arena, nested_arrays(&arena, 10), VALUE_MAX_DEPTH - 10, &value));
    assert_fails(
        value_from_secret_text(&arena, nested_arrays(&arena, 11), VALUE_MAX_DEPTH - 10, &value),
        ERROR_INVALID, "levels deep");
}

static void a_nested_secret_is_sealed_with_the_one_around_it(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct letter_crypter crypter = letters();
    struct member members[] = {
        { STR("a"), value_secret(&arena, value_string(STR("x<y"))) },
        { STR("f"), value_number(1e-7) },
        { STR("h"), value_string(STR("<&>")) },
    };
    struct value value = value_secret(&arena, value_object(&arena, members, 3));
    assert_ok(value_seal(value, &crypter.crypter, &arena));
    assert_int_equal(crypter.sealed, 1);
    assert_str_equal(
        value.secret->ciphertext,
        STR("E{\"a\":{" SIG
            "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"\\\"x\\\\u003cy\\\"\"},"
            "\"f\":1e-7,\"h\":\"\\u003c\\u0026\\u003e\"}"));
    assert_int_equal(members[0].value.secret->ciphertext.len, 0);

    struct value again = must_read(&arena, written(&arena, value, SECRET_CIPHERTEXT));
    assert_true(again.secret->is_opaque);
    assert_ok(value_unseal(again, &crypter.crypter, &arena));
    assert_true(value_equal(again, value));
    assert_int_equal(crypter.unsealed, 1);
}

static void an_unchanged_secret_keeps_its_ciphertext(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct letter_crypter crypter = letters();
    struct value value = must_read(
        &arena, STR("[{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"E1\"}]"));
    assert_ok(value_unseal(value, &crypter.crypter, &arena));
    assert_ok(value_seal(value, &crypter.crypter, &arena));
    assert_int_equal(crypter.sealed, 0);
    assert_str_equal(value.items[0].secret->ciphertext, STR("E1"));
}

static void without_a_crypter_only_work_that_is_needed_fails(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct letter_crypter crypter = letters();
    struct value sealed = must_read(
        &arena, STR("{\"s\":{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"X1\"}}"));
    assert_ok(value_seal(sealed, NULL, &arena));
    assert_fails(value_unseal(sealed, NULL, &arena), ERROR_OTHER, "cannot be decrypted");
    assert_fails(value_unseal(sealed, &crypter.crypter, &arena), ERROR_OTHER,
                 "decrypting secret value: bad value");
    assert_ok(value_unseal(value_string(STR("x")), NULL, &arena));
    assert_fails(value_seal(value_secret(&arena, value_null()), NULL, &arena), ERROR_OTHER,
                 "cannot be encrypted");
}

static void a_sealed_secret_inside_a_new_one_is_opened_first(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct letter_crypter crypter = letters();
    struct value inner = must_read(
        &arena, STR("{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"E1\"}"));
    struct value outer = value_secret(&arena, inner);
    assert_ok(value_seal(outer, &crypter.crypter, &arena));
    assert_str_equal(outer.secret->ciphertext,
                     STR("E{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"1\"}"));
}

static void secrets_are_shown_as_the_form_says(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value inner = value_secret(&arena, value_string(STR("p")));
    struct value value = value_secret(&arena, value_array(&arena, &inner, 1));
    assert_str_equal(written(&arena, value, SECRET_MASKED), STR("\"[secret]\""));
    assert_str_equal(written(&arena, value, SECRET_BARE), STR("[\"p\"]"));
    assert_str_equal(
        written(&arena, value, SECRET_BLINDED),
        STR("{" SIG "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"[secret]\"}"));
    str plain = written(&arena, value, SECRET_PLAINTEXT);
    assert_true(str_find(plain, STR("\"plaintext\":\"[{\\\"4dabf")) != SIZE_MAX);
    assert_true(value_equal(must_read(&arena, plain), value));
}

static void outputs_are_written_as_what_is_in_them(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct output output = { .element = value_string(STR("x")), .is_known = true }, unknown = { 0 },
                  secret = output;
    secret.is_secret = true;
    assert_str_equal(written(&arena, (struct value){ .kind = VALUE_OUTPUT, .output = &output },
                             SECRET_CIPHERTEXT),
                     STR("\"x\""));
    assert_str_equal(written(&arena, (struct value){ .kind = VALUE_OUTPUT, .output = &unknown },
                             SECRET_CIPHERTEXT),
                     STR("\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\""));
    assert_str_equal(
        written(&arena, (struct value){ .kind = VALUE_OUTPUT, .output = &secret }, SECRET_MASKED),
        STR("\"[secret]\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_written_as_it_was_read),
        cmocka_unit_test(special_objects_become_their_kinds),
        cmocka_unit_test(the_old_broken_ids_of_references_are_understood),
        cmocka_unit_test(malformed_special_objects_are_refused_with_their_place),
        cmocka_unit_test(exact_reading_keeps_the_digits_of_whole_numbers),
        cmocka_unit_test(plain_reading_takes_signatures_as_they_are),
        cmocka_unit_test(the_signature_key_is_a_name_like_any_other_in_a_map_of_properties),
        cmocka_unit_test(nesting_ends_at_the_limit),
        cmocka_unit_test(a_nested_secret_is_sealed_with_the_one_around_it),
        cmocka_unit_test(an_unchanged_secret_keeps_its_ciphertext),
        cmocka_unit_test(without_a_crypter_only_work_that_is_needed_fails),
        cmocka_unit_test(a_sealed_secret_inside_a_new_one_is_opened_first),
        cmocka_unit_test(secrets_are_shown_as_the_form_says),
        cmocka_unit_test(outputs_are_written_as_what_is_in_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
