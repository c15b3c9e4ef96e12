/* test_marshal.c — property values with signatures, in both directions and under every option. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "model/signatures.h"
#include "proto/marshal.h"
#include "proto/struct_codec.h"

#include <stdlib.h>

/* --- a notation for tests: {k: {$: @secret, value: 'x'}, u: ?string, l: [1, true, null]} --- */

struct named {
    const char *name;
    str text;
};

/* What stands for the long texts; `$` is the signature's key. */
static const struct named *names(size_t *len)
{
    static struct named list[14];
    const struct named all[] = {
        { "$", SIGNATURE_KEY },
        { "@secret", SIGNATURE_SECRET },
        { "@ref", SIGNATURE_REFERENCE },
        { "@output", SIGNATURE_OUTPUT },
        { "@asset", SIGNATURE_ASSET },
        { "@archive", SIGNATURE_ARCHIVE },
        { "@bytes", SIGNATURE_BYTE_STRING },
        { "?string", UNKNOWN_STRING_TEXT },
        { "?bool", UNKNOWN_BOOL_TEXT },
        { "?number", UNKNOWN_NUMBER_TEXT },
        { "?array", UNKNOWN_ARRAY_TEXT },
        { "?asset", UNKNOWN_ASSET_TEXT },
        { "?archive", UNKNOWN_ARCHIVE_TEXT },
        { "?object", UNKNOWN_OBJECT_TEXT },
    };
    memcpy(list, all, sizeof(all));
    *len = sizeof(all) / sizeof(*all);
    return list;
}

static void skip_blanks(const char **at)
{
    while (**at == ' ' || **at == ',' || **at == ':')
        ++*at;
}

static str parse_text(const char **at)
{
    size_t len, count;
    const char *begin = *at;
    if (*begin == '\'') {
        len = strcspn(begin + 1, "'");
        *at = begin + len + 2;
        return (str){ begin + 1, len };
    }
    len = strcspn(begin, " ,:]}");
    *at = begin + len;
    const struct named *list = names(&count);
    for (size_t i = 0; i < count; i++)
        if (str_equal((str){ begin, len }, str_from(list[i].name)))
            return list[i].text;
    return (str){ begin, len };
}

static struct value parse(struct arena *arena, const char **at)
{
    struct member members[16];
    struct value items[16];
    size_t len = 0;
    skip_blanks(at);
    bool is_list = **at == '[', is_object = **at == '{', is_text = **at == '\'';
    if (is_list || is_object) {
        ++*at;
        for (skip_blanks(at); **at != ']' && **at != '}'; skip_blanks(at)) {
            if (is_object)
                members[len].key = parse_text(at);
            items[len] = parse(arena, at);
            members[len].value = items[len];
            len++;
        }
        ++*at;
        return is_list ? value_array(arena, items, len) : value_object(arena, members, len);
    }
    str text = parse_text(at);
    if (!is_text && str_equal(text, STR("null")))
        return value_null();
    if (!is_text && (str_equal(text, STR("true")) || str_equal(text, STR("false"))))
        return value_bool(text.len == 4);
    if (!is_text && text.ptr[0] >= '0' && text.ptr[0] <= '9' && text.len < 5)
        return value_number(atof(text.ptr));
    return value_string(text);
}

static str wire(struct arena *arena, const char *notation)
{
    str bytes;
    assert_ok(struct_encode(arena, parse(arena, &notation), &bytes));
    return bytes;
}

static void show_text(struct strbuf *out, str text)
{
    size_t count;
    const struct named *list = names(&count);
    for (size_t i = 0; i < count; i++) {
        if (str_equal(text, list[i].text)) {
            strbuf_printf(out, "%s", list[i].name);
            return;
        }
    }
    strbuf_printf(out, "'" STR_FMT "'", STR_ARG(text));
}

static void show_value(struct strbuf *out, struct value value);

static void show_named(struct strbuf *out, const char *name, str text)
{
    if (text.len)
        strbuf_printf(out, " %s=" STR_FMT, name, STR_ARG(text));
}

