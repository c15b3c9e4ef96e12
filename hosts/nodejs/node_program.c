/* node_program.c — prints a program as TypeScript. */
#include "nodejs/nodejs.h"

static const char *const node_reserved[] = {
    "await",     "break",  "case",     "catch",  "class",      "const",   "continue",  "debugger",
    "default",   "delete", "do",       "else",   "enum",       "export",  "extends",   "false",
    "finally",   "for",    "function", "if",     "implements", "import",  "in",        "instanceof",
    "interface", "let",    "new",      "null",   "package",    "private", "protected", "public",
    "return",    "static", "super",    "switch", "this",       "throw",   "true",      "try",
    "typeof",    "var",    "void",     "while",  "with",       "yield",   NULL,
};

str node_identifier(struct arena *arena, str name)
{
    str legal = name_identifier(arena, name);

    return name_is_one_of(node_reserved, legal) ? arena_concat(arena, STR("_"), legal) : legal;
}

/* --- literals --- */

static void node_put_hidden(struct strbuf *out, uint32_t code)
{
    if (code < 0x100)
        strbuf_printf(out, "\\x%02x", code);
    else if (code < 0x10000)
        strbuf_printf(out, "\\u%04x", code);
    else
        strbuf_printf(out, "\\u{%x}", code);
}

void node_put_quoted(struct strbuf *out, str text)
{
    struct pcl_character c;

    strbuf_add_char(out, '"');
    for (size_t at = 0; pcl_next_character(text, &at, &c);) {
        if (c.code == '"' || c.code == '\\')
            strbuf_printf(out, "\\%c", (char)c.code);
        else if (c.is_plain)
            strbuf_add(out, c.bytes);
        else
            node_put_hidden(out, c.code);
    }
    strbuf_add_char(out, '"');
}

/* Lines stay lines. */
static void node_put_template(struct strbuf *out, str text)
{
    struct pcl_character c;

    strbuf_add_char(out, '`');
    for (size_t at = 0; pcl_next_character(text, &at, &c);) {
        bool is_mark = c.code == '$' && at < text.len && text.ptr[at] == '{';
        if (c.code == '`' || c.code == '\\' || is_mark)
            strbuf_printf(out, "\\%c", (char)c.code);
        else if (c.is_plain || c.code == '\n')
            strbuf_add(out, c.bytes);
        else
            node_put_hidden(out, c.code);
    }
    strbuf_add_char(out, '`');
}

static void node_put_string(struct strbuf *out, str text)
{
    if (str_find_char(text, '\n') != SIZE_MAX)
        node_put_template(out, text);
    else
        node_put_quoted(out, text);
}

/* --- classes --- */

/* "acme.store.Bucket" */
static void node_put_class(struct pcl_printer *printer, const struct schema *schema, str package,
                           str module, str class)
{
    str folder = module, part;

    if (schema)
        schema_language_rename(schema, STR("nodejs"), STR("moduleToPackage"), module, &folder);
    strbuf_add(&printer->out, node_identifier(printer->arena, package));
    while (str_next(&folder, STR("/"), &part)) {
        strbuf_add_char(&printer->out, '.');
        strbuf_add(&printer->out, name_identifier(printer->arena, part));
    }
    strbuf_add_char(&printer->out, '.');
    strbuf_add(&printer->out, class);
}

static void node_put_enum(struct pcl_printer *printer, const struct schema_type *type, size_t index)
{
    node_put_class(printer, type->schema, type->schema->name,
                   schema_module(type->schema, type->token),
                   name_title(printer->arena, schema_member(type->token)));
    strbuf_add_char(&printer->out, '.');
    strbuf_add(&printer->out, pcl_enum_name(printer->arena, type, index));
}

/* --- values --- */

static void node_put_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                           const struct schema_type *type);

static void node_put_key(struct pcl_printer *printer, str key)
{
    bool is_bare =
        str_equal(name_identifier(printer->arena, key), key) && !name_is_one_of(node_reserved, key);

    if (is_bare)
        strbuf_add(&printer->out, key);
    else
        node_put_quoted(&printer->out, key);
    strbuf_add(&printer->out, STR(": "));
}

