/* python_program.c — prints a program as Python. */
#include "python/python.h"
#include "python/python_names.h"

#include <ctype.h>

/* --- literals --- */

static void python_put_hidden(struct strbuf *out, uint32_t code)
{
    if (code < 0x100)
        strbuf_printf(out, "\\x%02x", code);
    else if (code < 0x10000)
        strbuf_printf(out, "\\u%04x", code);
    else
        strbuf_printf(out, "\\U%08x", code);
}

/* Between three quotes lines stay lines, and quotes only need care where they could end it. */
static void python_put_string(struct strbuf *out, str text)
{
    bool has_lines = str_find_char(text, '\n') != SIZE_MAX;
    struct pcl_character c;

    strbuf_add(out, has_lines ? STR("\"\"\"") : STR("\""));
    for (size_t at = 0; pcl_next_character(text, &at, &c);) {
        bool ends_here = c.code == '"' && (at == text.len || text.ptr[at] == '"');
        if (c.code == '\\' || (c.code == '"' && (!has_lines || ends_here)))
            strbuf_printf(out, "\\%c", (char)c.code);
        else if (c.is_plain || (has_lines && c.code == '\n'))
            strbuf_add(out, c.bytes);
        else
            python_put_hidden(out, c.code);
    }
    strbuf_add(out, has_lines ? STR("\"\"\"") : STR("\""));
}

/* --- classes --- */

/* "acme.store.Bucket" */
static void python_put_class(struct pcl_printer *printer, const struct schema *schema, str package,
                             str module, str class)
{
    str folder = name_snake(printer->arena, module), part;

    if (schema)
        schema_language_rename(schema, STR("python"), STR("moduleNameOverrides"), module, &folder);
    strbuf_add(&printer->out, python_name(printer->arena, package));
    while (str_next(&folder, STR("/"), &part)) {
        strbuf_add_char(&printer->out, '.');
        for (size_t i = 0; i < part.len; i++)
            strbuf_add_char(&printer->out, isalnum((unsigned char)part.ptr[i]) || part.ptr[i] == '.'
                                               ? part.ptr[i]
                                               : '_');
    }
    strbuf_add_char(&printer->out, '.');
    strbuf_add(&printer->out, class);
}

static void python_put_enum(struct pcl_printer *printer, const struct schema_type *type,
                            size_t index)
{
    str name = name_snake(printer->arena, pcl_enum_name(printer->arena, type, index));

    python_put_class(printer, type->schema, type->schema->name,
                     schema_module(type->schema, type->token),
                     name_title(printer->arena, schema_member(type->token)));
    strbuf_add_char(&printer->out, '.');
    for (size_t i = 0; i < name.len; i++)
        strbuf_add_char(&printer->out, (char)toupper((unsigned char)name.ptr[i]));
}

/* --- values --- */

static void python_put_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                             const struct schema_type *type);

static void python_put_object(struct pcl_printer *printer, const struct pcl_expr *expr,
                              const struct schema_type *type)
{
    bool has_properties = type && type->kind == TYPE_OBJECT;

    strbuf_add_char(&printer->out, '{');
    printer->indent++;
    for (size_t i = 0; i < expr->len; i++) {
        str key = expr->members[i].key;
        pcl_line(printer);
        python_put_string(&printer->out, has_properties ? python_name(printer->arena, key) : key);
        strbuf_add(&printer->out, STR(": "));
        python_put_value(printer, expr->members[i].value, pcl_member_type(type, key));
        strbuf_add_char(&printer->out, ',');
    }
    printer->indent--;
    if (expr->len)
        pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void python_put_call(struct pcl_printer *printer, const struct pcl_expr *expr,
                            const struct schema_type *type)
{
    bool is_secret = str_equal(expr->text, STR("secret"));

    if (is_secret)
        pcl_put(printer, "pulumi.Output.secret(");
    else
        pcl_put(printer, "pulumi." STR_FMT "(", STR_ARG(name_title(printer->arena, expr->text)));
    if (expr->len)
        python_put_value(printer, expr->items[0], is_secret ? type : NULL);
    strbuf_add_char(&printer->out, ')');
}

static void python_put_reference(struct pcl_printer *printer, const struct pcl_expr *expr)
{
    str known = pcl_variable(printer, expr->text);

    strbuf_add(&printer->out, known.len ? known : python_name(printer->arena, expr->text));
    for (size_t i = 0; i < expr->len; i++) {
        const struct pcl_expr *step = expr->items[i];
        if (step->kind == PCL_NUMBER)
            pcl_put(printer, "[%.0f]", step->number);
        else
            pcl_put(printer, "." STR_FMT, STR_ARG(python_name(printer->arena, step->text)));
    }
}

static void python_put_number(struct pcl_printer *printer, double number,
                              const struct schema_type *type)
{
    bool is_float = type && type->kind == TYPE_NUMBER && pcl_is_int(number);

    strbuf_add(&printer->out, is_float ? STR("float(") : STR(""));
    pcl_put_number(&printer->out, number);
    strbuf_add(&printer->out, is_float ? STR(")") : STR(""));
}

static void python_put_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                             const struct schema_type *type)
{
    const struct schema_type *actual = pcl_actual_type(expr, type);
    size_t index = pcl_enum_index(expr, actual);

    if (index != SIZE_MAX) {
        python_put_enum(printer, actual, index);
        return;
    }
    switch (expr->kind) {
    case PCL_NULL: strbuf_add(&printer->out, STR("None")); break;
    case PCL_BOOL: strbuf_add(&printer->out, expr->boolean ? STR("True") : STR("False")); break;
    case PCL_NUMBER: python_put_number(printer, expr->number, type); break;
    case PCL_STRING: python_put_string(&printer->out, expr->text); break;
    case PCL_LIST: pcl_put_list(printer, expr, python_put_value, pcl_item_type(actual)); break;
    case PCL_OBJECT: python_put_object(printer, expr, actual); break;
    case PCL_CALL: python_put_call(printer, expr, type); break;
    case PCL_REFERENCE: python_put_reference(printer, expr); break;
    }
}

