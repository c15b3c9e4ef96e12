/* provider_wish.h — which plugin a program wants for a package, and the inputs of the default
 * provider that serves it (default_providers.c). */
#pragma once

#include "base/error.h"
#include "base/map.h"
#include "model/value.h"

struct engine_options;
struct estate;
struct package_dependencies;

/* Which plugin a program wants for a package. */
struct provider_wish {
    str package;
    str version;
    str download_url;
    struct value checksums; /* of the plugin, by platform; null: none */
    bool is_parameterized;  /* `package` is made of plugin `plugin` by `parameter_value` */
    str plugin;
    str plugin_version;
    str parameter_value;
};

/* Package → struct provider_wish *: those of the program, or else of the state. */
fallible provider_default_versions(const struct estate *estate,
                                   const struct package_dependencies *packages, struct map *out);
/* What a wish leaves open is as the default for its package says. */
void provider_wish_complete(const struct map *defaults, struct provider_wish *wish);
void provider_inputs_set_version(struct arena *arena, struct value *inputs, str version);
void provider_inputs_set_internal(struct arena *arena, struct value *inputs, str key,
                                  struct value value);
/* default, default_1_2_3, default_1_2_3_https_/host … */
str provider_default_name(struct arena *arena, const struct provider_wish *wish);
/* Stack configuration of the package's namespace, as text. */
struct value provider_package_config(struct arena *arena, const struct engine_options *options,
                                     str package);
void provider_inputs_set_wish(struct arena *arena, struct value *inputs,
                              const struct provider_wish *wish);
