/* go_config.c — the configuration of a package, for programs that ask for it. */
#include "go/sdk/go_parts.h"

#include "common/names.h"

struct config_kind {
    str type;
    str word; /* behind Get and Try */
};

static struct config_kind config_kind(const struct schema_type *type)
{
    static const struct config_kind kinds[] = {
        [TYPE_BOOL] = { STR_INIT("bool"), STR_INIT("Bool") },
        [TYPE_INTEGER] = { STR_INIT("int"), STR_INIT("Int") },
        [TYPE_NUMBER] = { STR_INIT("float64"), STR_INIT("Float64") },
        [TYPE_STRING] = { STR_INIT("string"), STR_INIT("") },
    };
    enum type_kind kind = go_simple_kind(type);

    return kinds[kind <= TYPE_STRING && kinds[kind].type.len ? kind : TYPE_STRING];
}

/* A variable that is set wins, then the environment, then the default. */
static fallible put_variable_default(struct go_file *file, const struct schema_property *variable,
                                     const struct config_kind *kind, str key)
{
    str value, type;

    go_put(file,
           "\tv, err := config.Try$1(ctx, $2)\n"
           "\tif err == nil {\n"
           "\t\treturn v\n"
           "\t}\n",
           kind->word, key);
    if (!variable->environment.len) {
        TRY(go_literal(file->arena, variable->preset, variable->type, &value));
        go_put(file, "\treturn $1\n", value);
        return NULL;
    }
    TRY(go_environment_text(file, variable, &value, &type));
    bool is_text = !str_equal(type, STR("pulumi.StringArray"));
    go_put(file,
           is_text ? "\tif d := $1; d != nil {\n\t\treturn d.($2)\n\t}\n"
                   : "\tif d := $1; d != nil {\n\t\treturn fmt.Sprint(d)\n\t}\n",
           value, type);
    if (!is_text)
        go_import(file, "fmt");
    go_put(file, "\tvar value $1\n\treturn value\n", kind->type);
    return NULL;
}

fallible go_put_config(struct go_file *file)
{
    struct schema *schema = file->sdk->schema;
    struct schema_properties variables = schema_config(schema);
    struct arena *arena = file->arena;

    go_import(file, "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config");
    for (size_t i = 0; i < variables.len; i++) {
        const struct schema_property *variable = &variables.items[i];
        struct config_kind kind = config_kind(variable->type);
        str key = go_quoted(
            arena, arena_concat(arena, schema->name, STR(":"), name_camel(arena, variable->name)));
        go_put_comment(file, variable->description, variable->deprecation, "");
        go_put(file, "func Get$1(ctx *pulumi.Context) $2 {\n", go_title(arena, variable->name),
               kind.type);
        if (go_has_default(variable))
            TRY(put_variable_default(file, variable, &kind, key));
        else
            go_put(file, "\treturn config.Get$1(ctx, $2)\n", kind.word, key);
        go_put(file, "}\n\n", STR(""));
    }
    return NULL;
}
