/* value_json_read.c — property values in, straight from the tokens of JSON text. Containers are
 * built on a stack, not by recursion. */
#include "model/value_json.h"

#include "base/base64.h"
#include "base/vec.h"
#include "model/signatures.h"
#include "model/urn.h"

#include <stdlib.h>

enum dialect {
    PLAIN,  /* signatures mean nothing */
    EXACT,  /* the same, and whole numbers keep all their digits */
    STATE,  /* ciphertexts are sealed */
    SECRET, /* inside a secret: what is called ciphertext is text */
};

/* An object or array whose end has not been seen. */
struct open_container {
    size_t start; /* of its items in `items` */
    bool is_object;
    bool is_special; /* has the signature key */
};

enum { FEW_ITEMS = 64, FEW_OPEN = 16 };

struct builder {
    struct json_reader *reader;
    enum dialect dialect;
    bool is_map;    /* the outermost object is a map of properties, whatever their names */
    unsigned depth; /* of what is around */
    struct {
        VEC(struct member);
    } items; /* of all open containers, inner ones last; a member is there when its key is, array
                items have no key */
    struct {
        VEC(struct open_container);
    } open;
    /* Where the two lists begin; most values never need more. */
    struct member few_items[FEW_ITEMS];
    struct open_container few_open[FEW_OPEN];
};

static void builder_init(struct builder *builder, struct json_reader *reader, enum dialect dialect,
                         unsigned depth)
{
    builder->reader = reader;
    builder->dialect = dialect;
    builder->is_map = false;
    builder->depth = depth;
    builder->items.items = builder->few_items;
    builder->items.capacity = FEW_ITEMS;
    builder->open.items = builder->few_open;
    builder->open.capacity = FEW_OPEN;
    builder->items.len = builder->open.len = 0;
}

static void builder_release(struct builder *builder)
{
    if (builder->items.items != builder->few_items)
        free(builder->items.items);
    if (builder->open.items != builder->few_open)
        free(builder->open.items);
}

static void push_item(struct builder *builder, struct member item)
{
    if (builder->items.len == FEW_ITEMS && builder->items.items == builder->few_items) {
        builder->items.items = memory_alloc(2 * sizeof(builder->few_items));
        memcpy(builder->items.items, builder->few_items, sizeof(builder->few_items));
        builder->items.capacity = 2 * FEW_ITEMS;
    }
    vec_add(&builder->items, item);
}

static void push_open(struct builder *builder, struct open_container open)
{
    if (builder->open.len == FEW_OPEN && builder->open.items == builder->few_open) {
        builder->open.items = memory_alloc(2 * sizeof(builder->few_open));
        memcpy(builder->open.items, builder->few_open, sizeof(builder->few_open));
        builder->open.capacity = 2 * FEW_OPEN;
    }
    vec_add(&builder->open, open);
}

static fallible read_nested(struct arena *arena, str text, unsigned depth, struct value *out);

/* --- special objects --- */

/* The members of an object as they were read: unsorted; of equal keys the last wins. */
struct raw_object {
    const struct member *members;
    size_t len;
};

static const struct value *raw_find(struct raw_object object, str key)
{
    for (size_t i = object.len; i-- > 0;)
        if (str_equal(object.members[i].key, key))
            return &object.members[i].value;
    return NULL;
}

/* A member that must be a string if it is there; `what` names it in the complaint. */
static fallible builder_take_text(const struct builder *builder, struct raw_object object, str key,
                                  const char *what, str *out)
{
    const struct value *found = raw_find(object, key);

    *out = STR("");
    if (!found)
        return NULL;
    if (found->kind != VALUE_STRING || value_is_byte_string(*found))
        return json_fail(builder->reader, "%s must be a string", what);
    *out = value_text(*found);
    return NULL;
}

