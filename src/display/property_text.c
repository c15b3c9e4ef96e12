/* property_text.c — prints values as indented trees. */
#include "display/property_text.h"

#include "base/base64.h"
#include "display/color.h"
#include "display/op_text.h"
#include "display/property_pieces.h"
#include "model/value_json.h"

#include <math.h>

bool property_key_is_internal(str key)
{
    return str_starts_with(key, STR("__"));
}

const struct value *property_find(struct value object, str key)
{
    const struct value *value = value_find(object, key);

    return value && value->kind != VALUE_NULL ? value : NULL;
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

struct property_printer piece_with(const struct property_printer *printer, enum step_op op,
                                   bool has_mark)
{
    struct property_printer other = *printer;

    other.op = op;
    other.has_mark = has_mark;
    return other;
}

struct property_printer piece_deeper(const struct property_printer *printer, unsigned levels)
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

/* Values and keys are never our tags. */
static void add_as_is(const struct property_printer *printer, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    strbuf_add(printer->out, color_quote(&scratch, text));
}

void piece_add(const struct property_printer *printer, str text)
{
    open_color(printer);
    add_as_is(printer, text);
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

void piece_title(const struct property_printer *printer, str key, size_t width)
{
    open_color(printer);
    add_indent(printer, printer->has_mark);
    add_as_is(printer, key);
    strbuf_add_repeated(printer->out, ' ', key.len < width ? width - key.len : 0);
    strbuf_add(printer->out, STR(": "));
    close_color(printer);
}

void piece_close(const struct property_printer *printer, str bracket)
{
    open_color(printer);
    add_indent(printer, false);
    strbuf_add(printer->out, bracket);
    close_color(printer);
}

void property_print_line(const struct property_printer *printer, str text)
{
    open_color(printer);
    add_indent(printer, printer->has_mark);
    add_as_is(printer, text);
    strbuf_add_char(printer->out, '\n');
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
        if (++lines == LINES) { /* what follows the last newline counts as a line, even if empty */
            strbuf_add(out, STR("..."));
            return;
        }
    }
}

void piece_add_quoted(struct strbuf *out, str text)
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
            else if (c == 0xc2 && i + 1 < text.len && (unsigned char)text.ptr[i + 1] < 0xa0)
                strbuf_printf(out, "\\u00%02x", (unsigned char)text.ptr[++i]);
            else
                strbuf_add_char(out, (char)c);
        }
    }
    strbuf_add_char(out, '"');
}

static void property_add_number(struct strbuf *out, double number)
{
    if (isnan(number))
        strbuf_add(out, STR("NaN"));
    else if (isinf(number))
        strbuf_add(out, number > 0 ? STR("+Inf") : STR("-Inf"));
    else if (trunc(number) == number)
        strbuf_printf(out, "%.0f", number);
    else
        json_format_number(out, number);
}

/* --- values --- */

void piece_line_value(const struct property_printer *printer, struct value value)
{
    piece_value(printer, value);
    piece_add(printer, STR("\n"));
}

static void add_string(const struct property_printer *printer, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf shown = { 0 };
    CLEANUP(strbuf_release) struct strbuf cut = { 0 };
    struct value decoded;
    const char *kind;

    if (!str_is_utf8(text)) {
        strbuf_add(&shown, STR("b\""));
        base64_encode(&shown, text);
        strbuf_add_char(&shown, '"');
    } else if ((kind = piece_decode(&scratch, text, &decoded))) {
        piece_add(printer, arena_printf(&scratch, "(%s) ", kind));
        piece_value(printer, decoded);
        return;
    } else if (printer->truncates) {
        add_truncated(&cut, text);
        piece_add_quoted(&shown, strbuf_str(&cut));
    } else {
        piece_add_quoted(&shown, text);
    }
    piece_add(printer, strbuf_str(&shown));
}

static void add_array(const struct property_printer *printer, struct value array)
{
    struct property_printer inner = piece_deeper(printer, 1);

    if (!array.len) {
        piece_add(printer, STR("[]"));
        return;
    }
    piece_add(printer, STR("[\n"));
    for (size_t i = 0; i < array.len; i++) {
        open_color(printer);
        add_indent(printer, printer->has_mark);
        strbuf_printf(printer->out, "    [%zu]: ", i);
        close_color(printer);
        piece_line_value(&inner, array.items[i]);
    }
    piece_close(printer, STR("]"));
}

