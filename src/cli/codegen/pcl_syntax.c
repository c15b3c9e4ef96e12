/* pcl_syntax.c — walks over a text of PCL. Line ends count in bodies and objects only; elsewhere
 * they are blanks. */
#include "cli/codegen/pcl_syntax.h"

#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>

enum { SYNTAX_MAX_DEPTH = 200 };

struct syntax {
    str text;
    size_t at;
    size_t line; /* from 1 */
    unsigned depth;
    bool skips_lines;
};

/* --- characters --- */

static fallible syntax_fail(const struct syntax *syntax, const char *format, ...) PRINTF(2, 3);
static fallible syntax_fail(const struct syntax *syntax, const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return error_new(ERROR_INVALID, "line %zu: %s", syntax->line, text);
}

static bool syntax_ends(const struct syntax *syntax)
{
    return syntax->at >= syntax->text.len;
}

static char syntax_peek(const struct syntax *syntax, size_t ahead)
{
    return syntax->at + ahead < syntax->text.len ? syntax->text.ptr[syntax->at + ahead] : '\0';
}

static bool syntax_starts(const struct syntax *syntax, str prefix)
{
    return str_starts_with(str_slice(syntax->text, syntax->at, syntax->text.len), prefix);
}

static void syntax_advance(struct syntax *syntax)
{
    syntax->line += syntax->text.ptr[syntax->at] == '\n';
    syntax->at++;
}

static bool syntax_accept(struct syntax *syntax, str what)
{
    if (!syntax_starts(syntax, what))
        return false;
    for (size_t i = 0; i < what.len; i++)
        syntax_advance(syntax);
    return true;
}

static fallible syntax_expect(struct syntax *syntax, str what)
{
    if (syntax_accept(syntax, what))
        return NULL;
    if (syntax_ends(syntax))
        return syntax_fail(syntax, "the text ends where '" STR_FMT "' is expected", STR_ARG(what));
    if (syntax_peek(syntax, 0) == '\n')
        return syntax_fail(syntax, "the line ends where '" STR_FMT "' is expected", STR_ARG(what));
    return syntax_fail(syntax, "'" STR_FMT "' is expected, not '%.*s'", STR_ARG(what),
                       (int)str_utf8_width(syntax->text, syntax->at),
                       syntax->text.ptr + syntax->at);
}

static void syntax_skip_comment(struct syntax *syntax)
{
    bool is_short = !syntax_starts(syntax, STR("/*"));

    while (!syntax_ends(syntax)
           && !(is_short ? syntax_peek(syntax, 0) == '\n' : syntax_accept(syntax, STR("*/"))))
        syntax_advance(syntax);
}

static void syntax_skip(struct syntax *syntax, bool with_lines)
{
    while (!syntax_ends(syntax)) {
        char c = syntax_peek(syntax, 0);
        if (c == ' ' || c == '\t' || c == '\r' || (with_lines && c == '\n'))
            syntax_advance(syntax);
        else if (c == '#' || syntax_starts(syntax, STR("//")) || syntax_starts(syntax, STR("/*")))
            syntax_skip_comment(syntax);
        else
            return;
    }
}

static void syntax_skip_here(struct syntax *syntax)
{
    syntax_skip(syntax, syntax->skips_lines);
}

static bool syntax_is_name(char c, bool is_first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || ((unsigned char)c & 0x80)
           || (!is_first && (char_is_digit(c) || c == '-'));
}

/* Empty: there is none. */
static str syntax_name(struct syntax *syntax)
{
    size_t start = syntax->at;

    while (syntax_is_name(syntax_peek(syntax, 0), syntax->at == start))
        syntax->at++;
    return str_slice(syntax->text, start, syntax->at);
}

/* The word stands here, and not only as the beginning of a longer one. */
static bool syntax_accept_word(struct syntax *syntax, str word)
{
    struct syntax ahead = *syntax;

    if (!str_equal(syntax_name(&ahead), word))
        return false;
    *syntax = ahead;
    return true;
}

static fallible syntax_expect_name(struct syntax *syntax, const char *what)
{
    return syntax_name(syntax).len ? NULL : syntax_fail(syntax, "%s is expected", what);
}