static fallible build_secret(struct builder *builder, struct raw_object object, struct value *out)
{
    str ciphertext, plaintext;

    TRY(builder_take_text(builder, object, STR("ciphertext"),
                          "malformed secret value: `ciphertext`", &ciphertext));
    TRY(builder_take_text(builder, object, STR("plaintext"), "malformed secret value: `plaintext`",
                          &plaintext));
    if ((ciphertext.len > 0) == (plaintext.len > 0))
        return json_fail(
            builder->reader,
            "malformed secret value: exactly one of `ciphertext` or `plaintext` must be supplied");
    *out = value_secret(builder->reader->arena, value_null());
    if (ciphertext.len && builder->dialect == STATE) {
        out->secret->ciphertext = ciphertext;
        out->secret->is_opaque = true;
        return NULL;
    }
    unsigned depth = builder->depth + (unsigned)builder->open.len;
    struct error *error =
        read_nested(builder->reader->arena, ciphertext.len ? ciphertext : plaintext, depth,
                    &out->secret->element);
    if (error) {
        struct error *place = json_fail(builder->reader, "malformed secret value");
        error = error_wrap(error, STR_FMT, STR_ARG(error_message(place)));
        error_free(place);
    }
    return error;
}

static fallible build_asset(struct builder *builder, struct raw_object object, struct value *out)
{
    struct asset *asset = ARENA_NEW(builder->reader->arena, struct asset);

    TRY(builder_take_text(builder, object, STR("hash"), "malformed asset: hash", &asset->hash));
    TRY(builder_take_text(builder, object, STR("text"), "malformed asset: text", &asset->text));
    TRY(builder_take_text(builder, object, STR("path"), "malformed asset: path", &asset->path));
    TRY(builder_take_text(builder, object, STR("uri"), "malformed asset: uri", &asset->uri));
    /* An empty text is not written; with another hash than that of nothing the contents were left
     * out. */
    bool is_empty = asset->hash.len == 0 || str_equal(asset->hash, ASSET_EMPTY_HASH);
    asset->has_text = asset->path.len == 0 && asset->uri.len == 0 && (asset->text.len || is_empty);
    *out = (struct value){ .kind = VALUE_ASSET, .asset = asset };
    return NULL;
}

static fallible take_archive_members(struct builder *builder, struct raw_object object,
                                     struct value *out)
{
    const struct value *members = raw_find(object, STR("assets"));

    *out = VALUE_EMPTY_OBJECT;
    if (!members)
        return NULL;
    if (members->kind != VALUE_OBJECT)
        return json_fail(builder->reader, "malformed archive: assets must be an object");
    for (size_t i = 0; i < members->len; i++) {
        uint8_t kind = members->members[i].value.kind;
        if (kind != VALUE_ASSET && kind != VALUE_ARCHIVE)
            return json_fail(builder->reader,
                             "archive member '" STR_FMT "' is not an asset or archive",
                             STR_ARG(members->members[i].key));
    }
    *out = *members;
    return NULL;
}

/* A path hides a URI, either hides members. */
static fallible build_archive(struct builder *builder, struct raw_object object, struct value *out)
{
    struct asset *archive = ARENA_NEW(builder->reader->arena, struct asset);

    TRY(builder_take_text(builder, object, STR("hash"), "malformed archive: hash", &archive->hash));
    TRY(builder_take_text(builder, object, STR("path"), "malformed archive: path", &archive->path));
    if (archive->path.len == 0)
        TRY(builder_take_text(builder, object, STR("uri"), "malformed archive: uri",
                              &archive->uri));
    archive->has_members = archive->path.len == 0 && archive->uri.len == 0;
    if (archive->has_members)
        TRY(take_archive_members(builder, object, &archive->members));
    *out = (struct value){ .kind = VALUE_ARCHIVE, .asset = archive };
    return NULL;
}

/* An id is a string. Some old files have {"V": …} instead: a string, null for a component, or an
 * object for an unknown id. */
static fallible take_id(struct builder *builder, const struct value *id,
                        struct reference *reference)
{
    if (id && id->kind == VALUE_OBJECT) {
        const struct value *inner = value_find(*id, STR("V"));
        if (!inner || inner->kind == VALUE_NULL)
            return NULL;
        id = inner;
    }
    if (!id)
        return NULL;
    if (id->kind != VALUE_STRING && id->kind != VALUE_OBJECT)
        return json_fail(builder->reader, "malformed resource reference: id must be a string");
    bool is_known = id->kind == VALUE_STRING && id->len > 0;
    reference->has_id = true;
    reference->id = is_known ? *id : value_computed(UNKNOWN_STRING);
    return NULL;
}

