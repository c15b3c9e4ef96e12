/* syntax_expr.c — expressions: literals, lists, objects, and calls of functions. */
#include "yaml/syntax/syntax.h"

/* What a function takes. */
enum arity {
    ONE,          /* anything */
    PAIR,         /* a list of two */
    LITERAL_PAIR, /* a list of two, the first a literal string */
    ASSETS,       /* an object of assets and archives under literal names */
};

struct function {
    const char *name;
    enum builtin builtin;
    enum arity arity;
    const char *complaint; /* of a pair: what is wrong with the argument */
};

static const struct function functions[] = {
    { "fn::join", BUILTIN_JOIN, PAIR, "the argument to fn::join must be a two-valued list" },
    { "fn::split", BUILTIN_SPLIT, PAIR, "The argument to fn::split must be a two-values list" },
    { "fn::select", BUILTIN_SELECT, PAIR, "the argument to fn::select must be a two-valued list" },
    { "fn::stackReference", BUILTIN_STACK_REFERENCE, LITERAL_PAIR,
      "the argument to fn::stackReference must be a two-valued list" },
    { "fn::toJSON", BUILTIN_TO_JSON, ONE, NULL },
    { "fn::toBase64", BUILTIN_TO_BASE64, ONE, NULL },
    { "fn::fromBase64", BUILTIN_FROM_BASE64, ONE, NULL },
    { "fn::secret", BUILTIN_SECRET, ONE, NULL },
    { "fn::unsecret", BUILTIN_UNSECRET, ONE, NULL },
    { "fn::readFile", BUILTIN_READ_FILE, ONE, NULL },
    { "fn::filebase64", BUILTIN_FILE_BASE64, ONE, NULL },
    { "fn::filebase64sha256", BUILTIN_FILE_BASE64_SHA256, ONE, NULL },
    { "fn::sha1", BUILTIN_SHA1, ONE, NULL },
    { "fn::length", BUILTIN_LENGTH, ONE, NULL },
    { "fn::singleOrNone", BUILTIN_SINGLE_OR_NONE, ONE, NULL },
    { "fn::pulumiResourceName", BUILTIN_RESOURCE_NAME, ONE, NULL },
    { "fn::pulumiResourceType", BUILTIN_RESOURCE_TYPE, ONE, NULL },
    { "fn::assetArchive", BUILTIN_ASSET_ARCHIVE, ASSETS, NULL },
    { "fn::stringAsset", BUILTIN_STRING_ASSET, ONE, NULL },
    { "fn::fileAsset", BUILTIN_FILE_ASSET, ONE, NULL },
    { "fn::remoteAsset", BUILTIN_REMOTE_ASSET, ONE, NULL },
    { "fn::fileArchive", BUILTIN_FILE_ARCHIVE, ONE, NULL },
    { "fn::remoteArchive", BUILTIN_REMOTE_ARCHIVE, ONE, NULL },
};

static bool makes_asset(enum builtin builtin)
{
    return builtin >= BUILTIN_ASSET_ARCHIVE;
}

static const struct function *find_function(str name)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (str_same_letters(name, str_from(functions[i].name)))
            return &functions[i];
    return NULL;
}

bool expr_is_string(const struct expr *expr)
{
    return expr && expr->kind == EXPR_LITERAL && expr->literal.kind == VALUE_STRING;
}

str expr_string(const struct expr *expr)
{
    return expr_is_string(expr) ? value_text(expr->literal) : STR("");
}

struct expr *expr_new(struct syntax *syntax, enum expr_kind kind, const struct yaml_node *node)
{
    struct expr *expr = ARENA_NEW(syntax->arena, struct expr);

    expr->kind = kind;
    expr->node = node;
    expr->range = node_range(syntax->source, node);
    return expr;
}

static struct expr *expr_complain(struct syntax *syntax, const struct yaml_node *node,
                                  const char *text)
{
    diags_error(syntax->diags, node_range(syntax->source, node), "%s", text);
    return NULL;
}

/* --- functions --- */

