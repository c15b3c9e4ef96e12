/* pcl_print.c — what all printers of programs share. */
#include "pcl/pcl_print.h"

#include "base/strs.h"
#include "model/urn.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void pcl_printer_release(struct pcl_printer *printer)
{
    strbuf_release(&printer->out);
    map_release(&printer->variables);
    map_release(&printer->taken);
}

void pcl_line(struct pcl_printer *printer)
{
    strbuf_add_char(&printer->out, '\n');
    for (unsigned i = 0; i < printer->indent; i++)
        strbuf_add(&printer->out, str_from(printer->unit));
}

void pcl_put(struct pcl_printer *printer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    strbuf_vprintf(&printer->out, format, arguments);
    va_end(arguments);
}

void pcl_put_list(struct pcl_printer *printer, const struct pcl_expr *list,
                  void (*put)(struct pcl_printer *printer, const struct pcl_expr *item,
                              const struct schema_type *type),
                  const struct schema_type *element)
{
    bool has_lines = list->len > 1;

    strbuf_add_char(&printer->out, '[');
    printer->indent += has_lines;
    for (size_t i = 0; i < list->len; i++) {
        if (has_lines)
            pcl_line(printer);
        put(printer, list->items[i], element);
        if (has_lines)
            strbuf_add_char(&printer->out, ',');
    }
    printer->indent -= has_lines;
    if (has_lines)
        pcl_line(printer);
    strbuf_add_char(&printer->out, ']');
}

str pcl_path_text(struct arena *arena, const struct pcl_expr *path)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add(&text, path->text);
    for (size_t i = 0; path->kind == PCL_REFERENCE && i < path->len; i++) {
        if (path->items[i]->kind == PCL_NUMBER)
            strbuf_printf(&text, "[%.0f]", path->items[i]->number);
        else
            strbuf_printf(&text, "." STR_FMT, STR_ARG(path->items[i]->text));
    }
    return arena_copy(arena, strbuf_str(&text));
}

void pcl_put_paths(struct pcl_printer *printer, const struct pcl_expr *list)
{
    strbuf_add_char(&printer->out, '[');
    for (size_t i = 0; i < list->len; i++) {
        str path = pcl_path_text(printer->arena, list->items[i]);
        strbuf_add(&printer->out, i ? STR(", \"") : STR("\""));
        for (size_t j = 0; j < path.len; j++) {
            if (path.ptr[j] == '"' || path.ptr[j] == '\\')
                strbuf_add_char(&printer->out, '\\');
            strbuf_add_char(&printer->out, path.ptr[j]);
        }
        strbuf_add_char(&printer->out, '"');
    }
    strbuf_add_char(&printer->out, ']');
}

/* --- names --- */

void pcl_take_name(struct pcl_printer *printer, str name)
{
    map_put(&printer->taken, name, printer);
}

str pcl_unique_name(struct pcl_printer *printer, str name, const char *separator, unsigned first)
{
    str tried = name;

    for (unsigned i = first; map_has(&printer->taken, tried); i++)
        tried = arena_printf(printer->arena, STR_FMT "%s%u", STR_ARG(name), separator, i);
    pcl_take_name(printer, tried);
    return tried;
}

void pcl_set_variable(struct pcl_printer *printer, str variable, str name)
{
    str *kept = ARENA_NEW(printer->arena, str);

    *kept = name;
    map_put(&printer->variables, variable, kept);
}

str pcl_variable(const struct pcl_printer *printer, str variable)
{
    const str *known = map_find(&printer->variables, variable);
    return known ? *known : STR("");
}

/* --- enums --- */

/* Values that have no letter to make a name of. */
static str name_of_sign(str value)
{
    static const char *const digits[] = { "Zero", "One", "Two",   "Three", "Four",
                                          "Five", "Six", "Seven", "Eight", "Nine" };

    if (value.len == 1 && value.ptr[0] == '*')
        return STR("Asterisk");
    if (value.len == 1 && char_is_digit(value.ptr[0]))
        return str_from(digits[value.ptr[0] - '0']);
    return value;
}

str pcl_enum_name(struct arena *arena, const struct schema_type *type, size_t index)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct value value = type->values[index];
    str name = type->names[index];

    if (value.kind == VALUE_NUMBER)
        pcl_put_number(&text, value.number);
    else if (value.kind == VALUE_BOOL)
        strbuf_add(&text, value.boolean ? STR("true") : STR("false"));
    if (!name.len)
        name = value.kind == VALUE_STRING ? value_text(value) : strbuf_str(&text);
    name = name_title(arena, name_of_sign(name));
    for (size_t i = 0; i < name.len; i++) {
        char c = name_is_part(name.ptr[i]) ? name.ptr[i] : '_';
        if (c != '_' || out.len == 0 || out.ptr[out.len - 1] != '_')
            strbuf_add_char(&out, c);
    }
    str made = arena_copy(arena, strbuf_str(&out));
    if (made.len && (made.ptr[0] == '_' || char_is_digit(made.ptr[0])))
        return arena_concat(arena, schema_member(type->token), STR("_"),
                            made.ptr[0] == '_' ? str_slice(made, 1, made.len) : made);
    return made;
}