static fallible make_reference(struct builder *builder, struct raw_object object, struct value *out)
{
    struct reference *reference = ARENA_NEW(builder->reader->arena, struct reference);

    if (!raw_find(object, STR("urn")))
        return json_fail(builder->reader, "malformed resource reference: missing urn");
    TRY(builder_take_text(builder, object, STR("urn"), "malformed resource reference: urn",
                          &reference->urn));
    TRY(builder_take_text(builder, object, STR("packageVersion"),
                          "malformed resource reference: packageVersion",
                          &reference->package_version));
    TRY(take_id(builder, raw_find(object, STR("id")), reference));
    reference->name = urn_name_of(reference->urn); /* not kept: they are in the URN */
    reference->type = urn_type_of(reference->urn);
    *out = (struct value){ .kind = VALUE_REFERENCE, .reference = reference };
    return NULL;
}

static fallible make_byte_string(struct builder *builder, struct raw_object object,
                                 struct value *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str encoded;

    if (!raw_find(object, STR("value")))
        return json_fail(builder->reader, "malformed byte string: missing 'value'");
    TRY(builder_take_text(builder, object, STR("value"), "malformed byte string: 'value'",
                          &encoded));
    if (!base64_decode(&bytes, encoded))
        return json_fail(builder->reader, "malformed byte string: 'value' is not base64");
    *out = value_string(arena_copy(builder->reader->arena, strbuf_str(&bytes)));
    return NULL;
}

static bool parse_hex(str text, uint64_t *out)
{
    uint64_t bits = 0;

    if (text.len == 0 || text.len > 16)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        unsigned digit =
            c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
        if (digit > 15 || (digit > 9 && !((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))))
            return false;
        bits = bits << 4 | digit;
    }
    *out = bits;
    return true;
}

static fallible make_float(struct builder *builder, struct raw_object object, struct value *out)
{
    uint64_t bits;
    double number;
    str text;

    TRY(builder_take_text(builder, object, STR("value"), "malformed float value: 'value'", &text));
    if (!parse_hex(text, &bits))
        return json_fail(builder->reader,
                         "malformed float value: 'value' is not a hexadecimal number");
    memcpy(&number, &bits, sizeof(number));
    *out = value_number(number);
    return NULL;
}

static fallible make_special(struct builder *builder, struct raw_object object, struct value *out)
{
    const struct {
        str signature;
        fallible (*make)(struct builder *builder, struct raw_object object, struct value *out);
    } kinds[] = {
        { SIGNATURE_SECRET, build_secret },          { SIGNATURE_ASSET, build_asset },
        { SIGNATURE_ARCHIVE, build_archive },        { SIGNATURE_REFERENCE, make_reference },
        { SIGNATURE_BYTE_STRING, make_byte_string }, { SIGNATURE_FLOAT, make_float },
    };
    const struct value *signature = raw_find(object, SIGNATURE_KEY);
    str text = signature->kind == VALUE_STRING ? value_text(*signature) : STR("(not a string)");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (str_equal(text, kinds[i].signature))
            return kinds[i].make(builder, object, out);
    return json_fail(builder->reader, "unrecognized signature '" STR_FMT "' in property map",
                     STR_ARG(text));
}

/* --- containers --- */

static fallible builder_open_container(struct builder *builder, bool is_object)
{
    if (builder->depth + builder->open.len >= VALUE_MAX_DEPTH)
        return json_fail(builder->reader, "a value is nested more than %d levels deep",
                         VALUE_MAX_DEPTH);
    struct open_container open = { .start = builder->items.len, .is_object = is_object };
    push_open(builder, open);
    return NULL;
}

static struct value make_array(struct builder *builder, const struct member *members, size_t len)
{
    if (len == 0)
        return (struct value){ .kind = VALUE_ARRAY };
    struct value *items = arena_alloc_raw(builder->reader->arena, len * sizeof(*items));
    for (size_t i = 0; i < len; i++)
        items[i] = members[i].value;
    return (struct value){ .kind = VALUE_ARRAY, .len = (uint32_t)len, .items = items };
}

static fallible builder_close_container(struct builder *builder, struct value *out)
{
    struct open_container open = builder->open.items[builder->open.len - 1];
    const struct member *members = builder->items.items + open.start;
    size_t len = builder->items.len - open.start;

    if (open.is_special)
        TRY(make_special(builder, (struct raw_object){ members, len }, out));
    else if (open.is_object)
        *out = value_object(builder->reader->arena, members, len);
    else
        *out = make_array(builder, members, len);
    builder->items.len = open.start;
    builder->open.len--;
    return NULL;
}

static bool has_signatures(const struct builder *builder)
{
    return builder->dialect != PLAIN && builder->dialect != EXACT;
}

