/* str_distance.c — the table of Wagner and Fischer, one row at a time. */
#include "base/str_distance.h"

#include "base/arena.h"

static size_t smallest_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

static unsigned char folded(char c, enum str_letters letters)
{
    bool is_upper = letters == STR_LETTERS_ANY_CASE && c >= 'A' && c <= 'Z';
    return (unsigned char)(is_upper ? c - 'A' + 'a' : c);
}

size_t str_distance(str a, str b, enum str_letters letters, size_t limit)
{
    enum { ON_STACK = 128 };
    size_t short_row[ON_STACK + 1], *row = short_row;
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if ((a.len > b.len ? a.len - b.len : b.len - a.len) > limit)
        return limit + 1;
    if (b.len > ON_STACK)
        row = ARENA_ARRAY(&scratch, size_t, b.len + 1);
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0], least = i;
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            bool differs = folded(a.ptr[i - 1], letters) != folded(b.ptr[j - 1], letters);
            size_t cost = smallest_of(row[j] + 1, row[j - 1] + 1, diagonal + differs);
            diagonal = row[j];
            row[j] = cost;
            least = cost < least ? cost : least;
        }
        /* What follows can only add. */
        if (least > limit)
            return limit + 1;
    }
    return row[b.len] > limit ? limit + 1 : row[b.len];
}
