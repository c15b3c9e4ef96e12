/* check_assign.c — whether a value of one type may be used where another is wanted. */
#include "yaml/check/checker.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "yaml/syntax/syntax.h"

enum { MOST_SHOWN = 5 };

/* Types may be endless: a schema may refer to itself, and variables may hold each other. What is
 * below so many others is not compared: it would need a deeper stack than a fiber has. */
enum { DEEPEST = 100 };

static struct mismatch *new_mismatch(struct checker *checker, str reason, struct range range)
{
    struct mismatch *mismatch = ARENA_NEW(checker->arena, struct mismatch);

    mismatch->reason = reason;
    mismatch->range = range;
    return mismatch;
}

static void add_reason(struct checker *checker, struct mismatch *mismatch, struct mismatch *reason)
{
    mismatch->because =
        arena_grow(checker->arena, mismatch->because, mismatch->len, sizeof(struct mismatch *));
    mismatch->because[mismatch->len++] = reason;
}

static struct mismatch *mismatch_new(struct checker *checker, const struct expr *expr,
                                     const struct schema_type *from, const struct schema_type *to)
{
    struct mismatch *mismatch =
        new_mismatch(checker, STR(""), expr ? expr->range : (struct range){ 0 });

    mismatch->from = from;
    mismatch->to = to;
    return mismatch;
}

/* NULL: there is no reason against it. */
static struct mismatch *mismatch_because(struct checker *checker, const struct expr *expr,
                                         const struct schema_type *from,
                                         const struct schema_type *to,
                                         const struct mismatch *reasons)
{
    if (reasons->len == 0)
        return NULL;
    struct mismatch *mismatch = mismatch_new(checker, expr, from, to);
    mismatch->because = reasons->because;
    mismatch->len = reasons->len;
    return mismatch;
}

/* --- objects --- */

static struct mismatch *unknown_property(struct checker *checker, str name, struct range range,
                                         const struct schema_type *to,
                                         struct schema_properties wanted)
{
    str label = schema_type_text(checker->arena, to);
    str *names = ARENA_ARRAY(checker->arena, str, wanted.len + 1);

    for (size_t i = 0; i < wanted.len; i++)
        names[i] = wanted.items[i].name;
    str detail =
        wanted.len
            ? arena_concat(checker->arena, STR("Existing properties are: "),
                           suggestion_list(checker->arena, names, wanted.len, name, MOST_SHOWN))
            : arena_printf(checker->arena, "'" STR_FMT "' has no properties", STR_ARG(label));
    struct mismatch *mismatch = new_mismatch(checker, detail, range);
    mismatch->summary =
        arena_printf(checker->arena, "Property " STR_FMT " does not exist on '" STR_FMT "'",
                     STR_ARG(name), STR_ARG(label));
    return mismatch;
}

static const struct property *properties_find(struct properties given, str name)
{
    for (size_t i = 0; i < given.len; i++)
        if (str_equal(given.items[i].name, name))
            return &given.items[i];
    return NULL;
}

/* What is remembered has no name: it may be used under several. */
static struct mismatch *as_property(struct checker *checker, const struct mismatch *mismatch,
                                    str name)
{
    struct mismatch *named = arena_copy_bytes(checker->arena, mismatch, sizeof(*mismatch));

    named->property = name;
    return named;
}

static struct mismatch *property_mismatch(struct checker *checker,
                                          const struct schema_property *wanted,
                                          const struct property *given, struct range range,
                                          bool needs_all)
{
    struct mismatch *mismatch = NULL;

    if (given)
        mismatch = checker_mismatch(checker, given->value, checker_type_of(checker, given->value),
                                    wanted->type);
    else if (wanted->is_required && needs_all && !wanted->has_constant)
        mismatch =
            new_mismatch(checker,
                         arena_printf(checker->arena, "Missing required property '" STR_FMT "'",
                                      STR_ARG(wanted->name)),
                         range);
    return mismatch ? as_property(checker, mismatch, wanted->name) : NULL;
}

struct mismatch *checker_object_mismatch(struct checker *checker, struct properties given,
                                         struct range range, const struct schema_type *to,
                                         struct schema_properties wanted, bool needs_all)
{
    struct mismatch all = { 0 };

    for (size_t i = 0; i < wanted.len; i++) {
        struct mismatch *mismatch =
            property_mismatch(checker, &wanted.items[i],
                              properties_find(given, wanted.items[i].name), range, needs_all);
        if (mismatch)
            add_reason(checker, &all, mismatch);
    }
    for (size_t i = 0; i < given.len; i++)
        if (!schema_property(wanted, given.items[i].name))
            add_reason(
                checker, &all,
                unknown_property(checker, given.items[i].name, given.items[i].range, to, wanted));
    if (all.len == 0)
        return NULL;
    return mismatch_because(checker, NULL, checker_properties_type(checker, given), to, &all);
}

