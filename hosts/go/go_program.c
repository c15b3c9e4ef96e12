/* go_program.c — prints a program as Go. */
#include "go/go_program.h"

#include "go/sdk/go_sdk.h"

#include <ctype.h>
#include <math.h>

static const char *const go_reserved[] = {
    "any",    "append",  "bool",        "break",    "byte",    "cap",       "case",   "chan",
    "close",  "complex", "const",       "continue", "copy",    "default",   "defer",  "delete",
    "else",   "error",   "fallthrough", "false",    "float64", "for",       "func",   "go",
    "goto",   "if",      "imag",        "import",   "int",     "interface", "iota",   "len",
    "make",   "map",     "new",         "nil",      "package", "panic",     "print",  "println",
    "range",  "real",    "recover",     "return",   "rune",    "select",    "string", "struct",
    "switch", "true",    "type",        "uint",     "var",     NULL,
};

/* someName of some-name. */
static str go_name(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_new = false;

    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (!isalnum(c)) {
            is_new = out.len > 0;
            continue;
        }
        if (!out.len && isdigit(c))
            strbuf_add_char(&out, '_');
        strbuf_add_char(&out, (char)(is_new ? toupper(c) : out.len ? c : tolower(c)));
        is_new = false;
    }
    str legal = arena_copy(arena, out.len ? strbuf_str(&out) : STR("_0"));
    return name_is_one_of(go_reserved, legal) ? arena_concat(arena, STR("_"), legal) : legal;
}

/* --- packages --- */

static str without_dashes(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] != '-')
            strbuf_add_char(&out, (char)tolower((unsigned char)name.ptr[i]));
    return arena_copy(arena, strbuf_str(&out));
}

/* Where the SDK of a package is: as the schema says, or where nobody has one. */
static str go_sdk_path(struct arena *arena, const struct schema *schema, str package)
{
    struct go_settings settings = { 0 };

    if (!schema)
        return arena_concat(arena, STR("github.com/pulumi/pulumi-"), package, STR("/sdk/go/"),
                            without_dashes(arena, package));
    settings.import_base = schema_language_text(schema, STR("go"), STR("importBasePath"));
    return go_import_base(arena, schema, &settings);
}

static str go_last_part(str path)
{
    str head, name = path;

    str_cut_last(path, STR("/"), &head, &name);
    return name;
}

str go_package_name(struct go_printer *printer, const struct schema *schema, str package,
                    str module)
{
    struct arena *arena = printer->base.arena;
    str path = go_sdk_path(arena, schema, package);
    str folder = without_dashes(arena, module);

    if (schema && module.len)
        schema_language_rename(schema, STR("go"), STR("moduleToPackage"), module, &folder);
    if (folder.len)
        path = arena_concat(arena, path, STR("/"), folder);
    const str *known = map_find(&printer->imports, path);
    if (known)
        return *known;
    str alias = schema ? schema_language_entry(schema, STR("go"), STR("packageImportAliases"), path)
                       : STR("");
    str *name = ARENA_NEW(arena, str);
    *name = pcl_unique_name(
        &printer->base,
        alias.len ? alias
                  : go_package_clause(
                      arena, name_identifier(arena, without_dashes(arena, go_last_part(path)))),
        "", 2);
    map_put(&printer->imports, path, name);
    return *name;
}

/* --- fields --- */

static size_t count_characters(str text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
    return count;
}

/* gofmt begins a new column where keys differ much in length and one of them is long. */
static bool begins_column(size_t size, size_t before, double sum_of_logarithms, size_t count)
{
    enum { SHORT = 40 };
    const double limit = 2.5;

    if (before <= SHORT && size <= SHORT)
        return false;
    double ratio = (double)size / exp(sum_of_logarithms / (double)count);
    return limit * ratio <= 1 || limit <= ratio;
}

/* How many fields from `start` on share a column: lines of their own without a break. */
static size_t column_length(const struct go_field *fields, size_t start, size_t len)
{
    double sum = 0;
    size_t i = start;

    for (; i < len && str_find_char(fields[i].value, '\n') == SIZE_MAX; i++) {
        size_t size = count_characters(fields[i].key) - 1;
        if (i > start
            && begins_column(size, count_characters(fields[i - 1].key) - 1, sum, i - start))
            break;
        sum += log((double)size);
    }
    return i - start;
}

static void put_field(struct pcl_printer *printer, const struct go_field *field, size_t width)
{
    size_t size = count_characters(field->key);

    pcl_line(printer);
    strbuf_add(&printer->out, field->key);
    strbuf_add_repeated(&printer->out, ' ', width > size ? width - size + 1 : 1);
    strbuf_add(&printer->out, field->value);
    strbuf_add_char(&printer->out, ',');
}