static fallible syntax_enter(struct syntax *syntax)
{
    return ++syntax->depth > SYNTAX_MAX_DEPTH ? syntax_fail(syntax, "this is nested too deeply")
                                              : NULL;
}

/* --- templates --- */

static fallible syntax_expr(struct syntax *syntax);

/* An expression in which line ends are blanks, or are not. */
static fallible syntax_expr_in(struct syntax *syntax, bool skips_lines)
{
    bool outer = syntax->skips_lines;

    syntax->skips_lines = skips_lines;
    syntax_skip_here(syntax);
    TRY(syntax_expr(syntax));
    syntax_skip_here(syntax);
    syntax->skips_lines = outer;
    return NULL;
}

static fallible syntax_close_template(struct syntax *syntax)
{
    syntax_skip(syntax, true);
    syntax_accept(syntax, STR("~"));
    return syntax_expect(syntax, STR("}"));
}

/* What "%{if" and "%{for" have begun and not ended yet: a character each. */
struct syntax_sections {
    char open[SYNTAX_MAX_DEPTH];
    size_t len;
};

static fallible syntax_end_section(struct syntax *syntax, struct syntax_sections *sections,
                                   char kind, bool goes_on)
{
    if (!sections->len || sections->open[sections->len - 1] != kind)
        return syntax_fail(syntax, "this ends no '%%{%s'", kind == 'i' ? "if" : "for");
    sections->len -= goes_on ? 0 : 1;
    return NULL;
}

static fallible syntax_loop_head(struct syntax *syntax)
{
    TRY(syntax_expect_name(syntax, "a variable behind 'for'"));
    syntax_skip(syntax, true);
    if (syntax_accept(syntax, STR(","))) {
        syntax_skip(syntax, true);
        TRY(syntax_expect_name(syntax, "a second variable"));
        syntax_skip(syntax, true);
    }
    if (!syntax_accept_word(syntax, STR("in")))
        return syntax_fail(syntax, "'in' is expected");
    return syntax_expr_in(syntax, true);
}

/* Behind "%{". */
static fallible syntax_directive(struct syntax *syntax, struct syntax_sections *sections)
{
    syntax_accept(syntax, STR("~"));
    syntax_skip(syntax, true);
    str word = syntax_name(syntax);
    bool is_if = str_equal(word, STR("if")), is_for = str_equal(word, STR("for"));

    syntax_skip(syntax, true);
    if (is_if || is_for) {
        if (sections->len == sizeof(sections->open))
            return syntax_fail(syntax, "this is nested too deeply");
        sections->open[sections->len++] = is_if ? 'i' : 'f';
        TRY(is_if ? syntax_expr_in(syntax, true) : syntax_loop_head(syntax));
    } else if (str_equal(word, STR("else"))) {
        TRY(syntax_end_section(syntax, sections, 'i', true));
    } else if (str_equal(word, STR("endif"))) {
        TRY(syntax_end_section(syntax, sections, 'i', false));
    } else if (str_equal(word, STR("endfor"))) {
        TRY(syntax_end_section(syntax, sections, 'f', false));
    } else {
        return syntax_fail(syntax, "behind '%%{' stands if, else, endif, for or endfor");
    }
    return syntax_close_template(syntax);
}

/* What begins with '$' or '%' in a template; a character that begins nothing is itself. */
static fallible syntax_sequence(struct syntax *syntax, struct syntax_sections *sections)
{
    if (syntax_accept(syntax, STR("$${")) || syntax_accept(syntax, STR("%%{")))
        return NULL;
    if (syntax_accept(syntax, STR("%{")))
        return syntax_directive(syntax, sections);
    if (!syntax_accept(syntax, STR("${"))) {
        syntax_advance(syntax);
        return NULL;
    }
    syntax_accept(syntax, STR("~"));
    TRY(syntax_expr_in(syntax, true));
    return syntax_close_template(syntax);
}

static fallible syntax_end_template(const struct syntax *syntax,
                                    const struct syntax_sections *sections)
{
    if (!sections->len)
        return NULL;
    return syntax_fail(syntax, "a '%%{%s' does not end",
                       sections->open[sections->len - 1] == 'i' ? "if" : "for");
}

