/* yaml_update.c — a changed tree written back into its text: the smallest cuts and insertions that
 * make the text read as wanted.
 *
 * 1. Nodes that mean the same keep their bytes, and so does everything between them, comments above
 * all.
 * 2. Only block collections are entered; flow collections, aliases and scalars are replaced whole.
 * 3. Cuts never overlap: each is within the lines of one node, and children are visited before
 * their parent adds to its end.
 * 4. The result is read again. Where surgery did not give the wanted meaning (an anchor was cut,
 * say), the document is written anew: comments are worth less than values. */
#include "base/yaml_text.h"

#include "base/vec.h"

enum { STEP = 2 };

struct cut {
    size_t start;
    size_t end;
    str text;
    size_t order; /* of cuts at the same place */
};

struct surgery {
    struct arena *arena;
    str text;
    struct {
        VEC(struct cut);
    } cuts;
};

static void add_cut(struct surgery *surgery, size_t start, size_t end, const struct strbuf *text)
{
    vec_add(&surgery->cuts, ((struct cut){ start, end, arena_copy(surgery->arena, strbuf_str(text)),
                                           surgery->cuts.len }));
}

/* --- places in the text --- */

static size_t line_start(str text, size_t at)
{
    while (at > 0 && text.ptr[at - 1] != '\n')
        at--;
    return at;
}

/* Where the line ends: at its newline or at the end of the text. */
static size_t line_end(str text, size_t at)
{
    while (at < text.len && text.ptr[at] != '\n')
        at++;
    return at;
}

/* The end of a node without the newlines that belong to a block scalar. */
static size_t content_end(str text, const struct yaml_node *node)
{
    size_t end = node->end;
    while (end > node->start
           && (text.ptr[end - 1] == '\n' || text.ptr[end - 1] == ' ' || text.ptr[end - 1] == '\r'))
        end--;
    return end;
}

static bool is_blank_between(str text, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        if (text.ptr[i] != ' ')
            return false;
    return true;
}

static bool has_newline(str text, size_t start, size_t end)
{
    return str_find_char(str_slice(text, start, end), '\n') != SIZE_MAX;
}

/* The colon behind a simple key, or SIZE_MAX. */
static size_t colon_behind(str text, const struct yaml_node *key)
{
    size_t at = key->end;
    while (at < text.len && text.ptr[at] == ' ')
        at++;
    return at < text.len && text.ptr[at] == ':' ? at : SIZE_MAX;
}

/* Above a key, the comment lines that belong to it: same indent, no blank line between. */
static size_t with_comments_above(str text, size_t start, size_t indent)
{
    while (start > 0) {
        size_t above = line_start(text, start - 1);
        size_t mark = above;
        while (mark < start && text.ptr[mark] == ' ')
            mark++;
        if (mark - above != indent || text.ptr[mark] != '#')
            break;
        start = above;
    }
    return start;
}

/* --- cuts --- */

/* What is wanted in the clothes of what was there: quotes stay quotes, flow stays flow, and so
 * below. */
static const struct yaml_node *dressed(struct arena *arena, const struct yaml_node *old,
                                       const struct yaml_node *wanted)
{
    if (yaml_equal(old, wanted))
        return old;
    if (old->kind != wanted->kind)
        return wanted;
    bool is_quoted = old->style == YAML_QUOTED_SINGLE || old->style == YAML_QUOTED_DOUBLE;
    if (wanted->kind == YAML_SCALAR && (!is_quoted || !yaml_is_string(wanted)))
        return wanted;
    struct yaml_node *copy = yaml_copy_shallow(arena, wanted);
    copy->style = old->style;
    for (size_t i = 0; wanted->kind != YAML_SCALAR && i < copy->len; i++) {
        bool is_mapping = copy->kind == YAML_MAPPING;
        struct yaml_node **slot = is_mapping ? &copy->pairs[i].value : &copy->items[i];
        const struct yaml_node *before = is_mapping     ? yaml_find(old, copy->pairs[i].key->text)
                                         : i < old->len ? old->items[i]
                                                        : NULL;
        if (before)
            *slot = (struct yaml_node *)(uintptr_t)dressed(arena, before, *slot);
    }
    return copy;
}

