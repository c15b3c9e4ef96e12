/* fuzz_argv.c — every word of a command line is an operand, an option or its value, and an operand
 * behind "--" always stays one. */
#include "cli/option.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct args {
    bool yes;
    str stack;
    str refresh;
    int64_t number;
    struct strs targets;
    struct strs packs;
};

static const struct option options[] = {
    FLAG(struct args, yes, 'y', "yes", ""),
    TEXT(struct args, stack, 's', "stack", ""),
    TEXT_OR(struct args, refresh, 'r', "refresh", "true", ""),
    INTEGER(struct args, number, 'n', "number", ""),
    LIST(struct args, targets, 't', "target", ""),
    CSV(struct args, packs, 'p', "pack", ""),
    { 0 },
};
static const struct option *const tables[] = { options, NULL };

static const char *environment(const char *name)
{
    (void)name;
    return NULL;
}

/* Words are separated by newlines. */
static struct strs split(struct arena *arena, str text)
{
    str *words = ARENA_ARRAY(arena, str, text.len + 1);
    size_t count = 0;

    for (bool has_more = true; has_more;) {
        str word = text, rest = STR("");
        has_more = str_cut(text, STR("\n"), &word, &rest);
        words[count++] = word;
        text = rest;
    }
    return (struct strs){ words, count };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct strs words = split(&arena, (str){ (const char *)data, size });
    struct args args = { 0 }, again = { 0 };
    struct option_group group = { tables, &args }, other = { tables, &again };
    struct parsed_line line, rest;

    struct error *error = options_parse(&arena, &group, 1, words, environment, &line);
    if (error) {
        error_free(error);
        return 0;
    }
    if (line.operands.len + line.given.len
        > words.len * (size_t)(sizeof(options) / sizeof(options[0])))
        abort();
    if (args.yes && !strs_has(line.given, STR("yes")))
        abort();

    /* Behind "--" the operands are read as they are. */
    str *closed = ARENA_ARRAY(&arena, str, line.operands.len + 1);
    closed[0] = STR("--");
    for (size_t i = 0; i < line.operands.len; i++)
        closed[i + 1] = line.operands.items[i];
    error = options_parse(&arena, &other, 1, (struct strs){ closed, line.operands.len + 1 },
                          environment, &rest);
    if (error || rest.given.len || !strs_equal(rest.operands, line.operands))
        abort();
    return 0;
}
