/* fuzz_import_program.c — whatever a state holds and a schema says, the program that declares it is
 * PCL, and one that the language hosts can read. A deployment, a NUL byte, and a schema. */
#include "fuzz/fuzz_support.h"

#include "cli/codegen/import_program.h"
#include "cli/codegen/pcl_syntax.h"
#include "model/checkpoint.h"
#include "model/urn.h"
#include "pcl/pcl.h"

enum { IMPORTS_MAX = 8 };

static fallible find_schema(void *schema, const struct package_ref *package, struct schema **out)
{
    (void)package;
    *out = schema;
    return NULL;
}

/* The state of an operation has the texts of its secrets. */
static bool is_open(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (value_contains_sealed(snapshot->resources[i]->inputs)
            || value_contains_sealed(snapshot->resources[i]->outputs))
            return false;
    return true;
}

static size_t choose_imports(const struct snapshot *snapshot, struct import_name *names)
{
    size_t count = 0;

    for (size_t i = 0; i < snapshot->resource_count && count < IMPORTS_MAX; i++) {
        str urn = snapshot->resources[i]->urn;
        names[count++] = (struct import_name){ urn_name_of(urn), urn };
    }
    return count;
}

static void check_program(struct arena *arena, str text)
{
    struct pcl_body body;
    struct error *failure = pcl_read(arena, text, &body);

    if (!failure)
        failure = pcl_syntax_check(text);
    if (failure)
        fprintf(stderr, STR_FMT "\n" STR_FMT "\n", STR_ARG(error_message(failure)), STR_ARG(text));
    REQUIRE(!failure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    struct import_name names[IMPORTS_MAX];
    struct snapshot snapshot;
    struct schema *schema = NULL;
    bool has_deployment;
    str text, state = fuzz_part(&input);

    if (!fuzz_accepts(checkpoint_read(&arena, state, &snapshot, &has_deployment)) || !has_deployment
        || !is_open(&snapshot) || !fuzz_accepts(snapshot_verify(&snapshot)))
        return 0;
    if (!fuzz_accepts(schema_read(&arena, input, &schema)))
        schema = NULL;
    struct pair known = { STR("known"), STR("urn:pulumi:dev::web::a:b:C::known") };
    const struct import_program program = {
        .arena = &arena,
        .snapshot = &snapshot,
        .imports = names,
        .import_count = choose_imports(&snapshot, names),
        .table = { &known, 1 },
        .context = schema,
        .find_schema = find_schema,
    };
    if (fuzz_accepts(import_program_write(&program, &text)))
        check_program(&arena, text);
    if (schema)
        schema_release(schema);
    return 0;
}
