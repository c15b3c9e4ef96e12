/* ts_resource.h — the parts of the class of a resource. */
#pragma once

#include "nodejs/sdk/ts_types.h"

void ts_constructor(struct ts_file *file, const struct schema_resource *resource, str class);
void ts_methods(struct ts_file *file, const struct schema_resource *resource, str class);
/* A namespace of the same name, for the arguments and results of methods. */
void ts_method_types(struct ts_file *file, const struct schema_resource *resource, str class);
/* Whether there is one. */
bool ts_has_method_types(struct ts_sdk *sdk, const struct schema_resource *resource);

/* pulumi.log.warn(…) of what is deprecated. */
void ts_warn_deprecated(struct ts_file *file, str name, str deprecation);
/* The options of a resource: "CustomResourceOptions". */
const char *ts_options_type(const struct schema_resource *resource);
