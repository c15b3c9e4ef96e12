/* go_program_values.c — values of Go: inputs of the types that an SDK has, and plain literals. */
#include "go/go_program.h"

void go_put_string(struct strbuf *out, str text)
{
    static const char short_forms[] = { ['\a'] = 'a', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n',
                                        ['\r'] = 'r', ['\t'] = 't', ['\v'] = 'v' };
    struct pcl_character c;

    strbuf_add_char(out, '"');
    for (size_t at = 0; pcl_next_character(text, &at, &c);) {
        if (c.code == '"' || c.code == '\\')
            strbuf_printf(out, "\\%c", (char)c.code);
        else if (c.code < sizeof(short_forms) && short_forms[c.code])
            strbuf_printf(out, "\\%c", short_forms[c.code]);
        else if (c.is_plain)
            strbuf_add(out, c.bytes);
        else if (c.code < 0x80)
            strbuf_printf(out, "\\x%02x", c.code);
        else if (c.code < 0x10000)
            strbuf_printf(out, "\\u%04x", c.code);
        else
            strbuf_printf(out, "\\U%08x", c.code);
    }
    strbuf_add_char(out, '"');
}

/* --- types --- */

static struct go_printer *go_printer_of(struct pcl_printer *printer)
{
    return (struct go_printer *)printer;
}

/* The name of a type without the word for its container or output: "pulumi.String",
 * "store.Rule"; of what may be anything just "pulumi.". */
static str go_type_name(struct pcl_printer *printer, const struct schema_type *type)
{
    if (!type)
        return STR("pulumi.");
    switch (type->kind) {
    case TYPE_STRING: return STR("pulumi.String");
    case TYPE_BOOL: return STR("pulumi.Bool");
    case TYPE_INTEGER: return STR("pulumi.Int");
    case TYPE_NUMBER: return STR("pulumi.Float64");
    case TYPE_ASSET: return STR("pulumi.AssetOrArchive");
    case TYPE_ARCHIVE: return STR("pulumi.Archive");
    case TYPE_ARRAY:
        return arena_concat(printer->arena, go_type_name(printer, type->element), STR("Array"));
    case TYPE_MAP:
        return arena_concat(printer->arena, go_type_name(printer, type->element), STR("Map"));
    case TYPE_OBJECT:
    case TYPE_ENUM:
    case TYPE_RESOURCE:
        return arena_concat(printer->arena,
                            go_package_name(go_printer_of(printer), type->schema,
                                            type->schema->name,
                                            schema_module(type->schema, type->token)),
                            STR("."), name_title(printer->arena, schema_member(type->token)));
    case TYPE_ANY:
    case TYPE_UNION: return STR("pulumi.");
    }
    return STR("pulumi.");
}

/* --- literals --- */

static void go_put_plain(struct pcl_printer *printer, const struct pcl_expr *expr,
                         const struct schema_type *type);

/* The type that all items have, if it is one of the simple ones. */
static const char *item_word(const struct pcl_expr *expr)
{
    const char *word = NULL;

    for (size_t i = 0; i < expr->len; i++) {
        const struct pcl_expr *item =
            expr->kind == PCL_OBJECT ? expr->members[i].value : expr->items[i];
        const char *own = item->kind == PCL_STRING ? "string"
                          : item->kind == PCL_BOOL ? "bool"
                          : item->kind != PCL_NUMBER
                              ? NULL
                              : (pcl_is_int(item->number) ? "int" : "float64");
        if (!own || (word && !str_equal(str_from(own), str_from(word))))
            return "interface{}";
        word = own;
    }
    return word ? word : "interface{}";
}

