/* settings.c — the environment, typed. */
#include "base/settings.h"

#include <stdlib.h>
#include <strings.h>

str settings_text(const char *name)
{
    const char *text = getenv(name);
    return text ? str_from(text) : STR("");
}

bool settings_has(const char *name)
{
    return getenv(name) != NULL;
}

bool settings_is_true(str text)
{
    return str_equal(text, STR("1")) || (text.len == 4 && strncasecmp(text.ptr, "true", 4) == 0);
}

bool settings_bool(const char *name)
{
    return settings_is_true(settings_text(name));
}

uint64_t settings_number(const char *name, uint64_t otherwise)
{
    uint64_t number;
    return str_to_u64(settings_text(name), &number) ? number : otherwise;
}
