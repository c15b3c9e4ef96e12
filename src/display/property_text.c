/* property_text.c — prints values as indented trees, and pairs of values as what changed between them. */
#include "display/property_text.h"

#include "base/base64.h"
#include "display/color.h"
#include "display/op_text.h"
#include "model/value_json.h"

#include <math.h>

bool property_key_is_internal(str key)
{
    return str_starts_with(key, STR("__"));
}

bool property_is_empty(struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: return true;
    case VALUE_STRING:
    case VALUE_ARRAY:
    case VALUE_OBJECT: return value.len == 0;
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_SECRET:
    case VALUE_COMPUTED:
    case VALUE_OUTPUT:
    case VALUE_REFERENCE: return false;
    }
    return false;
}

/* --- pieces --- */

static struct property_printer with(const struct property_printer *printer, enum step_op op, bool has_mark)
{
    struct property_printer other = *printer;

    other.op = op;
    other.has_mark = has_mark;
    return other;
}

static struct property_printer deeper(const struct property_printer *printer, unsigned levels)
{
    struct property_printer other = *printer;

    other.indent += levels;
    return other;
}

static void open_color(const struct property_printer *printer)
{
    strbuf_add(printer->out, str_from(op_texts[printer->op].tag));
}

static void close_color(const struct property_printer *printer)
{
    strbuf_add(printer->out, STR(TAG_RESET));
}

static void add_plain(const struct property_printer *printer, str text)
{
    open_color(printer);
    strbuf_add(printer->out, text);
    close_color(printer);
}

static void add_indent(const struct property_printer *printer, bool has_mark)
{
    size_t width = 4 * (size_t)printer->indent;

    if (has_mark && width >= 2) {
        strbuf_add_repeated(printer->out, ' ', width - 2);
        strbuf_add(printer->out, str_from(op_texts[printer->op].mark));
    } else {
        strbuf_add_repeated(printer->out, ' ', width);
    }
}

static void add_title(const struct property_printer *printer, str key, size_t width)
{
    open_color(printer);
    add_indent(printer, printer->has_mark);
    strbuf_add(printer->out, key);
    strbuf_add_repeated(printer->out, ' ', key.len < width ? width - key.len : 0);
    strbuf_add(printer->out, STR(": "));
    close_color(printer);
}

static void add_closing(const struct property_printer *printer, str bracket)
{
    open_color(printer);
    add_indent(printer, false);
    strbuf_add(printer->out, bracket);
    close_color(printer);
}

/* The first three lines, and of each the first 150 characters. */
static void add_truncated(struct strbuf *out, str text)
{
    enum { LINES = 3, COLUMNS = 150 };
    size_t lines = 0;

    while (text.len) {
        size_t end = str_find_char(text, '\n');
        str line = str_slice(text, 0, end);
        strbuf_add(out, str_slice(line, 0, COLUMNS));
        if (line.len > COLUMNS)
            strbuf_add(out, STR("..."));
        if (end == SIZE_MAX)
            return;
        strbuf_add_char(out, '\n');
        text = str_slice(text, end + 1, text.len);
        if (++lines == LINES && text.len) {
            strbuf_add(out, STR("..."));
            return;
        }
    }
}

/* Quoted as Go does: escapes for what cannot be seen. */
static void add_quoted(struct strbuf *out, str text)
{
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        switch (c) {
        case '"': strbuf_add(out, STR("\\\"")); break;
        case '\\': strbuf_add(out, STR("\\\\")); break;
        case '\n': strbuf_add(out, STR("\\n")); break;
        case '\r': strbuf_add(out, STR("\\r")); break;
        case '\t': strbuf_add(out, STR("\\t")); break;
        case '\a': strbuf_add(out, STR("\\a")); break;
        case '\b': strbuf_add(out, STR("\\b")); break;
        case '\f': strbuf_add(out, STR("\\f")); break;
        case '\v': strbuf_add(out, STR("\\v")); break;
        default:
            if (c < 0x20 || c == 0x7f)
                strbuf_printf(out, "\\x%02x", c);
            else
                strbuf_add_char(out, (char)c);
        }
    }
    strbuf_add_char(out, '"');
}

