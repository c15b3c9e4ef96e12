/* section_policies.c — what policy packs reported, pack by pack. */
#include "display/sections.h"

#include "model/urn.h"

#include <stdlib.h>

static bool forbids(const struct row_policy *policy)
{
    return !policy->is_remediation && strcmp(policy->level, "mandatory") == 0;
}

static void policies_add_head(struct strbuf *out, const struct row_policy *policy)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *tag = policy->is_remediation ? TAG_INFO : forbids(policy) ? TAG_ERROR : TAG_WARNING;

    strbuf_printf(out, "%s[%s]", tag, policy->is_remediation ? "remediate" : policy->level);
    if (*policy->severity)
        strbuf_printf(out, " [severity: %s]", policy->severity);
    strbuf_printf(out, "  " STR_FMT "%s", STR_ARG(policy->policy), TAG_RESET);
    if (policy->urn.len)
        strbuf_printf(out, "  (" STR_FMT ": " STR_FMT ")",
                      STR_ARG(color_quote(&scratch, urn_type_of(policy->urn))),
                      STR_ARG(color_quote(&scratch, urn_name_of(policy->urn))));
}

void policy_add(struct strbuf *out, const struct row_policy *policy, str line_start)
{
    str text = policy->message, line;

    policies_add_head(out, policy);
    if (policy->is_remediation)
        strbuf_printf(out, " [" STR_FMT "]", STR_ARG(policy->change));
    strbuf_add_char(out, '\n');
    while (str_next(&text, STR("\n"), &line)) {
        strbuf_printf(out, STR_FMT STR_FMT "\n", STR_ARG(line_start), STR_ARG(line));
    }
}

/* --- in order --- */

static int severity_rank(const char *severity)
{
    static const char *const ranks[] = { "critical", "high", "medium", "low" };
    enum { COUNT = sizeof(ranks) / sizeof(*ranks) };

    for (int i = 0; i < COUNT; i++)
        if (strcmp(severity, ranks[i]) == 0)
            return i;
    return COUNT;
}

/* What was mended first, then what forbids, then advice; the worst first. */
static int compare_policies(const void *a_, const void *b_)
{
    const struct row_policy *a = *(const struct row_policy *const *)a_,
                            *b = *(const struct row_policy *const *)b_;
    int rank_a = a->is_remediation ? 0
                 : forbids(a)      ? 1
                                   : 2,
        rank_b = b->is_remediation ? 0
                 : forbids(b)      ? 1
                                   : 2;

    if (rank_a != rank_b)
        return rank_a - rank_b;
    if (severity_rank(a->severity) != severity_rank(b->severity))
        return severity_rank(a->severity) - severity_rank(b->severity);
    int by_name = str_compare(a->policy, b->policy);
    return by_name ? by_name : str_compare(a->urn, b->urn);
}

static int compare_packs(const void *a, const void *b)
{
    const struct row_pack *left = a, *right = b;
    int by_name = str_compare(left->pack, right->pack);
    return by_name ? by_name : str_compare(left->path, right->path);
}

/* --- one pack --- */

struct policy_list {
    VEC(const struct row_policy *);
};

/* Groups the remediations of one policy and counts the resources it changed. */
static size_t add_remediations(struct strbuf *out, const struct policy_list *list, size_t first)
{
    const struct row_policy *policy = list->items[first];
    size_t count = 1;

    while (first + count < list->len && list->items[first + count]->is_remediation
           && str_equal(list->items[first + count]->policy, policy->policy))
        count++;
    strbuf_printf(out, "        - %s[remediate]  " STR_FMT "%s  (%zu %s)\n", TAG_INFO,
                  STR_ARG(policy->policy), TAG_RESET, count, count == 1 ? "resource" : "resources");
    return count;
}

/* The packs of a name and version: usually one. Returns whether something forbids. */
static bool add_pack(struct strbuf *out, const struct rows *rows, const struct row_pack *packs,
                     size_t count)
{
    CLEANUP(vec_drop) struct policy_list list = { 0 };
    bool is_forbidden = false, has_advice = false;

    for (size_t i = 0; i < rows->policies.len; i++) {
        const struct row_policy *policy = &rows->policies.items[i];
        if (!str_equal(policy->pack, packs->pack))
            continue;
        vec_add(&list, policy);
        is_forbidden = is_forbidden || forbids(policy);
        has_advice = has_advice || !policy->is_remediation;
    }
    if (list.len)
        qsort(list.items, list.len, sizeof(*list.items), compare_policies);
    const char *mark = is_forbidden ? "\xe2\x9d\x8c"
                       : has_advice ? "\xe2\x9a\xa0\xef\xb8\x8f"
                                    : "\xe2\x9c\x85";
    strbuf_printf(out, "    %s %s" STR_FMT "%s", mark, TAG_INFO, STR_ARG(packs->pack), TAG_RESET);
    for (size_t i = 0; i < count && packs[i].path.len; i++)
        strbuf_printf(out, "%s" STR_FMT, i ? "; " : " (local: ", STR_ARG(packs[i].path));
    strbuf_add(out, packs->path.len ? STR(")\n") : STR("\n"));
    for (size_t i = 0; i < list.len;) {
        if (list.items[i]->is_remediation && !rows->view->options->shows_policy_remediations) {
            i += add_remediations(out, &list, i);
            continue;
        }
        strbuf_add(out, STR("        - "));
        policy_add(out, list.items[i++], STR("          "));
    }
    return is_forbidden;
}

bool section_policies(struct strbuf *out, const struct rows *rows)
{
    struct row_pack *packs = rows->packs.items;
    bool is_forbidden = false;

    if (rows->packs.len == 0)
        return false;
    qsort(packs, rows->packs.len, sizeof(*packs), compare_packs);
    strbuf_add(out, STR(TAG_HEADLINE "Policies:" TAG_RESET "\n"));
    for (size_t i = 0, count; i < rows->packs.len; i += count) {
        for (count = 1;
             i + count < rows->packs.len && str_equal(packs[i + count].pack, packs[i].pack);)
            count++;
        is_forbidden |= add_pack(out, rows, &packs[i], count);
    }
    strbuf_add_char(out, '\n');
    return is_forbidden;
}

void section_packs_run(struct strbuf *out, struct pairs packs)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    int width = (int)strlen("Name");

    if (packs.len == 0)
        return;
    for (size_t i = 0; i < packs.len; i++)
        width = (int)packs.items[i].key.len > width ? (int)packs.items[i].key.len : width;
    strbuf_printf(out, "\n%sPolicy Packs run:%s\n    %-*s  Version\n", TAG_HEADLINE, TAG_RESET,
                  width, "Name");
    for (size_t i = 0; i < packs.len; i++)
        strbuf_add(out, color_quote(&scratch, arena_printf(&scratch, "    %-*.*s  " STR_FMT "\n",
                                                           width, STR_ARG(packs.items[i].key),
                                                           STR_ARG(packs.items[i].value))));
}