static void builder_add_key(struct builder *builder, str key)
{
    push_item(builder, (struct member){ .key = key });
    bool is_property = builder->is_map && builder->open.len == 1;
    if (has_signatures(builder) && !is_property && str_equal(key, SIGNATURE_KEY))
        builder->open.items[builder->open.len - 1].is_special = true;
}

/* Gives a value to the member whose key is waiting for it, or adds it to the array. */
static void add_value(struct builder *builder, struct value value)
{
    if (builder->open.items[builder->open.len - 1].is_object)
        builder->items.items[builder->items.len - 1].value = value;
    else
        push_item(builder, (struct member){ .value = value });
}

static struct value make_string(const struct builder *builder, str text)
{
    bool is_unknown = has_signatures(builder) && str_equal(text, UNKNOWN_STRING_TEXT);

    return is_unknown ? value_computed(UNKNOWN_STRING) : value_utf8(text);
}

static struct value make_number(const struct builder *builder, const struct json_token *token)
{
    bool is_negative = str_starts_with(token->text, STR("-"));
    uint64_t size;

    if (builder->dialect != EXACT
        || !str_to_u64(str_slice(token->text, is_negative, token->text.len), &size)
        || size > (uint64_t)INT64_MAX + is_negative)
        return value_number(token->number);
    return value_integer((int64_t)(is_negative ? -size : size));
}

/* One step; *is_complete says that a value is there. */
static fallible take_token(struct builder *builder, struct value *value, bool *is_complete)
{
    struct json_token token;

    TRY(json_next(builder->reader, &token));
    *is_complete = true;
    bool begins_value = token.kind != JSON_END && token.kind != JSON_KEY
                        && token.kind != JSON_OBJECT_END && token.kind != JSON_ARRAY_END;
    if (builder->open.len == 0 && !begins_value)
        return json_fail(builder->reader, "expected a value");
    switch (token.kind) {
    case JSON_NULL: *value = value_null(); return NULL;
    case JSON_TRUE:
    case JSON_FALSE: *value = value_bool(token.kind == JSON_TRUE); return NULL;
    case JSON_NUMBER: *value = make_number(builder, &token); return NULL;
    case JSON_STRING: *value = make_string(builder, token.text); return NULL;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END: return builder_close_container(builder, value);
    case JSON_KEY: builder_add_key(builder, token.text); break;
    case JSON_OBJECT_BEGIN:
    case JSON_ARRAY_BEGIN:
        TRY(builder_open_container(builder, token.kind == JSON_OBJECT_BEGIN));
        break;
    case JSON_END: break;
    }
    *is_complete = false;
    return NULL;
}

static fallible builder_build(struct builder *builder, struct value *out)
{
    struct value value = value_null();
    bool is_complete;

    for (;;) {
        TRY(take_token(builder, &value, &is_complete));
        if (!is_complete)
            continue;
        if (builder->open.len == 0)
            break;
        add_value(builder, value);
    }
    *out = value;
    return NULL;
}

static fallible read_dialect(struct json_reader *reader, enum dialect dialect, unsigned depth,
                             struct value *out)
{
    CLEANUP(builder_release) struct builder builder;

    builder_init(&builder, reader, dialect, depth);
    return builder_build(&builder, out);
}

/* --- the interface --- */

fallible value_read(struct json_reader *reader, struct value *out)
{
    return read_dialect(reader, STATE, 0, out);
}

fallible value_read_properties(struct json_reader *reader, struct value *out)
{
    CLEANUP(builder_release) struct builder builder;

    builder_init(&builder, reader, STATE, 0);
    builder.is_map = true;
    return builder_build(&builder, out);
}

fallible value_read_plain(struct json_reader *reader, struct value *out)
{
    return read_dialect(reader, PLAIN, 0, out);
}

fallible value_read_exact(struct json_reader *reader, struct value *out)
{
    return read_dialect(reader, EXACT, 0, out);
}

static fallible read_nested(struct arena *arena, str text, unsigned depth, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token token;

    json_reader_init(&reader, arena, text);
    TRY(read_dialect(&reader, SECRET, depth, out));
    return json_next(&reader, &token);
}

fallible value_from_secret_text(struct arena *arena, str text, unsigned depth, struct value *out)
{
    return error_wrap(read_nested(arena, text, depth, out), "decrypted secret");
}