static void add_number(struct strbuf *out, double number)
{
    if (trunc(number) == number)
        strbuf_printf(out, "%.0f", number);
    else
        json_format_number(out, number);
}

/* --- values --- */

static void add_value(const struct property_printer *printer, struct value value);

static void add_line_value(const struct property_printer *printer, struct value value)
{
    add_value(printer, value);
    add_plain(printer, STR("\n"));
}

/* A text that is a JSON object or array is shown as one. */
static bool decode_json(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token token;

    text = str_trim(text);
    if (!text.len || (text.ptr[0] != '{' && text.ptr[0] != '['))
        return false;
    json_reader_init(&reader, arena, text);
    struct error *failure = value_read_plain(&reader, out);
    if (!failure)
        failure = json_next(&reader, &token);
    bool is_whole = !failure && token.kind == JSON_END;
    error_free(failure);
    return is_whole;
}

static void add_string(const struct property_printer *printer, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf shown = { 0 };
    CLEANUP(strbuf_release) struct strbuf cut = { 0 };
    struct value decoded;

    if (!str_is_utf8(text)) {
        strbuf_add(&shown, STR("b\""));
        base64_encode(&shown, text);
        strbuf_add_char(&shown, '"');
    } else if (decode_json(&scratch, text, &decoded)) {
        add_plain(printer, STR("(json) "));
        add_line_value(printer, decoded);
        return;
    } else if (printer->truncates) {
        add_truncated(&cut, text);
        add_quoted(&shown, strbuf_str(&cut));
    } else {
        add_quoted(&shown, text);
    }
    add_plain(printer, strbuf_str(&shown));
}

static void add_array(const struct property_printer *printer, struct value array)
{
    struct property_printer inner = deeper(printer, 1);

    if (!array.len) {
        add_plain(printer, STR("[]"));
        return;
    }
    add_plain(printer, STR("[\n"));
    for (size_t i = 0; i < array.len; i++) {
        open_color(printer);
        add_indent(printer, printer->has_mark);
        strbuf_printf(printer->out, "    [%zu]: ", i);
        close_color(printer);
        add_line_value(&inner, array.items[i]);
    }
    add_closing(printer, STR("]"));
}

static void add_object(const struct property_printer *printer, struct value object)
{
    struct property_printer inner = deeper(printer, 1);

    if (!object.len) {
        add_plain(printer, STR("{}"));
        return;
    }
    add_plain(printer, STR("{\n"));
    property_print_object(&inner, object);
    add_closing(printer, STR("}"));
}

static void add_reference(const struct property_printer *printer, const struct reference *reference)
{
    struct property_printer inner = deeper(printer, 1);
    enum { TITLE_WIDTH = 3 };

    add_plain(printer, STR("{\n"));
    property_print_member(&inner, STR("URN"), TITLE_WIDTH, value_string(reference->urn));
    property_print_member(&inner, STR("ID"), TITLE_WIDTH, reference->has_id ? reference->id : value_null());
    property_print_member(&inner, STR("PackageVersion"), TITLE_WIDTH, value_string(reference->package_version));
    add_closing(printer, STR("}"));
}

static void add_text_lines(const struct property_printer *printer, str text)
{
    str line;

    for (bool has_more = true; has_more;) {
        str rest = STR("");
        has_more = str_cut(text, STR("\n"), &line, &rest);
        if (!has_more)
            line = text;
        open_color(printer);
        add_indent(printer, false);
        strbuf_add(printer->out, STR("    "));
        strbuf_add(printer->out, line);
        strbuf_add_char(printer->out, '\n');
        close_color(printer);
        text = rest;
    }
}

