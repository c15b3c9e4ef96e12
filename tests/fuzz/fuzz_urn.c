/* fuzz_urn.c — what parses as a URN formats back to the same text; a provider reference is its two
 * halves. */
#include "model/urn.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = { (const char *)data, size }, head, id;
    struct urn urn;

    struct error *error = urn_parse(text, &urn);
    if (!error && !str_equal(urn_format(&arena, &urn), text))
        abort();
    if (!error && !str_equal(urn_type_of(text), urn_type(&urn)))
        abort();
    error_free(error);

    error = provider_ref_parse(text, &head, &id);
    if (!error && id.len && !str_equal(provider_ref_format(&arena, head, id), text))
        abort();
    error_free(error);
    if (type_is_provider(text) && type_provider_package(text).len == 0)
        abort();
    return 0;
}
