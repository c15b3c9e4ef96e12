/* words.c — lists of C strings for the system: arguments and environments. */
#include "common/words.h"

#include "base/shell_words.h"

#include <unistd.h>

void words_release(struct words *words)
{
    vec_release(words);
}

void words_add(struct words *words, struct arena *arena, str text)
{
    vec_add(words, arena_cstr(arena, text));
}

void words_add_all(struct words *words, const char *const *more)
{
    for (size_t i = 0; more && more[i]; i++)
        vec_add(words, more[i]);
}

void words_add_option(struct words *words, struct arena *arena, str name, str value)
{
    if (value.len == 0)
        return;
    words_add(words, arena, name);
    words_add(words, arena, value);
}

const char *const *words_end(struct words *words)
{
    vec_reserve(words, words->len + 1);
    words->items[words->len] = NULL;
    return words->items;
}

/* --- environments --- */

void words_add_environment(struct words *words)
{
    words_add_all(words, (const char *const *)environ);
}

static size_t words_find(const struct words *words, str name)
{
    for (size_t i = 0; i < words->len; i++)
        if (strncmp(words->items[i], name.ptr, name.len) == 0 && words->items[i][name.len] == '=')
            return i;
    return SIZE_MAX;
}

void words_set(struct words *words, struct arena *arena, str name, str value)
{
    const char *entry = arena_concat(arena, name, STR("="), value).ptr;
    size_t at = words_find(words, name);

    if (at == SIZE_MAX)
        vec_add(words, entry);
    else
        words->items[at] = entry;
}

void words_unset(struct words *words, str name)
{
    size_t at = words_find(words, name);
    if (at != SIZE_MAX)
        vec_remove(words, at);
}

void words_set_line(struct words *words, struct arena *arena, str line)
{
    str name, value;
    if (str_cut(line, STR("="), &name, &value))
        words_set(words, arena, name, value);
}

str words_get(const struct words *words, str name)
{
    size_t at = words_find(words, name);
    return at == SIZE_MAX ? STR("") : str_from(words->items[at] + name.len + 1);
}

/* --- text that means words --- */

fallible words_split(struct words *words, struct arena *arena, str text)
{
    struct strs split;

    TRY(shell_words_split(arena, text, &split));
    for (size_t i = 0; i < split.len; i++)
        words_add(words, arena, split.items[i]);
    return NULL;
}
