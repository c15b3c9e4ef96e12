/* fuzz_journal_file.c — a journal is read as far as it can be trusted, and what was read can be
 * written again. */
#include "backend/journal_format.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static struct journal_contents read_again(struct arena *arena, str bytes)
{
    struct journal_contents contents;
    struct error *failure = journal_format_read(arena, bytes, &contents);

    require(!failure);
    require(!contents.is_damaged && contents.torn == 0);
    return contents;
}

static void require_same(const struct journal_contents *a, const struct journal_contents *b)
{
    require(a->count == b->count && journal_base_equal(a->base, b->base));
    for (size_t i = 0; i < a->count; i++)
        require(str_equal(a->records[i], b->records[i]));
}

/* The bytes as a header with a good checksum: whatever they say, there is an answer. */
static void read_as_header(str bytes)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf journal = { 0 };
    struct journal_contents contents;

    journal_format_header(&journal, STR("any"), (struct journal_base){ 0 });
    journal.len = journal_format_start();
    journal_format_record(&journal, bytes);
    journal_format_seal(&journal, journal_format_start(), 0);
    struct error *failure = journal_format_read(&arena, strbuf_str(&journal), &contents);
    require(failure || contents.has_header);
    error_free(failure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf copy = { 0 };
    str bytes = { (const char *)data, size };
    struct journal_contents contents;

    read_as_header(bytes);
    struct error *failure = journal_format_read(&arena, bytes, &contents);
    if (failure || !contents.has_header) {
        error_free(failure);
        return 0;
    }
    require(contents.end + contents.torn == size);

    /* The part that was trusted is a journal by itself. */
    struct journal_contents cut = read_again(&arena, str_slice(bytes, 0, contents.end));
    require_same(&contents, &cut);

    journal_format_header(&copy, STR("any"), contents.base);
    for (size_t i = 0; i < contents.count; i++)
        journal_format_record(&copy, contents.records[i]);
    journal_format_seal(&copy, journal_format_start(), 0);
    struct journal_contents again = read_again(&arena, strbuf_str(&copy));
    require_same(&contents, &again);
    return 0;
}