/* Keeps the comment behind an old value when a block takes its place: it goes behind the header. */
static void add_comment_behind(struct strbuf *out, str text, size_t at)
{
    str rest = str_trim(str_slice(text, at, line_end(text, at)));
    if (str_starts_with(rest, STR("#"))) {
        strbuf_add_char(out, ' ');
        strbuf_add(out, rest);
    }
}

/* Puts `wanted` behind the key's colon. */
static bool replace_value(struct surgery *surgery, const struct yaml_pair *pair,
                          const struct yaml_node *wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str text = surgery->text;
    const struct yaml_node *old = pair->value;
    size_t colon = colon_behind(text, pair->key), end = content_end(text, old);

    if (colon == SIZE_MAX || old->start <= colon)
        return false;
    wanted = dressed(surgery->arena, old, wanted);
    bool was_inline = !has_newline(text, colon, end);
    if (yaml_is_inline(wanted)) {
        bool keeps_gap = was_inline && old->start < end;
        if (!keeps_gap)
            strbuf_add_char(&out, ' ');
        yaml_add_inline(&out, wanted);
        add_cut(surgery, keeps_gap ? old->start : colon + 1, end, &out);
        return true;
    }
    str header = yaml_block_header(wanted);
    if (header.len) {
        strbuf_add_char(&out, ' ');
        strbuf_add(&out, header);
    }
    if (was_inline)
        add_comment_behind(&out, text, end);
    strbuf_add_char(&out, '\n');
    yaml_add_block(&out, wanted, pair->key->column - 1 + STEP);
    add_cut(surgery, colon + 1, line_end(text, end), &out);
    return true;
}

static bool replace_item(struct surgery *surgery, const struct yaml_node *old,
                         const struct yaml_node *wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str text = surgery->text;
    size_t end = content_end(text, old);

    if (old->start == 0)
        return false;
    wanted = dressed(surgery->arena, old, wanted);
    if (text.ptr[old->start - 1] == '-')
        strbuf_add_char(&out, ' ');
    yaml_add_item(&out, wanted, old->column - 1 + (text.ptr[old->start - 1] == '-'));
    bool is_one_line = yaml_is_inline(wanted) && !has_newline(text, old->start, end);
    add_cut(surgery, old->start, is_one_line ? end : line_end(text, end), &out);
    return true;
}

/* Removes the lines of a pair and the comments above it. */
static bool remove_pair(struct surgery *surgery, const struct yaml_pair *pair)
{
    struct strbuf nothing = { 0 };
    str text = surgery->text;
    size_t start = line_start(text, pair->key->start);

    if (!is_blank_between(text, start, pair->key->start)
        || colon_behind(text, pair->key) == SIZE_MAX)
        return false;
    size_t last =
        pair->value->end > pair->key->end ? content_end(text, pair->value) : pair->key->end;
    size_t end = line_end(text, last);
    add_cut(surgery, with_comments_above(text, start, pair->key->column - 1),
            end < text.len ? end + 1 : end, &nothing);
    return true;
}

/* Removes the items from `first` on, which are on lines of their own. */
static bool remove_items(struct surgery *surgery, const struct yaml_node *sequence, size_t first)
{
    struct strbuf nothing = { 0 };
    str text = surgery->text;
    size_t start = line_start(text, sequence->items[first]->start);
    size_t dash = start + sequence->column - 1;

    if (!is_blank_between(text, start, dash) || dash >= text.len || text.ptr[dash] != '-'
        || !is_blank_between(text, dash + 1, sequence->items[first]->start))
        return false;
    size_t end = line_end(text, content_end(text, sequence->items[sequence->len - 1]));
    add_cut(surgery, start, end < text.len ? end + 1 : end, &nothing);
    return true;
}

