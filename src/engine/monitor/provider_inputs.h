/* provider_inputs.h — which package a program means, and the inputs of the default provider that
 * serves it (default_providers.c). */
#pragma once

#include "base/error.h"
#include "base/map.h"
#include "model/package_ref.h"

struct engine_options;
struct estate;

/* Name → struct package_ref *: those of the program, or else of the state. */
fallible provider_default_versions(const struct estate *estate, const struct package_refs *packages,
                                   struct map *out);
/* What is left open is as the default for the package says. */
void provider_complete_package(const struct map *defaults, struct package_ref *package);
void provider_inputs_set_version(struct arena *arena, struct value *inputs, str version);
void provider_inputs_set_internal(struct arena *arena, struct value *inputs, str key,
                                  struct value value);
/* default, default_1_2_3, default_1_2_3_https_/host … */
str provider_default_name(struct arena *arena, const struct package_ref *package);
/* Stack configuration of the package's namespace, as text. */
struct value provider_package_config(struct arena *arena, const struct engine_options *options,
                                     str package);
/* The config key pulumi:disable-default-providers: a JSON list of packages, or "*". */
fallible provider_default_is_denied(const struct engine_options *options, str package, bool *out);
void provider_inputs_set_package(struct arena *arena, struct value *inputs,
                                 const struct package_ref *package);
