/* fuzz_yaml_program.c — any text is a program or is complained about; what is not complained about
 * runs to its end, in a preview and in an update, and asks for the same resources in both. */
#include "unit/yaml_host_fixture.h"

#include "yaml/eval/graphemes.h"

#include <stdio.h>

static size_t count_lines(const struct strbuf *text)
{
    size_t count = 0;

    for (size_t i = 0; i < text->len; i++)
        count += text->ptr[i] == '\n';
    return count;
}

/* How many calls it made; SIZE_MAX if something was wrong with the program. */
static size_t run(str text, bool is_preview)
{
    struct fake_engine fake = { .is_preview = is_preview };
    struct fake_run run = { .fake = &fake, .text = text };

    struct error *failure = scheduler_run(fake_run_on_fiber, &run);
    if (failure || run.failure)
        abort();
    size_t calls = count_lines(&fake.notes);
    bool is_wrong = run.result.has_failed || run.result.error.len;
    if (is_wrong && run.result.complaints.len == 0 && run.result.error.len == 0
        && fake.logs.len == 0)
        abort(); /* it failed, and nobody was told */
    fake_release(&fake);
    return is_wrong ? SIZE_MAX : calls;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str text = { (const char *)data, size };

    if (size > 1 << 16
        || str_find(text, STR("ile")) != SIZE_MAX) /* no files: readFile, filebase64 */
        return 0;
    if (graphemes_count(text) > size || (size > 0 && graphemes_count(text) == 0))
        abort();
    size_t preview = run(text, true), update = run(text, false);
    if (preview != SIZE_MAX && update != SIZE_MAX && update < preview)
        abort(); /* what is unknown in a preview can only mean fewer calls */
    return 0;
}
