/* command.c — the list of subcommands as a tree of words. */
#include "cli/cli.h"

#include "base/program.h"
#include "base/str_distance.h"
#include "base/strbuf.h"

#define COMMAND(id) extern const struct command cmd_##id;
#define HOSTED(id, ...) COMMAND(id)
#include "cli/commands.def"
#include "cli/hosted.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(id) &cmd_##id,
#include "cli/commands.def"
#include "cli/hosted.def"
#undef COMMAND
#undef HOSTED
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

    while (str_next(&rest, STR(" "), &alias))
        if (str_equal(alias, word))
            return true;
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

enum { FARTHEST = 2 }; /* what is farther from a word was not meant by it */

static bool command_is_below(const struct command *command, const struct command *parent)
{
    str path = str_from(command->path);

    return !parent
           || (str_starts_with(path, str_from(parent->path)) && path.len > strlen(parent->path)
               && path.ptr[strlen(parent->path)] == ' ');
}

/* The least distance of the word from the command's names; the start of its own name is one too.
 * At most FARTHEST + 1. */
static size_t nearness(const struct command *command, str word)
{
    const char *const lists[] = { command->aliases, command->meant_by };
    str name = command_name(command), other;
    size_t least =
        str_starts_with(name, word) ? 0 : str_distance(name, word, STR_LETTERS_EXACT, FARTHEST);

    for (size_t i = 0; i < 2; i++) {
        str rest = lists[i] ? str_from(lists[i]) : STR("");
        while (str_next(&rest, STR(" "), &other)) {
            size_t far = str_distance(other, word, STR_LETTERS_EXACT, FARTHEST);
            least = far < least ? far : least;
        }
    }
    return least;
}

static size_t depth_of(const struct command *command)
{
    size_t depth = 1;

    for (const char *c = command->path; *c; c++)
        depth += *c == ' ';
    return depth;
}

/* The nearest first, and of those the ones with the fewest words. A word that had to be corrected
 * means nothing deeper than the first that it may mean. */
static size_t add_suggestions(struct strbuf *out, const struct command *parent, str word)
{
    enum { MOST = 3, DEEPEST = 3 };
    size_t count = 0, farthest = word.len > 4 ? FARTHEST : 1, deepest = DEEPEST;

    for (size_t rank = 0; rank < (farthest + 1) * DEEPEST; rank++) {
        for (size_t i = 0; i < command_count && count < MOST; i++) {
            if (commands[i]->is_hidden || !command_is_below(commands[i], parent)
                || depth_of(commands[i]) != rank % DEEPEST + 1 || rank % DEEPEST >= deepest
                || nearness(commands[i], word) != rank / DEEPEST)
                continue;
            if (rank >= DEEPEST)
                deepest = rank % DEEPEST + 1;
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
