/* fuzz_sdk_go.c — SDKs in Go, chosen by the first byte: a schema that was read becomes an SDK or is
 * refused, and of the SDK nothing is left that was not kept; a description becomes a comment that
 * is nothing else. */
#include "fuzz/fuzz_support.h"

#include "base/strbuf.h"
#include "common/sdk.h"
#include "go/golang.h"
#include "go/sdk/go_docs.h"

static void try_go_sdk(struct arena *arena, str text)
{
    struct sdk_request request = { 0 };
    struct sdk_files files;
    str folder = fs_path_join(arena, fuzz_folder(), STR("sdk"));

    if (!fuzz_accepts(schema_read(arena, text, &request.schema)))
        return;
    REQUIRE(fuzz_accepts(sdk_files_open(arena, folder, &files)));
    if (fuzz_accepts(go_generate_package(NULL, arena, &request, &files)))
        REQUIRE(sdk_paths(arena, &files, STR(".go")).len >= 3);
    sdk_files_drop(&files);
    REQUIRE(!fs_exists(folder));
    schema_release(request.schema);
}

/* Every line is a comment, without a blank at its end. */
static void try_go_docs(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str description = fuzz_part(&text), line, rest;

    (void)arena;
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

    if (fuzz_choice(&input, 2) == 0)
        try_go_sdk(&arena, input);
    else
        try_go_docs(&arena, input);
    return 0;
}
