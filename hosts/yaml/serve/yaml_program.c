/* yaml_program.c — prints a program of PCL as YAML: its resources in the order in which they
 * stand. */
#include "yaml/serve/yaml_program.h"

#include "base/yaml.h"
#include "model/urn.h"

/* What looks like a reference is none: two marks stand for one, so several in a row and those
 * before a brace are doubled. */
static str escape_marks(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len;) {
        size_t count = 0;
        while (i + count < text.len && text.ptr[i + count] == '$')
            count++;
        bool is_before_brace = i + count < text.len && text.ptr[i + count] == '{';
        if (count == 0)
            strbuf_add_char(&out, text.ptr[i++]);
        strbuf_add_repeated(&out, '$', count > 1 || (count && is_before_brace) ? 2 * count : count);
        i += count;
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* The host keeps one name for itself. */
static str yaml_variable(str name)
{
    return str_equal(name, STR("pulumi")) ? STR("pulumi2") : name;
}

static struct yaml_node *reference_node(struct arena *arena, const struct pcl_expr *expr)
{
    return yaml_new_string(arena,
                           arena_concat(arena, STR("${"), pcl_path_text(arena, expr), STR("}")));
}

/* Words that were booleans once need no quotes for those who read programs: they are written as
 * if they had been read like that. */
static struct yaml_node *text_node(struct arena *arena, str text)
{
    static const char *const old_words[] = { "y", "n", "yes", "no", "on", "off" };

    for (size_t i = 0; i < sizeof(old_words) / sizeof(old_words[0]); i++) {
        if (!str_same_letters(text, str_from(old_words[i])))
            continue;
        struct yaml_node *node = yaml_new_plain(arena, text);
        node->line = 1;
        return node;
    }
    return yaml_new_string(arena, text);
}

static struct yaml_node *number_node(struct arena *arena, double number)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (pcl_is_int(number))
        pcl_put_number(&text, number);
    else
        pcl_put_float(&text, number);
    return yaml_new_plain(arena, arena_copy(arena, strbuf_str(&text)));
}

static struct yaml_node *pcl_value_node(struct arena *arena, const struct pcl_expr *expr);

static struct yaml_node *call_node(struct arena *arena, const struct pcl_expr *expr)
{
    struct yaml_node *node = yaml_new_mapping(arena);

    yaml_put(arena, node, arena_concat(arena, STR("fn::"), expr->text),
             expr->len ? pcl_value_node(arena, expr->items[0]) : yaml_new_mapping(arena));
    return node;
}

static struct yaml_node *pcl_value_node(struct arena *arena, const struct pcl_expr *expr)
{
    struct yaml_node *node;

    switch (expr->kind) {
    case PCL_NULL: return yaml_new_plain(arena, STR("null"));
    case PCL_BOOL: return yaml_new_plain(arena, expr->boolean ? STR("true") : STR("false"));
    case PCL_NUMBER: return number_node(arena, expr->number);
    case PCL_STRING: return text_node(arena, escape_marks(arena, expr->text));
    case PCL_LIST:
        node = yaml_new_sequence(arena);
        for (size_t i = 0; i < expr->len; i++)
            yaml_add(arena, node, pcl_value_node(arena, expr->items[i]));
        return node;
    case PCL_OBJECT:
        node = yaml_new_mapping(arena);
        for (size_t i = 0; i < expr->len; i++)
            yaml_append_pair(arena, node, text_node(arena, expr->members[i].key),
                             pcl_value_node(arena, expr->members[i].value));
        return node;
    case PCL_CALL: return call_node(arena, expr);
    case PCL_REFERENCE: return reference_node(arena, expr);
    }
    return yaml_new_plain(arena, STR("null"));
}

/* Properties are named, not referred to. */
static struct yaml_node *path_list_node(struct arena *arena, const struct pcl_expr *list)
{
    struct yaml_node *node = yaml_new_sequence(arena);

    for (size_t i = 0; i < list->len; i++)
        yaml_add(arena, node, yaml_new_string(arena, pcl_path_text(arena, list->items[i])));
    return node;
}

static struct yaml_node *options_node(struct arena *arena, const struct pcl_resource *resource)
{
    static const char *const names[] = { "provider",      "parent",      "dependsOn",
                                         "ignoreChanges", "protect",     "retainOnDelete",
                                         "deletedWith",   "replaceWith", "import",
                                         "version" };
    struct yaml_node *node = yaml_new_mapping(arena);

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct pcl_expr *value = pcl_option(resource, names[i]);
        str name = str_from(names[i]);
        if (!value)
            continue;
        if (str_equal(name, STR("ignoreChanges")))
            yaml_put(arena, node, name, path_list_node(arena, value));
        else if (value->kind == PCL_STRING && !pcl_option_is_text(name))
            yaml_put(arena, node, name, reference_node(arena, value));
        else
            yaml_put(arena, node, name, pcl_value_node(arena, value));
    }
    return node;
}

/* acme:store/bucket:Bucket is acme:store:Bucket, acme:index:Item is acme:Item. */
static str short_token(struct arena *arena, str token)
{
    str package, rest, module, name, folder, repeated;

    if (type_is_provider(token) || !str_cut(token, STR(":"), &package, &rest)
        || !str_cut(rest, STR(":"), &module, &name))
        return token;
    if (str_cut(module, STR("/"), &folder, &repeated) && str_same_letters(repeated, name))
        module = folder;
    if (str_equal(module, STR("index")) || !module.len)
        return arena_concat(arena, package, STR(":"), name);
    return arena_concat(arena, package, STR(":"), module, STR(":"), name);
}

static struct yaml_node *resource_node(struct arena *arena, const struct pcl_resource *resource)
{
    struct yaml_node *node = yaml_new_mapping(arena), *properties = yaml_new_mapping(arena);

    yaml_put(arena, node, STR("type"), yaml_new_string(arena, short_token(arena, resource->token)));
    if (!str_equal(resource->name, yaml_variable(resource->variable)))
        yaml_put(arena, node, STR("name"), yaml_new_string(arena, resource->name));
    for (size_t i = 0; i < resource->input_count; i++)
        yaml_append_pair(arena, properties, text_node(arena, resource->inputs[i].key),
                         pcl_value_node(arena, resource->inputs[i].value));
    if (resource->input_count)
        yaml_put(arena, node, STR("properties"), properties);
    if (resource->options.attribute_count)
        yaml_put(arena, node, STR("options"), options_node(arena, resource));
    return node;
}

/* Programs in YAML have no components of their own: the reader is told what is missing. */
static void put_missing(struct strbuf *out, const struct pcl_resource *resource)
{
    strbuf_printf(out,
                  "# YAML cannot declare the component '" STR_FMT "' of type " STR_FMT
                  ": a package has to bring it.\n",
                  STR_ARG(resource->variable), STR_ARG(resource->token));
}

fallible yaml_print_program(const struct pcl_program *program, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct arena *arena = program->arena;
    struct yaml_node *root = yaml_new_mapping(arena), *resources = yaml_new_mapping(arena);

    for (size_t i = 0; i < program->len; i++) {
        const struct pcl_resource *resource = &program->resources[i];
        if (resource->is_component)
            put_missing(&text, resource);
        else
            yaml_append_pair(arena, resources,
                             yaml_new_string(arena, yaml_variable(resource->variable)),
                             resource_node(arena, resource));
    }
    yaml_put(arena, root, STR("resources"), resources);
    strbuf_add(&text, yaml_write(arena, root));
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}
