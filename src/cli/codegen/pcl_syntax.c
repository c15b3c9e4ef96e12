/* pcl_syntax.c — walks over a text of PCL. Line ends count in bodies and objects only; elsewhere
 * they are blanks. */
#include "cli/codegen/pcl_syntax.h"

#include "base/hcl_text.h"

struct syntax {
    struct hcl_text in;
    bool skips_lines;
};

static void syntax_skip_here(struct syntax *syntax)
{
    hcl_skip(&syntax->in, syntax->skips_lines);
}

/* The word stands here, and not only as the beginning of a longer one. */
static bool syntax_accept_word(struct syntax *syntax, str word)
{
    struct syntax ahead = *syntax;

    if (!str_equal(hcl_name(&ahead.in), word))
        return false;
    *syntax = ahead;
    return true;
}

static fallible syntax_expect_name(struct syntax *syntax, const char *what)
{
    return hcl_name(&syntax->in).len ? NULL : hcl_fail(&syntax->in, "%s is expected", what);
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
    hcl_skip(&syntax->in, true);
    hcl_accept(&syntax->in, STR("~"));
    return hcl_expect(&syntax->in, STR("}"));
}

/* What "%{if" and "%{for" have begun and not ended yet: a character each. */
struct syntax_sections {
    char open[HCL_MAX_DEPTH];
    size_t len;
};

static fallible syntax_end_section(struct syntax *syntax, struct syntax_sections *sections,
                                   char kind, bool goes_on)
{
    if (!sections->len || sections->open[sections->len - 1] != kind)
        return hcl_fail(&syntax->in, "this ends no '%%{%s'", kind == 'i' ? "if" : "for");
    sections->len -= goes_on ? 0 : 1;
    return NULL;
}

static fallible syntax_loop_head(struct syntax *syntax)
{
    TRY(syntax_expect_name(syntax, "a variable behind 'for'"));
    hcl_skip(&syntax->in, true);
    if (hcl_accept(&syntax->in, STR(","))) {
        hcl_skip(&syntax->in, true);
        TRY(syntax_expect_name(syntax, "a second variable"));
        hcl_skip(&syntax->in, true);
    }
    if (!syntax_accept_word(syntax, STR("in")))
        return hcl_fail(&syntax->in, "'in' is expected");
    return syntax_expr_in(syntax, true);
}

/* Behind "%{". */
static fallible syntax_directive(struct syntax *syntax, struct syntax_sections *sections)
{
    hcl_accept(&syntax->in, STR("~"));
    hcl_skip(&syntax->in, true);
    str word = hcl_name(&syntax->in);
    bool is_if = str_equal(word, STR("if")), is_for = str_equal(word, STR("for"));

    hcl_skip(&syntax->in, true);
    if (is_if || is_for) {
        if (sections->len == sizeof(sections->open))
            return hcl_fail(&syntax->in, "this is nested too deeply");
        sections->open[sections->len++] = is_if ? 'i' : 'f';
        TRY(is_if ? syntax_expr_in(syntax, true) : syntax_loop_head(syntax));
    } else if (str_equal(word, STR("else"))) {
        TRY(syntax_end_section(syntax, sections, 'i', true));
    } else if (str_equal(word, STR("endif"))) {
        TRY(syntax_end_section(syntax, sections, 'i', false));
    } else if (str_equal(word, STR("endfor"))) {
        TRY(syntax_end_section(syntax, sections, 'f', false));
    } else {
        return hcl_fail(&syntax->in, "behind '%%{' stands if, else, endif, for or endfor");
    }
    return syntax_close_template(syntax);
}

/* What begins with '$' or '%' in a template; a character that begins nothing is itself. */
static fallible syntax_sequence(struct syntax *syntax, struct syntax_sections *sections)
{
    if (hcl_accept(&syntax->in, STR("$${")) || hcl_accept(&syntax->in, STR("%%{")))
        return NULL;
    if (hcl_accept(&syntax->in, STR("%{")))
        return syntax_directive(syntax, sections);
    if (!hcl_accept(&syntax->in, STR("${"))) {
        hcl_advance(&syntax->in);
        return NULL;
    }
    hcl_accept(&syntax->in, STR("~"));
    TRY(syntax_expr_in(syntax, true));
    return syntax_close_template(syntax);
}

