/* syntax.c — records: which field a key means, and what is said about keys that mean none. */
#include "yaml/syntax/syntax.h"

#include "base/semver.h"
#include "base/str_distance.h"
#include "base/strbuf.h"

#include <stdlib.h>

void syntax_check_case(struct syntax *syntax, const struct yaml_node *key, str wanted)
{
    if (str_equal(key->text, wanted))
        return;
    diags_warn(syntax->diags, node_range(syntax->source, key),
               "'" STR_FMT "' looks like a miscapitalization of '" STR_FMT "'", STR_ARG(key->text),
               STR_ARG(wanted))
        ->detail = STR("Fields are written in camelCase; another case may be refused one day.");
}

/* --- suggestions --- */

struct ranked {
    str name;
    size_t distance;
};

static int compare_ranked(const void *a_, const void *b_)
{
    const struct ranked *a = a_, *b = b_;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return str_compare(a->name, b->name);
}

void sort_by_distance(str *names, size_t len, str word)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct ranked *ranked = ARENA_ARRAY(&scratch, struct ranked, len + 1);

    for (size_t i = 0; i < len; i++)
        ranked[i] = (struct ranked){ names[i], str_distance(names[i], word, STR_LETTERS_EXACT,
                                                            STR_DISTANCE_UNLIMITED) };
    qsort(ranked, len, sizeof(*ranked), compare_ranked);
    for (size_t i = 0; i < len; i++)
        names[i] = ranked[i].name;
}

str suggestion_list(struct arena *arena, const str *names, size_t len, str word, size_t most)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str *sorted = arena_copy_bytes(arena, names, len * sizeof(*names));
    size_t shown = most && len > most ? most : len;

    sort_by_distance(sorted, len, word);
    for (size_t i = 0; i < shown; i++) {
        if (i)
            strbuf_add(&text, STR(", "));
        strbuf_add(&text, sorted[i]);
    }
    if (shown < len)
        strbuf_printf(&text, " and %zu %s", len - shown, len - shown == 1 ? "other" : "others");
    return arena_copy(arena, strbuf_str(&text));
}

/* --- fields --- */

static void warn_unknown(struct syntax *syntax, const struct yaml_node *key,
                         const char *const *names, const char *label)
{
    size_t count = 0;

    while (names[count])
        count++;
    str *quoted = ARENA_ARRAY(syntax->arena, str, count + 1);
    for (size_t i = 0; i < count; i++)
        quoted[i] = arena_printf(syntax->arena, "'%s'", names[i]);
    diags_warn(syntax->diags, node_range(syntax->source, key),
               "Field '" STR_FMT "' does not exist on Object '%s'", STR_ARG(key->text), label)
        ->detail = arena_concat(syntax->arena, STR("Existing fields are: "),
                                suggestion_list(syntax->arena, quoted, count, key->text, 0));
}

int syntax_field(struct syntax *syntax, const struct yaml_node *key, const char *const *names,
                 const char *label)
{
    for (int i = 0; names[i]; i++) {
        if (!str_same_letters(key->text, str_from(names[i])))
            continue;
        syntax_check_case(syntax, key, str_from(names[i]));
        return i;
    }
    if (label)
        warn_unknown(syntax, key, names, label);
    return -1;
}

struct expr *syntax_string(struct syntax *syntax, const struct yaml_node *node, const char *what)
{
    struct expr *expr = expr_read(syntax, node);

    if (!expr || expr_is_string(expr))
        return expr;
    diags_error(syntax->diags, expr->range, "%s must be a string", what);
    return NULL;
}

struct expr *syntax_version(struct syntax *syntax, const struct yaml_node *node)
{
    struct expr *expr = syntax_string(syntax, node, "version");
    struct semver version;

    if (expr && semver_parse_tolerant(expr_string(expr), &version))
        expr->literal = value_string(semver_format(syntax->arena, &version));
    return expr;
}

struct expr *syntax_bool(struct syntax *syntax, const struct yaml_node *node, const char *what)
{
    struct expr *expr = expr_read(syntax, node);

    if (!expr || (expr->kind == EXPR_LITERAL && expr->literal.kind == VALUE_BOOL))
        return expr;
    diags_error(syntax->diags, expr->range, "%s must be a boolean value", what);
    return NULL;
}