static bool syntax_is_hex(char c)
{
    return char_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Behind the backslash. */
static fallible syntax_escape(struct syntax *syntax)
{
    char c = syntax_peek(syntax, 0);
    size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;

    if (!c || !strchr("nrt\"\\uU", c))
        return syntax_fail(syntax, "there is no escape of that kind in strings");
    for (size_t i = 1; i <= digits; i++)
        if (!syntax_is_hex(syntax_peek(syntax, i)))
            return syntax_fail(syntax, "an escape needs %zu hexadecimal digits", digits);
    syntax->at += 1 + digits;
    return NULL;
}

/* Behind the quote that opens it. */
static fallible syntax_string(struct syntax *syntax)
{
    struct syntax_sections sections = { .len = 0 };

    while (!syntax_accept(syntax, STR("\""))) {
        char c = syntax_peek(syntax, 0);
        if (syntax_ends(syntax) || c == '\n')
            return syntax_fail(syntax, "a string does not end");
        if (syntax_accept(syntax, STR("\\")))
            TRY(syntax_escape(syntax));
        else
            TRY(syntax_sequence(syntax, &sections));
    }
    return syntax_end_template(syntax, &sections);
}

static str syntax_line_rest(const struct syntax *syntax)
{
    str line = str_slice(syntax->text, syntax->at, syntax->text.len), rest;

    str_cut(line, STR("\n"), &line, &rest);
    return line;
}

/* Behind "<<". */
static fallible syntax_heredoc(struct syntax *syntax)
{
    struct syntax_sections sections = { .len = 0 };
    size_t begun = syntax->line;

    syntax_accept(syntax, STR("-"));
    str marker = syntax_name(syntax);
    if (!marker.len)
        return syntax_fail(syntax, "a name is expected behind '<<'");
    if (str_trim(syntax_line_rest(syntax)).len)
        return syntax_fail(syntax, "the line ends behind '<<" STR_FMT "'", STR_ARG(marker));
    while (true) {
        while (!syntax_ends(syntax) && syntax_peek(syntax, 0) != '\n')
            TRY(syntax_sequence(syntax, &sections));
        if (syntax_ends(syntax))
            return error_new(ERROR_INVALID,
                             "line %zu: a text does not end: there is no line '" STR_FMT "'", begun,
                             STR_ARG(marker));
        syntax_advance(syntax);
        str line = syntax_line_rest(syntax);
        if (str_equal(str_trim(line), marker)) {
            syntax->at += line.len;
            return syntax_end_template(syntax, &sections);
        }
    }
}

/* --- expressions --- */

/* `for` begins a loop where a variable follows it. */
static bool syntax_accept_for(struct syntax *syntax)
{
    struct syntax ahead = *syntax;

    if (!syntax_accept_word(&ahead, STR("for")))
        return false;
    syntax_skip(&ahead, true);
    if (!syntax_is_name(syntax_peek(&ahead, 0), true))
        return false;
    *syntax = ahead;
    return true;
}

/* for K, V in LIST : VALUE, or KEY => VALUE, or KEY => VALUE..., and then `if`. */
static fallible syntax_loop(struct syntax *syntax, bool is_object, str end)
{
    TRY(syntax_loop_head(syntax));
    TRY(syntax_expect(syntax, STR(":")));
    TRY(syntax_expr_in(syntax, true));
    if (is_object) {
        TRY(syntax_expect(syntax, STR("=>")));
        TRY(syntax_expr_in(syntax, true));
        syntax_accept(syntax, STR("..."));
        syntax_skip(syntax, true);
    }
    if (syntax_accept_word(syntax, STR("if")))
        TRY(syntax_expr_in(syntax, true));
    return syntax_expect(syntax, end);
}

/* Items of a list, or arguments, up to their end. */
static fallible syntax_items(struct syntax *syntax, str end)
{
    syntax_skip(syntax, true);
    while (!syntax_accept(syntax, end)) {
        TRY(syntax_expr_in(syntax, true));
        if (str_equal(end, STR(")")) && syntax_accept(syntax, STR("..."))) {
            syntax_skip(syntax, true);
            return syntax_expect(syntax, end);
        }
        if (!syntax_accept(syntax, STR(",")) && !syntax_starts(syntax, end))
            return syntax_expect(syntax, end);
        syntax_skip(syntax, true);
    }
    return NULL;
}

/* Behind the bracket that opens it. */
static fallible syntax_object(struct syntax *syntax)
{
    syntax_skip(syntax, true);
    if (syntax_accept_for(syntax))
        return syntax_loop(syntax, true, STR("}"));
    while (!syntax_accept(syntax, STR("}"))) {
        TRY(syntax_expr_in(syntax, false));
        if (!syntax_accept(syntax, STR(":")))
            TRY(syntax_expect(syntax, STR("=")));
        syntax_skip(syntax, true);
        TRY(syntax_expr_in(syntax, false));
        if (!syntax_accept(syntax, STR(",")) && !syntax_accept(syntax, STR("\n"))
            && !syntax_starts(syntax, STR("}")))
            return syntax_expect(syntax, STR("}"));
        syntax_skip(syntax, true);
    }
    return NULL;
}

static void syntax_number(struct syntax *syntax)
{
    while (char_is_digit(syntax_peek(syntax, 0)))
        syntax->at++;
    if (syntax_peek(syntax, 0) == '.' && char_is_digit(syntax_peek(syntax, 1)))
        for (syntax->at++; char_is_digit(syntax_peek(syntax, 0));)
            syntax->at++;
    if ((syntax_peek(syntax, 0) | 0x20) != 'e')
        return;
    size_t sign = syntax_peek(syntax, 1) == '+' || syntax_peek(syntax, 1) == '-';
    if (!char_is_digit(syntax_peek(syntax, 1 + sign)))
        return;
    for (syntax->at += 1 + sign; char_is_digit(syntax_peek(syntax, 0));)
        syntax->at++;
}

/* A variable, a word like `true`, or a call. */
static fallible syntax_word(struct syntax *syntax)
{
    bool has_name = syntax_name(syntax).len > 0;

    if (!has_name && syntax_ends(syntax))
        return syntax_fail(syntax, "the text ends where a value is expected");
    if (!has_name && syntax_peek(syntax, 0) == '\n')
        return syntax_fail(syntax, "the line ends where a value is expected");
    if (!has_name)
        return syntax_fail(syntax, "a value is expected, not '%.*s'",
                           (int)str_utf8_width(syntax->text, syntax->at),
                           syntax->text.ptr + syntax->at);
    while (syntax_accept(syntax, STR("::")))
        TRY(syntax_expect_name(syntax, "a name behind '::'"));
    return syntax_accept(syntax, STR("(")) ? syntax_items(syntax, STR(")")) : NULL;
}

static fallible syntax_primary(struct syntax *syntax)
{
    if (syntax_accept(syntax, STR("\"")))
        return syntax_string(syntax);
    if (syntax_accept(syntax, STR("<<")))
        return syntax_heredoc(syntax);
    if (syntax_accept(syntax, STR("{")))
        return syntax_object(syntax);
    if (syntax_accept(syntax, STR("("))) {
        TRY(syntax_expr_in(syntax, true));
        return syntax_expect(syntax, STR(")"));
    }
    if (syntax_accept(syntax, STR("["))) {
        syntax_skip(syntax, true);
        return syntax_accept_for(syntax) ? syntax_loop(syntax, false, STR("]"))
                                         : syntax_items(syntax, STR("]"));
    }
    if (!char_is_digit(syntax_peek(syntax, 0)))
        return syntax_word(syntax);
    syntax_number(syntax);
    return NULL;
}

/* .name, .0, .*, [index] and [*]. */
static fallible syntax_step(struct syntax *syntax)
{
    if (syntax_accept(syntax, STR("["))) {
        syntax_skip(syntax, true);
        if (syntax_accept(syntax, STR("*")))
            syntax_skip(syntax, true);
        else
            TRY(syntax_expr_in(syntax, true));
        return syntax_expect(syntax, STR("]"));
    }
    syntax->at++;
    syntax_skip_here(syntax);
    if (syntax_accept(syntax, STR("*")))
        return NULL;
    if (!char_is_digit(syntax_peek(syntax, 0)))
        return syntax_expect_name(syntax, "a name behind '.'");
    while (char_is_digit(syntax_peek(syntax, 0)))
        syntax->at++;
    return NULL;
}

static bool syntax_has_step(const struct syntax *syntax)
{
    return syntax_peek(syntax, 0) == '['
           || (syntax_peek(syntax, 0) == '.' && syntax_peek(syntax, 1) != '.');
}

static fallible syntax_term(struct syntax *syntax)
{
    while (syntax_accept(syntax, STR("-")) || syntax_accept(syntax, STR("!")))
        syntax_skip_here(syntax);
    TRY(syntax_primary(syntax));
    for (syntax_skip_here(syntax); syntax_has_step(syntax); syntax_skip_here(syntax))
        TRY(syntax_step(syntax));
    return NULL;
}

static bool syntax_accept_operator(struct syntax *syntax)
{
    static const char *const operators[] = { "||", "&&", "==", "!=", "<=", ">=", "<",
                                             ">",  "+",  "-",  "*",  "/",  "%" };

    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
        if (syntax_accept(syntax, str_from(operators[i])))
            return true;
    return false;
}

/* What binds how tightly does not matter here. */
static fallible syntax_expr(struct syntax *syntax)
{
    TRY(syntax_enter(syntax));
    do {
        syntax_skip_here(syntax);
        TRY(syntax_term(syntax));
    } while (syntax_accept_operator(syntax));
    if (syntax_accept(syntax, STR("?"))) {
        syntax_skip_here(syntax);
        TRY(syntax_expr(syntax));
        TRY(syntax_expect(syntax, STR(":")));
        syntax_skip_here(syntax);
        TRY(syntax_expr(syntax));
    }
    syntax->depth--;
    return NULL;
}

/* --- blocks --- */

static fallible syntax_body(struct syntax *syntax, bool is_inside);

static fallible syntax_attribute(struct syntax *syntax)
{
    TRY(syntax_expr_in(syntax, false));
    if (!syntax_ends(syntax) && syntax_peek(syntax, 0) != '\n' && syntax_peek(syntax, 0) != '}')
        return syntax_fail(syntax, "the line should end before '%.*s'",
                           (int)str_utf8_width(syntax->text, syntax->at),
                           syntax->text.ptr + syntax->at);
    return NULL;
}

/* Labels, and what is in it. */
static fallible syntax_block(struct syntax *syntax, str kind)
{
    while (!syntax_accept(syntax, STR("{"))) {
        if (syntax_accept(syntax, STR("\"")))
            TRY(syntax_string(syntax));
        else if (!syntax_name(syntax).len)
            return syntax_fail(syntax, "behind '" STR_FMT "' stands '=' or a block", STR_ARG(kind));
        syntax_skip(syntax, false);
    }
    TRY(syntax_enter(syntax));
    TRY(syntax_body(syntax, true));
    syntax->depth--;
    return NULL;
}

static fallible syntax_definition(struct syntax *syntax)
{
    str name = syntax_name(syntax);

    if (!name.len)
        return syntax_fail(syntax, "a block or an attribute is expected, not '%.*s'",
                           (int)str_utf8_width(syntax->text, syntax->at),
                           syntax->text.ptr + syntax->at);
    syntax_skip(syntax, false);
    if (syntax_starts(syntax, STR("==")) || !syntax_accept(syntax, STR("=")))
        return syntax_block(syntax, name);
    return syntax_attribute(syntax);
}

static fallible syntax_body(struct syntax *syntax, bool is_inside)
{
    size_t begun = syntax->line;

    while (true) {
        syntax_skip(syntax, true);
        if (is_inside ? syntax_accept(syntax, STR("}")) : syntax_ends(syntax))
            return NULL;
        if (syntax_ends(syntax))
            return error_new(ERROR_INVALID, "line %zu: a block does not end", begun);
        TRY(syntax_definition(syntax));
    }
}

fallible pcl_syntax_check(str text)
{
    struct syntax syntax = { .text = text, .line = 1 };

    if (!str_is_utf8(text))
        return error_new(ERROR_INVALID, "it is no text in UTF-8");
    return syntax_body(&syntax, false);
}
