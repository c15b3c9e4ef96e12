/* shell_words.c — splits text as a shell does. */
#include "base/shell_words.h"

#include "base/strbuf.h"
#include "base/vec.h"

struct splitter {
    struct arena *arena;
    VEC(str); /* words */
    struct strbuf word;
    bool has_word; /* '' is one */
    char quote;    /* the open one, or 0 */
};

static void splitter_release(struct splitter *splitter)
{
    strbuf_release(&splitter->word);
    vec_release(splitter);
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

static void end_word(struct splitter *splitter)
{
    if (splitter->has_word)
        vec_add(splitter, arena_copy(splitter->arena, strbuf_str(&splitter->word)));
    strbuf_clear(&splitter->word);
    splitter->has_word = false;
}

fallible shell_words_split(struct arena *arena, str text, struct strs *out)
{
    CLEANUP(splitter_release) struct splitter splitter = { .arena = arena };

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
            end_word(&splitter);
        } else {
            strbuf_add_char(&splitter.word, c);
            splitter.has_word = true;
        }
    }
    if (splitter.quote != 0)
        return error_new(ERROR_INVALID, "a quote is not closed in '" STR_FMT "'", STR_ARG(text));
    end_word(&splitter);
    *out = strs_copy(arena, (struct strs){ splitter.items, splitter.len });
    return NULL;
}