static struct expr *read_call(struct syntax *syntax, const struct function *function,
                              const struct yaml_node *node, const struct yaml_node *argument)
{
    struct expr *call = expr_new(syntax, EXPR_CALL, node);
    bool is_pair = function->arity != ONE;

    call->builtin = function->builtin;
    if (is_pair && (argument->kind != YAML_SEQUENCE || argument->len != 2))
        return expr_complain(syntax, argument, function->complaint);
    call->len = is_pair ? 2 : 1;
    call->items = ARENA_ARRAY(syntax->arena, struct expr *, call->len);
    for (size_t i = 0; i < call->len; i++) {
        call->items[i] = expr_read(syntax, is_pair ? argument->items[i] : argument);
        if (!call->items[i])
            return NULL;
    }
    if (function->arity == LITERAL_PAIR && !expr_is_string(call->items[0]))
        return expr_complain(syntax, argument,
                             "the first argument to fn::stackReference must be a string literal");
    return call;
}

static struct expr *read_asset_archive(struct syntax *syntax, const struct yaml_node *node,
                                       const struct yaml_node *argument)
{
    struct expr *call = expr_new(syntax, EXPR_CALL, node);
    bool is_good = true;

    if (argument->kind != YAML_MAPPING)
        return expr_complain(syntax, argument,
                             "the argument to fn::assetArchive must be an object");
    call->builtin = BUILTIN_ASSET_ARCHIVE;
    call->len = argument->len;
    call->pairs = ARENA_ARRAY(syntax->arena, struct expr_pair, argument->len + 1);
    for (size_t i = 0; i < argument->len; i++) {
        struct expr *key = expr_read(syntax, argument->pairs[i].key);
        struct expr *value = expr_read(syntax, argument->pairs[i].value);
        if (key && !expr_is_string(key))
            is_good = expr_complain(syntax, argument->pairs[i].key,
                                    "keys in fn::assetArchive arguments must be string literals");
        if (value && (value->kind != EXPR_CALL || !makes_asset(value->builtin)))
            is_good = expr_complain(syntax, argument->pairs[i].value,
                                    "value must be an asset or an archive");
        is_good = is_good && key && value;
        call->pairs[i] = (struct expr_pair){ key, value };
    }
    return is_good ? call : NULL;
}

static bool read_invoke_option(struct syntax *syntax, struct invoke *invoke, int field,
                               const struct yaml_node *node)
{
    struct expr **const places[] = { &invoke->depends_on, &invoke->parent, &invoke->provider,
                                     &invoke->version, &invoke->plugin_download_url };

    if (field == 3)
        *places[field] = syntax_version(syntax, node);
    else if (field == 4)
        *places[field] = syntax_string(syntax, node, "pluginDownloadURL");
    else
        *places[field] = expr_read(syntax, node);
    return *places[field] != NULL;
}

static bool read_invoke_options(struct syntax *syntax, struct invoke *invoke,
                                const struct yaml_node *node)
{
    static const char *const names[] = { "dependsOn",         "parent", "provider", "version",
                                         "pluginDownloadURL", NULL };
    bool is_good = true;

    if (node->kind != YAML_MAPPING)
        return expr_complain(syntax, node, "invokeOptions must be an object");
    for (size_t i = 0; i < node->len; i++) {
        int field = syntax_field(syntax, node->pairs[i].key, names, "invokeOptions");
        if (field >= 0 && !read_invoke_option(syntax, invoke, field, node->pairs[i].value))
            is_good = false;
    }
    return is_good;
}

static bool read_invoke_field(struct syntax *syntax, struct invoke *invoke, int field,
                              const struct yaml_node *node)
{
    switch (field) {
    case 0:
        invoke->token = expr_read(syntax, node);
        if (invoke->token && !expr_is_string(invoke->token))
            return expr_complain(syntax, node, "function name must be a string literal");
        return invoke->token;
    case 1:
        invoke->arguments = expr_read(syntax, node);
        if (invoke->arguments && invoke->arguments->kind != EXPR_OBJECT)
            return expr_complain(syntax, node,
                                 "function arguments ('arguments') must be an object");
        return invoke->arguments;
    case 2: return read_invoke_options(syntax, invoke, node);
    case 3:
        invoke->result = expr_read(syntax, node);
        if (invoke->result && !expr_is_string(invoke->result))
            return expr_complain(syntax, node, "return directive must be a string literal");
        return invoke->result;
    default: return true;
    }
}

