/* section_policies.c — what policy packs had to say, pack by pack. */
#include "display/sections.h"

#include "display/op_text.h"
#include "model/urn.h"

static bool forbids(const struct row_policy *policy)
{
    return !policy->is_remediation
           && (strcmp(policy->level, "mandatory") == 0 || strcmp(policy->level, "remediate") == 0);
}

static const char *mark_of(const struct rows *rows, str pack)
{
    bool has_advice = false;

    for (size_t i = 0; i < rows->policies.len; i++) {
        const struct row_policy *policy = &rows->policies.items[i];
        if (!str_equal(policy->pack, pack))
            continue;
        if (forbids(policy))
            return "\xe2\x9d\x8c";
        has_advice = has_advice || !policy->is_remediation;
    }
    return has_advice ? "\xe2\x9a\xa0\xef\xb8\x8f" : "\xe2\x9c\x85";
}

static void add_policy(struct strbuf *out, const struct row_policy *policy)
{
    str text = policy->message, line;

    strbuf_printf(out, "        - [%s]  " STR_FMT, policy->is_remediation ? "remediate" : policy->level,
                  STR_ARG(policy->policy));
    if (policy->urn.len)
        strbuf_printf(out, "  (" STR_FMT ": " STR_FMT ")", STR_ARG(urn_type_of(policy->urn)),
                      STR_ARG(urn_name_of(policy->urn)));
    strbuf_add_char(out, '\n');
    while (text.len) {
        str rest = STR("");
        if (!str_cut(text, STR("\n"), &line, &rest))
            line = text;
        strbuf_printf(out, "          " STR_FMT "\n", STR_ARG(line));
        text = rest;
    }
}

static bool is_first_of_pack(const struct rows *rows, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (str_equal(rows->policies.items[i].pack, rows->policies.items[index].pack))
            return false;
    return true;
}

/* What was mended first, then what forbids, then advice. */
static void add_pack(struct strbuf *out, const struct rows *rows, str pack)
{
    strbuf_printf(out, "    %s " STR_FMT "\n", mark_of(rows, pack), STR_ARG(pack));
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < rows->policies.len; i++) {
            const struct row_policy *policy = &rows->policies.items[i];
            int wanted = policy->is_remediation ? 0 : forbids(policy) ? 1 : 2;
            if (wanted == turn && str_equal(policy->pack, pack))
                add_policy(out, policy);
        }
    }
}

bool section_policies(struct strbuf *out, const struct rows *rows)
{
    bool is_forbidden = false;

    if (rows->policies.len == 0)
        return false;
    strbuf_add(out, STR(TAG_HEADLINE "Policies:" TAG_RESET "\n"));
    for (size_t i = 0; i < rows->policies.len; i++) {
        if (is_first_of_pack(rows, i))
            add_pack(out, rows, rows->policies.items[i].pack);
        is_forbidden = is_forbidden || forbids(&rows->policies.items[i]);
    }
    strbuf_add_char(out, '\n');
    return is_forbidden;
}