static void show_special(struct strbuf *out, struct value value)
{
    if (value.kind == VALUE_SECRET) {
        strbuf_add(out, STR("secret("));
        show_value(out, value.secret->element);
        strbuf_add(out, STR(")"));
    } else if (value.kind == VALUE_COMPUTED) {
        show_text(out, unknown_text((enum unknown_type)value.unknown));
    } else if (value.kind == VALUE_OUTPUT) {
        strbuf_printf(out, "output(%s", value.output->is_secret ? "secret " : "");
        if (value.output->is_known)
            show_value(out, value.output->element);
        else
            strbuf_add(out, STR("unknown"));
        for (size_t i = 0; i < value.output->dependency_count; i++)
            show_named(out, "on", value.output->dependencies[i]);
        strbuf_add(out, STR(")"));
    } else if (value.kind == VALUE_REFERENCE) {
        const struct reference *reference = value.reference;
        strbuf_printf(out, "ref(" STR_FMT, STR_ARG(reference->urn));
        if (reference->has_id) {
            strbuf_add(out, STR(" id="));
            show_value(out, reference->id);
        }
        show_named(out, "name", reference->name);
        show_named(out, "type", reference->type);
        show_named(out, "version", reference->package_version);
        strbuf_add(out, STR(")"));
    } else {
        const struct asset *asset = value.asset;
        strbuf_add(out, value.kind == VALUE_ASSET ? STR("asset(") : STR("archive("));
        if (asset->has_text)
            strbuf_printf(out, "'" STR_FMT "'", STR_ARG(asset->text));
        if (asset->has_members)
            show_value(out, asset->members);
        show_named(out, "path", asset->path);
        show_named(out, "uri", asset->uri);
        show_named(out, "hash", str_slice(asset->hash, 0, 4));
        strbuf_add(out, STR(")"));
    }
}

static void show_value(struct strbuf *out, struct value value)
{
    switch (value.kind) {
    case VALUE_NULL: strbuf_add(out, STR("null")); break;
    case VALUE_BOOL: strbuf_add(out, value.boolean ? STR("true") : STR("false")); break;
    case VALUE_NUMBER: strbuf_printf(out, "%g", value.number); break;
    case VALUE_STRING: show_text(out, value_text(value)); break;
    case VALUE_ARRAY:
        strbuf_add(out, STR("["));
        for (size_t i = 0; i < value.len; i++) {
            strbuf_add(out, i ? STR(", ") : STR(""));
            show_value(out, value.items[i]);
        }
        strbuf_add(out, STR("]"));
        break;
    case VALUE_OBJECT:
        strbuf_add(out, STR("{"));
        for (size_t i = 0; i < value.len; i++) {
            str key = value.members[i].key;
            strbuf_add(out, i ? STR(", ") : STR(""));
            strbuf_add(out, str_equal(key, SIGNATURE_KEY) ? STR("$") : key);
            strbuf_add(out, STR(": "));
            show_value(out, value.members[i].value);
        }
        strbuf_add(out, STR("}"));
        break;
    default: show_special(out, value);
    }
}

static void assert_shows(struct value value, const char *wanted)
{
    struct strbuf text = { 0 };
    show_value(&text, value);
    if (!str_equal(strbuf_str(&text), str_from(wanted))) {
        print_error("got    " STR_FMT "\nwanted %s\n", STR_ARG(strbuf_str(&text)), wanted);
        fail();
    }
    strbuf_release(&text);
}

static const struct unmarshal_options keep_all = {
    .keep_unknowns = true, .keep_secrets = true, .keep_resources = true, .keep_output_values = true
};
static const struct marshal_options send_all = { .keep_unknowns = true,
                                                 .keep_secrets = true,
                                                 .keep_resources = true,
                                                 .keep_output_values = true,
                                                 .accepts_byte_strings = true };

/* Reads the notation as bytes from a peer. */
static void assert_reads(const char *notation, struct unmarshal_options options, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    assert_ok(properties_unmarshal(&arena, wire(&arena, notation), &options, &value));
    assert_shows(value, wanted);
}

#define assert_refuses(notation, options, text)                                                \
    do {                                                                                       \
        CLEANUP(arena_release) struct arena refuses_ = { 0 };                                  \
        struct unmarshal_options refusing_ = options;                                          \
        struct value refused_;                                                                 \
        assert_fails(                                                                          \
            properties_unmarshal(&refuses_, wire(&refuses_, notation), &refusing_, &refused_), \
            ERROR_INVALID, text);                                                              \
    } while (0)

/* Reads the notation with everything kept, writes it with the options and shows what is on the
 * wire. */
static void assert_sends(const char *notation, struct marshal_options options, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value, plain;
    str bytes;
    assert_ok(properties_unmarshal(&arena, wire(&arena, notation), &keep_all, &value));
    assert_ok(properties_marshal(&arena, value, &options, &bytes));
    assert_ok(struct_decode(&arena, bytes, TEXT_BORROWED, &plain));
    assert_shows(plain, wanted);
}

#define UNMARSHAL(...) ((struct unmarshal_options){ __VA_ARGS__ })
#define MARSHAL(...) ((struct marshal_options){ __VA_ARGS__ })
#define URN "urn:pulumi:dev::web::pkg:index:Disk::d"

/* --- reading --- */

