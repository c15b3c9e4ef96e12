/* fuzz_sdk.c — SDKs, in a language that the first byte chooses: a schema that was read becomes an
 * SDK or is refused, nothing in it breaks out of its string or comment, and of the SDK nothing is
 * left that was not kept. A description in Go becomes a comment that is nothing else. */
#include "fuzz/fuzz_support.h"

#include "base/strbuf.h"
#include "common/sdk.h"
#include "go/golang.h"
#include "go/sdk/go_docs.h"
#include "nodejs/nodejs.h"
#include "python/python.h"
#include "schema/schema_check.h"

static const struct sdk_language {
    fallible (*generate)(struct host *host, struct arena *arena, const struct sdk_request *request,
                         struct sdk_files *out);
    str ending;
    str comment;
    str long_quote; /* of strings with many lines */
    bool has_blocks;
} languages[] = {
    { go_generate_package, STR_INIT(".go"), STR_INIT("//"), STR_INIT("`"), true },
    { node_generate_package, STR_INIT(".ts"), STR_INIT("//"), STR_INIT("`"), true },
    { python_generate_package, STR_INIT(".py"), STR_INIT("#"), STR_INIT("\"\"\""), false },
};

/* --- texts of programs --- */

/* What is left behind `end`, of which the text must have one; a backslash takes the next one away.
 */
static str skip_past(str text, str end, bool has_escapes)
{
    bool is_end = false;
    size_t at = 0;

    for (; at < text.len && !is_end; at += is_end ? end.len : 1) {
        is_end = str_starts_with(str_slice(text, at, text.len), end);
        if (has_escapes && text.ptr[at] == '\\')
            at++;
    }
    REQUIRE(is_end);
    return str_slice(text, at, text.len);
}

/* A string or comment that begins here; else one character. */
static str skip_token(const struct sdk_language *language, str text)
{
    bool is_python = !language->has_blocks;
    char first = text.ptr[0];

    if (str_starts_with(text, language->comment))
        return skip_past(text, STR("\n"), false);
    if (language->has_blocks && str_starts_with(text, STR("/*")))
        return skip_past(str_slice(text, 2, text.len), STR("*/"), false);
    if (str_starts_with(text, language->long_quote))
        return skip_past(str_slice(text, language->long_quote.len, text.len), language->long_quote,
                         is_python || str_equal(language->ending, STR(".ts")));
    if (first != '"' && first != '\'')
        return str_slice(text, 1, text.len);
    str rest = skip_past(str_slice(text, 1, text.len), (str){ &first, 1 }, true);
    REQUIRE(str_find_char(str_slice(text, 0, text.len - rest.len), '\n') == SIZE_MAX);
    return rest;
}

static void check_program(const struct sdk_language *language, str text)
{
    char open[256];
    size_t depth = 0;

    while (text.len) {
        char c = text.ptr[0];
        str rest = skip_token(language, text);
        if (rest.len + 1 == text.len && (c == '(' || c == '[' || c == '{')) {
            REQUIRE(depth < sizeof(open));
            open[depth++] = c;
        } else if (rest.len + 1 == text.len && (c == ')' || c == ']' || c == '}')) {
            REQUIRE(depth > 0 && open[--depth] == (c == ')' ? '(' : c == ']' ? '[' : '{'));
        }
        text = rest;
    }
    REQUIRE(depth == 0);
}

/* Texts that are in every SDK as they are need no look. */
static void check_files(struct arena *arena, const struct sdk_language *language,
                        const struct sdk_files *files)
{
    struct strs paths = sdk_paths(arena, files, language->ending);
    str text;

    REQUIRE(paths.len > 0);
    for (size_t i = 0; i < paths.len; i++)
        if (str_find(paths.items[i], STR("tilities")) == SIZE_MAX) {
            str path = fs_path_join(arena, files->stage, paths.items[i]);
            REQUIRE(fuzz_accepts(fs_read(arena, path, FS_ANY_SIZE, &text)));
            check_program(language, text);
        }
}

/* Hosts make no SDK of others. */
static bool is_sound(struct arena *arena, str text)
{
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { .dangling = DANGLING_IS_WARNING };

    return fuzz_accepts(schema_check_json(arena, text, &options, &complaints))
           && !complaints.error_count;
}

static void try_sdk(struct arena *arena, const struct sdk_language *language, str text)
{
    struct sdk_request request = { 0 };
    struct sdk_files files;
    str folder = fs_path_join(arena, fuzz_folder(), STR("sdk"));

    if (!fuzz_accepts(schema_read(arena, text, &request.schema)))
        return;
    REQUIRE(fuzz_accepts(sdk_files_open(arena, folder, &files)));
    if (fuzz_accepts(language->generate(NULL, arena, &request, &files)) && is_sound(arena, text))
        check_files(arena, language, &files);
    sdk_files_drop(&files);
    REQUIRE(!fs_exists(folder));
    schema_release(request.schema);
}

/* Every line is a comment, without a blank at its end. */
static void try_go_docs(str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str description = fuzz_part(&text), line, rest;

    go_put_docs(&out, description, text, "\t", NULL);
    rest = strbuf_str(&out);
    while (str_cut(rest, STR("\n"), &line, &rest)) {
        REQUIRE(str_starts_with(line, STR("\t//")));
        REQUIRE(line.ptr[line.len - 1] != ' ');
    }
    REQUIRE(rest.len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    switch (fuzz_choice(&input, 4)) {
    case 0: try_sdk(&arena, &languages[0], input); break;
    case 1: try_go_docs(input); break;
    case 2: try_sdk(&arena, &languages[1], input); break;
    default: try_sdk(&arena, &languages[2], input); break;
    }
    return 0;
}