void go_put_fields(struct pcl_printer *printer, const struct go_field *fields, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t count = column_length(fields, i, len), width = 0;
        for (size_t j = i; j < i + count; j++)
            if (count_characters(fields[j].key) > width)
                width = count_characters(fields[j].key);
        for (size_t j = 0; j < (count ? count : 1); j++)
            put_field(printer, &fields[i + j], count ? width : 0);
        i += count ? count : 1;
    }
}

str go_print_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                   const struct schema_type *type,
                   void (*put)(struct pcl_printer *printer, const struct pcl_expr *expr,
                               const struct schema_type *type))
{
    struct strbuf before = printer->out;

    printer->out = (struct strbuf){ 0 };
    put(printer, expr, type);
    str text = arena_copy(printer->arena, strbuf_str(&printer->out));
    strbuf_release(&printer->out);
    printer->out = before;
    return text;
}

/* --- resources --- */

static void go_put_inputs(struct go_printer *printer, const struct pcl_resource *resource,
                          str package, str class)
{
    struct pcl_printer *base = &printer->base;
    struct go_field *fields = ARENA_ARRAY(base->arena, struct go_field, resource->input_count + 1);

    if (!resource->input_count) {
        strbuf_add(&base->out, STR("nil"));
        return;
    }
    pcl_put(base, "&" STR_FMT "." STR_FMT "Args{", STR_ARG(package), STR_ARG(class));
    base->indent++;
    for (size_t i = 0; i < resource->input_count; i++) {
        str key = resource->inputs[i].key;
        fields[i].key = arena_concat(base->arena, name_title(base->arena, key), STR(":"));
        fields[i].value = go_print_value(base, resource->inputs[i].value,
                                         pcl_input_type(resource, key), go_put_value);
    }
    go_put_fields(base, fields, resource->input_count);
    base->indent--;
    pcl_line(base);
    strbuf_add_char(&base->out, '}');
}

static void go_put_variable(struct pcl_printer *printer, const struct pcl_expr *value)
{
    str known = pcl_variable(printer, value->text);

    strbuf_add(&printer->out, known.len ? known : go_name(printer->arena, value->text));
}