/* Adds the pairs or items of `wanted` that are listed in `more` behind the last line of `old`. */
static void surgery_append(struct surgery *surgery, const struct yaml_node *old,
                           const struct yaml_node *more)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t end = line_end(surgery->text, content_end(surgery->text, old));

    if (more->len == 0)
        return;
    if (end == surgery->text.len)
        strbuf_add_char(&out, '\n');
    yaml_add_block(&out, more, old->column - 1);
    if (end < surgery->text.len)
        strbuf_add_char(&out, '\n');
    end = end < surgery->text.len ? end + 1 : end;
    add_cut(surgery, end, end, &out);
}

/* --- walking both trees --- */

static bool update_children(struct surgery *surgery, const struct yaml_node *old,
                            const struct yaml_node *wanted);

static bool can_enter(const struct yaml_node *old, const struct yaml_node *wanted)
{
    return old->kind == wanted->kind && old->kind != YAML_SCALAR && old->style == YAML_BLOCK
           && !old->is_alias && old->len && wanted->len;
}

/* Tries the children; what they began is undone if they cannot. */
static bool surgery_enter(struct surgery *surgery, const struct yaml_node *old,
                          const struct yaml_node *wanted)
{
    size_t kept = surgery->cuts.len;

    if (can_enter(old, wanted) && update_children(surgery, old, wanted))
        return true;
    surgery->cuts.len = kept;
    return false;
}

static bool update_pair(struct surgery *surgery, const struct yaml_pair *pair,
                        const struct yaml_node *wanted, struct yaml_node *more)
{
    if (!wanted)
        return !pair->is_merged && remove_pair(surgery, pair);
    if (yaml_equal(pair->value, wanted))
        return true;
    if (pair->is_merged) {
        yaml_append_pair(surgery->arena, more, pair->key, (struct yaml_node *)(uintptr_t)wanted);
        return true;
    }
    return surgery_enter(surgery, pair->value, wanted) || replace_value(surgery, pair, wanted);
}

/* yaml_find, from where the last one was: both trees have most keys in the same order, so that a
 * mapping of many takes no longer than one look at each. */
static const struct yaml_node *find_next(const struct yaml_node *mapping, str key, size_t *at)
{
    for (size_t i = 0; i < mapping->len; i++) {
        const struct yaml_pair *pair = &mapping->pairs[(*at + i) % mapping->len];
        if (!str_equal(pair->key->text, key))
            continue;
        *at = (*at + i + 1) % mapping->len;
        return pair->value;
    }
    return NULL;
}

static bool update_mapping(struct surgery *surgery, const struct yaml_node *old,
                           const struct yaml_node *wanted)
{
    struct yaml_node *more = yaml_new_mapping(surgery->arena);
    size_t in_wanted = 0, in_old = 0;

    for (size_t i = 0; i < old->len; i++)
        if (!update_pair(surgery, &old->pairs[i],
                         find_next(wanted, old->pairs[i].key->text, &in_wanted), more))
            return false;
    for (size_t i = 0; i < wanted->len; i++)
        if (!find_next(old, wanted->pairs[i].key->text, &in_old))
            yaml_append_pair(surgery->arena, more, wanted->pairs[i].key, wanted->pairs[i].value);
    surgery_append(surgery, old, more);
    return true;
}

static bool update_sequence(struct surgery *surgery, const struct yaml_node *old,
                            const struct yaml_node *wanted)
{
    struct yaml_node *more = yaml_new_sequence(surgery->arena);

    for (size_t i = 0; i < old->len && i < wanted->len; i++) {
        const struct yaml_node *item = old->items[i];
        if (!yaml_equal(item, wanted->items[i]) && !surgery_enter(surgery, item, wanted->items[i])
            && !replace_item(surgery, item, wanted->items[i]))
            return false;
    }
    if (wanted->len < old->len)
        return remove_items(surgery, old, wanted->len);
    for (size_t i = old->len; i < wanted->len; i++)
        yaml_add(surgery->arena, more, wanted->items[i]);
    surgery_append(surgery, old, more);
    return true;
}