/* --- packages --- */

/* Without a schema: the type may be repeated in the module. */
static str module_by_habit(str token)
{
    str package, rest, module, name, folder, repeated;

    if (!str_cut(token, STR(":"), &package, &rest) || !str_cut(rest, STR(":"), &module, &name))
        return STR("");
    if (str_cut_last(module, STR("/"), &folder, &repeated) && str_same_letters(repeated, name))
        module = folder;
    return str_equal(module, STR("index")) ? STR("") : module;
}

str pcl_module(const struct pcl_resource *resource)
{
    if (type_is_provider(resource->token))
        return STR("");
    return resource->package->schema ? schema_module(resource->package->schema, resource->token)
                                     : module_by_habit(resource->token);
}

str pcl_class(struct arena *arena, const struct pcl_resource *resource)
{
    if (type_is_provider(resource->token))
        return STR("Provider");
    return name_title(arena, schema_member(resource->token));
}

struct strs pcl_used_packages(struct arena *arena, const struct pcl_program *program)
{
    str *names = ARENA_ARRAY(arena, str, program->len + 1);
    size_t len = 0;

    for (size_t i = 0; i < program->len; i++) {
        const struct pcl_resource *resource = &program->resources[i];
        if (resource->package && !strs_has((struct strs){ names, len }, resource->package->name))
            names[len++] = resource->package->name;
    }
    return strs_sorted(arena, (struct strs){ names, len });
}

const struct pcl_package *pcl_package_of(const struct pcl_program *program, str name)
{
    for (size_t i = 0; i < program->package_count; i++)
        if (str_equal(program->packages[i].name, name))
            return &program->packages[i];
    return NULL;
}

/* --- literals --- */

bool pcl_is_int(double number)
{
    return floor(number) == number && number >= INT32_MIN && number <= INT32_MAX;
}

/* Fewest digits that read back the same. */
void pcl_put_float(struct strbuf *out, double number)
{
    enum { MOST_DIGITS = 17, LARGEST_PLAIN = 6, SMALLEST_PLAIN = -4 };
    char text[40] = "";
    int digits = 0;

    for (digits = 1; digits <= MOST_DIGITS; digits++) {
        snprintf(text, sizeof(text), "%.*e", digits - 1, number);
        double again = strtod(text, NULL);
        if (!(again < number) && !(again > number))
            break;
    }
    str exponent, mantissa;
    if (!str_cut(str_from(text), STR("e"), &mantissa, &exponent)) {
        strbuf_add(out, str_from(text));
        return;
    }
    long power = strtol(exponent.ptr, NULL, 10);
    if (power >= SMALLEST_PLAIN && power < LARGEST_PLAIN)
        strbuf_printf(out, "%.*f", digits - 1 > power ? (int)(digits - 1 - power) : 0, number);
    else
        strbuf_add(out, str_from(text));
}

void pcl_put_number(struct strbuf *out, double number)
{
    const double largest = 9007199254740992.0; /* from there on not every integer exists */

    if (floor(number) == number && number <= largest && number >= -largest)
        strbuf_printf(out, "%.0f", number);
    else
        pcl_put_float(out, number);
}

static uint32_t decode_character(str bytes)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    static const unsigned char masks[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    uint32_t code = at[0] & masks[bytes.len];

    for (size_t i = 1; i < bytes.len; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}

/* Controls, and what has no shape of its own: it would be invisible in a program. */
static bool is_shown_character(uint32_t code)
{
    bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool is_hidden = code == 0xad || (code >= 0x200b && code <= 0x200f)
                     || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f)
                     || code == 0xfeff || (code >= 0xe000 && code <= 0xf8ff) || code == 0xfffe
                     || code == 0xffff || code >= 0xe0000;
    bool is_odd_space = code == 0xa0 || (code >= 0x2000 && code <= 0x200a) || code == 0x3000;

    return !is_control && !is_hidden && !is_odd_space;
}

bool pcl_next_character(str text, size_t *at, struct pcl_character *out)
{
    if (*at >= text.len)
        return false;
    size_t width = str_utf8_width(text, *at);
    out->bytes = str_slice(text, *at, *at + (width ? width : 1));
    out->code = width ? decode_character(out->bytes) : 0xfffd;
    out->is_plain = width && is_shown_character(out->code);
    *at += out->bytes.len;
    return true;
}
