/* fuzz_pcl.c — any text is a program or is refused; a program that was read has an order with every
 * resource in it once, and every language prints it or refuses it. What hosts can read, the command
 * line takes for PCL. */
#include "cli/codegen/pcl_syntax.h"
#include "go/golang.h"
#include "nodejs/nodejs.h"
#include "python/python.h"
#include "yaml/serve/yaml_program.h"

#include <stdlib.h>

static const char schema[] =
    "{\"name\":\"p\",\"version\":\"1.0.0\",\"resources\":{\"p:m:T\":{\"inputProperties\":{"
    "\"s\":{\"type\":\"string\"},\"n\":{\"type\":\"number\"},\"i\":{\"type\":\"integer\"},"
    "\"l\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/p:m:O\"}},"
    "\"m\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"boolean\"}},"
    "\"e\":{\"$ref\":\"#/types/p:m:E\"},\"j\":{\"$ref\":\"pulumi.json#/Json\"},"
    "\"u\":{\"oneOf\":[{\"$ref\":\"#/types/p:m:O\"},{\"type\":\"string\"}]}}}},"
    "\"types\":{\"p:m:O\":{\"type\":\"object\",\"properties\":{\"o\":{\"$ref\":\"#/types/p:m:O\"},"
    "\"a\":{\"$ref\":\"pulumi.json#/Asset\"}}},"
    "\"p:m:E\":{\"type\":\"string\",\"enum\":[{\"value\":\"a\"},{\"name\":\"B\",\"value\":\"*\"}]}}"
    "}";

static fallible load_schema(void *context, const struct pcl_package *package, struct arena *arena,
                            str *json)
{
    (void)context, (void)arena;
    if (!str_equal(package->name, STR("p")))
        return error_new(ERROR_NOT_FOUND, "none");
    *json = str_from(schema);
    return NULL;
}

static void print_all(const struct pcl_program *program)
{
    static pcl_print *const printers[] = { node_print_program, python_print_program,
                                           go_print_program, yaml_print_program };

    for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
        str text = { 0 };
        struct error *failure = printers[i](program, &text);
        if (!failure && !text.ptr)
            abort(); /* a program is a text */
        error_free(failure);
    }
}

static void check_order(struct arena *arena, const struct pcl_program *program)
{
    bool *seen = ARENA_ARRAY(arena, bool, program->len + 1);

    for (size_t i = 0; i < program->len; i++) {
        if (program->order[i] >= program->len || seen[program->order[i]])
            abort();
        seen[program->order[i]] = true;
    }
}

static void check_syntax(struct arena *arena, str text)
{
    struct pcl_body body;
    struct error *failure = pcl_read(arena, text, &body);
    struct error *refusal = pcl_syntax_check(text);

    if (!failure && refusal && str_is_utf8(text))
        abort();
    error_free(failure);
    error_free(refusal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct pcl_loader loader = { NULL, load_schema };
    struct pcl_program program = { 0 };

    if (size > 1 << 14)
        return 0;
    str text = arena_copy(&arena, (str){ (const char *)data, size });
    check_syntax(&arena, text);
    struct error *failure = pcl_program_read(&arena, text, &loader, &program);
    if (!failure) {
        check_order(&arena, &program);
        print_all(&program);
    }
    pcl_program_release(&program);
    error_free(failure);
    return 0;
}
