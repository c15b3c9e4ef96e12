/* test_pcl_syntax.c — what is PCL, and where what is none goes wrong. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "cli/codegen/pcl_syntax.h"

static void all_of_the_language_is_taken(void **state)
{
    static const char *const texts[] = {
        "",
        "a = 1\n",
        "a = b ? -c.d[0].*.e : !f[*].g && 1 >= 2 || \"x\" != y # why\n",
        "a = b % 2 == 0 ? \"even\" : 1 // or",
        "a = (1 +\n 2) * /*/ three */ 3 / 4.5e-6\n",
        "a = [for v in list : upper(v) if v != \"\"]\n",
        "a = {for k, v in map : k => v... if k}\n",
        "a = [\n  for\n  v in list : v\n]\n",
        "a = {for = 1, in = 2}\n",
        "a = { \"b c\" : 1, (d) = 2\n \"${e}-f\" = 3\n g.h = 4,\n}\n",
        "a = \"x${b}y${~ c[\"d\"] ~}$${no}%%{no}\\u00e9\\n$5 50%\"\n",
        "a = \"%{ if b }c%{ else }d%{ endif ~}%{ for k, v in e }${k}%{ endfor }\"\n",
        "a = <<EOT\n  two ${b}\n  EOT lines \\ \"\n  EOT\nc = [<<-X\nX\n, 1]\n",
        "a = f(1, b...)\nc = n::g(\n  d,\n)\n",
        "a = b.0.c\n",
        "resource r \"a:b:C\" {\n  options { range = 10 }\n  x = y\n}\noutput o { value = 1 }\n",
        "config c \"list(string)\" {\r\n  default = [\"\xc3\xa9\"]\r\n}\r\n",
        "caf\xc3\xa9-1 = 1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_ok(pcl_syntax_check(str_from(texts[i])));
}

static void assert_refused(const char *text, const char *message)
{
    CLEANUP(error_freep) struct error *failure = pcl_syntax_check(str_from(text));

    assert_non_null(failure);
    assert_str_equal(error_message(failure), str_from(message));
}

static void what_is_none_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        { "a = \n", "line 1: the line ends where a value is expected" },
        { "\na = ", "line 2: the text ends where a value is expected" },
        { "a = 1 2\n", "line 1: the line should end before '2'" },
        { "a = 1\n= 2\n", "line 2: a block or an attribute is expected, not '='" },
        { "a b\nc = 1", "line 1: behind 'a' stands '=' or a block" },
        { "r \"x\" {\n a = 1\n", "line 1: a block does not end" },
        { "a = [1\n 2]\n", "line 2: ']' is expected, not '2'" },
        { "a = {b = 1 c = 2}\n", "line 1: '}' is expected, not 'c'" },
        { "a = {b\n = 1}\n", "line 1: the line ends where '=' is expected" },
        { "a = f(1,\n", "line 2: the text ends where a value is expected" },
        { "a = (1\n+ 2\n", "line 3: the text ends where ')' is expected" },
        { "a = \"b\n\"\n", "line 1: a string does not end" },
        { "a = \"${b\"\n", "line 1: '}' is expected, not '\"'" },
        { "a = \"\\q\"\n", "line 1: there is no escape of that kind in strings" },
        { "a = \"\\u12\"\n", "line 1: an escape needs 4 hexadecimal digits" },
        { "a = \"%{ if b }c\"\n", "line 1: a '%{if' does not end" },
        { "a = \"%{ endfor }\"\n", "line 1: this ends no '%{for'" },
        { "a = \"%{ while b }\"\n", "line 1: behind '%{' stands if, else, endif, for or endfor" },
        { "a = 1\nb = <<EOT\nc\n", "line 2: a text does not end: there is no line 'EOT'" },
        { "a = [for v of w : v]\n", "line 1: 'in' is expected" },
        { "a = b ? c\n", "line 1: the line ends where ':' is expected" },
        { "a = b.\n", "line 1: a name behind '.' is expected" },
        { "a = \xc3\n", "it is no text in UTF-8" },
        { "<<<<<<< ours\n", "line 1: a block or an attribute is expected, not '<'" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_refused(cases[i].text, cases[i].error);
}

static void what_is_nested_too_deeply_is_refused(void **state)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    (void)state;
    strbuf_add(&text, STR("a = "));
    for (size_t i = 0; i < 100 * 1000; i++)
        strbuf_add(&text, i % 2 ? STR("[") : STR("\"${"));
    assert_fails(pcl_syntax_check(strbuf_str(&text)), ERROR_INVALID,
                 "line 1: this is nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_the_language_is_taken),
        cmocka_unit_test(what_is_none_is_refused_with_its_line),
        cmocka_unit_test(what_is_nested_too_deeply_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