static fallible syntax_end_template(const struct syntax *syntax,
                                    const struct syntax_sections *sections)
{
    if (!sections->len)
        return NULL;
    return hcl_fail(&syntax->in, "a '%%{%s' does not end",
                    sections->open[sections->len - 1] == 'i' ? "if" : "for");
}

static bool syntax_is_hex(char c)
{
    return char_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Behind the backslash. */
static fallible syntax_escape(struct syntax *syntax)
{
    char c = hcl_peek(&syntax->in, 0);
    size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;

    if (!c || !strchr("nrt\"\\uU", c))
        return hcl_fail(&syntax->in, "there is no escape of that kind in strings");
    for (size_t i = 1; i <= digits; i++)
        if (!syntax_is_hex(hcl_peek(&syntax->in, i)))
            return hcl_fail(&syntax->in, "an escape needs %zu hexadecimal digits", digits);
    syntax->in.at += 1 + digits;
    return NULL;
}

/* Behind the quote that opens it. */
static fallible syntax_string(struct syntax *syntax)
{
    struct syntax_sections sections = { .len = 0 };

    while (!hcl_accept(&syntax->in, STR("\""))) {
        char c = hcl_peek(&syntax->in, 0);
        if (hcl_ends(&syntax->in) || c == '\n')
            return hcl_fail(&syntax->in, "a string does not end");
        if (hcl_accept(&syntax->in, STR("\\")))
            TRY(syntax_escape(syntax));
        else
            TRY(syntax_sequence(syntax, &sections));
    }
    return syntax_end_template(syntax, &sections);
}

static str syntax_line_rest(const struct syntax *syntax)
{
    str line = str_slice(syntax->in.text, syntax->in.at, syntax->in.text.len), rest;

    str_cut(line, STR("\n"), &line, &rest);
    return line;
}

/* Behind "<<". */
static fallible syntax_heredoc(struct syntax *syntax)
{
    struct syntax_sections sections = { .len = 0 };
    size_t begun = syntax->in.line;

    hcl_accept(&syntax->in, STR("-"));
    str marker = hcl_name(&syntax->in);
    if (!marker.len)
        return hcl_fail(&syntax->in, "a name is expected behind '<<'");
    if (str_trim(syntax_line_rest(syntax)).len)
        return hcl_fail(&syntax->in, "the line ends behind '<<" STR_FMT "'", STR_ARG(marker));
    while (true) {
        while (!hcl_ends(&syntax->in) && hcl_peek(&syntax->in, 0) != '\n')
            TRY(syntax_sequence(syntax, &sections));
        if (hcl_ends(&syntax->in))
            return error_new(ERROR_INVALID,
                             "line %zu: a text does not end: there is no line '" STR_FMT "'", begun,
                             STR_ARG(marker));
        hcl_advance(&syntax->in);
        str line = syntax_line_rest(syntax);
        if (str_equal(str_trim(line), marker)) {
            syntax->in.at += line.len;
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
    hcl_skip(&ahead.in, true);
    if (!hcl_is_name(hcl_peek(&ahead.in, 0), true))
        return false;
    *syntax = ahead;
    return true;
}

/* for K, V in LIST : VALUE, or KEY => VALUE, or KEY => VALUE..., and then `if`. */
static fallible syntax_loop(struct syntax *syntax, bool is_object, str end)
{
    TRY(syntax_loop_head(syntax));
    TRY(hcl_expect(&syntax->in, STR(":")));
    TRY(syntax_expr_in(syntax, true));
    if (is_object) {
        TRY(hcl_expect(&syntax->in, STR("=>")));
        TRY(syntax_expr_in(syntax, true));
        hcl_accept(&syntax->in, STR("..."));
        hcl_skip(&syntax->in, true);
    }
    if (syntax_accept_word(syntax, STR("if")))
        TRY(syntax_expr_in(syntax, true));
    return hcl_expect(&syntax->in, end);
}

/* Items of a list, or arguments, up to their end. */
static fallible syntax_items(struct syntax *syntax, str end)
{
    hcl_skip(&syntax->in, true);
    while (!hcl_accept(&syntax->in, end)) {
        TRY(syntax_expr_in(syntax, true));
        if (str_equal(end, STR(")")) && hcl_accept(&syntax->in, STR("..."))) {
            hcl_skip(&syntax->in, true);
            return hcl_expect(&syntax->in, end);
        }
        if (!hcl_accept(&syntax->in, STR(",")) && !hcl_starts(&syntax->in, end))
            return hcl_expect(&syntax->in, end);
        hcl_skip(&syntax->in, true);
    }
    return NULL;
}

/* Behind the bracket that opens it. */
static fallible syntax_object(struct syntax *syntax)
{
    hcl_skip(&syntax->in, true);
    if (syntax_accept_for(syntax))
        return syntax_loop(syntax, true, STR("}"));
    while (!hcl_accept(&syntax->in, STR("}"))) {
        TRY(syntax_expr_in(syntax, false));
        if (!hcl_accept(&syntax->in, STR(":")))
            TRY(hcl_expect(&syntax->in, STR("=")));
        hcl_skip(&syntax->in, true);
        TRY(syntax_expr_in(syntax, false));
        if (!hcl_accept(&syntax->in, STR(",")) && !hcl_accept(&syntax->in, STR("\n"))
            && !hcl_starts(&syntax->in, STR("}")))
            return hcl_expect(&syntax->in, STR("}"));
        hcl_skip(&syntax->in, true);
    }
    return NULL;
}

/* A variable, a word like `true`, or a call. */
static fallible syntax_word(struct syntax *syntax)
{
    bool has_name = hcl_name(&syntax->in).len > 0;

    if (!has_name && hcl_ends(&syntax->in))
        return hcl_fail(&syntax->in, "the text ends where a value is expected");
    if (!has_name && hcl_peek(&syntax->in, 0) == '\n')
        return hcl_fail(&syntax->in, "the line ends where a value is expected");
    if (!has_name)
        return hcl_fail(&syntax->in, "a value is expected, not '%.*s'",
                        (int)str_utf8_width(syntax->in.text, syntax->in.at),
                        syntax->in.text.ptr + syntax->in.at);
    while (hcl_accept(&syntax->in, STR("::")))
        TRY(syntax_expect_name(syntax, "a name behind '::'"));
    return hcl_accept(&syntax->in, STR("(")) ? syntax_items(syntax, STR(")")) : NULL;
}

static fallible syntax_primary(struct syntax *syntax)
{
    if (hcl_accept(&syntax->in, STR("\"")))
        return syntax_string(syntax);
    if (hcl_accept(&syntax->in, STR("<<")))
        return syntax_heredoc(syntax);
    if (hcl_accept(&syntax->in, STR("{")))
        return syntax_object(syntax);
    if (hcl_accept(&syntax->in, STR("("))) {
        TRY(syntax_expr_in(syntax, true));
        return hcl_expect(&syntax->in, STR(")"));
    }
    if (hcl_accept(&syntax->in, STR("["))) {
        hcl_skip(&syntax->in, true);
        return syntax_accept_for(syntax) ? syntax_loop(syntax, false, STR("]"))
                                         : syntax_items(syntax, STR("]"));
    }
    return hcl_number(&syntax->in).len ? NULL : syntax_word(syntax);
}

/* .name, .0, .*, [index] and [*]. */
static fallible syntax_step(struct syntax *syntax)
{
    if (hcl_accept(&syntax->in, STR("["))) {
        hcl_skip(&syntax->in, true);
        if (hcl_accept(&syntax->in, STR("*")))
            hcl_skip(&syntax->in, true);
        else
            TRY(syntax_expr_in(syntax, true));
        return hcl_expect(&syntax->in, STR("]"));
    }
    syntax->in.at++;
    syntax_skip_here(syntax);
    if (hcl_accept(&syntax->in, STR("*")))
        return NULL;
    if (!char_is_digit(hcl_peek(&syntax->in, 0)))
        return syntax_expect_name(syntax, "a name behind '.'");
    while (char_is_digit(hcl_peek(&syntax->in, 0)))
        syntax->in.at++;
    return NULL;
}

static bool syntax_has_step(const struct syntax *syntax)
{
    return hcl_peek(&syntax->in, 0) == '['
           || (hcl_peek(&syntax->in, 0) == '.' && hcl_peek(&syntax->in, 1) != '.');
}

static fallible syntax_term(struct syntax *syntax)
{
    while (hcl_accept(&syntax->in, STR("-")) || hcl_accept(&syntax->in, STR("!")))
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
        if (hcl_accept(&syntax->in, str_from(operators[i])))
            return true;
    return false;
}

/* What binds how tightly does not matter here. */
static fallible syntax_expr(struct syntax *syntax)
{
    TRY(hcl_enter(&syntax->in));
    do {
        syntax_skip_here(syntax);
        TRY(syntax_term(syntax));
    } while (syntax_accept_operator(syntax));
    if (hcl_accept(&syntax->in, STR("?"))) {
        syntax_skip_here(syntax);
        TRY(syntax_expr(syntax));
        TRY(hcl_expect(&syntax->in, STR(":")));
        syntax_skip_here(syntax);
        TRY(syntax_expr(syntax));
    }
    syntax->in.depth--;
    return NULL;
}

/* --- blocks --- */

static fallible syntax_body(struct syntax *syntax, bool is_inside);

static fallible syntax_attribute(struct syntax *syntax)
{
    TRY(syntax_expr_in(syntax, false));
    if (!hcl_ends(&syntax->in) && hcl_peek(&syntax->in, 0) != '\n'
        && hcl_peek(&syntax->in, 0) != '}')
        return hcl_fail(&syntax->in, "the line should end before '%.*s'",
                        (int)str_utf8_width(syntax->in.text, syntax->in.at),
                        syntax->in.text.ptr + syntax->in.at);
    return NULL;
}

/* Labels, and what is in it. */
static fallible syntax_block(struct syntax *syntax, str kind)
{
    while (!hcl_accept(&syntax->in, STR("{"))) {
        if (hcl_accept(&syntax->in, STR("\"")))
            TRY(syntax_string(syntax));
        else if (!hcl_name(&syntax->in).len)
            return hcl_fail(&syntax->in, "behind '" STR_FMT "' stands '=' or a block",
                            STR_ARG(kind));
        hcl_skip(&syntax->in, false);
    }
    TRY(hcl_enter(&syntax->in));
    TRY(syntax_body(syntax, true));
    syntax->in.depth--;
    return NULL;
}

static fallible syntax_definition(struct syntax *syntax)
{
    str name = hcl_name(&syntax->in);

    if (!name.len)
        return hcl_fail(&syntax->in, "a block or an attribute is expected, not '%.*s'",
                        (int)str_utf8_width(syntax->in.text, syntax->in.at),
                        syntax->in.text.ptr + syntax->in.at);
    hcl_skip(&syntax->in, false);
    if (hcl_starts(&syntax->in, STR("==")) || !hcl_accept(&syntax->in, STR("=")))
        return syntax_block(syntax, name);
    return syntax_attribute(syntax);
}

static fallible syntax_body(struct syntax *syntax, bool is_inside)
{
    size_t begun = syntax->in.line;

    while (true) {
        hcl_skip(&syntax->in, true);
        if (is_inside ? hcl_accept(&syntax->in, STR("}")) : hcl_ends(&syntax->in))
            return NULL;
        if (hcl_ends(&syntax->in))
            return error_new(ERROR_INVALID, "line %zu: a block does not end", begun);
        TRY(syntax_definition(syntax));
    }
}

fallible pcl_syntax_check(str text)
{
    struct syntax syntax = { .in = hcl_begin(text) };

    if (!str_is_utf8(text))
        return error_new(ERROR_INVALID, "it is no text in UTF-8");
    return syntax_body(&syntax, false);
}
