/* test_cli_option.c — how command lines are read. */
#include "unit/check.h"

#include "cli/option.h"

#include <stdlib.h>

struct args {
    bool yes;
    bool fast;
    str stack;
    str refresh;
    str mode;
    int64_t number;
    struct strs targets;
    struct strs packs;
};

static const struct option options[] = {
    FLAG(struct args, yes, 'y', "yes", "help"),
    FLAG_ON(struct args, fast, 'f', "fast", "help"),
    TEXT(struct args, stack, 's', "stack", "help"),
    TEXT_OR(struct args, refresh, 'r', "refresh", "true", "help"),
    TEXT_PRESET(struct args, mode, 0, "mode", "plain", "help"),
    INTEGER(struct args, number, 'n', "number", "help"),
    LIST(struct args, targets, 't', "target", "help"),
    CSV(struct args, packs, 0, "pack", "help"),
    { 0 },
};
static const struct option *const tables[] = { options, NULL };

static const char *no_environment(const char *name)
{
    (void)name;
    return NULL;
}

static const char *some_environment(const char *name)
{
    if (strcmp(name, "PULUMI_OPTION_STACK") == 0)
        return "from-environment";
    return strcmp(name, "PULUMI_OPTION_TARGET") == 0 ? "a,\"b,c\"" : NULL;
}

#define PARSE(arena, args, line, environment, ...)                                     \
    options_parse((arena), &(struct option_group){ tables, (args) }, 1,                \
                  (struct strs){ (const str[]){ __VA_ARGS__ },                         \
                                 sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str) }, \
                  (environment), (line))

static void options_may_stand_anywhere(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, no_environment, STR("one"), STR("--stack"), STR("dev"),
                    STR("two"), STR("-y")));
    assert_str_equal(args.stack, STR("dev"));
    assert_true(args.yes);
    assert_int_equal(line.operands.len, 2);
    assert_str_equal(line.operands.items[1], STR("two"));
    assert_true(strs_has(line.given, STR("yes")));
    assert_false(strs_has(line.given, STR("fast")));
}

static void letters_group_and_take_the_rest_as_value(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, no_environment, STR("-ysdev"), STR("-n=7"), STR("-t"),
                    STR("-x")));
    assert_true(args.yes);
    assert_str_equal(args.stack, STR("dev"));
    assert_int_equal(args.number, 7);
    assert_str_equal(args.targets.items[0], STR("-x"));
}

static void an_optional_value_needs_the_equals_sign(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, no_environment, STR("--refresh"), STR("false"),
                    STR("--yes=false"), STR("--fast=0")));
    assert_str_equal(args.refresh, STR("true"));
    assert_int_equal(line.operands.len, 1);
    assert_false(args.yes);
    assert_false(args.fast);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, no_environment, STR("key"), STR("--"), STR("--yes"),
                    STR("--")));
    assert_false(args.yes);
    assert_int_equal(line.operands.len, 3);
    assert_str_equal(line.operands.items[2], STR("--"));
}

static void lists_are_literal_and_records_are_split(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, no_environment, STR("--target=a,b"), STR("-tc"),
                    STR("--pack"),
                    STR("p,\"q,\"\"r\""
                        "\""),
                    STR("--pack=s")));
    assert_int_equal(args.targets.len, 2);
    assert_str_equal(args.targets.items[0], STR("a,b"));
    assert_int_equal(args.packs.len, 3);
    assert_str_equal(args.packs.items[1], STR("q,\"r\""));
}

static void the_environment_fills_in_and_the_line_wins(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 }, other = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, some_environment, STR("x")));
    assert_str_equal(args.stack, STR("from-environment"));
    assert_int_equal(args.targets.len, 2);
    assert_str_equal(args.targets.items[1], STR("b,c"));
    assert_true(strs_has(line.given, STR("stack")));
    assert_ok(PARSE(&arena, &other, &line, some_environment, STR("-s"), STR("mine")));
    assert_str_equal(other.stack, STR("mine"));
}

static void absent_options_have_their_preset(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_ok(PARSE(&arena, &args, &line, no_environment, STR("x")));
    assert_true(args.fast);
    assert_str_equal(args.mode, STR("plain"));
    assert_int_equal(line.given.len, 0);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct args args = { 0 };
    struct parsed_line line;

    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("--nope=1")), ERROR_INVALID,
                 "unknown flag: --nope");
    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("--stak=1")), ERROR_INVALID,
                 "unknown flag: --stak\n\nDid you mean --stack?");
    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("-yz")), ERROR_INVALID,
                 "unknown shorthand flag: 'z' in -yz");
    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("--stack")), ERROR_INVALID,
                 "flag needs an argument: --stack");
    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("-s")), ERROR_INVALID,
                 "flag needs an argument: 's' in -s");
    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("--number=x")), ERROR_INVALID,
                 "\"-n, --number\" flag: strconv.ParseInt: parsing \"x\": invalid syntax");
    assert_fails(PARSE(&arena, &args, &line, no_environment, STR("--yes=maybe")), ERROR_INVALID,
                 "\"-y, --yes\" flag: strconv.ParseBool");
}

static void exclusive_options_are_told_in_both_orders(void **state)
{
    (void)state;
    const str given[] = { STR_INIT("target"), STR_INIT("other"), STR_INIT("exclude") };

    assert_fails(options_check_exclusive("target exclude", (struct strs){ given, 3 }),
                 ERROR_INVALID,
                 "if any flags in the group [target exclude] are set none of the others can be; "
                 "[exclude target] were all set");
    assert_ok(options_check_exclusive("target exclude", (struct strs){ given, 2 }));
}

static void options_tell_how_many_words_they_take(void **state)
{
    (void)state;
    bool is_known;

    assert_int_equal(option_words_taken(tables, STR("--stack"), &is_known), 1);
    assert_int_equal(option_words_taken(tables, STR("--stack=x"), &is_known), 0);
    assert_int_equal(option_words_taken(tables, STR("-ys"), &is_known), 1);
    assert_int_equal(option_words_taken(tables, STR("-sy"), &is_known), 0);
    assert_int_equal(option_words_taken(tables, STR("--refresh"), &is_known), 0);
    assert_true(is_known);
    assert_int_equal(option_words_taken(tables, STR("--nope"), &is_known), 0);
    assert_false(is_known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_may_stand_anywhere),
        cmocka_unit_test(letters_group_and_take_the_rest_as_value),
        cmocka_unit_test(an_optional_value_needs_the_equals_sign),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(lists_are_literal_and_records_are_split),
        cmocka_unit_test(the_environment_fills_in_and_the_line_wins),
        cmocka_unit_test(absent_options_have_their_preset),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(exclusive_options_are_told_in_both_orders),
        cmocka_unit_test(options_tell_how_many_words_they_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
