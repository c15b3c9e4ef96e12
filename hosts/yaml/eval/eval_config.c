/* eval_config.c — configuration: what was given for the run, or the defaults of the program. */
#include "yaml/eval/eval.h"

#include "base/json.h"
#include "base/program.h"
#include "model/value_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* --- what a text looks like --- */

static bool is_integer(str text)
{
    size_t sign = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');

    for (size_t i = sign; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return text.len > sign;
}

/* Decimal digits with a point or an exponent, in the notation of programs. */
static bool is_decimal(str text)
{
    bool has_digit = false;

    for (size_t i = 0; i < text.len; i++) {
        bool is_digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';
        has_digit = has_digit || is_digit;
        if (!is_digit && str_find_char(STR("+-.eE"), text.ptr[i]) == SIZE_MAX)
            return false;
    }
    return has_digit;
}

static bool parse_number(struct arena *arena, str text, double *out)
{
    const char *digits = arena_cstr(arena, text);
    char *end = NULL;

    errno = 0;
    *out = strtod(digits, &end);
    return text.len && end == digits + text.len && errno == 0;
}

static bool parse_json(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token end = { 0 };

    json_reader_init(&reader, arena, text);
    struct error *failure = value_read_plain(&reader, out);
    if (!failure)
        failure = json_next(&reader, &end);
    bool is_good = !failure && end.kind == JSON_END;
    error_ignore(failure, "it is text then");
    return is_good;
}

struct value config_retype(struct arena *arena, str text)
{
    struct value value;
    double number;
    bool boolean;
    bool has_leading_zero = text.len > 1 && text.ptr[0] == '0' && text.ptr[1] != '.';

    if (has_leading_zero)
        return value_string(text);
    if (is_integer(text) && text.len < 20 && parse_number(arena, text, &number))
        return value_number(number == 0 ? 0 : number); /* -0 is an integer: 0 */
    if (str_to_bool(text, &boolean))
        return value_bool(boolean);
    if (is_decimal(text) && parse_number(arena, text, &number))
        return value_number(number);
    if (parse_json(arena, text, &value))
        return value;
    return value_string(text);
}

/* --- declared types --- */

static const char *const type_names[] = { "String", "Number", "Int", "Boolean", "Object", NULL };

/* The name of a type, or NULL. Lists are "List<…>". */
static str parse_type(struct arena *arena, str text)
{
    static const struct {
        const char *word;
        const char *name;
    } words[] = {
        { "string", "string" },   { "number", "number" }, { "int", "integer" },
        { "integer", "integer" }, { "bool", "boolean" },  { "boolean", "boolean" },
        { "object", "Map<any>" },
    };

    char *lower = arena_cstr(arena, text);
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c + 'a' - 'A');
    str word = str_from(lower);
    bool is_list = str_starts_with(word, STR("list<")) && str_ends_with(word, STR(">"));
    if (is_list)
        word = str_trim(str_slice(word, 5, word.len - 1));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_equal(word, str_from(words[i].word)))
            return is_list ? arena_printf(arena, "List<%s>", words[i].name)
                           : str_from(words[i].name);
    return (str){ 0 };
}

/* Empty: none that a config value can have. */
static str type_of(struct arena *arena, struct value value)
{
    switch ((int)value.kind) {
    case VALUE_STRING: return STR("string");
    case VALUE_BOOL: return STR("boolean");
    case VALUE_NUMBER: return STR("number");
    case VALUE_OBJECT: return STR("Map<any>");
    case VALUE_ARRAY:
        return value.len ? arena_printf(arena, "List<" STR_FMT ">",
                                        STR_ARG(type_of(arena, value.items[0])))
                         : STR("");
    default: return STR("");
    }
}

static bool is_type(str wanted, str given, struct value value)
{
    if (str_equal(wanted, given))
        return true;
    return str_equal(wanted, STR("integer")) && value.kind == VALUE_NUMBER
           && floor(value.number) == value.number;
}

/* Every item is of the type of the first. */
static bool check_items(struct task *task, const struct expr *expr, struct value list)
{
    struct arena *arena = task->evaluator->arena;

    if (list.kind == VALUE_ARRAY && list.len == 0)
        return task_fail(task, expr->range, "empty list");
    for (uint32_t i = 1; list.kind == VALUE_ARRAY && i < list.len; i++) {
        str before = type_of(arena, list.items[i - 1]), type = type_of(arena, list.items[i]);
        if (!str_equal(before, type))
            return task_fail(task, expr->range,
                             "heterogeneous typed lists are not allowed: found types " STR_FMT
                             " and " STR_FMT,
                             STR_ARG(before), STR_ARG(type));
    }
    return true;
}

static bool eval_default(struct task *task, const struct config_decl *decl, str type,
                         struct value *out)
{
    struct arena *arena = task->evaluator->arena;

    if (!eval_expr(task, decl->default_value, out) || !check_items(task, decl->default_value, *out))
        return false;
    str given = type_of(arena, *out);
    if (given.len == 0)
        return task_fail(task, decl->default_value->range, "unknown type");
    if (type.len && !is_type(type, given, *out))
        return task_fail(task, decl->range,
                         "type mismatch: default value of type " STR_FMT " but type " STR_FMT
                         " was specified",
                         STR_ARG(given), STR_ARG(type));
    return true;
}

static bool eval_declared(struct task *task, const struct config_decl *decl, struct value *out)
{
    struct evaluator *evaluator = task->evaluator;
    str name = decl->name ? expr_string(decl->name) : decl->key;
    str type = { 0 };

    if (!decl->type && !decl->default_value)
        return task_fail(task, decl->range,
                         "unable to infer type: either 'default' or 'type' is required");
    if (decl->type) {
        type = parse_type(evaluator->arena, expr_string(decl->type));
        if (!type.ptr && !str_equal(expr_string(decl->type), STR("array")))
            return task_fail(task, decl->type->range,
                             "unexpected configuration type '" STR_FMT
                             "': valid types are %s, %s, %s, %s, %s, and lists of them",
                             STR_ARG(expr_string(decl->type)), type_names[0], type_names[1],
                             type_names[2], type_names[3], type_names[4]);
    }
    if (decl->default_value)
        return eval_default(task, decl, type, out);
    return task_fail(task, decl->range,
                     "missing required configuration variable '" STR_FMT
                     "'; run `%s config` to set",
                     STR_ARG(name), program_name());
}

/* Another name for what was given? */
static const struct node *given_by_name(const struct task *task)
{
    const struct config_decl *decl = task->node->config;

    if (!decl || !decl->name)
        return NULL;
    const struct node *node = map_find(&task->evaluator->graph->config, expr_string(decl->name));
    return node && node->is_external ? node : NULL;
}

bool eval_config(struct task *task, struct value *out)
{
    const struct node *node = task->node;
    const struct node *named = given_by_name(task);
    struct arena *arena = task->evaluator->arena;

    if (node->is_external || named) {
        *out = node->is_external ? node->external : named->external;
    } else if (!eval_declared(task, node->config, out)) {
        return false;
    }
    if (node->config && node->config->secret && node->config->secret->literal.boolean) {
        struct taint taint = { .is_output = true, .is_secret = true };
        *out = output_wrap(arena, output_strip(arena, *out, &taint), &taint);
    }
    return true;
}