static void go_put_variables(struct pcl_printer *printer, const struct pcl_expr *list)
{
    strbuf_add(&printer->out, STR("[]pulumi.Resource{"));
    printer->indent++;
    for (size_t i = 0; i < list->len; i++) {
        pcl_line(printer);
        go_put_variable(printer, list->items[i]);
        strbuf_add_char(&printer->out, ',');
    }
    printer->indent--;
    pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void go_put_paths(struct pcl_printer *printer, const struct pcl_expr *list)
{
    strbuf_add(&printer->out, STR("[]string{"));
    printer->indent++;
    for (size_t i = 0; i < list->len; i++) {
        pcl_line(printer);
        go_put_string(&printer->out, pcl_path_text(printer->arena, list->items[i]));
        strbuf_add_char(&printer->out, ',');
    }
    printer->indent--;
    pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void go_put_option(struct pcl_printer *printer, str name, const struct pcl_expr *value)
{
    pcl_put(printer, ", pulumi." STR_FMT "(", STR_ARG(name_title(printer->arena, name)));
    if (str_equal(name, STR("import")) && value->kind == PCL_STRING) {
        strbuf_add(&printer->out, STR("pulumi.ID("));
        go_put_string(&printer->out, value->text);
        strbuf_add_char(&printer->out, ')');
    } else if (str_equal(name, STR("version"))) {
        go_put_string(&printer->out, value->text);
    } else if (str_equal(name, STR("ignoreChanges"))) {
        go_put_paths(printer, value);
    } else if (value->kind == PCL_LIST) {
        go_put_variables(printer, value);
    } else if (value->kind == PCL_BOOL) {
        strbuf_add(&printer->out, value->boolean ? STR("true") : STR("false"));
    } else {
        go_put_variable(printer, value);
    }
    strbuf_add_char(&printer->out, ')');
}

static void go_put_options(struct pcl_printer *printer, const struct pcl_resource *resource)
{
    static const char *const names[] = { "parent",      "provider",       "dependsOn",
                                         "protect",     "retainOnDelete", "ignoreChanges",
                                         "deletedWith", "replaceWith",    "import",
                                         "version" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct pcl_expr *value = pcl_option(resource, names[i]);
        if (value)
            go_put_option(printer, str_from(names[i]), value);
    }
}

static void put_error_check(struct pcl_printer *printer)
{
    pcl_line(printer);
    strbuf_add(&printer->out, STR("if err != nil {"));
    printer->indent++;
    pcl_line(printer);
    strbuf_add(&printer->out, STR("return err"));
    printer->indent--;
    pcl_line(printer);
    strbuf_add_char(&printer->out, '}');
}

static void go_put_component(struct pcl_printer *printer, const struct pcl_resource *resource,
                             str variable, bool is_first)
{
    pcl_line(printer);
    pcl_put(printer, STR_FMT " := &pulumi.ResourceState{}", STR_ARG(variable));
    pcl_line(printer);
    pcl_put(printer, "err %s ctx.RegisterComponentResource(", is_first ? ":=" : "=");
    go_put_string(&printer->out, resource->token);
    strbuf_add(&printer->out, STR(", "));
    go_put_string(&printer->out, resource->name);
    pcl_put(printer, ", " STR_FMT, STR_ARG(variable));
}

static void go_put_custom(struct go_printer *printer, const struct pcl_resource *resource,
                          str variable, bool is_first)
{
    struct pcl_printer *base = &printer->base;
    str class = pcl_class(base->arena, resource);
    str package = go_package_name(printer, resource->package->schema, resource->package->name,
                                  pcl_module(resource));

    pcl_line(base);
    pcl_put(base, STR_FMT ", err %s " STR_FMT ".New" STR_FMT "(ctx, ", STR_ARG(variable),
            is_first || resource->is_used ? ":=" : "=", STR_ARG(package), STR_ARG(class));
    go_put_string(&base->out, resource->name);
    strbuf_add(&base->out, STR(", "));
    go_put_inputs(printer, resource, package, class);
}

static void go_put_resource(struct go_printer *printer, const struct pcl_resource *resource,
                            bool is_first)
{
    struct pcl_printer *base = &printer->base;
    str variable = STR("_");

    if (resource->is_used || resource->is_component)
        variable = pcl_unique_name(base, go_name(base->arena, resource->variable), "", 2);
    pcl_set_variable(base, resource->variable, variable);
    if (resource->is_component)
        go_put_component(base, resource, variable, is_first);
    else
        go_put_custom(printer, resource, variable, is_first);
    go_put_options(base, resource);
    strbuf_add_char(&base->out, ')');
    put_error_check(base);
}

/* --- the whole --- */

static struct pairs sorted_imports(const struct go_printer *printer)
{
    struct arena *arena = printer->base.arena;
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, printer->imports.len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    pairs[len++] = (struct pair){ STR("github.com/pulumi/pulumi/sdk/v3/go/pulumi"), STR("pulumi") };
    for (size_t i = 0; map_next(&printer->imports, &i, &entry);)
        pairs[len++] = (struct pair){ entry->key, *(const str *)entry->value };
    return pairs_sorted(arena, (struct pairs){ pairs, len });
}

static void go_put_head(const struct go_printer *printer, struct strbuf *out)
{
    struct pairs imports = sorted_imports(printer);

    strbuf_add(out, STR("package main\n\nimport (\n"));
    for (size_t i = 0; i < imports.len; i++) {
        bool is_plain = str_equal(go_last_part(imports.items[i].key), imports.items[i].value);
        strbuf_printf(out, "\t" STR_FMT "%s\"" STR_FMT "\"\n",
                      STR_ARG(is_plain ? STR("") : imports.items[i].value), is_plain ? "" : " ",
                      STR_ARG(imports.items[i].key));
    }
    strbuf_add(out, STR(")\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {"));
}

static void go_printer_release(struct go_printer *printer)
{
    pcl_printer_release(&printer->base);
    map_release(&printer->imports);
}

fallible go_print_program(const struct pcl_program *program, str *out)
{
    static const char *const own[] = { "pulumi", "ctx", "err", "main" };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(go_printer_release)
    struct go_printer printer = {
        .base = { .program = program, .arena = program->arena, .unit = "\t", .indent = 2 }
    };

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        pcl_take_name(&printer.base, str_from(own[i]));
    for (size_t i = 0; i < program->len; i++)
        go_put_resource(&printer, &program->resources[program->order[i]], i == 0);
    go_put_head(&printer, &text);
    strbuf_add(&text, strbuf_str(&printer.base.out));
    strbuf_add(&text, STR("\n\t\treturn nil\n\t})\n}\n"));
    *out = arena_copy(program->arena, strbuf_str(&text));
    return NULL;
}
