/* fuzz_text_diff.c — lines that stayed or went make the old text, lines that stayed or came the new
 * one. */
#include "base/strbuf.h"
#include "display/text_diff.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void rebuild(struct strbuf *out, struct text_lines lines, enum line_change without)
{
    bool is_first = true;

    for (size_t i = 0; i < lines.len; i++) {
        if (lines.items[i].change == without)
            continue;
        strbuf_add(out, is_first ? STR("") : STR("\n"));
        strbuf_add(out, lines.items[i].text);
        is_first = false;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf old_again = { 0 };
    CLEANUP(strbuf_release) struct strbuf new_again = { 0 };
    str text = { (const char *)data, size }, old = text, new = STR("");

    str_cut(text, STR("|"), &old, &new);
    struct text_lines lines = text_diff(&arena, old, new);
    rebuild(&old_again, lines, LINE_ADDED);
    rebuild(&new_again, lines, LINE_DELETED);
    if (!str_equal(strbuf_str(&old_again), old) || !str_equal(strbuf_str(&new_again), new))
        abort();
    return 0;
}
