/* complete.c — reads an unfinished command line from left to right, as dispatch.c reads finished
 * ones. */
#include "cli/complete/complete.h"

#include "cli/help_topics.h"

#include <unistd.h>

static const struct option *const complete_globals[] = { global_options, NULL };

void candidates_add(struct candidates *out, str text, str help)
{
    if (!str_starts_with(text, out->prefix))
        return;
    for (size_t i = 0; i < out->list.len; i++)
        if (str_equal(out->list.items[i].text, text))
            return;
    struct candidate candidate = { text, help };
    if (out->before.len)
        candidate.text = arena_concat(out->arena, out->before, text);
    vec_add(&out->list, candidate);
}

void candidates_release(struct candidates *out)
{
    vec_release(&out->list);
}

static const struct option *complete_find(const struct command *command, str name, char letter)
{
    const struct option *const *tables[] = { command ? command->options : NULL, complete_globals };

    for (size_t i = 0; i < 2; i++) {
        const struct option *found = !tables[i] ? NULL
                                     : letter   ? option_find_letter(tables[i], letter)
                                                : option_find(tables[i], name);
        if (found)
            return found;
    }
    return NULL;
}

/* The option that a word is, and the value that it has with it. NULL if it is none that is known.
 */
static const struct option *complete_parse(const struct command *command, str word, str *value)
{
    str name;

    *value = (str){ 0 };
    if (str_starts_with(word, STR("--"))) {
        name = str_slice(word, 2, word.len);
        str_cut(name, STR("="), &name, value);
        return complete_find(command, name, 0);
    }
    for (size_t i = 1; i < word.len; i++) {
        const struct option *option = complete_find(command, STR(""), word.ptr[i]);
        if (!option || !option->bare) {
            *value = str_slice(word, i + 1, word.len);
            return option;
        }
        if (i + 1 == word.len)
            return option;
    }
    return NULL;
}

static void complete_note(struct arena *arena, struct complete_line *line,
                          const struct option *option, str value)
{
    if (strcmp(option->name, "stack") == 0)
        line->stack = value;
    else if (strcmp(option->name, "config-file") == 0)
        line->config_file = value;
    else if (strcmp(option->name, "cwd") == 0 && chdir(arena_cstr(arena, value)) < 0)
        return; /* where that folder is not there, this one has to do */
}

/* All words but the last. Gives the option that the last one is the value of, or NULL. */
static const struct option *complete_read(struct arena *arena, struct strs words,
                                          struct complete_line *line, bool *is_over)
{
    for (size_t i = 0; i + 1 < words.len; i++) {
        str word = words.items[i], value;
        const struct command *child =
            *is_over || line->operand_count ? NULL : command_find(line->command, word);
        if (child) {
            line->command = child;
        } else if (*is_over || word.len < 2 || word.ptr[0] != '-') {
            if (!line->operand_count++)
                line->first_operand = word;
        } else if (str_equal(word, STR("--"))) {
            *is_over = true;
        } else {
            const struct option *option = complete_parse(line->command, word, &value);
            if (!option || option->bare)
                continue;
            if (!value.ptr || (!value.len && word.ptr[1] != '-')) {
                if (++i + 1 == words.len)
                    return option;
                value = words.items[i];
            }
            complete_note(arena, line, option, value);
        }
    }
    return NULL;
}

static void complete_add_table(struct candidates *out, const struct option *option)
{
    for (; option->name; option++)
        if (option->help)
            candidates_add(out, arena_concat(out->arena, STR("--"), str_from(option->name)),
                           str_from(option->help));
}

static void complete_add_options(const struct command *command, struct candidates *out)
{
    const struct option *const *table = command ? command->options : NULL;

    for (; table && *table; table++)
        complete_add_table(out, *table);
    complete_add_table(out, global_options);
    if (!command)
        complete_add_table(out, root_options);
}

static void complete_add_children(const struct command *parent, struct candidates *out)
{
    for (size_t i = 0; i < command_count; i++)
        if (!commands[i]->is_hidden && command_is_child(commands[i], parent))
            candidates_add(out, command_name(commands[i]), str_from(commands[i]->summary));
}

/* `help` takes the words of commands. */
static void complete_help(struct strs words, struct candidates *out)
{
    const struct command *command = NULL;

    for (size_t i = 1; i + 1 < words.len; i++) {
        command = command_find(command, words.items[i]);
        if (!command)
            return;
    }
    complete_add_children(command, out);
    for (size_t i = 0; !command && i < help_topic_count; i++)
        candidates_add(out, str_from(help_topics[i].name), str_from(help_topics[i].summary));
}

void complete_words(struct cli *cli, struct strs words, struct candidates *out)
{
    struct complete_line line = { 0 };
    bool is_over = false;
    str last = words.items[words.len - 1], value;

    const struct option *option = complete_read(cli->arena, words, &line, &is_over);
    out->prefix = last;
    if (option) {
        complete_option(cli, &line, option, out);
        return;
    }
    if (!is_over && last.len && last.ptr[0] == '-') {
        option = complete_parse(line.command, last, &value);
        if (!option || !value.ptr || !str_starts_with(last, STR("--"))) {
            complete_add_options(line.command, out);
            return;
        }
        out->before = str_slice(last, 0, last.len - value.len);
        out->prefix = value;
        complete_option(cli, &line, option, out);
        return;
    }
    if (line.command && strcmp(line.command->path, "help") == 0) {
        complete_help(words, out);
        return;
    }
    if (!line.operand_count)
        complete_add_children(line.command, out);
    if (line.command)
        complete_operand(cli, &line, out);
}
