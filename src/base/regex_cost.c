/* regex_cost.c — how large an expression becomes once its repetitions are written out. */
#include "base/regex_cost.h"

#include <stddef.h>

enum { COST_MOST = 20 * 1000, DEPTH_MOST = 64 };

/* Of one group: what is complete, and the last element, which a repetition multiplies. */
struct cost {
    size_t before;
    size_t last;
};

static size_t times(size_t cost, size_t count)
{
    return cost > 0 && count > COST_MOST / cost ? COST_MOST + 1 : cost * count;
}

/* Behind "[…]"; a bracket that is the first character is one of the set. */
static size_t skip_set(str pattern, size_t at)
{
    at++;
    if (at < pattern.len && pattern.ptr[at] == '^')
        at++;
    if (at < pattern.len && pattern.ptr[at] == ']')
        at++;
    while (at < pattern.len && pattern.ptr[at] != ']')
        at++;
    return at;
}

/* The larger number of "{N,M}"; *at moves to its end. */
static size_t read_bound(str pattern, size_t *at)
{
    size_t largest = 0, number = 0;

    for (; *at < pattern.len && pattern.ptr[*at] != '}'; ++*at) {
        char c = pattern.ptr[*at];
        number = char_is_digit(c) ? times(number, 10) + (size_t)(c - '0') : 0;
        largest = number > largest ? number : largest;
    }
    return largest + 1; /* "{N,}" is one more */
}

static void next_element(struct cost *cost, size_t size)
{
    cost->before += cost->last;
    cost->last = size;
}

bool regex_is_affordable(str pattern)
{
    struct cost groups[DEPTH_MOST] = { 0 };
    size_t depth = 0;

    for (size_t i = 0; i < pattern.len; i++) {
        struct cost *cost = &groups[depth];
        switch (pattern.ptr[i]) {
        case '(':
            if (++depth == DEPTH_MOST)
                return false;
            groups[depth] = (struct cost){ 0 };
            break;
        case ')':
            if (depth > 0)
                next_element(&groups[--depth], cost->before + cost->last + 1);
            break;
        case '*':
        case '?': cost->last++; break;
        case '+': cost->last = times(cost->last, 2) + 1; break;
        case '{': cost->last = times(cost->last, read_bound(pattern, &i)); break;
        case '[':
            i = skip_set(pattern, i);
            next_element(cost, 1);
            break;
        case '\\':
            i++;
            next_element(cost, 1);
            break;
        default: next_element(cost, 1);
        }
        if (groups[depth].before + groups[depth].last > COST_MOST)
            return false;
    }
    return true;
}
