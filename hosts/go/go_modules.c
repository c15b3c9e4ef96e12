/* go_modules.c — reads go.mod: what it requires and what it replaces. */
#include "go/golang.h"

#include "base/fs.h"
#include "common/search.h"

enum { GO_MOD_MAX = 4 << 20, WORDS_MAX = 6 };

void go_modules_release(struct modules *modules)
{
    vec_release(modules);
}

/* A line without its comment, in words. */
struct line {
    str words[WORDS_MAX];
    size_t len;
    bool is_indirect;
};

static str module_unquoted(str word)
{
    bool is_quoted = word.len >= 2 && (word.ptr[0] == '"' || word.ptr[0] == '`');
    return is_quoted ? str_slice(word, 1, word.len - 1) : word;
}

static struct line line_split(str text)
{
    struct line line = { 0 };
    str code = text, comment = STR("");

    str_cut(text, STR("//"), &code, &comment);
    line.is_indirect = str_starts_with(str_trim(comment), STR("indirect"));
    for (size_t i = 0; i < code.len && line.len < WORDS_MAX;) {
        size_t end = i;
        while (end < code.len && code.ptr[end] != ' ' && code.ptr[end] != '\t'
               && code.ptr[end] != '\r')
            end++;
        if (end > i)
            line.words[line.len++] = module_unquoted(str_slice(code, i, end));
        i = end + 1;
    }
    return line;
}

static void modules_add_requirement(struct modules *modules, const str *words, size_t len,
                                    bool is_indirect)
{
    struct module module = { .path = words[0], .version = words[1], .is_indirect = is_indirect };
    if (len >= 2)
        vec_add(modules, module);
}

/* old [version] => new [version] */
static void add_replacement(struct modules *replacements, const str *words, size_t len)
{
    size_t arrow = 0;

    while (arrow < len && !str_equal(words[arrow], STR("=>")))
        arrow++;
    if (arrow == 0 || arrow + 1 >= len)
        return;
    struct module module = { .path = words[0], .replacement = words[arrow + 1] };
    if (arrow == 2)
        module.version = words[1];
    if (arrow + 2 < len)
        module.replacement_version = words[arrow + 2];
    vec_add(replacements, module);
}

static void modules_replace(struct modules *modules, const struct modules *replacements)
{
    for (size_t i = 0; i < modules->len; i++) {
        struct module *module = &modules->items[i];
        for (size_t j = 0; j < replacements->len; j++) {
            const struct module *other = &replacements->items[j];
            if (!str_equal(module->path, other->path)
                || (other->version.len > 0 && !str_equal(module->version, other->version)))
                continue;
            module->is_replaced = true;
            module->replacement = other->replacement;
            module->replacement_version = other->replacement_version;
        }
    }
}

static void modules_parse(str text, struct modules *out)
{
    struct modules replacements = { 0 };
    str block = STR(""), rest;

    while (str_next(&text, STR("\n"), &rest)) {
        struct line line = line_split(rest);
        const str *words = line.words;
        size_t len = line.len;
        str verb = block;
        if (len == 0)
            continue;
        if (block.len == 0) {
            verb = words[0];
            words++;
            len--;
            if (len > 0 && str_equal(words[0], STR("("))) {
                block = verb;
                continue;
            }
        } else if (str_equal(words[0], STR(")"))) {
            block = STR("");
            continue;
        }
        if (str_equal(verb, STR("require")))
            modules_add_requirement(out, words, len, line.is_indirect);
        else if (str_equal(verb, STR("replace")))
            add_replacement(&replacements, words, len);
    }
    modules_replace(out, &replacements);
    vec_release(&replacements);
}

fallible go_modules_read(struct arena *arena, str directory, struct modules *out)
{
    str text;

    out->root = search_up(arena, directory, STR("go.mod"));
    if (out->root.len == 0)
        return error_new(ERROR_NOT_FOUND, "no go.mod found (searching upwards from '" STR_FMT "')",
                         STR_ARG(directory));
    TRY(fs_read(arena, fs_path_join(arena, out->root, STR("go.mod")), GO_MOD_MAX, &text));
    modules_parse(text, out);
    return NULL;
}
