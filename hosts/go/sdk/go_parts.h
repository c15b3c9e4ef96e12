/* go_parts.h — the declarations of an SDK, each put into a file. */
#pragma once

#include "go/sdk/go_form.h"

/* Objects from `first` to before `end` of the module, with the lists of lists if it is the first
 * part. */
fallible go_put_objects(struct go_file *file, size_t first, size_t end);
fallible go_put_enums(struct go_file *file);
fallible go_put_constants(struct go_file *file, const struct go_named *named);
fallible go_put_resource_file(struct go_file *file, const struct go_resource *resource);
/* The methods of a resource, with their arguments and results. */
fallible go_put_methods(struct go_file *file, const struct go_resource *resource);
/* Registers the outputs of their results. */
void go_put_method_registrations(struct go_file *file, const struct go_resource *resource);
fallible go_put_function_file(struct go_file *file, const struct go_function *function);
fallible go_put_config(struct go_file *file);
/* Tells the runtime which resources the module has. */
void go_put_module_init(struct go_file *file);
/* What all packages of the SDK share. */
void go_put_utilities(struct go_file *file);
/* What the form with generics needs of it. */
void go_put_generic_utilities(struct go_file *file);
void go_put_version(struct go_file *file);

/* The output of an object and its getters; `uses` says which more there are. */
void go_put_object_outputs(struct go_file *file, str name, struct schema_properties properties,
                           unsigned uses);
/* Lines that get the reference of a package that is parameterized; `nothing` is what is returned
 * before the failure. */
void go_put_package_reference(struct go_file *file, str nothing);
