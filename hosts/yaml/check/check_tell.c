/* check_tell.c — says what does not fit where, and why. */
#include "yaml/check/checker.h"

#include "base/strbuf.h"

/* One reason may stand below many others, so the whole may be far longer than the program: what is
 * behind this many bytes is left out. */
enum { LONGEST_EXPLANATION = 64 * 1024 };

bool type_is_primitive(const struct schema_type *type)
{
    return type->kind <= TYPE_ARCHIVE;
}

static void add_reason_text(struct strbuf *out, const struct mismatch *mismatch)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!mismatch->from) {
        strbuf_add(out, mismatch->reason);
        return;
    }
    const char *word = type_is_primitive(mismatch->from) ? "type " : "";
    strbuf_printf(out, "Cannot assign %s'" STR_FMT "' to %s'" STR_FMT "'", word,
                  STR_ARG(schema_type_text(&scratch, mismatch->from)), word,
                  STR_ARG(schema_type_text(&scratch, mismatch->to)));
}

static void mismatch_add_text(struct strbuf *out, const struct mismatch *mismatch, size_t indent,
                              bool is_alone)
{
    strbuf_add_repeated(out, ' ', indent * 2);
    if (mismatch->summary.len && !is_alone) {
        strbuf_add(out, mismatch->summary);
        strbuf_add(out, STR(". "));
    }
    if (mismatch->property.len) {
        strbuf_add(out, mismatch->property);
        strbuf_add(out, STR(": "));
    }
    add_reason_text(out, mismatch);
    if (mismatch->len)
        strbuf_add_char(out, ':');
    for (size_t i = 0; i < mismatch->len; i++) {
        strbuf_add_char(out, '\n');
        if (out->len > LONGEST_EXPLANATION) {
            strbuf_add_repeated(out, ' ', (indent + 1) * 2);
            strbuf_add(out, STR("..."));
            return;
        }
        mismatch_add_text(out, mismatch->because[i], indent + 1, is_alone && mismatch->len == 1);
    }
}

/* The one thing that is wrong, if it is one thing. */
static const struct mismatch *innermost(const struct mismatch *mismatch)
{
    while (mismatch->len == 1)
        mismatch = mismatch->because[0];
    return mismatch;
}

void checker_report(struct checker *checker, struct range range, const struct schema_type *to,
                    const struct schema_type *from, const struct mismatch *mismatch)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct mismatch *cause = innermost(mismatch);
    str summary = cause->summary;

    mismatch_add_text(&text, mismatch, 0, true);
    if (summary.len == 0)
        summary = arena_printf(checker->arena, STR_FMT " is not assignable from " STR_FMT,
                               STR_ARG(schema_type_text(checker->arena, to)),
                               STR_ARG(schema_type_text(checker->arena, from)));
    diags_add(checker->diags, DIAG_ERROR, cause->range.line ? cause->range : range, summary,
              arena_copy(checker->arena, strbuf_str(&text)));
}