static void add_asset(const struct property_printer *printer, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct asset *asset = value.asset;
    const char *noun = value.kind == VALUE_ASSET ? "asset" : "archive";
    str hash = str_slice(asset->hash, 0, 7);
    struct property_printer inner = deeper(printer, 1);

    if (asset->path.len)
        strbuf_printf(&text, "%s(file:" STR_FMT ") { " STR_FMT " }", noun, STR_ARG(hash), STR_ARG(asset->path));
    else if (asset->uri.len)
        strbuf_printf(&text, "%s(uri:" STR_FMT ") { " STR_FMT " }", noun, STR_ARG(hash), STR_ARG(asset->uri));
    else if (asset->has_text)
        strbuf_printf(&text, "asset(text:" STR_FMT ") {\n", STR_ARG(hash));
    else if (asset->has_members)
        strbuf_printf(&text, "archive(assets:" STR_FMT ") {\n", STR_ARG(hash));
    else
        strbuf_printf(&text, "%s(" STR_FMT ") { }", noun, STR_ARG(hash));
    add_plain(printer, strbuf_str(&text));
    if (asset->path.len || asset->uri.len || (!asset->has_text && !asset->has_members))
        return;
    if (asset->has_text)
        add_text_lines(printer, asset->text);
    for (size_t i = 0; asset->has_members && i < asset->members.len; i++) {
        CLEANUP(strbuf_release) struct strbuf name = { 0 };
        add_quoted(&name, asset->members.members[i].key);
        property_print_member(&inner, strbuf_str(&name), 0, asset->members.members[i].value);
    }
    add_closing(printer, STR("}"));
}

static void add_value(const struct property_printer *printer, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf number = { 0 };

    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: add_plain(printer, STR("<null>")); return;
    case VALUE_BOOL: add_plain(printer, value.boolean ? STR("true") : STR("false")); return;
    case VALUE_NUMBER:
        add_number(&number, value.number);
        add_plain(printer, strbuf_str(&number));
        return;
    case VALUE_STRING: add_string(printer, value_text(value)); return;
    case VALUE_ARRAY: add_array(printer, value); return;
    case VALUE_OBJECT: add_object(printer, value); return;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: add_asset(printer, value); return;
    case VALUE_SECRET:
        if (printer->shows_secrets && !value.secret->is_opaque)
            add_value(printer, value.secret->element);
        else
            add_plain(printer, STR("[secret]"));
        return;
    case VALUE_COMPUTED: add_plain(printer, STR("[unknown]")); return;
    case VALUE_OUTPUT:
        if (value.output->is_secret && !printer->shows_secrets)
            add_plain(printer, STR("[secret]"));
        else if (value.output->is_known)
            add_value(printer, value.output->element);
        else
            add_plain(printer, STR("[unknown]"));
        return;
    case VALUE_REFERENCE: add_reference(printer, value.reference); return;
    }
}

void property_print_member(const struct property_printer *printer, str key, size_t width, struct value value)
{
    add_title(printer, key, width);
    add_line_value(printer, value);
}

static size_t key_width(struct value object)
{
    size_t width = 0;

    for (size_t i = 0; object.kind == VALUE_OBJECT && i < object.len; i++)
        width = object.members[i].key.len > width ? object.members[i].key.len : width;
    return width;
}

void property_print_object(const struct property_printer *printer, struct value object)
{
    size_t width = key_width(object);

    for (size_t i = 0; object.kind == VALUE_OBJECT && i < object.len; i++) {
        if (!property_key_is_internal(object.members[i].key))
            property_print_member(printer, object.members[i].key, width, object.members[i].value);
    }
}

/* --- changes --- */

static bool is_primitive(struct value value)
{
    return value.kind == VALUE_NULL || value.kind == VALUE_STRING || value.kind == VALUE_NUMBER || value.kind == VALUE_BOOL
        || value.kind == VALUE_COMPUTED || value.kind == VALUE_OUTPUT || value.kind == VALUE_SECRET;
}

/* What stands before a value: a key, or an index of an array. */
struct title {
    str key;
    size_t width;
};