static struct expr *read_invoke(struct syntax *syntax, const struct yaml_node *node,
                                const struct yaml_node *argument)
{
    static const char *const names[] = { "function", "arguments", "options", "return", NULL };
    struct expr *expr = expr_new(syntax, EXPR_INVOKE, node);
    bool is_good = true;

    expr->invoke = ARENA_NEW(syntax->arena, struct invoke);
    if (argument->kind != YAML_MAPPING)
        return expr_complain(syntax, argument,
                             "the argument to fn::invoke must be an object containing 'function', "
                             "'arguments', 'options', and 'return'");
    for (size_t i = 0; i < argument->len; i++) {
        int field = syntax_field(syntax, argument->pairs[i].key, names, NULL);
        if (!read_invoke_field(syntax, expr->invoke, field, argument->pairs[i].value))
            is_good = false;
    }
    if (is_good && !expr->invoke->token)
        return expr_complain(syntax, argument, "missing function name ('function')");
    return is_good ? expr : NULL;
}

/* fn::PACKAGE:MODULE[:NAME]: a short form of fn::invoke whose argument is the arguments. */
static struct expr *read_short_invoke(struct syntax *syntax, const struct yaml_node *node,
                                      const struct yaml_pair *pair)
{
    struct expr *expr = expr_new(syntax, EXPR_INVOKE, node);
    struct invoke *invoke = ARENA_NEW(syntax->arena, struct invoke);

    expr->invoke = invoke;
    invoke->token = expr_new(syntax, EXPR_LITERAL, pair->key);
    invoke->token->literal = value_string(str_slice(pair->key->text, 4, pair->key->text.len));
    if (pair->value->kind != YAML_MAPPING)
        return expr;
    invoke->arguments = expr_read(syntax, pair->value);
    if (!invoke->arguments)
        return NULL;
    if (invoke->arguments->kind != EXPR_OBJECT)
        return expr_complain(syntax, pair->value,
                             "function arguments ('arguments') must be an object");
    return expr;
}

/* Two or three parts between colons. */
static bool is_token(str name)
{
    size_t colons = 0, run = 0;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == ':' && run == 0)
            return false;
        colons += c == ':';
        run = c == ':' ? 0 : run + 1;
    }
    return run > 0 && (colons == 1 || colons == 2);
}

struct expr *expr_read_function(struct syntax *syntax, const struct yaml_node *node,
                                bool *is_function)
{
    const struct yaml_pair *pair = &node->pairs[0];
    str name = pair->key->text;

    *is_function = false;
    if (node->len != 1 || name.len < 4 || !str_same_letters(str_slice(name, 0, 4), STR("fn::")))
        return NULL;
    *is_function = true;
    if (str_same_letters(name, STR("fn::invoke"))) {
        syntax_check_case(syntax, pair->key, STR("fn::invoke"));
        return read_invoke(syntax, node, pair->value);
    }
    const struct function *function = find_function(name);
    if (function) {
        syntax_check_case(syntax, pair->key, str_from(function->name));
        if (function->builtin == BUILTIN_STACK_REFERENCE)
            diags_warn(syntax->diags, node_range(syntax->source, pair->key),
                       "'fn::stackReference' is deprecated; please use "
                       "'pulumi:pulumi:StackReference' instead");
        if (function->arity == ASSETS)
            return read_asset_archive(syntax, node, pair->value);
        return read_call(syntax, function, node, pair->value);
    }
    if (is_token(str_slice(name, 4, name.len)))
        return read_short_invoke(syntax, node, pair);
    diags_warn(syntax->diags, node_range(syntax->source, pair->key), "'fn::' is a reserved prefix")
        ->detail = arena_printf(
        syntax->arena, "'" STR_FMT "' is no function that is known here; it is kept as a key",
        STR_ARG(name));
    *is_function = false;
    return NULL;
}

