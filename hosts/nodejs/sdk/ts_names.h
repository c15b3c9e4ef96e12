/* ts_names.h — what things of a schema are called in TypeScript, and in which file they are. */
#pragma once

#include "nodejs/sdk/ts_sdk.h"

/* The class, interface or enum of a token. */
str ts_type_name(struct arena *arena, str token);
str ts_function_name(struct arena *arena, str token);
str ts_class_name(struct arena *arena, const struct schema_resource *resource);

/* "store.v1." as types are grouped; empty at the root. */
str ts_namespace(struct arena *arena, str module);
/* The same by the names under which indexes have their folders. */
str ts_folder_path(struct arena *arena, str module);
/* What an index calls a folder in itself, and for others. */
str ts_folder_variable(struct arena *arena, str folder);
str ts_folder_export(struct arena *arena, str folder);

/* In double quotes. */
str ts_quoted(struct arena *arena, str text);
/* A property in an interface: quoted if it has to be. */
str ts_key(struct arena *arena, str name);
/* `object.name`, or `object["name"]` if it has to be; with a '?' behind the object where that may
 * be undefined. */
str ts_member(struct arena *arena, const char *object, str name);

/* Files within the folder of their module, without ".ts". */
str ts_resource_file(const struct ts_sdk *sdk, struct arena *arena, const struct ts_module *module,
                     const struct schema_resource *resource);
str ts_function_file(const struct ts_sdk *sdk, struct arena *arena, const struct ts_module *module,
                     const struct schema_function *function);

/* The npm package of a schema. */
str ts_package_name(struct arena *arena, const struct schema *schema);
/* What an SDK calls another package that it uses. */
str ts_package_variable(struct arena *arena, str package);
