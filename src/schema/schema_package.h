/* schema_package.h — all that a package has, for those who make an SDK from it.
 *
 * Everything lives in the schema's arena. Lists are sorted by token. */
#pragma once

#include "schema/schema.h"

/* Tokens; the provider is not among the resources. Methods are among the functions. */
struct strs schema_resource_tokens(struct schema *schema);
struct strs schema_function_tokens(struct schema *schema);
struct strs schema_type_tokens(struct schema *schema);

/* "pulumi:providers:NAME", for schema_resource; every package has a provider, whose token is found
 * even where the schema says nothing about it. */
str schema_provider_token(struct schema *schema);
const struct schema_resource *schema_provider(struct schema *schema);

/* An object or an enum of the package; NULL if there is none. */
struct schema_type *schema_named_type(struct schema *schema, str token);
/* The type that a plain use of it stands for: one pointer for each named type. */
struct schema_type *schema_type_definition(struct schema_type *type);

/* Some resource has it as a method; its first input is then "__self__". */
bool schema_function_is_method(struct schema *schema, str token);

/* Configuration of programs; those that must be set are required. */
struct schema_properties schema_config(struct schema *schema);

struct schema_dependencies {
    const struct schema_dependency *items;
    size_t len;
};
struct schema_dependencies schema_dependencies(struct schema *schema);

/* The hints for one language in a text of hints (schema->language, or `languages` of anything):
 * an object, empty if nothing. */
struct value schema_language(const struct schema *schema, str languages, str language);
/* Its members as they are most often needed; what is of another kind is as if it were not there. */
bool schema_language_bool(struct value hints, str key, bool otherwise);
struct value schema_language_object(struct value hints, str key);

/* The inputs that are parameters of their own, in their order; all of them where none is. */
struct schema_properties schema_parameters(struct arena *arena,
                                           const struct schema_function *function);
/* Names of the outputs that are secrets. */
struct strs schema_secret_outputs(struct arena *arena, const struct schema_resource *resource);