static bool update_children(struct surgery *surgery, const struct yaml_node *old,
                            const struct yaml_node *wanted)
{
    return old->kind == YAML_MAPPING ? update_mapping(surgery, old, wanted)
                                     : update_sequence(surgery, old, wanted);
}

/* --- the whole --- */

static int compare_cuts(const void *a_, const void *b_)
{
    const struct cut *a = a_, *b = b_;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static bool surgery_apply(struct surgery *surgery, struct strbuf *out)
{
    size_t at = 0;

    if (surgery->cuts.len)
        qsort(surgery->cuts.items, surgery->cuts.len, sizeof(surgery->cuts.items[0]), compare_cuts);
    for (size_t i = 0; i < surgery->cuts.len; i++) {
        const struct cut *cut = &surgery->cuts.items[i];
        if (cut->start < at)
            return false;
        strbuf_add(out, str_slice(surgery->text, at, cut->start));
        strbuf_add(out, cut->text);
        at = cut->end;
    }
    strbuf_add(out, str_slice(surgery->text, at, surgery->text.len));
    return true;
}

/* A document of nothing, or of comments only: what is wanted goes behind. */
static bool add_to_empty(struct surgery *surgery, const struct yaml_node *old,
                         const struct yaml_node *wanted, struct strbuf *out)
{
    if (old->kind != YAML_SCALAR || old->text.len || old->start < old->end)
        return false;
    strbuf_add(out, surgery->text);
    if (out->len && out->ptr[out->len - 1] != '\n')
        strbuf_add_char(out, '\n');
    strbuf_add(out, yaml_write(surgery->arena, wanted));
    return true;
}

static bool reads_as(struct arena *arena, str text, const struct yaml_node *wanted)
{
    struct yaml_node *result;
    struct error *failure = yaml_read(arena, text, &result);
    bool is_same = !failure && yaml_equal(result, wanted);

    error_ignore(failure, "then the document is written anew");
    return is_same;
}

static bool surgery_update(struct arena *arena, str text, const struct yaml_node *old,
                           const struct yaml_node *wanted, str *result)
{
    struct surgery surgery = { .arena = arena, .text = text };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    bool is_done = (surgery_enter(&surgery, old, wanted) && surgery_apply(&surgery, &out))
                   || add_to_empty(&surgery, old, wanted, &out);
    vec_release(&surgery.cuts);
    if (!is_done || !reads_as(arena, strbuf_str(&out), wanted))
        return false;
    *result = arena_copy(arena, strbuf_str(&out));
    return true;
}

/* --- the ends of lines --- */

/* Every line, as an editor on another system writes it. */
static bool has_returns(str text)
{
    size_t at = 0, found;

    for (; (found = str_find(str_slice(text, at, text.len), STR("\n"))) != SIZE_MAX;
         at += found + 1)
        if (at + found == 0 || text.ptr[at + found - 1] != '\r')
            return false;
    return at > 0;
}

static str with_returns(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n' && (i == 0 || text.ptr[i - 1] != '\r'))
            strbuf_add_char(&out, '\r');
        strbuf_add_char(&out, text.ptr[i]);
    }
    return arena_copy(arena, strbuf_str(&out));
}

str yaml_update(struct arena *arena, str text, const struct yaml_node *old,
                const struct yaml_node *wanted)
{
    str result;

    if (yaml_equal(old, wanted))
        return arena_copy(arena, text);
    if (!surgery_update(arena, text, old, wanted, &result))
        result = yaml_write(arena, wanted);
    if (!has_returns(text))
        return result;
    str other = with_returns(arena, result);
    return reads_as(arena, other, wanted) ? other : result;
}