static void node_put_object(struct pcl_printer *printer, const struct pcl_expr *expr,
                            const struct schema_type *type)
{
    strbuf_add_char(&printer->out, '{');
    printer->indent++;
    for (size_t i = 0; i < expr->len; i++) {
        pcl_line(printer);
        node_put_key(printer, expr->members[i].key);
        node_put_value(printer, expr->members[i].value,
                       pcl_member_type(type, expr->members[i].key));
        strbuf_add_char(&printer->out, ',');
    }
    printer->indent--;
    if (expr->len)
        pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void node_put_call(struct pcl_printer *printer, const struct pcl_expr *expr,
                          const struct schema_type *type)
{
    bool is_secret = str_equal(expr->text, STR("secret"));

    if (is_secret)
        pcl_put(printer, "pulumi.secret(");
    else
        pcl_put(printer, "new pulumi.asset." STR_FMT "(",
                STR_ARG(name_title(printer->arena, expr->text)));
    if (expr->len)
        node_put_value(printer, expr->items[0], is_secret ? type : NULL);
    strbuf_add_char(&printer->out, ')');
}

static void node_put_reference(struct pcl_printer *printer, const struct pcl_expr *expr)
{
    str known = pcl_variable(printer, expr->text);

    strbuf_add(&printer->out, known.len ? known : node_identifier(printer->arena, expr->text));
    for (size_t i = 0; i < expr->len; i++) {
        const struct pcl_expr *step = expr->items[i];
        if (step->kind == PCL_NUMBER)
            pcl_put(printer, "[%.0f]", step->number);
        else if (str_equal(name_identifier(printer->arena, step->text), step->text))
            pcl_put(printer, "." STR_FMT, STR_ARG(step->text));
        else
            pcl_put(printer, "[\"" STR_FMT "\"]", STR_ARG(step->text));
    }
}

static void node_put_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                           const struct schema_type *type)
{
    const struct schema_type *actual = pcl_actual_type(expr, type);
    size_t index = pcl_enum_index(expr, actual);

    if (index != SIZE_MAX) {
        node_put_enum(printer, actual, index);
        return;
    }
    switch (expr->kind) {
    case PCL_NULL: strbuf_add(&printer->out, STR("null")); break;
    case PCL_BOOL: strbuf_add(&printer->out, expr->boolean ? STR("true") : STR("false")); break;
    case PCL_NUMBER: pcl_put_number(&printer->out, expr->number); break;
    case PCL_STRING: node_put_string(&printer->out, expr->text); break;
    case PCL_LIST: pcl_put_list(printer, expr, node_put_value, pcl_item_type(actual)); break;
    case PCL_OBJECT: node_put_object(printer, expr, actual); break;
    case PCL_CALL: node_put_call(printer, expr, type); break;
    case PCL_REFERENCE: node_put_reference(printer, expr); break;
    }
    if (actual && actual->kind == TYPE_ENUM
        && (expr->kind == PCL_STRING || expr->kind == PCL_NUMBER))
        strbuf_add(&printer->out,
                   STR(" as any")); /* the enum does not have it, the resource does */
}

/* --- resources --- */

static void node_put_inputs(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    bool has_lines = resource->input_count > 1;

    strbuf_add_char(&printer->out, '{');
    printer->indent += has_lines;
    for (size_t i = 0; i < resource->input_count; i++) {
        if (has_lines)
            pcl_line(printer);
        node_put_key(printer, resource->inputs[i].key);
        node_put_value(printer, resource->inputs[i].value,
                       pcl_input_type(resource, resource->inputs[i].key));
        if (has_lines)
            strbuf_add_char(&printer->out, ',');
    }
    printer->indent -= has_lines;
    if (has_lines)
        pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

/* One a line, by name. */
static void node_put_options(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    static const char *const names[] = { "deletedWith", "dependsOn",   "ignoreChanges",
                                         "import",      "parent",      "protect",
                                         "provider",    "replaceWith", "retainOnDelete",
                                         "version" };

    if (!resource->options.attribute_count)
        return;
    strbuf_add(&printer->out, STR(", {"));
    printer->indent++;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct pcl_expr *value = pcl_option(resource, names[i]);
        bool is_variable =
            value && value->kind == PCL_STRING && !pcl_option_is_text(str_from(names[i]));
        if (!value)
            continue;
        pcl_line(printer);
        node_put_key(printer, str_from(names[i]));
        if (str_equal(str_from(names[i]), STR("ignoreChanges")))
            pcl_put_paths(printer, value);
        else if (is_variable)
            strbuf_add(&printer->out, pcl_variable(printer, value->text));
        else
            node_put_value(printer, value, NULL);
        strbuf_add_char(&printer->out, ',');
    }
    printer->indent--;
    pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void node_put_resource(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    str variable =
        pcl_unique_name(printer, node_identifier(printer->arena, resource->variable), "", 2);

    pcl_set_variable(printer, resource->variable, variable);
    pcl_put(printer, "const " STR_FMT " = new ", STR_ARG(variable));
    if (resource->is_component) {
        pcl_put(printer, "pulumi.ComponentResource(");
        node_put_quoted(&printer->out, resource->token);
        strbuf_add(&printer->out, STR(", "));
    } else {
        node_put_class(printer, resource->package->schema, resource->package->name,
                       pcl_module(resource), pcl_class(printer->arena, resource));
        strbuf_add_char(&printer->out, '(');
    }
    node_put_quoted(&printer->out, resource->name);
    strbuf_add(&printer->out, STR(", "));
    node_put_inputs(printer, resource);
    node_put_options(printer, resource);
    strbuf_add(&printer->out, STR(");\n"));
}

static void node_put_imports(struct pcl_printer *printer)
{
    struct strs packages = pcl_used_packages(printer->arena, printer->program);

    pcl_put(printer, "import * as pulumi from \"@pulumi/pulumi\";\n");
    pcl_take_name(printer, STR("pulumi"));
    for (size_t i = 0; i < packages.len; i++) {
        const struct schema *schema = pcl_package_of(printer->program, packages.items[i])->schema;
        str alias = node_identifier(printer->arena, packages.items[i]);
        str module =
            schema ? schema_language_text(schema, STR("nodejs"), STR("packageName")) : STR("");
        if (!module.len)
            module =
                arena_concat(printer->arena, STR("@"),
                             schema && schema->namespace.len ? schema->namespace : STR("pulumi"),
                             STR("/"), packages.items[i]);
        pcl_put(printer, "import * as " STR_FMT " from \"" STR_FMT "\";\n", STR_ARG(alias),
                STR_ARG(module));
        pcl_take_name(printer, alias);
    }
    strbuf_add_char(&printer->out, '\n');
}

fallible node_print_program(const struct pcl_program *program, str *out)
{
    CLEANUP(pcl_printer_release)
    struct pcl_printer printer = { .program = program, .arena = program->arena, .unit = "    " };

    node_put_imports(&printer);
    for (size_t i = 0; i < program->len; i++)
        node_put_resource(&printer, &program->resources[program->order[i]]);
    *out = arena_copy(program->arena, strbuf_str(&printer.out));
    return NULL;
}
