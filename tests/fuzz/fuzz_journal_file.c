/* fuzz_journal_file.c — a journal is read as far as it can be trusted, and what was read can be
 * written again. One that is cut off has all the records before the cut; one that has another byte
 * somewhere, or lost some there, has those before it, and is damaged if more was written behind
 * it. */
#include "fuzz/fuzz_support.h"

#include "backend/journal_format.h"

enum { RECORDS_MAX = 16 };

static struct journal_contents read_again(struct arena *arena, str bytes)
{
    struct journal_contents contents;
    struct error *failure = journal_format_read(arena, bytes, &contents);

    REQUIRE(!failure);
    REQUIRE(!contents.is_damaged && contents.torn == 0);
    return contents;
}

static void require_same(const struct journal_contents *a, const struct journal_contents *b)
{
    REQUIRE(a->count == b->count && journal_base_equal(a->base, b->base));
    for (size_t i = 0; i < a->count; i++)
        REQUIRE(str_equal(a->records[i], b->records[i]));
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
    REQUIRE(failure || contents.has_header);
    error_free(failure);
}

/* A record at a time, each durable before the next; `ends` has where each ends. */
static size_t write_records(struct strbuf *journal, str rest, str *records, size_t *ends)
{
    size_t count = 0;

    journal_format_header(journal, STR("any"), (struct journal_base){ 0 });
    journal_format_seal(journal, journal_format_start(), 0);
    while (rest.len && count < RECORDS_MAX) {
        size_t start = journal->len;
        records[count] = fuzz_part(&rest);
        journal_format_record(journal, records[count]);
        journal_format_seal(journal, start, start);
        ends[count++] = journal->len;
    }
    return count;
}

/* What is done to the bytes at a place. */
enum hurt { HURT_CUT_OFF, HURT_CHANGED, HURT_CUT_OUT, HURT_KINDS };

/* `end` is that of the record at the place. */
static void hurt(struct strbuf *journal, enum hurt kind, size_t place, size_t end)
{
    if (kind == HURT_CUT_OFF) {
        journal->len = place;
    } else if (kind == HURT_CHANGED) {
        journal->ptr[place] = (char)(journal->ptr[place] ^ 1);
    } else {
        memmove(journal->ptr + place, journal->ptr + end, journal->len - end);
        journal->len -= end - place;
    }
}

/* The first bytes choose a place and what happens there; then come records, parted by NUL bytes. */
static void read_hurt(str input)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf journal = { 0 };
    struct journal_contents contents;
    str records[RECORDS_MAX];
    size_t ends[RECORDS_MAX], whole = 0;
    enum hurt kind = (enum hurt)fuzz_choice(&input, HURT_KINDS);
    size_t place = fuzz_choice(&input, 256) * 256 + fuzz_choice(&input, 256);
    size_t count = write_records(&journal, input, records, ends);

    if (!count)
        return;
    size_t first = ends[0] - JOURNAL_FRAME_HEADER - records[0].len;
    place = first + place % (journal.len - first);
    while (whole < count && ends[whole] <= place)
        whole++;
    hurt(&journal, kind, place, ends[whole]);
    REQUIRE(fuzz_accepts(journal_format_read(&arena, strbuf_str(&journal), &contents)));
    REQUIRE(contents.has_header && contents.count >= whole);
    for (size_t i = 0; i < whole; i++)
        REQUIRE(str_equal(contents.records[i], records[i]));
    /* What was cut out may have been the same as what came in its place. */
    if (kind == HURT_CUT_OUT && contents.count > whole)
        return;
    REQUIRE(contents.count == whole);
    REQUIRE(contents.is_damaged == (kind != HURT_CUT_OFF && whole + 1 < count));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf copy = { 0 };
    str bytes = { (const char *)data, size };
    struct journal_contents contents;

    read_as_header(bytes);
    read_hurt(bytes);
    struct error *failure = journal_format_read(&arena, bytes, &contents);
    if (failure || !contents.has_header) {
        error_free(failure);
        return 0;
    }
    REQUIRE(contents.end + contents.torn == size);

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
