/* list_match.c — aligns two lists so that as much as possible stays what it was. */
#include "display/list_match.h"

#include "base/arena.h"

/* Longer lists are compared element by element: nobody reads those, but everybody would wait. */
enum { CELLS_MAX = 40000 };
enum { SCORE_EQUAL = 1000, SCORE_SAME_NAME = 950, SCORE_ALIKE = 900, SCORE_PLACE = 1 };

/* What people and programs tell things apart by. */
static bool has_same_name(struct value old, struct value new)
{
    static const str keys[] = { STR_INIT("name"), STR_INIT("id"), STR_INIT("key") };

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        const struct value *a = value_find(old, keys[i]), *b = value_find(new, keys[i]);
        if (a && b && value_equal(*a, *b))
            return true;
    }
    return false;
}

static unsigned object_score(struct value old, struct value new)
{
    size_t same = 0, most = old.len > new.len ? old.len : new.len;

    if (has_same_name(old, new))
        return SCORE_SAME_NAME;
    for (size_t i = 0; i < old.len; i++) {
        const struct value *other = value_find(new, old.members[i].key);
        same += other && value_equal(old.members[i].value, *other);
    }
    return SCORE_PLACE + (unsigned)(most ? same * (SCORE_ALIKE - SCORE_PLACE) / most : 0);
}

/* What becomes secret must not be shown as something that went. */
static unsigned secret_score(struct value old, struct value new)
{
    struct value before = old.kind == VALUE_SECRET ? old.secret->element : old,
                 after = new.kind == VALUE_SECRET ? new.secret->element : new;

    return value_equal(before, after) ? SCORE_SAME_NAME : SCORE_PLACE;
}

static unsigned pair_score(struct value old, struct value new)
{
    if (value_equal(old, new))
        return SCORE_EQUAL;
    if (old.kind == VALUE_SECRET || new.kind == VALUE_SECRET)
        return secret_score(old, new);
    if (old.kind != new.kind)
        return 0;
    return old.kind == VALUE_OBJECT ? object_score(old, new) : SCORE_PLACE;
}

static void pairs_add(struct list_pairs *out, size_t old, size_t new)
{
    const struct list_pair pair = { old, new };

    vec_add(out, pair);
}

/* Lists from `from` on, `olds` and `news` elements long. best[i][j]: of what comes from i and j on.
 */
static void align(struct value old, struct value new, size_t from, size_t olds, size_t news,
                  struct list_pairs *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    size_t width = news + 1, i = 0, j = 0;
    unsigned *best = ARENA_ARRAY(&scratch, unsigned, (olds + 1) * width);
    unsigned *score = ARENA_ARRAY(&scratch, unsigned, (olds + 1) * width);

    for (i = olds; i-- > 0;) {
        for (j = news; j-- > 0;) {
            unsigned here = pair_score(old.items[from + i], new.items[from + j]);
            unsigned paired = here ? here + best[(i + 1) * width + j + 1] : 0;
            unsigned without_old = best[(i + 1) * width + j], without_new = best[i * width + j + 1];
            unsigned without = without_old > without_new ? without_old : without_new;
            score[i * width + j] = here;
            best[i * width + j] = paired > without ? paired : without;
        }
    }
    for (i = j = 0; i < olds || j < news;) {
        bool is_pair =
            i < olds && j < news && score[i * width + j]
            && best[i * width + j] == score[i * width + j] + best[(i + 1) * width + j + 1];
        bool drops_old =
            !is_pair && i < olds && (j == news || best[i * width + j] == best[(i + 1) * width + j]);
        pairs_add(out, is_pair || drops_old ? from + i : SIZE_MAX,
                  is_pair || !drops_old ? from + j : SIZE_MAX);
        i += is_pair || drops_old;
        j += is_pair || !drops_old;
    }
}

/* By place. */
static void align_plainly(size_t from, size_t olds, size_t news, struct list_pairs *out)
{
    for (size_t i = 0; i < olds || i < news; i++)
        pairs_add(out, i < olds ? from + i : SIZE_MAX, i < news ? from + i : SIZE_MAX);
}

void list_match(struct value old, struct value new, struct list_pairs *out)
{
    size_t least = old.len < new.len ? old.len : new.len, first = 0, last = 0;

    while (first < least && value_equal(old.items[first], new.items[first]))
        first++;
    while (first + last < least
           && value_equal(old.items[old.len - last - 1], new.items[new.len - last - 1]))
        last++;
    size_t olds = old.len - first - last, news = new.len - first - last;
    for (size_t i = 0; i < first; i++)
        pairs_add(out, i, i);
    if ((olds + 1) * (news + 1) <= CELLS_MAX)
        align(old, new, first, olds, news, out);
    else
        align_plainly(first, olds, news, out);
    for (size_t i = last; i > 0; i--)
        pairs_add(out, old.len - i, new.len - i);
}