static void all_seven_unknowns_are_remembered(void **state)
{
    (void)state;
    const char *all =
        "{a: ?string, b: ?bool, c: ?number, d: ?array, e: ?asset, f: ?archive, g: ?object}";
    assert_reads(all, UNMARSHAL(.keep_unknowns = true), all);
    assert_sends(all, MARSHAL(.keep_unknowns = true), all);
}

static void unknowns_that_are_not_kept_vanish_but_keep_their_place_in_lists(void **state)
{
    (void)state;
    assert_reads("{a: ?string, b: 1, c: [1, ?number, 2], d: {e: ?bool}}", UNMARSHAL(0),
                 "{b: 1, c: [1, null, 2], d: {}}");
}

static void rejecting_unknowns_wins_over_keeping_them(void **state)
{
    (void)state;
    assert_refuses("{a: 1, b: {c: [?string]}}",
                   UNMARSHAL(.keep_unknowns = true, .reject_unknowns = true),
                   "unexpected unknown property value for \"c\"");
    assert_refuses("{a: {$: @output}}", UNMARSHAL(.reject_unknowns = true),
                   "unexpected unknown property value for \"a\"");
}

static void secrets_are_kept_or_unwrapped(void **state)
{
    (void)state;
    const char *nested = "{a: {$: @secret, value: {b: [{$: @secret, value: 'x'}]}}}";
    assert_reads(nested, UNMARSHAL(.keep_secrets = true), "{a: secret({b: [secret('x')]})}");
    assert_reads(nested, UNMARSHAL(0), "{a: {b: ['x']}}");
    assert_refuses("{a: {$: @secret}}", UNMARSHAL(.keep_secrets = true),
                   "malformed RPC secret: missing value for \"a\"");
    assert_reads("{a: {$: @secret, value: null}}", UNMARSHAL(.keep_secrets = true),
                 "{a: secret(null)}");
}

static void an_unknown_inside_a_secret_leaves_no_value_when_it_is_dropped(void **state)
{
    (void)state;
    const char *notation = "{a: {$: @secret, value: ?string}}";
    assert_reads(notation, UNMARSHAL(.keep_secrets = true, .keep_unknowns = true),
                 "{a: secret(?string)}");
    assert_refuses(notation, UNMARSHAL(.keep_secrets = true),
                   "malformed RPC secret: missing value for \"a\"");
}

static void references_are_filled_from_their_urn(void **state)
{
    (void)state;
    struct unmarshal_options keep = { .keep_resources = true };
    assert_reads("{a: {$: @ref, urn: '" URN "', id: 'i-1'}}", keep,
                 "{a: ref(" URN " id='i-1' name=d type=pkg:index:Disk)}");
    assert_reads("{a: {$: @ref, urn: '" URN "'}}", keep,
                 "{a: ref(" URN " name=d type=pkg:index:Disk)}");
    assert_reads("{a: {$: @ref, urn: '" URN
                 "', id: '', packageVersion: '1.2.3', name: 'n', type: 't'}}",
                 keep, "{a: ref(" URN " id=?string name=n type=t version=1.2.3)}");
    assert_reads("{a: {$: @ref, urn: 'no URN'}}", keep, "{a: ref(no URN)}");
}

static void the_id_of_a_reference_may_be_unknown_in_every_form(void **state)
{
    (void)state;
    struct unmarshal_options keep = keep_all;
    const char *wanted = "{a: ref(u id=?string)}";
    assert_reads("{a: {$: @ref, urn: u, id: ?string}}", keep, wanted);
    assert_reads("{a: {$: @ref, urn: u, id: {$: @output}}}", keep, wanted);
    assert_reads("{a: {$: @ref, urn: u, id: {$: @output, value: 'i'}}}", keep,
                 "{a: ref(u id='i')}");
    assert_refuses("{a: {$: @ref, urn: u, id: {$: @output, value: 1}}}", keep,
                   "for \"a\": id not a string");
    assert_refuses("{a: {$: @ref, urn: u, id: 1}}", keep,
                   "malformed resource reference for \"a\": id not a string");
}

static void references_that_are_not_kept_become_id_or_urn(void **state)
{
    (void)state;
    assert_reads("{a: {$: @ref, urn: u, id: 'i'}, b: {$: @ref, urn: u}}", UNMARSHAL(0),
                 "{a: 'i', b: 'u'}");
    const char *unknown = "{a: {$: @ref, urn: u, id: ''}, b: 1}";
    assert_reads(unknown, UNMARSHAL(.keep_unknowns = true), "{a: ?string, b: 1}");
    assert_reads(unknown, UNMARSHAL(0), "{a: '', b: 1}");
    assert_refuses(unknown, UNMARSHAL(.keep_unknowns = true, .reject_unknowns = true),
                   "unexpected unknown property value");
}