/* --- resources --- */

static void python_put_option(struct pcl_printer *printer, str name, const struct pcl_expr *value)
{
    bool is_variable = value->kind == PCL_STRING && !pcl_option_is_text(name);

    strbuf_add(&printer->out, python_name(printer->arena, name));
    strbuf_add_char(&printer->out, '=');
    if (str_equal(name, STR("ignoreChanges")))
        pcl_put_paths(printer, value);
    else if (is_variable)
        strbuf_add(&printer->out, pcl_variable(printer, value->text));
    else
        python_put_value(printer, value, NULL);
}

static void python_put_options(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    static const char *const names[] = { "parent",      "provider",       "dependsOn",
                                         "protect",     "retainOnDelete", "ignoreChanges",
                                         "deletedWith", "replaceWith",    "import",
                                         "version" };
    bool is_first = true;

    strbuf_add(&printer->out, STR("opts = pulumi.ResourceOptions("));
    printer->indent++;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct pcl_expr *value = pcl_option(resource, names[i]);
        if (!value)
            continue;
        if (!is_first) {
            strbuf_add_char(&printer->out, ',');
            pcl_line(printer);
        }
        is_first = false;
        python_put_option(printer, str_from(names[i]), value);
    }
    printer->indent--;
    strbuf_add_char(&printer->out, ')');
}

/* Several arguments have lines of their own. */
static void python_put_arguments(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    bool has_lines = resource->input_count > 1;

    printer->indent += has_lines;
    for (size_t i = 0; i < resource->input_count; i++) {
        str key = resource->inputs[i].key;
        strbuf_add_char(&printer->out, ',');
        if (has_lines)
            pcl_line(printer);
        else
            strbuf_add_char(&printer->out, ' ');
        pcl_put(printer, STR_FMT "=", STR_ARG(python_name(printer->arena, key)));
        python_put_value(printer, resource->inputs[i].value, pcl_input_type(resource, key));
    }
    if (resource->options.attribute_count) {
        strbuf_add_char(&printer->out, ',');
        if (resource->input_count)
            pcl_line(printer);
        else
            strbuf_add_char(&printer->out, ' ');
        python_put_options(printer, resource);
    }
    printer->indent -= has_lines;
}

static void python_put_resource(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    str variable =
        pcl_unique_name(printer, python_name(printer->arena, resource->variable), "_", 1);

    pcl_set_variable(printer, resource->variable, variable);
    pcl_put(printer, STR_FMT " = ", STR_ARG(variable));
    if (resource->is_component) {
        pcl_put(printer, "pulumi.ComponentResource(");
        python_put_string(&printer->out, resource->token);
        strbuf_add(&printer->out, STR(", "));
    } else {
        python_put_class(printer, resource->package->schema, resource->package->name,
                         pcl_module(resource), pcl_class(printer->arena, resource));
        strbuf_add_char(&printer->out, '(');
    }
    python_put_string(&printer->out, resource->name);
    python_put_arguments(printer, resource);
    strbuf_add(&printer->out, STR(")\n"));
}

static void python_put_imports(struct pcl_printer *printer)
{
    struct strs packages = pcl_used_packages(printer->arena, printer->program);

    pcl_put(printer, "import pulumi\n");
    pcl_take_name(printer, STR("pulumi"));
    for (size_t i = 0; i < packages.len; i++) {
        const struct schema *schema = pcl_package_of(printer->program, packages.items[i])->schema;
        str alias = python_name(printer->arena, packages.items[i]);
        str module = schema ? python_package(printer->arena, schema)
                            : arena_concat(printer->arena, STR("pulumi_"), alias);
        pcl_put(printer, "import " STR_FMT " as " STR_FMT "\n", STR_ARG(module), STR_ARG(alias));
        pcl_take_name(printer, alias);
    }
    strbuf_add_char(&printer->out, '\n');
}

fallible python_print_program(const struct pcl_program *program, str *out)
{
    CLEANUP(pcl_printer_release)
    struct pcl_printer printer = { .program = program, .arena = program->arena, .unit = "    " };

    python_put_imports(&printer);
    for (size_t i = 0; i < program->len; i++)
        python_put_resource(&printer, &program->resources[program->order[i]]);
    *out = arena_copy(program->arena, strbuf_str(&printer.out));
    return NULL;
}
