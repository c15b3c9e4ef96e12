/* builtin_command_glob.c — which files a command's patterns choose. */
#include "builtin/builtin_command.h"

#include "base/fs.h"
#include "base/vec.h"
#include "builtin/builtin_table.h"

enum { MOST_FILES = 100000, MAX_DEPTH = 64, MOST_STEPS = 1000000, MOST_NESTED = 1000 };

/* --- patterns --- */

/* Matching goes back and forth; a pattern that would do so for ever, or so deep that no stack is
 * large enough, matches nothing. */
struct matcher {
    size_t steps;
    unsigned depth;
};

static bool match(struct matcher *matcher, str pattern, str path);

/* [abc], [a-z], [!a]: `*rest` is what follows. False if it is not closed. */
static bool match_set(str pattern, char c, str *rest, bool *is_member)
{
    size_t end = str_find_char(pattern, ']');
    bool is_negated = pattern.len > 1 && (pattern.ptr[1] == '!' || pattern.ptr[1] == '^');

    if (end == SIZE_MAX)
        return false;
    *is_member = false;
    for (size_t i = is_negated ? 2 : 1; i < end; i++) {
        bool is_range = i + 2 < end && pattern.ptr[i + 1] == '-';
        char last = is_range ? pattern.ptr[i + 2] : pattern.ptr[i];
        *is_member = *is_member || (c >= pattern.ptr[i] && c <= last);
        i += is_range ? 2 : 0;
    }
    *is_member = *is_member != is_negated;
    *rest = str_slice(pattern, end + 1, pattern.len);
    return true;
}

/* {a,b}: each in turn, with what follows the brace. */
static bool match_choice(struct matcher *matcher, str pattern, str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    size_t end = str_find_char(pattern, '}');
    str choices, choice;

    if (end == SIZE_MAX)
        return false;
    choices = str_slice(pattern, 1, end);
    str rest = str_slice(pattern, end + 1, pattern.len);
    bool has_more = true;
    while (has_more) {
        choice = choices;
        has_more = str_cut(choices, STR(","), &choice, &choices);
        matcher->steps += choice.len + rest.len; /* they are copied */
        if (match(matcher, arena_concat(&scratch, choice, rest), path))
            return true;
    }
    return false;
}

static bool match_star(struct matcher *matcher, str pattern, str path)
{
    size_t stars = 1; /* three are no more than two */
    while (stars < pattern.len && pattern.ptr[stars] == '*')
        stars++;
    bool crosses = stars > 1;
    str rest = str_slice(pattern, stars, pattern.len);

    for (size_t taken = 0; taken <= path.len && matcher->steps <= MOST_STEPS; taken++) {
        if (match(matcher, rest, str_slice(path, taken, path.len)))
            return true;
        if (taken < path.len && path.ptr[taken] == '/' && !crosses)
            return false;
    }
    return false;
}

static bool match_nested(struct matcher *matcher, str pattern, str path)
{
    if (matcher->depth == MOST_NESTED)
        return false;
    matcher->depth++;
    bool is_match = pattern.ptr[0] == '*' ? match_star(matcher, pattern, path)
                                          : match_choice(matcher, pattern, path);
    matcher->depth--;
    return is_match;
}

static bool match(struct matcher *matcher, str pattern, str path)
{
    bool is_member;

    while (pattern.len) {
        if (++matcher->steps > MOST_STEPS)
            return false;
        if (pattern.ptr[0] == '*' || pattern.ptr[0] == '{')
            return match_nested(matcher, pattern, path);
        if (path.len == 0)
            return false;
        if (pattern.ptr[0] == '[' && match_set(pattern, path.ptr[0], &pattern, &is_member)) {
            if (!is_member)
                return false;
            path = str_slice(path, 1, path.len);
            continue;
        }
        bool is_any = pattern.ptr[0] == '?' && path.ptr[0] != '/';
        if (pattern.ptr[0] == '\\' && pattern.len > 1)
            pattern = str_slice(pattern, 1, pattern.len);
        if (!is_any && pattern.ptr[0] != path.ptr[0])
            return false;
        pattern = str_slice(pattern, 1, pattern.len);
        path = str_slice(path, 1, path.len);
    }
    return path.len == 0;
}

bool local_glob_match(str pattern, str path)
{
    struct matcher matcher = { 0 };
    return match(&matcher, pattern, path);
}

/* --- files --- */

struct chooser {
    struct arena *arena;
    str directory;
    struct value patterns;
    VEC(str);
};

/* The last pattern that matches decides. */
static bool is_chosen(const struct chooser *chooser, str path)
{
    bool is_in = false;

    for (uint32_t i = 0; i < chooser->patterns.len; i++) {
        str pattern = value_text(builtin_open(chooser->patterns.items[i]));
        bool excludes = str_starts_with(pattern, STR("!"));
        if (local_glob_match(str_slice(pattern, excludes ? 1 : 0, pattern.len), path))
            is_in = !excludes;
    }
    return is_in;
}

static fallible chooser_choose(struct chooser *chooser, str below, unsigned depth)
{
    str *names;
    size_t len;

    if (depth > MAX_DEPTH)
        return error_new(ERROR_OTHER, "the directories in '" STR_FMT "' are nested too deeply",
                         STR_ARG(chooser->directory));
    TRY(fs_list(chooser->arena, fs_path_join(chooser->arena, chooser->directory, below), &names,
                &len));
    for (size_t i = 0; i < len; i++) {
        str path = below.len ? arena_concat(chooser->arena, below, STR("/"), names[i]) : names[i];
        str full = fs_path_join(chooser->arena, chooser->directory, path);
        if (fs_is_directory(full))
            TRY(chooser_choose(chooser, path, depth + 1));
        else if (is_chosen(chooser, path))
            vec_add(chooser, path);
        if (chooser->len > MOST_FILES)
            return error_new(ERROR_OTHER, "more than %d files are chosen", MOST_FILES);
    }
    return NULL;
}

fallible local_glob(struct arena *arena, str directory, struct value patterns, struct strs *out)
{
    struct chooser chooser = { .arena = arena, .directory = directory, .patterns = patterns };
    struct error *failure =
        patterns.kind == VALUE_ARRAY ? chooser_choose(&chooser, STR(""), 0) : NULL;

    if (!failure)
        *out = (struct strs){ arena_copy_bytes(arena, chooser.items,
                                               chooser.len * sizeof(*chooser.items)),
                              chooser.len };
    vec_release(&chooser);
    return failure;
}