/* Items in lines of their own between braces. */
static void go_put_items(struct pcl_printer *printer, const struct pcl_expr *expr,
                         const struct schema_type *element,
                         void (*put)(struct pcl_printer *printer, const struct pcl_expr *item,
                                     const struct schema_type *type))
{
    strbuf_add_char(&printer->out, '{');
    printer->indent++;
    for (size_t i = 0; i < expr->len; i++) {
        pcl_line(printer);
        put(printer, expr->items[i], element);
        strbuf_add_char(&printer->out, ',');
    }
    printer->indent--;
    if (expr->len)
        pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void go_put_members(struct pcl_printer *printer, const struct pcl_expr *expr,
                           const struct schema_type *type, bool has_names,
                           void (*put)(struct pcl_printer *printer, const struct pcl_expr *item,
                                       const struct schema_type *member))
{
    struct go_field *fields = ARENA_ARRAY(printer->arena, struct go_field, expr->len + 1);

    strbuf_add_char(&printer->out, '{');
    printer->indent++;
    for (size_t i = 0; i < expr->len; i++) {
        CLEANUP(strbuf_release) struct strbuf quoted = { 0 };
        str key = expr->members[i].key;
        go_put_string(&quoted, key);
        fields[i].key = arena_concat(
            printer->arena, has_names ? name_title(printer->arena, key) : strbuf_str(&quoted),
            STR(":"));
        fields[i].value =
            go_print_value(printer, expr->members[i].value, pcl_member_type(type, key), put);
    }
    go_put_fields(printer, fields, expr->len);
    printer->indent--;
    if (expr->len)
        pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void go_put_reference(struct pcl_printer *printer, const struct pcl_expr *expr)
{
    const struct pcl_resource *resource = pcl_resource_of(printer->program, expr->text);
    str known = pcl_variable(printer, expr->text);
    str step = expr->len ? expr->items[0]->text : STR("");

    strbuf_add(&printer->out, known.len ? known : name_identifier(printer->arena, expr->text));
    if (!expr->len)
        return;
    if (str_equal(step, STR("id"))) {
        strbuf_add(&printer->out, STR(".ID().ToIDOutput().ToStringOutput()"));
        return;
    }
    const struct schema_property *output =
        resource && resource->schema ? schema_property(resource->schema->outputs, step) : NULL;
    pcl_put(printer, "." STR_FMT "%s", STR_ARG(name_title(printer->arena, step)),
            output && !output->is_required ? ".Elem()" : "");
}

static void go_put_asset(struct pcl_printer *printer, const struct pcl_expr *expr)
{
    pcl_put(printer, "pulumi.New" STR_FMT "(", STR_ARG(name_title(printer->arena, expr->text)));
    if (expr->len && expr->items[0]->kind == PCL_OBJECT) {
        strbuf_add(&printer->out, STR("map[string]interface{}"));
        go_put_members(printer, expr->items[0], NULL, false, go_put_plain);
    } else if (expr->len) {
        go_put_plain(printer, expr->items[0], NULL);
    }
    strbuf_add_char(&printer->out, ')');
}

static bool go_is_secret(const struct pcl_expr *expr)
{
    return expr->kind == PCL_CALL && str_equal(expr->text, STR("secret")) && expr->len == 1;
}

static void go_put_plain(struct pcl_printer *printer, const struct pcl_expr *expr,
                         const struct schema_type *type)
{
    (void)type;
    switch (expr->kind) {
    case PCL_NULL: strbuf_add(&printer->out, STR("nil")); break;
    case PCL_BOOL: strbuf_add(&printer->out, expr->boolean ? STR("true") : STR("false")); break;
    case PCL_NUMBER: pcl_put_number(&printer->out, expr->number); break;
    case PCL_STRING: go_put_string(&printer->out, expr->text); break;
    case PCL_LIST:
        pcl_put(printer, "[]%s", item_word(expr));
        go_put_items(printer, expr, NULL, go_put_plain);
        break;
    case PCL_OBJECT:
        pcl_put(printer, "map[string]%s", item_word(expr));
        go_put_members(printer, expr, NULL, false, go_put_plain);
        break;
    case PCL_CALL:
        if (!go_is_secret(expr)) {
            go_put_asset(printer, expr);
            break;
        }
        strbuf_add(&printer->out, STR("pulumi.ToSecret("));
        go_put_plain(printer, expr->items[0], NULL);
        strbuf_add_char(&printer->out, ')');
        break;
    case PCL_REFERENCE: go_put_reference(printer, expr); break;
    }
}

/* --- inputs --- */

static void put_any(struct pcl_printer *printer, const struct pcl_expr *expr)
{
    strbuf_add(&printer->out, STR("pulumi.Any("));
    go_put_plain(printer, expr, NULL);
    strbuf_add_char(&printer->out, ')');
}

static void go_put_enum(struct pcl_printer *printer, const struct pcl_expr *expr,
                        const struct schema_type *type)
{
    size_t index = pcl_enum_index(expr, type);

    strbuf_add(&printer->out, go_type_name(printer, type));
    if (index != SIZE_MAX) {
        strbuf_add(&printer->out, pcl_enum_name(printer->arena, type, index));
        return;
    }
    strbuf_add_char(&printer->out, '(');
    go_put_plain(printer, expr, NULL);
    strbuf_add_char(&printer->out, ')');
}

/* Simple values are made secret as they are, all others as the inputs that they would be. */
static void go_put_secret(struct pcl_printer *printer, const struct pcl_expr *expr,
                          const struct schema_type *type)
{
    str name = go_type_name(printer, pcl_actual_type(expr, type));
    bool is_any = str_ends_with(name, STR("."));
    bool is_simple = expr->kind == PCL_STRING || expr->kind == PCL_NUMBER || expr->kind == PCL_BOOL;

    strbuf_add(&printer->out, STR("pulumi.ToSecret("));
    if (is_any || (is_simple && type->kind != TYPE_ENUM))
        go_put_plain(printer, expr, NULL);
    else
        go_put_value(printer, expr, type);
    strbuf_add_char(&printer->out, ')');
    if (!is_any)
        pcl_put(printer, ".(" STR_FMT "Output)", STR_ARG(name));
}

static void go_put_simple(struct pcl_printer *printer, const struct pcl_expr *expr,
                          const struct schema_type *type)
{
    const char *word = expr->kind == PCL_STRING                                 ? "String"
                       : expr->kind == PCL_BOOL                                 ? "Bool"
                       : type->kind == TYPE_NUMBER || !pcl_is_int(expr->number) ? "Float64"
                                                                                : "Int";
    bool is_integer = type->kind == TYPE_INTEGER && expr->kind == PCL_NUMBER;

    pcl_put(printer, "pulumi.%s(", is_integer ? "Int" : word);
    go_put_plain(printer, expr, NULL);
    strbuf_add_char(&printer->out, ')');
}

static void go_put_composite(struct pcl_printer *printer, const struct pcl_expr *expr,
                             const struct schema_type *type)
{
    if (type->kind == TYPE_OBJECT && expr->kind == PCL_OBJECT) {
        pcl_put(printer, "&" STR_FMT "Args", STR_ARG(go_type_name(printer, type)));
        go_put_members(printer, expr, type, true, go_put_value);
    } else if (type->kind == TYPE_MAP && expr->kind == PCL_OBJECT) {
        strbuf_add(&printer->out, go_type_name(printer, type));
        go_put_members(printer, expr, type, false, go_put_value);
    } else if (type->kind == TYPE_ARRAY && expr->kind == PCL_LIST) {
        strbuf_add(&printer->out, go_type_name(printer, type));
        go_put_items(printer, expr, type->element, go_put_value);
    } else {
        put_any(printer, expr);
    }
}

void go_put_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                  const struct schema_type *type)
{
    const struct schema_type *actual = pcl_actual_type(expr, type);
    bool is_union = type && type->kind == TYPE_UNION;
    bool is_any = !actual || actual->kind == TYPE_ANY || (is_union && actual->kind != TYPE_OBJECT);

    if (expr->kind == PCL_NULL)
        strbuf_add(&printer->out, STR("nil"));
    else if (expr->kind == PCL_REFERENCE)
        go_put_reference(printer, expr);
    else if (go_is_secret(expr))
        go_put_secret(printer, expr->items[0], type);
    else if (expr->kind == PCL_CALL)
        go_put_asset(printer, expr);
    else if (is_any)
        put_any(printer, expr);
    else if (actual->kind == TYPE_ENUM)
        go_put_enum(printer, expr, actual);
    else if (expr->kind == PCL_LIST || expr->kind == PCL_OBJECT)
        go_put_composite(printer, expr, actual);
    else
        go_put_simple(printer, expr, actual);
}