static void add_object(const struct property_printer *printer, struct value object)
{
    struct property_printer inner = piece_deeper(printer, 1);

    if (!object.len) {
        piece_add(printer, STR("{}"));
        return;
    }
    piece_add(printer, STR("{\n"));
    property_print_object(&inner, object);
    piece_close(printer, STR("}"));
}

static void property_add_reference(const struct property_printer *printer,
                                   const struct reference *reference)
{
    struct property_printer inner = piece_deeper(printer, 1);
    enum { TITLE_WIDTH = 3 };

    piece_add(printer, STR("{\n"));
    property_print_member(&inner, STR("URN"), TITLE_WIDTH, value_string(reference->urn));
    property_print_member(&inner, STR("ID"), TITLE_WIDTH,
                          reference->has_id ? reference->id : value_null());
    property_print_member(&inner, STR("PackageVersion"), TITLE_WIDTH,
                          value_string(reference->package_version));
    piece_close(printer, STR("}"));
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
        add_as_is(printer, line);
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
    struct property_printer inner = piece_deeper(printer, 1);

    if (asset->path.len)
        strbuf_printf(&text, "%s(file:" STR_FMT ") { " STR_FMT " }", noun, STR_ARG(hash),
                      STR_ARG(asset->path));
    else if (asset->uri.len)
        strbuf_printf(&text, "%s(uri:" STR_FMT ") { " STR_FMT " }", noun, STR_ARG(hash),
                      STR_ARG(asset->uri));
    else if (asset->has_text)
        strbuf_printf(&text, "asset(text:" STR_FMT ") {\n", STR_ARG(hash));
    else if (asset->has_members)
        strbuf_printf(&text, "archive(assets:" STR_FMT ") {\n", STR_ARG(hash));
    else
        strbuf_printf(&text, "%s(" STR_FMT ") { }", noun, STR_ARG(hash));
    piece_add(printer, strbuf_str(&text));
    if (asset->path.len || asset->uri.len || (!asset->has_text && !asset->has_members))
        return;
    if (asset->has_text)
        add_text_lines(printer, asset->text);
    for (size_t i = 0; asset->has_members && i < asset->members.len; i++) {
        open_color(printer);
        add_indent(printer, printer->has_mark);
        strbuf_add(printer->out, STR("    "));
        strbuf_clear(&text);
        piece_add_quoted(&text, asset->members.members[i].key);
        add_as_is(printer, strbuf_str(&text));
        strbuf_add(printer->out, STR(": "));
        close_color(printer);
        piece_line_value(&inner, asset->members.members[i].value);
    }
    piece_close(printer, STR("}"));
}

void piece_value(const struct property_printer *printer, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf number = { 0 };

    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: piece_add(printer, STR("<null>")); return;
    case VALUE_BOOL: piece_add(printer, value.boolean ? STR("true") : STR("false")); return;
    case VALUE_NUMBER:
        property_add_number(&number, value.number);
        piece_add(printer, strbuf_str(&number));
        return;
    case VALUE_STRING: add_string(printer, value_text(value)); return;
    case VALUE_ARRAY: add_array(printer, value); return;
    case VALUE_OBJECT: add_object(printer, value); return;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: add_asset(printer, value); return;
    case VALUE_SECRET:
        if (printer->shows_secrets && !value.secret->is_opaque)
            piece_value(printer, value.secret->element);
        else
            piece_add(printer, STR("[secret]"));
        return;
    case VALUE_COMPUTED: piece_add(printer, STR("[unknown]")); return;
    case VALUE_OUTPUT:
        if (value.output->is_secret && !printer->shows_secrets)
            piece_add(printer, STR("[secret]"));
        else if (value.output->is_known)
            piece_value(printer, value.output->element);
        else
            piece_add(printer, STR("[unknown]"));
        return;
    case VALUE_REFERENCE: property_add_reference(printer, value.reference); return;
    }
}

void property_print_member(const struct property_printer *printer, str key, size_t width,
                           struct value value)
{
    piece_title(printer, key, width);
    piece_line_value(printer, value);
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