static void malformed_references_name_the_property(void **state)
{
    (void)state;
    assert_refuses("{a: {$: @ref}}", UNMARSHAL(0),
                   "malformed resource reference for \"a\": missing urn");
    assert_refuses("{a: {$: @ref, urn: 1}}", UNMARSHAL(0),
                   "malformed resource reference for \"a\": urn not a string");
    assert_refuses("{a: {$: @ref, urn: u, name: 1}}", UNMARSHAL(0), "for \"a\": name not a string");
    assert_refuses("{a: {$: @ref, urn: u, type: []}}", UNMARSHAL(0),
                   "for \"a\": type not a string");
    assert_refuses("{a: {$: @ref, urn: u, packageVersion: true}}", UNMARSHAL(0),
                   "for \"a\": packageVersion not a string");
}

static void outputs_are_kept_with_their_dependencies(void **state)
{
    (void)state;
    struct unmarshal_options keep = keep_all;
    assert_reads("{a: {$: @output, value: [1], secret: true, dependencies: ['u1', 'u2']}}", keep,
                 "{a: output(secret [1] on=u1 on=u2)}");
    assert_reads("{a: {$: @output}, b: {$: @output, value: null, secret: false}}", keep,
                 "{a: output(unknown), b: output(null)}");
    assert_refuses("{a: {$: @output, secret: 1}}", keep,
                   "malformed output value for \"a\": secret not a bool");
    assert_refuses("{a: {$: @output, dependencies: 1}}", keep,
                   "malformed output value for \"a\": dependencies not an array");
    assert_refuses("{a: {$: @output, dependencies: [1]}}", keep,
                   "for \"a\": element in dependencies not a string");
}

static void outputs_that_are_not_kept_become_element_unknown_or_secret(void **state)
{
    (void)state;
    const char *outputs = "{a: {$: @output, value: 1, dependencies: [u]}, b: {$: @output}, "
                          "c: {$: @output, value: 2, secret: true}, d: {$: @output, secret: true}}";
    assert_reads(outputs, UNMARSHAL(.keep_unknowns = true, .keep_secrets = true),
                 "{a: 1, b: ?string, c: secret(2), d: secret(?string)}");
    assert_reads(outputs, UNMARSHAL(.keep_secrets = true), "{a: 1, c: secret(2)}");
    assert_reads(outputs, UNMARSHAL(.keep_unknowns = true), "{a: 1, b: ?string, c: 2, d: ?string}");
}

static void unknowns_and_secrets_are_upgraded_to_outputs(void **state)
{
    (void)state;
    struct unmarshal_options upgrade = keep_all;
    upgrade.upgrade_to_output_values = true;
    assert_reads(
        "{a: ?number, b: {$: @secret, value: 1}, c: {$: @secret, value: ?string}, d: [?string]}",
        upgrade,
        "{a: output(unknown), b: output(secret 1), c: output(secret output(unknown)), d: "
        "[output(unknown)]}");
    upgrade.keep_output_values = false;
    assert_reads("{a: ?number, b: {$: @secret, value: 1}}", upgrade, "{a: ?number, b: secret(1)}");
}

static void byte_strings_are_decoded(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct unmarshal_options options = { 0 };
    struct value value;
    assert_ok(properties_unmarshal(&arena, wire(&arena, "{a: {$: @bytes, value: '/wA='}}"),
                                   &options, &value));
    assert_str_equal(value_find_text(value, STR("a")), STR("\xff\0"));
    assert_refuses("{a: {$: @bytes}}", UNMARSHAL(0),
                   "malformed byte string for \"a\": missing value");
    assert_refuses("{a: {$: @bytes, value: 1}}", UNMARSHAL(0),
                   "malformed byte string for \"a\": value is not a string");
    assert_refuses("{a: {$: @bytes, value: '/wA'}}", UNMARSHAL(0),
                   "malformed byte string for \"a\": value is not valid base64");
}

static void unknown_signatures_are_refused(void **state)
{
    (void)state;
    assert_refuses("{a: [{$: 'what?', value: 1}]}", UNMARSHAL(0),
                   "unrecognized signature 'what?' in property map for \"a\"");
    assert_refuses("{a: {$: 1}}", UNMARSHAL(0),
                   "unrecognized signature '1' in property map for \"a\"");
}

static void the_outermost_object_is_never_special(void **state)
{
    (void)state;
    assert_reads("{$: @secret, value: 1}", UNMARSHAL(.keep_secrets = true),
                 "{$: @secret, value: 1}");
}

