/* builtin.c — finds packages that need no plugin. */
#include "builtin/builtin.h"

static const struct {
    const char *package;
    struct provider *(*make)(struct arena *, const struct builtin_world *);
} builtins[] = {
#define BUILTIN(name) { #name, builtin_##name##_new },
#include "builtin/builtins.def"
#undef BUILTIN
};

struct provider *builtin_find(struct arena *arena, const struct builtin_world *world, str package)
{
    for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
        if (str_equal(str_from(builtins[i].package), package))
            return builtins[i].make(arena, world);
    return NULL;
}

bool builtin_has(str package)
{
    for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
        if (str_equal(str_from(builtins[i].package), package))
            return true;
    return false;
}
