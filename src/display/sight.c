/* sight.c — a window that scrolls, and above and below it the lines where work goes on. */
#include "display/sight.h"

#include "base/arena.h"

#include <stdlib.h>

struct at_work {
    size_t line;
    int64_t since;
};

static int compare_at_work(const void *a_, const void *b_)
{
    const struct at_work *a = a_, *b = b_;

    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Lines next to the window, below it and then above, as long as there is room. */
static void sight_widen(bool *is_chosen, size_t count, size_t begin, size_t end, size_t room)
{
    for (size_t i = end; i < count && room > 0; i++) {
        room -= !is_chosen[i];
        is_chosen[i] = true;
    }
    for (size_t i = begin; i-- > 0 && room > 0;) {
        room -= !is_chosen[i];
        is_chosen[i] = true;
    }
}

void sight_choose(struct scroll *scroll, const int64_t *since, size_t count, size_t room,
                  struct sight *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct at_work *working = ARENA_ARRAY(&scratch, struct at_work, count + 1);
    bool *is_chosen = ARENA_ARRAY(&scratch, bool, count + 1);
    size_t workers = 0, beside = 0;

    for (size_t i = 0; i < count; i++)
        workers += since[i] != 0;
    size_t pinned = workers < room / 2 ? workers : room / 2, window = room - pinned;
    scroll_fit(scroll, count, window);
    size_t begin = scroll->offset, end = begin + window < count ? begin + window : count;
    for (size_t i = 0; i < count; i++) {
        is_chosen[i] = i >= begin && i < end;
        if (since[i] != 0 && !is_chosen[i])
            working[beside++] = (struct at_work){ i, since[i] };
    }
    qsort(working, beside, sizeof(*working), compare_at_work);
    pinned = beside < pinned ? beside : pinned;
    for (size_t i = 0; i < pinned; i++)
        is_chosen[working[i].line] = true;
    sight_widen(is_chosen, count, begin, end, room - pinned - (end - begin));
    for (size_t i = 0; i < count; i++)
        if (is_chosen[i])
            vec_add(out, i);
}