static void nulls_are_skipped_as_members_at_every_level(void **state)
{
    (void)state;
    assert_reads("{a: null, b: {c: null, d: [null, {e: null}]}}", UNMARSHAL(.skip_nulls = true),
                 "{b: {d: [null, {}]}}");
    assert_reads("{a: null}", UNMARSHAL(0), "{a: null}");
    assert_sends("{a: null, b: {c: null, d: [null, {e: null}]}}", MARSHAL(.skip_nulls = true),
                 "{b: {d: [null, {}]}}");
}

static void internal_keys_are_skipped_at_the_top_only(void **state)
{
    (void)state;
    const char *notation = "{__a: 1, _b: 2, c: {__d: 3}}";
    assert_reads(notation, UNMARSHAL(.skip_internal_keys = true), "{_b: 2, c: {__d: 3}}");
    assert_sends(notation, MARSHAL(.skip_internal_keys = true), "{_b: 2, c: {__d: 3}}");
}

static void assets_are_read_with_whatever_they_have(void **state)
{
    (void)state;
    struct unmarshal_options plain = { 0 };
    assert_reads("{a: {$: @asset, text: 'hi', hash: 'abcd'}}", plain, "{a: asset('hi' hash=abcd)}");
    assert_reads("{a: {$: @asset, path: 'p'}, b: {$: @asset, uri: 'file:///x'}}", plain,
                 "{a: asset( path=p), b: asset( uri=file:///x)}");
    /* nothing at all is an empty text, and so is the hash of nothing; any other hash stands for
     * contents that were elided */
    assert_reads("{a: {$: @asset}}", plain, "{a: asset('')}");
    assert_reads(
        "{a: {$: @asset, hash: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855}}",
        plain, "{a: asset('' hash=e3b0)}");
    assert_reads("{a: {$: @asset, hash: 'abcd'}}", plain, "{a: asset( hash=abcd)}");
    assert_refuses("{a: {$: @asset, text: 1}}", plain, "unexpected asset text of type float64");
    assert_refuses("{a: {$: @asset, hash: []}}", plain,
                   "unexpected asset hash of type []interface {}");
    assert_refuses("{a: {$: @asset, path: {}}}", plain,
                   "unexpected asset path of type map[string]interface {}");
    assert_refuses("{a: {$: @asset, uri: true}}", plain, "unexpected asset URI of type bool");
    assert_refuses("{a: {$: @asset}}", UNMARSHAL(.reject_assets = true),
                   "unexpected asset property value for \"a\"");
}

static void a_path_of_an_archive_wins_over_uri_and_members(void **state)
{
    (void)state;
    struct unmarshal_options plain = { 0 };
    assert_reads("{a: {$: @archive, path: 'p', uri: 'u', assets: {}}}", plain,
                 "{a: archive( path=p)}");
    assert_reads("{a: {$: @archive, path: '', uri: 'u', assets: {}}}", plain,
                 "{a: archive( uri=u)}");
    assert_reads(
        "{a: {$: @archive, assets: {x: {$: @asset, text: 't'}, y: {$: @archive}}, hash: 'abcd'}}",
        plain, "{a: archive({x: asset('t'), y: archive({})} hash=abcd)}");
    assert_reads("{a: {$: @archive}}", plain, "{a: archive({})}");
    assert_refuses("{a: {$: @archive, assets: {x: 'text'}}}", plain,
                   "archive member 'x' is not an asset or archive");
    assert_refuses("{a: {$: @archive, assets: 1}}", plain,
                   "unexpected archive contents of type float64");
    assert_refuses("{a: {$: @archive, path: 1}}", plain, "unexpected archive path of type float64");
    assert_refuses("{a: {$: @archive}}", UNMARSHAL(.reject_assets = true),
                   "unexpected archive property value for \"a\"");
}

static void a_nil_bag_is_absent_or_empty(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    str bytes;
    assert_ok(properties_unmarshal(&arena, (str){ 0 }, &UNMARSHAL(.propagate_nil = true), &value));
    assert_int_equal(value.kind, VALUE_NULL);
    assert_ok(properties_unmarshal(&arena, STR(""), &UNMARSHAL(.propagate_nil = true), &value));
    assert_int_equal(value.kind, VALUE_OBJECT);
    assert_ok(properties_unmarshal(&arena, (str){ 0 }, &UNMARSHAL(0), &value));
    assert_int_equal(value.kind, VALUE_OBJECT);
    assert_ok(properties_marshal(&arena, value_null(), &MARSHAL(.propagate_nil = true), &bytes));
    assert_null(bytes.ptr);
    assert_ok(properties_marshal(&arena, value_null(), &MARSHAL(0), &bytes));
    assert_non_null(bytes.ptr);
    assert_ok(
        properties_marshal(&arena, VALUE_EMPTY_OBJECT, &MARSHAL(.propagate_nil = true), &bytes));
    assert_non_null(bytes.ptr);
}

