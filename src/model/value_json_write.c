/* value_json_write.c — property values out, as JSON. */
#include "model/value_ops.h"
#include "model/value_json.h"

#include "base/base64.h"
#include "model/signatures.h"

#include <math.h>
#include <stdio.h>

static void begin_special(struct json_writer *writer, str signature)
{
    json_begin_object(writer);
    json_key(writer, SIGNATURE_KEY);
    json_string(writer, signature);
}

static void write_text_member(struct json_writer *writer, str key, str text)
{
    if (text.len == 0)
        return;
    json_key(writer, key);
    json_string(writer, text);
}

static __attribute__((noinline)) void write_number(struct json_writer *writer, struct value value)
{
    double number = value.number;
    char digits[21];
    uint64_t bits;
    int64_t integer;

    if (value_is_integer(value, &integer)) {
        snprintf(digits, sizeof(digits), "%lld", (long long)integer);
        json_raw(writer, str_from(digits));
        return;
    }
    if (isfinite(number)) {
        json_number(writer, number);
        return;
    }
    memcpy(&bits, &number, sizeof(bits));
    snprintf(digits, sizeof(digits), "%016llx", (unsigned long long)bits);
    begin_special(writer, SIGNATURE_FLOAT);
    json_key(writer, STR("value"));
    json_string(writer, str_from(digits));
    json_end_object(writer);
}

static __attribute__((noinline)) void write_byte_string(struct json_writer *writer, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf encoded = { 0 };

    base64_encode(&encoded, bytes);
    begin_special(writer, SIGNATURE_BYTE_STRING);
    json_key(writer, STR("value"));
    json_string(writer, strbuf_str(&encoded));
    json_end_object(writer);
}

static void write_asset(struct json_writer *writer, const struct asset *asset)
{
    begin_special(writer, SIGNATURE_ASSET);
    write_text_member(writer, STR("hash"), asset->hash);
    write_text_member(writer, STR("path"), asset->path);
    write_text_member(writer, STR("text"), asset->text);
    write_text_member(writer, STR("uri"), asset->uri);
    json_end_object(writer);
}

static void write_archive(struct json_writer *writer, const struct asset *archive,
                          enum secret_form form)
{
    begin_special(writer, SIGNATURE_ARCHIVE);
    if (archive->has_members) {
        json_key(writer, STR("assets"));
        value_write(writer,
                    archive->members.kind == VALUE_OBJECT ? archive->members : VALUE_EMPTY_OBJECT,
                    form);
    }
    write_text_member(writer, STR("hash"), archive->hash);
    write_text_member(writer, STR("path"), archive->path);
    write_text_member(writer, STR("uri"), archive->uri);
    json_end_object(writer);
}

static void write_reference(struct json_writer *writer, const struct reference *reference)
{
    begin_special(writer, SIGNATURE_REFERENCE);
    if (reference->has_id) {
        json_key(writer, STR("id"));
        json_string(writer,
                    reference->id.kind == VALUE_STRING ? value_text(reference->id) : STR(""));
    }
    json_key(writer, STR("packageVersion"));
    json_string(writer, reference->package_version);
    json_key(writer, STR("urn"));
    json_string(writer, reference->urn);
    json_end_object(writer);
}

/* The text of a secret's element; it goes into a string of the text around it. */
static void format_element(struct strbuf *out, struct value element, enum secret_form form)
{
    struct json_writer writer = { .out = out, .escapes_html = true };

    value_write(&writer, element, form);
}

static void write_sealed(struct json_writer *writer, str key, str text)
{
    begin_special(writer, SIGNATURE_SECRET);
    json_key(writer, key);
    json_string(writer, text);
    json_end_object(writer);
}

static __attribute__((noinline)) void write_secret(struct json_writer *writer,
                                                   const struct secret_value *secret,
                                                   enum secret_form form)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    switch (form) {
    case SECRET_CIPHERTEXT:
        BUG_IF(secret->ciphertext.len == 0);
        write_sealed(writer, STR("ciphertext"), secret->ciphertext);
        return;
    case SECRET_PLAINTEXT:
    case SECRET_NESTED:
        BUG_IF(secret->is_opaque);
        format_element(&text, secret->element, form);
        write_sealed(writer, form == SECRET_NESTED ? STR("ciphertext") : STR("plaintext"),
                     strbuf_str(&text));
        return;
    case SECRET_BLINDED: write_sealed(writer, STR("ciphertext"), STR("[secret]")); return;
    case SECRET_MASKED: json_string(writer, STR("[secret]")); return;
    case SECRET_BARE: break; /* not written as a secret */
    }
}

/* One that is not just its element. */
static __attribute__((noinline)) void json_write_output(struct json_writer *writer,
                                                        const struct output *output,
                                                        enum secret_form form)
{
    struct secret_value secret = { .element = output->is_known ? output->element
                                                               : value_computed(UNKNOWN_STRING) };

    if (output->is_secret && form != SECRET_BARE)
        write_secret(writer, &secret, form);
    else
        value_write(writer, secret.element, form);
}

/* The state knows no outputs: just what is in them. What recurses most has the smallest frame, so
 * rare kinds have their own functions. */
void value_write(struct json_writer *writer, struct value value, enum secret_form form)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: json_null(writer); return;
    case VALUE_BOOL: json_bool(writer, value.boolean); return;
    case VALUE_NUMBER: write_number(writer, value); return;
    case VALUE_STRING:
        if (value_is_byte_string(value))
            write_byte_string(writer, value_text(value));
        else
            json_string(writer, value_text(value));
        return;
    case VALUE_ARRAY:
        json_begin_array(writer);
        for (size_t i = 0; i < value.len; i++)
            value_write(writer, value.items[i], form);
        json_end_array(writer);
        return;
    case VALUE_OBJECT:
        json_begin_object(writer);
        for (size_t i = 0; i < value.len; i++) {
            json_key(writer, value.members[i].key);
            value_write(writer, value.members[i].value, form);
        }
        json_end_object(writer);
        return;
    case VALUE_ASSET: write_asset(writer, value.asset); return;
    case VALUE_ARCHIVE: write_archive(writer, value.asset, form); return;
    case VALUE_SECRET:
        if (form == SECRET_BARE) {
            BUG_IF(value.secret->is_opaque);
            value_write(writer, value.secret->element, form);
        } else {
            write_secret(writer, value.secret, form);
        }
        return;
    case VALUE_COMPUTED: json_string(writer, UNKNOWN_STRING_TEXT); return;
    case VALUE_OUTPUT:
        if (value.output->is_known && !value.output->is_secret)
            value_write(writer, value.output->element, form);
        else
            json_write_output(writer, value.output, form);
        return;
    case VALUE_REFERENCE: write_reference(writer, value.reference); return;
    }
}

str value_secret_text(struct arena *arena, struct value element)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    format_element(&text, element, SECRET_NESTED);
    return arena_copy(arena, strbuf_str(&text));
}