static struct properties as_properties(struct checker *checker, const struct expr *expr)
{
    struct properties properties = { ARENA_ARRAY(checker->arena, struct property, expr->len + 1),
                                     0 };

    for (size_t i = 0; i < expr->len; i++)
        if (expr_is_string(expr->pairs[i].key))
            properties.items[properties.len++] =
                (struct property){ expr_string(expr->pairs[i].key), expr->pairs[i].key->range,
                                   expr->pairs[i].value };
    return properties;
}

/* Of an object of which only the type is known. */
static struct mismatch *members_mismatch(struct checker *checker, const struct expr *expr,
                                         struct schema_type *from, struct schema_type *to,
                                         const struct schema_properties *wanted)
{
    const struct schema_properties *has = schema_type_properties(from);
    struct range range = expr ? expr->range : (struct range){ 0 };
    struct mismatch all = { 0 };

    for (size_t i = 0; has && i < wanted->len; i++) {
        const struct schema_property *property = &wanted->items[i],
                                     *found = schema_property(*has, property->name);
        struct mismatch *mismatch =
            found ? checker_mismatch(checker, NULL, found->type, property->type)
                  : property_mismatch(checker, property, NULL, range, true);
        if (!mismatch)
            continue;
        add_reason(checker, &all, as_property(checker, mismatch, property->name));
    }
    for (size_t i = 0; has && i < has->len; i++)
        if (!schema_property(*wanted, has->items[i].name))
            add_reason(checker, &all,
                       unknown_property(checker, has->items[i].name, range, to, *wanted));
    return mismatch_because(checker, expr, from, to, &all);
}

static struct mismatch *to_object(struct checker *checker, const struct expr *expr,
                                  struct schema_type *from, struct schema_type *to)
{
    const struct schema_properties *wanted = schema_type_properties(to);

    if (!wanted || from->kind == TYPE_MAP)
        return NULL;
    if (from->kind != TYPE_OBJECT)
        return mismatch_new(checker, expr, from, to);
    if (expr && expr->kind == EXPR_OBJECT)
        return checker_object_mismatch(checker, as_properties(checker, expr), expr->range, to,
                                       *wanted, true);
    return members_mismatch(checker, expr, from, to, wanted);
}

static struct mismatch *to_map(struct checker *checker, const struct expr *expr,
                               struct schema_type *from, struct schema_type *to)
{
    const struct schema_properties *has =
        from->kind == TYPE_OBJECT ? schema_type_properties(from) : NULL;
    struct mismatch *mismatch = NULL;
    str property = { 0 };

    if (from->kind != TYPE_MAP && from->kind != TYPE_OBJECT)
        return mismatch_new(checker, expr, from, to);
    if (from->kind == TYPE_MAP)
        mismatch = checker_mismatch(checker, NULL, from->element, to->element);
    for (size_t i = 0; has && i < has->len && !mismatch; i++) {
        const struct expr *value =
            expr && expr->kind == EXPR_OBJECT && i < expr->len ? expr->pairs[i].value : NULL;
        mismatch = checker_mismatch(checker, value, has->items[i].type, to->element);
        property = has->items[i].name;
    }
    if (!mismatch)
        return NULL;
    struct mismatch *whole = mismatch_new(checker, expr, from, to);
    mismatch->property = property;
    add_reason(checker, whole, mismatch);
    return whole;
}

/* --- lists, choices --- */

static struct mismatch *to_array(struct checker *checker, const struct expr *expr,
                                 struct schema_type *from, struct schema_type *to)
{
    struct mismatch *mismatch = NULL;

    if (from->kind != TYPE_ARRAY)
        return mismatch_new(checker, expr, from, to);
    for (size_t i = 0; expr && expr->kind == EXPR_LIST && i < expr->len && !mismatch; i++)
        mismatch = checker_mismatch(checker, expr->items[i],
                                    checker_type_of(checker, expr->items[i]), to->element);
    if (!expr || expr->kind != EXPR_LIST)
        mismatch = checker_mismatch(checker, NULL, from->element, to->element);
    if (!mismatch)
        return NULL;
    struct mismatch *whole = mismatch_new(checker, NULL, from, to);
    add_reason(checker, whole, mismatch);
    return whole;
}

static struct mismatch *to_union(struct checker *checker, const struct expr *expr,
                                 struct schema_type *from, struct schema_type *to)
{
    struct mismatch all = { 0 };

    for (size_t i = 0; i < to->len; i++) {
        struct mismatch *mismatch = checker_mismatch(checker, expr, from, to->members[i]);
        if (!mismatch)
            return NULL;
        add_reason(checker, &all, mismatch);
    }
    return to->len ? mismatch_because(checker, expr, from, to, &all)
                   : mismatch_new(checker, expr, from, to);
}