static void a_label_begins_the_message(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    str bytes;
    assert_refuses("{a: ?string}", UNMARSHAL(.reject_unknowns = true, .label = "Check.inputs"),
                   "Check.inputs: unexpected unknown property value for \"a\"");
    assert_ok(properties_unmarshal(&arena, wire(&arena, "{a: ?string}"), &keep_all, &value));
    assert_fails(properties_marshal(&arena, value,
                                    &MARSHAL(.reject_unknowns = true, .label = "Create"), &bytes),
                 ERROR_INVALID, "Create: unexpected unknown property value for \"a\"");
}

static void text_is_copied_on_request(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes = wire(&arena, "{a: 'text'}");
    struct value value;
    assert_ok(properties_unmarshal(&arena, bytes, &UNMARSHAL(.copy_text = true), &value));
    memset((char *)(uintptr_t)bytes.ptr, '?', bytes.len);
    assert_shows(value, "{a: 'text'}");
}

/* --- writing --- */

static void everything_special_survives_the_trip(void **state)
{
    (void)state;
    const char *all =
        "{a: {$: @secret, value: [1, ?string]}, "
        "b: {$: @output, dependencies: ['u1', 'u2'], secret: true, value: {x: null}}, c: {$: "
        "@output}, "
        "d: {$: @ref, id: 'i', name: 'n', packageVersion: '1', type: 't', urn: 'u'}, "
        "e: {$: @ref, id: '', name: 'n', type: 't', urn: 'u'}, "
        "f: {$: @asset, hash: 'abcd', text: 'hi'}, g: {$: @asset, path: 'p'}, h: {$: @asset, uri: "
        "'u'}, "
        "i: {$: @archive, assets: {x: {$: @asset, hash: 'ef', text: 't'}}, hash: 'abcd'}, "
        "j: {$: @archive, path: 'p'}, k: {$: @archive, uri: 'u'}, l: {$: @bytes, value: '/wA='}}";
    assert_sends(all, send_all, all);
}

static void unknowns_that_are_not_sent_leave_no_gap_in_lists(void **state)
{
    (void)state;
    assert_sends("{a: ?string, b: [1, ?string, 2], c: {d: ?bool}}", MARSHAL(0),
                 "{b: [1, 2], c: {}}");
    /* also inside what stands for something special */
    assert_sends("{a: {$: @secret, value: ?string}}", MARSHAL(.keep_secrets = true),
                 "{a: {$: @secret}}");
}

static void sending_unknowns_can_be_an_error(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    str bytes;
    assert_ok(properties_unmarshal(&arena, wire(&arena, "{a: {b: [{$: @secret, value: ?string}]}}"),
                                   &keep_all, &value));
    struct marshal_options options = send_all;
    options.reject_unknowns = true;
    assert_fails(properties_marshal(&arena, value, &options, &bytes), ERROR_INVALID,
                 "unexpected unknown property value for \"value\"");
    options.keep_secrets = false;
    assert_fails(properties_marshal(&arena, value, &options, &bytes), ERROR_INVALID,
                 "unexpected unknown property value for \"b\"");
}

static void secrets_that_are_not_sent_are_unwrapped(void **state)
{
    (void)state;
    assert_sends("{a: {$: @secret, value: {b: {$: @secret, value: 1}}}}", MARSHAL(0),
                 "{a: {b: 1}}");
}

static void an_encrypted_secret_cannot_be_sent(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value secret = value_secret(&arena, value_null());
    secret.secret->is_opaque = true;
    struct value object = value_object(&arena, &(struct member){ STR("a"), secret }, 1);
    str bytes;
    assert_fails(properties_marshal(&arena, object, &send_all, &bytes), ERROR_OTHER,
                 "the secret in property \"a\" is still encrypted");
}

static void outputs_are_downgraded_for_who_does_not_know_them(void **state)
{
    (void)state;
    const char *outputs = "{a: {$: @output, value: 1, dependencies: [u]}, b: {$: @output}, "
                          "c: {$: @output, value: 2, secret: true}, d: {$: @output, secret: true}}";
    assert_sends(outputs, MARSHAL(.keep_unknowns = true, .keep_secrets = true),
                 "{a: 1, b: ?string, c: {$: @secret, value: 2}, d: {$: @secret, value: ?string}}");
    assert_sends(outputs, MARSHAL(.keep_unknowns = true), "{a: 1, b: ?string, c: 2, d: ?string}");
    assert_sends(outputs, MARSHAL(0), "{a: 1, c: 2}");
}

