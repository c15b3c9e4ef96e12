/* import_providers.h — the providers that imported resources are read by. */
#pragma once

#include "base/error.h"
#include "base/map.h"

struct deployment;
struct import_spec;

struct importer {
    struct deployment *deployment;
    struct map defaults;   /* package → what its default provider is like */
    struct map references; /* URN of a provider → str *: how it is referred to */
};

/* Finds all that are needed and creates those that are not in the state. Blocks. */
fallible importer_find_providers(struct importer *importer);
void importer_release(struct importer *importer);
/* Empty: a component of the program needs none. */
str import_provider_urn(const struct importer *importer, const struct import_spec *import);
