/* transforms.h — functions of the program that may change a registration or an invoke before the
 * engine plans it. */
#pragma once

#include "model/goal.h"

#include "pb/resource.pb-c.h"

struct monitor;

struct transformed {
    str type;
    str name;
    str parent;
    bool is_custom;
    struct value inputs;
    struct requested_options options;
};
fallible monitor_transform(struct monitor *monitor, Pb__Callback **own, size_t own_count,
                           struct arena *arena, struct transformed *transformed);
fallible monitor_transform_invoke(struct monitor *monitor, struct arena *arena, str token,
                                  struct value *args, Pb__TransformInvokeOptions **options);

/* Callbacks that outlive the request they came with. */
Pb__Callback **transforms_own(struct arena *arena, Pb__Callback **items, size_t count);
/* Inputs as output values that carry the dependencies of their property, so that a transform may
 * move them around. */
struct value transforms_upgrade(struct arena *arena, struct value inputs,
                                struct property_dependencies dependencies);
/* The transforms of a remote component are kept for the registration that its provider sends. */
fallible transforms_take_pending(struct monitor *monitor, struct arena *arena,
                                 const struct transformed *form, bool is_remote,
                                 Pb__Callback ***items, size_t *count);
