/* pysdk_parts.h — the parts that a Python SDK is printed in. */
#pragma once

#include "python/sdk/pysdk.h"

/* Properties with those that are required before the others. */
struct pysdk_properties {
    const struct schema_property **items;
    size_t len;
};
struct pysdk_properties pysdk_required_first(struct arena *arena,
                                             struct schema_properties properties);
struct pysdk_properties pysdk_as_listed(struct arena *arena, struct schema_properties properties);

/* A class of arguments or results with everything in it. */
struct pysdk_class {
    str name;
    str doc;
    struct schema_properties properties;
    enum pysdk_shape shape;
    bool warns; /* about keys that are spelled as in the schema */
};
void pysdk_put_class(struct pysdk_file *file, const struct pysdk_class *what);
/* The same as a TypedDict. */
void pysdk_put_dict(struct pysdk_file *file, const struct pysdk_class *what);
/* Getters, and setters of arguments. `wrap` is put around the type: "pulumi.Output". */
void pysdk_put_properties(struct pysdk_file *file, struct pysdk_properties properties,
                          unsigned indent, enum pysdk_shape shape, const char *wrap);
/* A class of results that is filled by name: of functions and methods. */
void pysdk_put_result(struct pysdk_file *file, unsigned indent, str name, str doc,
                      struct pysdk_properties properties);

/* Files of a module. */
fallible pysdk_write_types(struct pysdk *sdk, struct pysdk_module *module);
fallible pysdk_write_enums(struct pysdk *sdk, struct pysdk_module *module);
fallible pysdk_write_config(struct pysdk *sdk, struct pysdk_module *module);
fallible pysdk_write_resource(struct pysdk *sdk, struct pysdk_module *module, str token);
fallible pysdk_write_function(struct pysdk *sdk, struct pysdk_module *module, str token);
fallible pysdk_write_init(struct pysdk *sdk, struct pysdk_module *module);
/* Files of the whole. */
fallible pysdk_write_utilities(struct pysdk *sdk);
fallible pysdk_write_metadata(struct pysdk *sdk);

/* The methods of a resource, inside its class. */
void pysdk_put_methods(struct pysdk_file *file, const struct schema_resource *resource);
