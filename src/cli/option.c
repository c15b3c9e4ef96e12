/* option.c — reads options as GNU programs do: anywhere on the line, long or short, grouped, with
 * or without '='. */
#include "cli/option.h"

#include "base/str_distance.h"
#include "base/strbuf.h"

#include <ctype.h>

const struct option *option_find(const struct option *const *tables, str name)
{
    for (; *tables; tables++) {
        for (const struct option *option = *tables; option->name; option++) {
            if (str_equal(str_from(option->name), name))
                return option;
        }
    }
    return NULL;
}

const struct option *option_find_letter(const struct option *const *tables, char letter)
{
    for (; *tables; tables++) {
        for (const struct option *option = *tables; option->name; option++) {
            if (option->letter && option->letter == letter)
                return option;
        }
    }
    return NULL;
}

/* What parsing is about: where values go and what was seen. */
struct parser {
    struct arena *arena;
    const struct option_group *groups;
    size_t group_count;
    struct strs words;
    size_t at; /* of the next word */
    str *operands;
    size_t operand_count;
    str *given;
    size_t given_count;
};

struct found {
    const struct option *option;
    void *into;
};

static struct found find(const struct parser *parser, str name, char letter)
{
    for (size_t i = 0; i < parser->group_count; i++) {
        const struct option_group *group = &parser->groups[i];
        const struct option *option =
            letter ? option_find_letter(group->tables, letter) : option_find(group->tables, name);
        if (option)
            return (struct found){ option, (char *)group->into + option->offset };
    }
    return (struct found){ NULL, NULL };
}

static bool parse_integer(str text, int64_t *out)
{
    bool is_negative = str_starts_with(text, STR("-"));
    uint64_t number = 0;

    if (!str_to_u64(is_negative ? str_slice(text, 1, text.len) : text, &number)
        || number > INT32_MAX)
        return false;
    *out = is_negative ? -(int64_t)number : (int64_t)number;
    return true;
}

/* Nobody else fills these lists. */
static void add_item(struct arena *arena, struct strs *list, str item)
{
    str *items = arena_grow(arena, list->items, list->len, sizeof(str));

    items[list->len] = item;
    *list = (struct strs){ items, list->len + 1 };
}

/* One record of comma-separated values; a value in double quotes may hold commas, and quotes
 * doubled. */
static void add_record(struct arena *arena, struct strs *list, str record)
{
    CLEANUP(strbuf_release) struct strbuf item = { 0 };
    bool is_quoted = false;

    for (size_t i = 0; i < record.len; i++) {
        char c = record.ptr[i];
        if (c == '"' && is_quoted && i + 1 < record.len && record.ptr[i + 1] == '"') {
            strbuf_add_char(&item, '"');
            i++;
        } else if (c == '"') {
            is_quoted = !is_quoted;
        } else if (c == ',' && !is_quoted) {
            add_item(arena, list, arena_copy(arena, strbuf_str(&item)));
            strbuf_clear(&item);
        } else {
            strbuf_add_char(&item, c);
        }
    }
    add_item(arena, list, arena_copy(arena, strbuf_str(&item)));
}

static bool is_given(const struct parser *parser, const struct option *option)
{
    return strs_has((struct strs){ parser->given, parser->given_count }, str_from(option->name));
}

static void mark_given(struct parser *parser, const struct option *option)
{
    if (!is_given(parser, option))
        parser->given[parser->given_count++] = str_from(option->name);
}

/* In the words that scripts know: `parser` is what reads such a value in the reference. */
static fallible refuse_value(const struct option *option, str value, const char *parser)
{
    const char letter[] = { '-', option->letter, ',', ' ', '\0' };

    return error_new(ERROR_INVALID,
                     "invalid argument \"" STR_FMT
                     "\" for \"%s--%s\" flag: strconv.%s: parsing \"" STR_FMT "\": invalid syntax",
                     STR_ARG(value), option->letter ? letter : "", option->name, parser,
                     STR_ARG(value));
}