static struct mismatch *to_enum(struct checker *checker, const struct expr *expr,
                                struct schema_type *from, struct schema_type *to)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (from->kind > TYPE_STRING && from->kind != TYPE_ENUM)
        return mismatch_new(checker, expr, from, to);
    if (!expr || expr->kind != EXPR_LITERAL || expr->literal.kind == VALUE_NULL)
        return NULL;
    for (size_t i = 0; i < to->len; i++) {
        if (value_equal(to->values[i], expr->literal))
            return NULL;
        if (i)
            strbuf_add(&text, STR(", "));
        if (to->values[i].kind == VALUE_STRING)
            strbuf_printf(&text, "\"" STR_FMT "\"", STR_ARG(value_text(to->values[i])));
        else if (to->values[i].kind == VALUE_NUMBER)
            json_format_number(&text, to->values[i].number);
    }
    struct mismatch *whole = mismatch_new(checker, expr, from, to);
    add_reason(checker, whole,
               new_mismatch(checker,
                            arena_printf(checker->arena, "Allowed values are " STR_FMT,
                                         STR_ARG(strbuf_str(&text))),
                            expr->range));
    return whole;
}

static bool fits_primitive(enum type_kind from, enum type_kind to)
{
    bool is_number = from == TYPE_NUMBER || from == TYPE_INTEGER;

    switch ((int)to) {
    case TYPE_NUMBER:
    case TYPE_INTEGER: return is_number;
    case TYPE_STRING:
        return from == TYPE_STRING || is_number || from == TYPE_BOOL || from == TYPE_RESOURCE
               || from == TYPE_ENUM;
    case TYPE_ASSET: return from == TYPE_ASSET || from == TYPE_ARCHIVE;
    default: return from == to;
    }
}

static struct mismatch *from_union(struct checker *checker, struct schema_type *from,
                                   struct schema_type *to)
{
    struct mismatch all = { 0 };

    for (size_t i = 0; i < from->len; i++) {
        struct mismatch *mismatch = checker_mismatch(checker, NULL, from->members[i], to);
        if (mismatch)
            add_reason(checker, &all, mismatch);
    }
    return mismatch_because(checker, NULL, from, to, &all);
}

static struct mismatch *compare(struct checker *checker, const struct expr *expr,
                                struct schema_type *from, struct schema_type *to)
{
    if (from->kind == TYPE_UNION)
        return from_union(checker, from, to);
    switch (to->kind) {
    case TYPE_ANY: return NULL;
    case TYPE_BOOL:
    case TYPE_INTEGER:
    case TYPE_NUMBER:
    case TYPE_STRING:
    case TYPE_ASSET:
    case TYPE_ARCHIVE:
        return fits_primitive(from->kind, to->kind) ? NULL : mismatch_new(checker, expr, from, to);
    case TYPE_ARRAY: return to_array(checker, expr, from, to);
    case TYPE_MAP: return to_map(checker, expr, from, to);
    case TYPE_UNION: return to_union(checker, expr, from, to);
    case TYPE_OBJECT: return to_object(checker, expr, from, to);
    case TYPE_ENUM: return to_enum(checker, expr, from, to);
    case TYPE_RESOURCE:
        return from->kind == TYPE_RESOURCE && str_equal(from->token, to->token)
                   ? NULL
                   : mismatch_new(checker, expr, from, to);
    }
    return NULL;
}

/* What was found of one value, or of one type, and a type that it is to have. */
struct verdict {
    struct mismatch *mismatch;
};

/* The same two may meet often: where variables hold another one twice, and where types that a union
 * has to choose from hold that union. Those that hold themselves fit as long as nothing speaks
 * against it. */
static struct mismatch *compare_once(struct checker *checker, const struct expr *expr,
                                     struct schema_type *from, struct schema_type *to)
{
    const void *pair[2] = { expr ? (const void *)expr : (const void *)from, to };
    str key = { (const char *)pair, sizeof(pair) };
    struct verdict *verdict = map_find(&checker->verdicts, key);

    if (verdict)
        return verdict->mismatch;
    if (checker->depth == DEEPEST)
        return NULL;
    verdict = ARENA_NEW(checker->arena, struct verdict);
    map_put(&checker->verdicts, arena_copy(checker->arena, key), verdict);
    checker->depth++;
    verdict->mismatch = compare(checker, expr, from, to);
    checker->depth--;
    return verdict->mismatch;
}

struct mismatch *checker_mismatch(struct checker *checker, const struct expr *expr,
                                  struct schema_type *from, struct schema_type *to)
{
    if (from == to || from->kind == TYPE_ANY || to->kind == TYPE_ANY)
        return NULL;
    if (type_is_primitive(from) && type_is_primitive(to))
        return compare(checker, expr, from, to);
    return compare_once(checker, expr, from, to);
}
