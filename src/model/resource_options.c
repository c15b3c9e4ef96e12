/* resource_options.c — the options of resources as rows, and what children inherit of them. */
#include "model/resource_options.h"

#include <stdint.h>

#define OWN false
#define INHERITED true
#define SAME ""
#define NONE NULL

#define ROW(member, kind, is_inherited, kept_place, key, register, transform, construct, read, \
            hook, policy, yaml)                                                                \
    { #member,                                                                                 \
      KIND_##kind,                                                                             \
      is_inherited,                                                                            \
      offsetof(struct requested_options, member),                                              \
      sizeof(((struct requested_options *)0)->member),                                         \
      offsetof(struct requested_options, given.member),                                        \
      kept_place,                                                                              \
      key,                                                                                     \
      { register, transform, construct, read, hook, policy },                                  \
      yaml },

const struct resource_option option_rows[OPTION_COUNT] = {
#define OPTION(member, kind, key, since, flow, ...) \
    ROW(member, kind, flow, offsetof(struct resource_options, member), key, __VA_ARGS__)
#define REQUEST(member, kind, flow, ...) ROW(member, kind, flow, SIZE_MAX, NULL, __VA_ARGS__)
#include "model/resource_fields.def"
};

const char *option_field(const struct resource_option *option, enum option_wire wire)
{
    const char *name = option->fields[wire];
    return name && !*name ? option->member : name;
}

const char *option_yaml_key(const struct resource_option *option)
{
    return option->yaml && !*option->yaml ? option->key : option->yaml;
}

/* --- inheritance --- */

static bool option_is_set(const struct resource_option *option,
                          const struct requested_options *options)
{
    const char *base = (const char *)options;

    if (option->kind == KIND_BOOL)
        return *(const bool *)(base + option->mark);
    return !field_ops[option->kind].is_empty(base + option->place);
}

/* Copies the inherited options that one has and the other has not; says whether there were any. */
static bool take_inherited(struct requested_options *to, const struct requested_options *from)
{
    bool has_any = false;

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct resource_option *option = &option_rows[i];
        if (!option->is_inherited || option_is_set(option, to) || !option_is_set(option, from))
            continue;
        memcpy((char *)to + option->place, (const char *)from + option->place, option->size);
        *((bool *)to + option->mark) = true;
        has_any = true;
    }
    return has_any;
}

void options_inherit(struct requested_options *child, const struct requested_options *parent)
{
    take_inherited(child, parent);
}

const struct requested_options *options_bequest(struct arena *arena,
                                                const struct requested_options *options)
{
    struct requested_options bequest = { 0 };

    if (!take_inherited(&bequest, options))
        return NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].is_inherited)
            field_ops[option_rows[i].kind].own(arena, (char *)&bequest + option_rows[i].place);
    return arena_copy_bytes(arena, &bequest, sizeof(bequest));
}