static void sending_can_upgrade_to_outputs_as_well(void **state)
{
    (void)state;
    struct marshal_options upgrade = send_all;
    upgrade.upgrade_to_output_values = true;
    assert_sends("{a: ?number, b: {$: @secret, value: 1}}", upgrade,
                 "{a: {$: @output}, b: {$: @output, secret: true, value: 1}}");
}

static void references_that_are_not_sent_become_id_or_urn(void **state)
{
    (void)state;
    const char *references =
        "{a: {$: @ref, urn: u, id: 'i'}, b: {$: @ref, urn: u}, c: {$: @ref, urn: u, id: ''}}";
    assert_sends(references, MARSHAL(.keep_unknowns = true), "{a: 'i', b: 'u', c: ?string}");
    assert_sends(references, MARSHAL(0), "{a: 'i', b: 'u'}");
}

static void elided_assets_have_only_their_hash(void **state)
{
    (void)state;
    assert_sends("{a: {$: @asset, text: 't', hash: 'abcd'}, b: {$: @archive, assets: {x: {$: "
                 "@asset}}, hash: 'ef'}, "
                 "c: {$: @asset, path: 'p'}, d: [{$: @archive, path: 'p', hash: 'gh'}]}",
                 MARSHAL(.elide_asset_contents = true),
                 "{a: {$: @asset, hash: 'abcd'}, b: {$: @archive, hash: 'ef'}, c: {$: @asset}, d: "
                 "[{$: @archive, hash: 'gh'}]}");
}

static void an_archive_without_members_still_says_so(void **state)
{
    (void)state;
    assert_sends("{a: {$: @archive}}", MARSHAL(0), "{a: {$: @archive, assets: {}}}");
}

static void assets_can_be_refused_when_sending(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    str bytes;
    assert_ok(properties_unmarshal(&arena, wire(&arena, "{a: {$: @asset}}"), &keep_all, &value));
    assert_fails(properties_marshal(&arena, value, &MARSHAL(.reject_assets = true), &bytes),
                 ERROR_INVALID, "unexpected asset property value for \"a\"");
}

static void bytes_that_are_no_text_need_a_receiver_that_knows_them(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value object = value_object(
                     &arena, &(struct member){ STR("a"), value_string(STR("\xff\0")) }, 1),
                 back;
    str bytes;
    assert_fails(properties_marshal(&arena, object, &MARSHAL(0), &bytes), ERROR_INVALID,
                 "the value of property \"a\" is not valid UTF-8, and the receiver does not accept "
                 "byte strings");
    assert_ok(properties_marshal(&arena, object, &MARSHAL(.accepts_byte_strings = true), &bytes));
    assert_ok(properties_unmarshal(&arena, bytes, &UNMARSHAL(0), &back));
    assert_true(value_equal(object, back));
}

static void a_single_value_may_be_special(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value secret = value_secret(&arena, value_number(1)), back;
    str bytes;
    assert_ok(property_marshal(&arena, secret, &send_all, &bytes));
    assert_ok(property_unmarshal(&arena, bytes, &keep_all, &back));
    assert_shows(back, "secret(1)");
    assert_ok(property_unmarshal(&arena, bytes, &UNMARSHAL(0), &back));
    assert_shows(back, "1");
    /* one that is dropped */
    assert_ok(property_marshal(&arena, value_computed(UNKNOWN_STRING), &MARSHAL(0), &bytes));
    assert_null(bytes.ptr);
    assert_ok(property_marshal(&arena, value_computed(UNKNOWN_STRING), &send_all, &bytes));
    assert_ok(property_unmarshal(&arena, bytes, &UNMARSHAL(0), &back));
    assert_int_equal(back.kind, VALUE_NULL);
}

/* --- replies --- */

static struct value special(struct arena *arena, const char *notation)
{
    struct value value;
    assert_ok(properties_unmarshal(arena, wire(arena, notation), &keep_all, &value));
    return value;
}

static void secrets_of_the_inputs_come_back(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value inputs =
        special(&arena, "{a: {$: @secret, value: 1}, b: {c: {$: @secret, value: 2}, d: 3}, "
                        "e: [{$: @secret, value: 4}], f: {$: @secret, value: {g: 1}}, h: 1, i: {j: "
                        "{$: @secret, value: 1}}}");
    struct value outputs =
        special(&arena, "{a: 1, b: {c: 2, d: 3}, e: [4], f: {g: 1}, h: 1, i: 'text', new: 5}");
    assert_shows(value_annotate_secrets(&arena, inputs, outputs),
                 "{a: secret(1), b: {c: secret(2), d: 3}, e: secret([4]), f: secret({g: 1}), h: 1, "
                 "i: secret('text'), new: 5}");
    struct value twice =
        value_annotate_secrets(&arena, inputs, value_annotate_secrets(&arena, inputs, outputs));
    assert_shows(*value_find(twice, STR("a")), "secret(1)");
    assert_shows(value_annotate_secrets(&arena, special(&arena, "{a: 1}"), outputs),
                 "{a: 1, b: {c: 2, d: 3}, e: [4], f: {g: 1}, h: 1, i: 'text', new: 5}");
    assert_int_equal(value_annotate_secrets(&arena, inputs, value_null()).kind, VALUE_NULL);
}

