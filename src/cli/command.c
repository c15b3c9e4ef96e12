/* command.c — the list of subcommands as a tree of words. */
#include "cli/cli.h"

#include "base/program.h"
#include "base/strbuf.h"

#define COMMAND(id) extern const struct command cmd_##id;
#include "cli/commands.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(id) &cmd_##id,
#include "cli/commands.def"
#undef COMMAND
};
const size_t command_count = sizeof(commands) / sizeof(commands[0]);

str command_name(const struct command *command)
{
    str path = str_from(command->path), head, name;

    return str_cut_last(path, STR(" "), &head, &name) ? name : path;
}

bool command_is_child(const struct command *command, const struct command *parent)
{
    str path = str_from(command->path), head, name;

    if (!str_cut_last(path, STR(" "), &head, &name))
        return parent == NULL;
    return parent && str_equal(head, str_from(parent->path));
}

static bool has_alias(const struct command *command, str word)
{
    str rest = command->aliases ? str_from(command->aliases) : STR(""), alias;

    while (rest.len) {
        if (!str_cut(rest, STR(" "), &alias, &rest)) {
            alias = rest;
            rest = STR("");
        }
        if (str_equal(alias, word))
            return true;
    }
    return false;
}

const struct command *command_find(const struct command *parent, str word)
{
    for (size_t i = 0; i < command_count; i++) {
        const struct command *command = commands[i];
        if (command_is_child(command, parent)
            && (str_equal(command_name(command), word) || has_alias(command, word)))
            return command;
    }
    return NULL;
}

bool command_has_children(const struct command *parent)
{
    for (size_t i = 0; i < command_count; i++) {
        if (command_is_child(commands[i], parent))
            return true;
    }
    return false;
}

/* Edit distance; words longer than any command are far from all of them. */
static size_t distance(str a, str b)
{
    enum { LONGEST = 32 };
    size_t row[LONGEST + 1];

    if (a.len > LONGEST || b.len > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t above = row[j];
            size_t best = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            best = above + 1 < best ? above + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = above;
        }
    }
    return row[b.len];
}

static bool is_below(const struct command *command, const struct command *parent)
{
    str path = str_from(command->path);

    return !parent
           || (str_starts_with(path, str_from(parent->path)) && path.len > strlen(parent->path)
               && path.ptr[strlen(parent->path)] == ' ');
}

static size_t nearness(const struct command *command, str word)
{
    str name = command_name(command);

    if (str_starts_with(name, word) || has_alias(command, word))
        return 0;
    return distance(name, word);
}

static size_t add_suggestions(struct strbuf *out, const struct command *parent, str word)
{
    enum { MOST = 3 };
    size_t count = 0, farthest = word.len > 4 ? 2 : 1;

    for (size_t near = 0; near <= farthest; near++) {
        for (size_t i = 0; i < command_count && count < MOST; i++) {
            if (commands[i]->is_hidden || !is_below(commands[i], parent)
                || nearness(commands[i], word) != near)
                continue;
            strbuf_printf(out, "\t%s %s\n", program_name(), commands[i]->path);
            count++;
        }
    }
    return count;
}

str command_suggestions(struct arena *arena, const struct command *parent, str word)
{
    CLEANUP(strbuf_release) struct strbuf lines = { 0 };

    if (word.len < 2
        || (!add_suggestions(&lines, parent, word)
            && !(parent && add_suggestions(&lines, NULL, word))))
        return STR("");
    return arena_concat(arena, STR("\n\nDid you mean this?\n"), strbuf_str(&lines));
}