static void print_whole(const struct property_printer *printer, struct title title, enum step_op op, struct value value)
{
    struct property_printer marked = with(printer, op, true);

    property_print_member(&marked, title.key, title.width, value);
}

static void print_change(const struct property_printer *printer, struct title title, struct value old, struct value new);

static void print_array_change(const struct property_printer *printer, struct value old, struct value new)
{
    struct property_printer inner = deeper(printer, 1);
    size_t len = old.len > new.len ? old.len : new.len;

    for (size_t i = 0; i < len; i++) {
        CLEANUP(strbuf_release) struct strbuf index = { 0 };
        strbuf_printf(&index, "[%zu]", i);
        struct title title = { strbuf_str(&index), 0 };
        if (i >= old.len)
            print_whole(&inner, title, OP_CREATE, new.items[i]);
        else if (i >= new.len)
            print_whole(&inner, title, OP_DELETE, old.items[i]);
        else if (!value_equal(old.items[i], new.items[i]))
            print_change(&inner, title, old.items[i], new.items[i]);
        else if (!printer->hides_sames) {
            struct property_printer same = with(&inner, OP_SAME, false);
            property_print_member(&same, title.key, 0, new.items[i]);
        }
    }
}

static void print_primitive_change(const struct property_printer *printer, struct title title, struct value old, struct value new)
{
    struct property_printer deleted = with(printer, OP_DELETE, false), created = with(printer, OP_CREATE, false);

    add_title(printer, title.key, title.width);
    add_value(&deleted, old);
    add_plain(printer, STR(" => "));
    add_value(&created, new);
    add_plain(printer, STR("\n"));
}

static void print_change(const struct property_printer *printer_, struct title title, struct value old, struct value new)
{
    struct property_printer printer = with(printer_, OP_UPDATE, true);
    struct property_printer inner = deeper(&printer, 1);

    if (old.kind == VALUE_ARRAY && new.kind == VALUE_ARRAY) {
        add_title(&printer, title.key, title.width);
        add_plain(&printer, STR("[\n"));
        print_array_change(&printer, old, new);
        add_closing(&printer, STR("]\n"));
    } else if (old.kind == VALUE_OBJECT && new.kind == VALUE_OBJECT) {
        add_title(&printer, title.key, title.width);
        add_plain(&printer, STR("{\n"));
        property_print_change(&inner, old, new, NULL);
        add_closing(&printer, STR("}\n"));
    } else if (is_primitive(old) && is_primitive(new) && !property_is_empty(old) && !property_is_empty(new)) {
        print_primitive_change(&printer, title, old, new);
    } else {
        if (!property_is_empty(old))
            print_whole(&printer, title, OP_DELETE, old);
        if (!property_is_empty(new))
            print_whole(&printer, title, OP_CREATE, new);
    }
}

void property_print_member_change(const struct property_printer *printer, str key, size_t width, const struct value *old,
                                  const struct value *new)
{
    struct title title = { key, width };
    struct property_printer same = with(printer, OP_SAME, false);

    if (!old)
        print_whole(printer, title, OP_CREATE, *new);
    else if (!new)
        print_whole(printer, title, OP_DELETE, *old);
    else if (!value_equal(*old, *new))
        print_change(printer, title, *old, *new);
    else if (!printer->hides_sames && !property_is_empty(*new))
        property_print_member(&same, key, width, *new);
}

void property_print_change(const struct property_printer *printer, struct value old, struct value new, const struct strs *only)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct value both = value_merge(&scratch, old, new);
    size_t width = 0;

    for (size_t i = 0; i < both.len; i++) {
        str key = both.members[i].key;
        if ((!only || strs_has(*only, key)) && !property_key_is_internal(key))
            width = key.len > width ? key.len : width;
    }
    for (size_t i = 0; i < both.len; i++) {
        str key = both.members[i].key;
        if ((!only || strs_has(*only, key)) && !property_key_is_internal(key))
            property_print_member_change(printer, key, width, value_find(old, key), value_find(new, key));
    }
}