static void elided_assets_get_their_contents_back(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value inputs = special(
        &arena, "{a: {$: @asset, text: 't', hash: 'h1'}, b: [{$: @asset, path: 'p', hash: 'h2'}], "
                "c: {$: @secret, value: {$: @archive, path: 'q', hash: 'h3'}}}");
    struct value reply = special(
        &arena,
        "{x: {$: @asset, hash: 'h1'}, y: {z: [{$: @secret, value: {$: @asset, hash: 'h2'}}]}, "
        "other: {$: @asset, hash: 'h4'}, own: {$: @asset, hash: 'h1', uri: 'u'}}");
    assert_shows(value_restore_elided_assets(&arena, inputs, reply),
                 "{other: asset( hash=h4), own: asset( uri=u hash=h1), x: asset('t' hash=h1), y: "
                 "{z: [secret(asset( "
                 "path=p hash=h2))]}}");

    /* an archive that has not even an empty list of members */
    struct asset elided = { .hash = STR("h3") };
    struct value archive = { .kind = VALUE_ARCHIVE, .asset = &elided };
    assert_shows(value_restore_elided_assets(&arena, inputs, archive), "archive( path=q hash=h3)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_seven_unknowns_are_remembered),
        cmocka_unit_test(unknowns_that_are_not_kept_vanish_but_keep_their_place_in_lists),
        cmocka_unit_test(rejecting_unknowns_wins_over_keeping_them),
        cmocka_unit_test(secrets_are_kept_or_unwrapped),
        cmocka_unit_test(an_unknown_inside_a_secret_leaves_no_value_when_it_is_dropped),
        cmocka_unit_test(references_are_filled_from_their_urn),
        cmocka_unit_test(the_id_of_a_reference_may_be_unknown_in_every_form),
        cmocka_unit_test(references_that_are_not_kept_become_id_or_urn),
        cmocka_unit_test(malformed_references_name_the_property),
        cmocka_unit_test(outputs_are_kept_with_their_dependencies),
        cmocka_unit_test(outputs_that_are_not_kept_become_element_unknown_or_secret),
        cmocka_unit_test(unknowns_and_secrets_are_upgraded_to_outputs),
        cmocka_unit_test(byte_strings_are_decoded),
        cmocka_unit_test(unknown_signatures_are_refused),
        cmocka_unit_test(the_outermost_object_is_never_special),
        cmocka_unit_test(nulls_are_skipped_as_members_at_every_level),
        cmocka_unit_test(internal_keys_are_skipped_at_the_top_only),
        cmocka_unit_test(assets_are_read_with_whatever_they_have),
        cmocka_unit_test(a_path_of_an_archive_wins_over_uri_and_members),
        cmocka_unit_test(a_nil_bag_is_absent_or_empty),
        cmocka_unit_test(a_label_begins_the_message),
        cmocka_unit_test(text_is_copied_on_request),
        cmocka_unit_test(everything_special_survives_the_trip),
        cmocka_unit_test(unknowns_that_are_not_sent_leave_no_gap_in_lists),
        cmocka_unit_test(sending_unknowns_can_be_an_error),
        cmocka_unit_test(secrets_that_are_not_sent_are_unwrapped),
        cmocka_unit_test(an_encrypted_secret_cannot_be_sent),
        cmocka_unit_test(outputs_are_downgraded_for_who_does_not_know_them),
        cmocka_unit_test(sending_can_upgrade_to_outputs_as_well),
        cmocka_unit_test(references_that_are_not_sent_become_id_or_urn),
        cmocka_unit_test(elided_assets_have_only_their_hash),
        cmocka_unit_test(an_archive_without_members_still_says_so),
        cmocka_unit_test(assets_can_be_refused_when_sending),
        cmocka_unit_test(bytes_that_are_no_text_need_a_receiver_that_knows_them),
        cmocka_unit_test(a_single_value_may_be_special),
        cmocka_unit_test(secrets_of_the_inputs_come_back),
        cmocka_unit_test(elided_assets_get_their_contents_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
