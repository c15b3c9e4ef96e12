/* compare.c — compares section by section and shows differences. */
#include "support/compare.h"

#include "base/fs.h"
#include "support/collect.h"
#include "support/json_value.h"
#include "support/scenario_file.h"

#include <stdlib.h>

static const str all_sections[] = {
    STR_INIT("exit"),      STR_INIT("calls"), STR_INIT("answers"),
    STR_INIT("callbacks"), STR_INIT("steps"), STR_INIT("summary"),
    STR_INIT("state"),     STR_INIT("cloud"), STR_INIT("policies"),
};

/* --- plugins are configured concurrently --- */

static bool is_rpc(struct value call, const char *name)
{
    return str_equal(object_text(call, STR("rpc")), str_from(name));
}

static struct value request_urn(struct value call)
{
    return object_get(object_get(call, STR("request")), STR("urn"));
}

/* A provider is configured after its configuration was checked or its parameters were given, and
 * not earlier. */
static bool must_precede(struct value call, struct value configure)
{
    if (str_ends_with(object_text(call, STR("rpc")), STR("Config"))
        && json_value_equal(request_urn(call), request_urn(configure)))
        return true;
    return is_rpc(call, "Parameterize")
           && json_value_equal(object_get(call, STR("pkg")), object_get(configure, STR("pkg")));
}

/* Moves every Configure to where it can come earliest, because its place among calls to other
 * plugins says nothing. */
static struct value settle_configures(struct arena *arena, struct value calls)
{
    CLEANUP(values_release) struct values settled = { 0 };

    if (calls.kind != VALUE_ARRAY)
        return calls;
    for (size_t i = 0; i < calls.len; i++) {
        size_t at = settled.len;
        while (is_rpc(calls.items[i], "Configure") && at > 0
               && !must_precede(settled.items[at - 1], calls.items[i]))
            at--;
        vec_add(&settled, calls.items[i]);
        memmove(&settled.items[at + 1], &settled.items[at],
                (settled.len - 1 - at) * sizeof(*settled.items));
        settled.items[at] = calls.items[i];
    }
    for (size_t i = 0; i < settled.len;) {
        size_t end = i;
        while (end < settled.len && is_rpc(settled.items[end], "Configure"))
            end++;
        struct value sorted = collect_sorted(arena, value_array(arena, settled.items + i, end - i));
        for (size_t j = 0; j < sorted.len; j++)
            settled.items[i + j] = sorted.items[j];
        i = end > i ? end : i + 1;
    }
    return values_array(arena, &settled);
}

/* --- one section --- */

static str section_text(struct arena *arena, struct value result, str section)
{
    struct value value = collect_with_sorted_urns(arena, object_get(result, section));

    if (str_equal(section, STR("calls")))
        value = settle_configures(arena, value);
    return json_value_text(arena, value, 1);
}

static void log_lines(struct strbuf *log, str text, size_t limit)
{
    size_t shown = 0, left = 0;
    str line;

    while (str_cut(text, STR("\n"), &line, &text)) {
        if (shown < limit) {
            strbuf_printf(log, "      " STR_FMT "\n", STR_ARG(line));
            shown++;
        } else {
            left++;
        }
    }
    if (left)
        strbuf_printf(log, "      ... %zu more lines (-v shows all)\n", left);
}

/* diff(1) shows what differs. */
static fallible log_difference(struct arena *arena, str wanted, str got, bool is_verbose,
                               struct strbuf *log)
{
    enum { SHORT = 24 };
    char folder[] = "/tmp/scenario-diff-XXXXXX";
    struct command_result result = { 0 };
    str header;

    if (!mkdtemp(folder))
        return error_os("make a folder in '/tmp'");
    const str words[] = { STR("/usr/bin/diff"), STR("-U2"), STR("expected"), STR("got") };
    struct command command = { .words = { words, 4 },
                               .directory = str_from(folder),
                               .timeout_ms = 600000 };
    struct error *failure =
        error_join(fs_create(fs_path_join(arena, str_from(folder), STR("expected")),
                             arena_concat(arena, wanted, STR("\n")), 0644),
                   fs_create(fs_path_join(arena, str_from(folder), STR("got")),
                             arena_concat(arena, got, STR("\n")), 0644));
    if (!failure)
        failure = command_run(arena, &command, &result);
    failure = error_join(failure, fs_remove_tree(str_from(folder)));
    TRY(failure);
    for (int i = 0; i < 2; i++) /* names and times of the files */
        str_cut(result.output, STR("\n"), &header, &result.output);
    log_lines(log, result.output, is_verbose ? SIZE_MAX : SHORT);
    return NULL;
}

/* --- all of them --- */

static struct strs wanted_sections(struct arena *arena, const struct operation *operation)
{
    struct strs all = { all_sections, sizeof(all_sections) / sizeof(*all_sections) };
    struct strs sections = operation->sections.len ? operation->sections : all;
    str *items = ARENA_ARRAY(arena, str, sections.len + operation->also.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < sections.len; i++)
        items[len++] = sections.items[i];
    for (size_t i = 0; i < operation->also.len; i++)
        items[len++] = operation->also.items[i];
    return (struct strs){ items, len };
}

static fallible compare_operation(struct arena *arena, const struct operation *operation,
                                  size_t number, const struct value results[2],
                                  const struct comparison_options *options, struct strbuf *log,
                                  bool *is_same)
{
    struct strs sections = wanted_sections(arena, operation);

    for (size_t i = 0; i < sections.len; i++) {
        str section = sections.items[i];
        if (options->sections.len && !strs_has(options->sections, section))
            continue;
        str wanted = section_text(arena, results[0], section),
            got = section_text(arena, results[1], section);
        if (str_equal(wanted, got))
            continue;
        *is_same = false;
        strbuf_printf(log, "   op %zu (" STR_FMT "): " STR_FMT " differs (- expected, + got)\n",
                      number, STR_ARG(operation->verb), STR_ARG(section));
        TRY(log_difference(arena, wanted, got, options->is_verbose, log));
    }
    return NULL;
}

fallible compare_results(struct arena *arena, const struct scenario *scenario, struct value wanted,
                         struct value got, const struct comparison_options *options,
                         struct strbuf *log, bool *is_same)
{
    *is_same = true;
    if (wanted.kind != VALUE_ARRAY || wanted.len != got.len) {
        *is_same = false;
        strbuf_printf(log, "   the golden file is of another scenario: it has %zu operations\n",
                      (size_t)wanted.len);
        return NULL;
    }
    for (size_t i = 0; i < scenario->operation_count; i++) {
        const struct value results[] = { wanted.items[i], got.items[i] };
        TRY(compare_operation(arena, &scenario->operations[i], i + 1, results, options, log,
                              is_same));
    }
    return NULL;
}