/* --- the rest --- */

static struct expr *syntax_read_list(struct syntax *syntax, const struct yaml_node *node)
{
    struct expr *list = expr_new(syntax, EXPR_LIST, node);
    bool is_good = true;

    list->len = node->len;
    list->items = ARENA_ARRAY(syntax->arena, struct expr *, node->len + 1);
    for (size_t i = 0; i < node->len; i++) {
        list->items[i] = expr_read(syntax, node->items[i]);
        is_good = is_good && list->items[i];
    }
    return is_good ? list : NULL;
}

static struct expr *syntax_read_object(struct syntax *syntax, const struct yaml_node *node)
{
    bool is_function = false;
    bool is_good = true;
    struct expr *call = node->len ? expr_read_function(syntax, node, &is_function) : NULL;

    if (is_function)
        return call;
    struct expr *object = expr_new(syntax, EXPR_OBJECT, node);
    object->len = node->len;
    object->pairs = ARENA_ARRAY(syntax->arena, struct expr_pair, node->len + 1);
    for (size_t i = 0; i < node->len; i++) {
        const struct function *function = find_function(node->pairs[i].key->text);
        if (function && function->builtin > BUILTIN_ASSET_ARCHIVE) {
            diags_error(syntax->diags, object->range, "%s must have it's own object",
                        function->name);
            return NULL;
        }
        object->pairs[i].key = expr_read(syntax, node->pairs[i].key);
        object->pairs[i].value = expr_read(syntax, node->pairs[i].value);
        is_good = is_good && object->pairs[i].key && object->pairs[i].value;
    }
    return is_good ? object : NULL;
}

/* Whether a scalar is what its tag says; other tags than those of YAML itself say nothing. */
static bool fits_tag(struct syntax *syntax, const struct yaml_node *node, enum yaml_type type)
{
    static const char *const names[] = { "null", "bool", "int", "float", "str", "timestamp" };
    const str prefix = STR("tag:yaml.org,2002:");

    if (!str_starts_with(node->tag, prefix))
        return true;
    str wanted = str_slice(node->tag, prefix.len, node->tag.len);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!str_equal(wanted, str_from(names[i])) || i == YAML_STRING || i == (size_t)type)
            continue;
        if (i == YAML_FLOAT && type == YAML_INT)
            continue;
        diags_error(syntax->diags, node_range(syntax->source, node),
                    "yaml: cannot decode !!%s `" STR_FMT "` as a !!%s", names[type],
                    STR_ARG(node->text), names[i]);
        return false;
    }
    return true;
}

static struct expr *read_scalar(struct syntax *syntax, const struct yaml_node *node)
{
    struct yaml_scalar scalar = yaml_resolve(node);
    struct expr *expr;

    if (!fits_tag(syntax, node, scalar.type))
        return NULL;

    if (scalar.type == YAML_STRING || scalar.type == YAML_TIMESTAMP)
        return expr_read_text(syntax, node, node->text);
    expr = expr_new(syntax, EXPR_LITERAL, node);
    switch (scalar.type) {
    case YAML_BOOL: expr->literal = value_bool(scalar.boolean); break;
    case YAML_INT:
    case YAML_FLOAT: expr->literal = value_number(scalar.number); break;
    case YAML_NULL:
    case YAML_STRING:
    case YAML_TIMESTAMP: expr->literal = value_null(); break;
    }
    return expr;
}

struct expr *expr_read(struct syntax *syntax, const struct yaml_node *node)
{
    switch (node->kind) {
    case YAML_SCALAR: return read_scalar(syntax, node);
    case YAML_SEQUENCE: return syntax_read_list(syntax, node);
    case YAML_MAPPING: return syntax_read_object(syntax, node);
    }
    return NULL;
}