static fallible assign(struct arena *arena, struct found found, str value)
{
    switch (found.option->type) {
    case OPTION_FLAG:
        return str_to_bool(value, found.into) ? NULL
                                              : refuse_value(found.option, value, "ParseBool");
    case OPTION_INTEGER:
        return parse_integer(value, found.into) ? NULL
                                                : refuse_value(found.option, value, "ParseInt");
    case OPTION_TEXT: *(str *)found.into = value; return NULL;
    case OPTION_LIST: add_item(arena, found.into, value); return NULL;
    case OPTION_CSV: add_record(arena, found.into, value); return NULL;
    }
    return NULL;
}

static fallible option_set(struct parser *parser, struct found found, str value)
{
    TRY(assign(parser->arena, found, value));
    mark_given(parser, found.option);
    return NULL;
}

/* With the nearest of those there are, if there is one that is near. */
static fallible unknown_flag(const struct parser *parser, str name)
{
    enum { FARTHEST = 2 };
    size_t least = name.len > 4 ? FARTHEST + 1 : 2;
    str nearest = STR("");

    for (size_t i = 0; i < parser->group_count; i++) {
        for (const struct option *const *table = parser->groups[i].tables; *table; table++) {
            for (const struct option *option = *table; option->name; option++) {
                str known = str_from(option->name);
                size_t distance = str_distance(name, known, STR_LETTERS_EXACT, least);
                if (!option->help || distance >= least)
                    continue;
                least = distance;
                nearest = known;
            }
        }
    }
    if (!nearest.len)
        return error_new(ERROR_INVALID, "unknown flag: --" STR_FMT, STR_ARG(name));
    return error_new(ERROR_INVALID, "unknown flag: --" STR_FMT "\n\nDid you mean --" STR_FMT "?",
                     STR_ARG(name), STR_ARG(nearest));
}

static fallible parse_long(struct parser *parser, str word)
{
    str text = str_slice(word, 2, word.len);
    str name = text, value = { 0 };
    bool has_value = str_cut(text, STR("="), &name, &value);

    struct found found = find(parser, name, 0);
    if (!found.option)
        return unknown_flag(parser, name);
    if (!has_value && found.option->bare)
        return option_set(parser, found, str_from(found.option->bare));
    if (!has_value && parser->at == parser->words.len)
        return error_new(ERROR_INVALID, "flag needs an argument: --" STR_FMT, STR_ARG(name));
    return option_set(parser, found, has_value ? value : parser->words.items[parser->at++]);
}

/* A word of letters: flags until one takes the rest of the word, or the next word, as its value. */
static fallible parse_letters(struct parser *parser, str word)
{
    for (size_t i = 1; i < word.len; i++) {
        char letter = word.ptr[i];
        struct found found = find(parser, (str){ 0 }, letter);
        if (!found.option)
            return error_new(ERROR_INVALID, "unknown shorthand flag: '%c' in " STR_FMT, letter,
                             STR_ARG(word));

        str rest = str_slice(word, i + 1, word.len);
        if (str_starts_with(rest, STR("=")))
            return option_set(parser, found, str_slice(rest, 1, rest.len));
        if (found.option->bare) {
            TRY(option_set(parser, found, str_from(found.option->bare)));
            continue;
        }
        if (rest.len)
            return option_set(parser, found, rest);
        if (parser->at == parser->words.len)
            return error_new(ERROR_INVALID, "flag needs an argument: '%c' in " STR_FMT, letter,
                             STR_ARG(word));
        return option_set(parser, found, parser->words.items[parser->at++]);
    }
    return NULL;
}

static fallible parse_words(struct parser *parser)
{
    bool is_over = false; /* after "--" everything is an operand */

    while (parser->at < parser->words.len) {
        str word = parser->words.items[parser->at++];
        if (is_over || word.len < 2 || word.ptr[0] != '-')
            parser->operands[parser->operand_count++] = word;
        else if (str_equal(word, STR("--")))
            is_over = true;
        else if (str_starts_with(word, STR("--")))
            TRY(parse_long(parser, word));
        else
            TRY(parse_letters(parser, word));
    }
    return NULL;
}

