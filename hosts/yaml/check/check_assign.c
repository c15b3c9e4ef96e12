/* check_assign.c — whether a value of one type may be used where another is wanted. */
#include "yaml/check/checker.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "yaml/syntax/syntax.h"

enum { MOST_SHOWN = 5 };

static struct mismatch *new_mismatch(struct checker *checker, str reason, struct range range)
{
    struct mismatch *mismatch = ARENA_NEW(checker->arena, struct mismatch);

    mismatch->reason = reason;
    mismatch->range = range;
    return mismatch;
}

static void add_reason(struct checker *checker, struct mismatch *mismatch, struct mismatch *reason)
{
    struct mismatch **all = ARENA_ARRAY(checker->arena, struct mismatch *, mismatch->len + 1);

    if (mismatch->len)
        memcpy(all, mismatch->because, mismatch->len * sizeof(struct mismatch *));
    all[mismatch->len++] = reason;
    mismatch->because = all;
}

static bool type_is_primitive(const struct schema_type *type)
{
    return type->kind <= TYPE_ARCHIVE;
}

static struct mismatch *mismatch_new(struct checker *checker, const struct expr *expr,
                                     const struct schema_type *from, const struct schema_type *to)
{
    const char *word = type_is_primitive(from) ? "type " : "";
    str reason = arena_printf(checker->arena, "Cannot assign %s'" STR_FMT "' to %s'" STR_FMT "'",
                              word, STR_ARG(schema_type_text(checker->arena, from)), word,
                              STR_ARG(schema_type_text(checker->arena, to)));

    return new_mismatch(checker, reason, expr ? expr->range : (struct range){ 0 });
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
    if (mismatch)
        mismatch->property = wanted->name;
    return mismatch;
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
    struct mismatch *mismatch =
        mismatch_new(checker, NULL, checker_properties_type(checker, given), to);
    mismatch->because = all.because;
    mismatch->len = all.len;
    return mismatch;
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
    struct mismatch *whole = mismatch_new(checker, expr, from, to);

    for (size_t i = 0; has && i < wanted->len; i++) {
        const struct schema_property *property = &wanted->items[i],
                                     *found = schema_property(*has, property->name);
        struct mismatch *mismatch =
            found ? checker_mismatch(checker, NULL, found->type, property->type)
                  : property_mismatch(checker, property, NULL, range, true);
        if (!mismatch)
            continue;
        mismatch->property = property->name;
        add_reason(checker, whole, mismatch);
    }
    for (size_t i = 0; has && i < has->len; i++)
        if (!schema_property(*wanted, has->items[i].name))
            add_reason(checker, whole,
                       unknown_property(checker, has->items[i].name, range, to, *wanted));
    return whole->len ? whole : NULL;
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
    struct mismatch *whole = mismatch_new(checker, expr, from, to);

    for (size_t i = 0; i < to->len; i++) {
        struct mismatch *mismatch = checker_mismatch(checker, expr, from, to->members[i]);
        if (!mismatch)
            return NULL;
        add_reason(checker, whole, mismatch);
    }
    return whole;
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
    struct mismatch *whole = mismatch_new(checker, NULL, from, to);

    for (size_t i = 0; i < from->len; i++) {
        struct mismatch *mismatch = checker_mismatch(checker, NULL, from->members[i], to);
        if (mismatch)
            add_reason(checker, whole, mismatch);
    }
    return whole->len ? whole : NULL;
}

struct mismatch *checker_mismatch(struct checker *checker, const struct expr *expr,
                                  struct schema_type *from, struct schema_type *to)
{
    if (from == to || from->kind == TYPE_ANY || to->kind == TYPE_ANY)
        return NULL;
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

/* --- telling --- */

static void mismatch_add_text(struct strbuf *out, const struct mismatch *mismatch, size_t indent,
                              bool is_alone)
{
    strbuf_add_repeated(out, ' ', indent * 2);
    if (mismatch->summary.len && !is_alone) {
        strbuf_add(out, mismatch->summary);
        strbuf_add(out, STR(". "));
    }
    if (mismatch->property.len) {
        strbuf_add(out, mismatch->property);
        strbuf_add(out, STR(": "));
    }
    strbuf_add(out, mismatch->reason);
    if (mismatch->len)
        strbuf_add_char(out, ':');
    for (size_t i = 0; i < mismatch->len; i++) {
        strbuf_add_char(out, '\n');
        mismatch_add_text(out, mismatch->because[i], indent + 1, is_alone && mismatch->len == 1);
    }
}

/* The one thing that is wrong, if it is one thing. */
static const struct mismatch *innermost(const struct mismatch *mismatch)
{
    while (mismatch->len == 1)
        mismatch = mismatch->because[0];
    return mismatch;
}

void checker_report(struct checker *checker, struct range range, const struct schema_type *to,
                    const struct schema_type *from, const struct mismatch *mismatch)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct mismatch *cause = innermost(mismatch);
    str summary = cause->summary;

    mismatch_add_text(&text, mismatch, 0, true);
    if (summary.len == 0)
        summary = arena_printf(checker->arena, STR_FMT " is not assignable from " STR_FMT,
                               STR_ARG(schema_type_text(checker->arena, to)),
                               STR_ARG(schema_type_text(checker->arena, from)));
    diags_add(checker->diags, DIAG_ERROR, cause->range.line ? cause->range : range, summary,
              arena_copy(checker->arena, strbuf_str(&text)));
}
