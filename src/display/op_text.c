/* op_text.c — one row for each kind of step. */
#include "display/op_text.h"

#include "display/color.h"

#include <ctype.h>

const struct op_text op_texts[STEP_OP_COUNT] = {
#define STEP_OP(id, name, traits, mark, colour, ...) \
    [OP_##id] = { mark, TAG_##colour, __VA_ARGS__ },
#include "engine/step_ops.def"
#undef STEP_OP
};

str type_display_name(struct arena *arena, str type)
{
    str package, rest, module, name, folder, file;

    if (!str_cut(type, STR(":"), &package, &rest) || !str_cut(rest, STR(":"), &module, &name)
        || !str_cut(module, STR("/"), &folder, &file))
        return type;
    bool is_same = file.len == name.len && file.len
                   && tolower((unsigned char)name.ptr[0]) == file.ptr[0]
                   && memcmp(file.ptr + 1, name.ptr + 1, name.len - 1) == 0;
    return is_same ? arena_concat(arena, package, STR(":"), folder, STR(":"), name) : type;
}