static const char *variable_of(struct arena *arena, const struct option *option)
{
    str prefix = STR("PULUMI_OPTION_");
    str name = arena_concat(arena, prefix, str_from(option->name));
    char *text = arena_cstr(arena, name);

    for (char *c = text + prefix.len; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return text;
}

static fallible parse_environment(struct parser *parser, const struct option *option, void *into,
                                  environment_lookup *environment)
{
    const char *variable = variable_of(parser->arena, option);
    const char *value = environment(variable);
    struct found found = { option, (char *)into + option->offset };

    if (!value || is_given(parser, option))
        return NULL;
    mark_given(parser, option);
    if (option->type == OPTION_LIST) {
        add_record(parser->arena, found.into, str_from(value));
        return NULL;
    }
    return error_wrap(assign(parser->arena, found, str_from(value)), "%s", variable);
}

static fallible for_all_options(struct parser *parser, environment_lookup *environment,
                                bool is_preset)
{
    for (size_t i = 0; i < parser->group_count; i++) {
        const struct option_group *group = &parser->groups[i];
        for (const struct option *const *table = group->tables; *table; table++) {
            for (const struct option *option = *table; option->name; option++) {
                struct found found = { option, (char *)group->into + option->offset };
                if (!is_preset)
                    TRY(parse_environment(parser, option, group->into, environment));
                else if (option->preset && !is_given(parser, option))
                    TRY(assign(parser->arena, found, str_from(option->preset)));
            }
        }
    }
    return NULL;
}

static size_t count_options(const struct option_group *groups, size_t group_count)
{
    size_t count = 0;

    for (size_t i = 0; i < group_count; i++) {
        for (const struct option *const *table = groups[i].tables; *table; table++) {
            for (const struct option *option = *table; option->name; option++)
                count++;
        }
    }
    return count;
}

fallible options_parse(struct arena *arena, const struct option_group *groups, size_t group_count,
                       struct strs words, environment_lookup *environment, struct parsed_line *out)
{
    struct parser parser = {
        .arena = arena, .groups = groups, .group_count = group_count, .words = words
    };

    parser.operands = ARENA_ARRAY(arena, str, words.len + 1);
    parser.given = ARENA_ARRAY(arena, str, count_options(groups, group_count) + 1);
    TRY(parse_words(&parser));
    TRY(for_all_options(&parser, environment, false));
    TRY(for_all_options(&parser, environment, true));
    out->operands = (struct strs){ parser.operands, parser.operand_count };
    out->given = (struct strs){ parser.given, parser.given_count };
    return NULL;
}

fallible options_check_exclusive(const char *set_text, struct strs given)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf names = { 0 };
    str rest = str_from(set_text), name;
    struct strs seen = { 0 };

    while (str_next(&rest, STR(" "), &name)) {
        if (strs_has(given, name))
            add_item(&scratch, &seen, name);
    }
    if (seen.len < 2)
        return NULL;

    seen = strs_sorted(&scratch, seen);
    for (size_t i = 0; i < seen.len; i++) {
        strbuf_add(&names, i ? STR(" ") : STR(""));
        strbuf_add(&names, seen.items[i]);
    }
    return error_new(
        ERROR_INVALID,
        "if any flags in the group [%s] are set none of the others can be; [%s] were all set",
        set_text, names.ptr);
}

size_t option_words_taken(const struct option *const *tables, str word, bool *is_known)
{
    str name, value;

    *is_known = true;
    if (str_starts_with(word, STR("--"))) {
        bool has_value = str_cut(word, STR("="), &name, &value);
        str wanted = has_value ? name : word;
        const struct option *option = option_find(tables, str_slice(wanted, 2, wanted.len));
        *is_known = option != NULL;
        return option && !option->bare && !has_value ? 1 : 0;
    }
    for (size_t i = 1; i < word.len; i++) {
        const struct option *option = option_find_letter(tables, word.ptr[i]);
        if (!option) {
            *is_known = false;
            return 0;
        }
        if (!option->bare)
            return i + 1 == word.len ? 1 : 0;
    }
    return 0;
}
