/* go_constants.c — the constants of enums: how they are called, and their declarations. */
#include "go/sdk/go_parts.h"

/* --- names --- */

/* What else an enum declares under names that begin with its own. */
static bool is_own_form(const struct go_named *named, str name)
{
    static const struct {
        unsigned uses;
        const char *ending;
    } forms[] = {
        { GO_INPUT | GO_OUTPUT, "Ptr" },
        { GO_INPUT_ARRAY | GO_OUTPUT_ARRAY, "Array" },
        { GO_INPUT_MAP | GO_OUTPUT_MAP, "Map" },
    };
    static const char *const kinds[] = { "", "Input", "Output" };
    str rest = str_slice(name, named->name.len, name.len);

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
            if ((named->uses & forms[i].uses) && str_starts_with(rest, str_from(forms[i].ending))
                && str_equal(str_slice(rest, strlen(forms[i].ending), rest.len),
                             str_from(kinds[k])))
                return true;
    return false;
}

static fallible check_twice(const struct go_named *named)
{
    struct map seen = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; i < named->type->len && !failure; i++) {
        if (map_has(&seen, named->constants[i]))
            failure = error_new(ERROR_INVALID,
                                "enum '" STR_FMT "' has two values that would be '" STR_FMT
                                "'; name one of them in the schema",
                                STR_ARG(named->type->token), STR_ARG(named->constants[i]));
        map_put(&seen, named->constants[i], &seen);
    }
    map_release(&seen);
    return failure;
}

/* A constant makes way for everything else, with an underscore. */
static fallible name_constants(struct go_sdk *sdk, struct go_named *named)
{
    const struct schema_type *type = named->type;
    struct map *taken = &named->module->names;

    named->constants = ARENA_ARRAY(sdk->arena, str, type->len + 1);
    for (size_t i = 0; i < type->len; i++)
        TRY(go_constant_name(sdk->arena, type, i, named->name, &named->constants[i]));
    TRY(check_twice(named));
    for (size_t i = 0; i < type->len; i++) {
        while (map_has(taken, named->constants[i]) || is_own_form(named, named->constants[i]))
            named->constants[i] = arena_concat(sdk->arena, named->constants[i], STR("_"));
        map_put(taken, named->constants[i], named);
    }
    return NULL;
}

/* Published SDKs have the name of the enum twice in the constants of generic forms. */
static fallible name_doubled(struct go_sdk *sdk, struct go_named *named)
{
    struct schema_type again = *named->type;
    struct map *taken = &named->module->names;

    again.names = named->constants;
    named->doubled = ARENA_ARRAY(sdk->arena, str, again.len + 1);
    for (size_t i = 0; i < again.len; i++) {
        TRY(go_constant_name(sdk->arena, &again, i, named->name, &named->doubled[i]));
        if (map_has(taken, named->doubled[i]) || is_own_form(named, named->doubled[i]))
            named->doubled[i] = STR("");
        else
            map_put(taken, named->doubled[i], named);
    }
    return NULL;
}

typedef fallible name_enum(struct go_sdk *sdk, struct go_named *named);

static fallible name_all(struct go_sdk *sdk, name_enum *name)
{
    struct go_module **modules = go_sorted_modules(sdk);

    for (size_t i = 0; i < sdk->modules.len; i++)
        for (size_t k = 0; k < modules[i]->enums.len; k++)
            TRY(name(sdk, modules[i]->enums.items[k]));
    return NULL;
}

fallible go_plan_constants(struct go_sdk *sdk)
{
    TRY(name_all(sdk, name_constants));
    return sdk->settings.generics ? name_all(sdk, name_doubled) : NULL;
}

/* --- declarations --- */

static bool has_comment(const struct schema_type *type, size_t index)
{
    return type->value_descriptions[index].len || type->value_deprecations[index].len;
}

/* gofmt puts the values of neighbours without comments into one column. */
static size_t constant_run(const struct schema_type *type, const str *names, size_t first,
                           size_t *width)
{
    size_t i = first;

    *width = 0;
    while (i < type->len && (i == first || !has_comment(type, i))) {
        *width = names[i].len > *width ? names[i].len : *width;
        i++;
    }
    return i;
}

static fallible put_constant_block(struct go_file *file, const struct go_named *named,
                                   const str *names)
{
    static const struct schema_type any = { .kind = TYPE_ANY }; /* the enum says what it is */
    const struct schema_type *type = named->type;

    go_put(file, "const (\n", STR(""));
    for (size_t i = 0; i < type->len;) {
        size_t width, end = constant_run(type, names, i, &width);
        if (names[i].len)
            go_put_comment(file, type->value_descriptions[i], type->value_deprecations[i], "\t");
        for (; i < end; i++) {
            str value;
            TRY(go_literal(file->arena, type->values[i], &any, &value));
            if (!names[i].len)
                continue;
            go_put(file, "\t$1", names[i]);
            strbuf_add_repeated(&file->out, ' ', width - names[i].len);
            go_put(file, " = $1($2)\n", named->name, value);
        }
    }
    go_put(file, ")\n\n", STR(""));
    return NULL;
}

fallible go_put_constants(struct go_file *file, const struct go_named *named)
{
    TRY(put_constant_block(file, named, named->constants));
    if (!file->is_generic)
        return NULL;
    go_put(file, "// The same by the names that they have in other SDKs.\n", STR(""));
    return put_constant_block(file, named, named->doubled);
}
