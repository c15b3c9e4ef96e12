/* words.c — lists of C strings for the system: arguments and environments. */
#include "common/words.h"

#include "base/strbuf.h"

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

struct splitter {
    struct strbuf word;
    bool has_word; /* '' is one */
    char quote;    /* the open one, or 0 */
};

static void splitter_release(struct splitter *splitter)
{
    strbuf_release(&splitter->word);
}

/* Inside double quotes a backslash is literal unless something follows that it could
 * protect. */
static bool splitter_escapes(const struct splitter *splitter, char next)
{
    return splitter->quote == 0
           || (splitter->quote == '"'
               && (next == '"' || next == '\\' || next == '$' || next == '`'));
}

static bool word_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void end_word(struct splitter *splitter, struct words *words, struct arena *arena)
{
    if (splitter->has_word)
        words_add(words, arena, strbuf_str(&splitter->word));
    strbuf_clear(&splitter->word);
    splitter->has_word = false;
}

fallible words_split(struct words *words, struct arena *arena, str text)
{
    CLEANUP(splitter_release) struct splitter splitter = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\\' && i + 1 < text.len && splitter.quote != '\''
            && splitter_escapes(&splitter, text.ptr[i + 1])) {
            strbuf_add_char(&splitter.word, text.ptr[++i]);
            splitter.has_word = true;
        } else if (c == splitter.quote && c != 0) {
            splitter.quote = 0;
        } else if (splitter.quote == 0 && (c == '\'' || c == '"')) {
            splitter.quote = c;
            splitter.has_word = true;
        } else if (splitter.quote == 0 && word_is_blank(c)) {
            end_word(&splitter, words, arena);
        } else {
            strbuf_add_char(&splitter.word, c);
            splitter.has_word = true;
        }
    }
    if (splitter.quote != 0)
        return error_new(ERROR_INVALID, "a quote is not closed in '" STR_FMT "'", STR_ARG(text));
    end_word(&splitter, words, arena);
    return NULL;
}
