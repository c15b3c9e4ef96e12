/* op_text.c — one row for each kind of step. */
#include "display/op_text.h"

#include "display/color.h"

#include <ctype.h>

const struct op_text op_texts[STEP_OP_COUNT] = {
    [OP_SAME] = { "  ", TAG_RESET, "", "", "", "", "failed", "samed" },
    [OP_CREATE] = { "+ ", TAG_GREEN, "create", "create", "creating", "created", "creating failed",
                    "created" },
    [OP_UPDATE] = { "~ ", TAG_YELLOW, "update", "update", "updating", "updated", "updating failed",
                    "updated" },
    [OP_DELETE] = { "- ", TAG_RED, "delete", "delete", "deleting", "deleted", "deleting failed",
                    "deleted" },
    [OP_REPLACE] = { "+-", TAG_FG(13), "replace", "replace", "replacing", "replaced",
                     "replacing failed", "replaced" },
    [OP_CREATE_REPLACEMENT] = { "++", TAG_FG(10), "create replacement", "replace",
                                "creating replacement", "created replacement", "creating failed",
                                "create-replacementd" },
    [OP_DELETE_REPLACED] = { "--", TAG_FG(9), "delete original", "replace", "deleting original",
                             "deleted original", "deleting failed", "deleted" },
    [OP_READ] = { "> ", TAG_FG(14), "read", "read", "reading", "read", "reading failed", "read" },
    [OP_READ_REPLACEMENT] = { ">>", TAG_FG(13), "read for replacement", "replace",
                              "reading for replacement", "read for replacement", "reading failed",
                              "read-replacementd" },
    [OP_REFRESH] = { "~ ", TAG_YELLOW, "refreshing", "refresh", "refreshing", "refresh",
                     "refreshing failed", "refreshed" },
    [OP_DISCARD] = { "< ", TAG_RED, "discard", "discard", "discarding", "discarded",
                     "discarding failed", "discarded" },
    [OP_DISCARD_REPLACED] = { "<<", TAG_RED, "discard original", "replace", "discarding original",
                              "discarded original", "discarding failed", "discarded" },
    [OP_REMOVE_PENDING_REPLACE] = { "~ ", TAG_RESET, "", "", "", "", "", "removed" },
    [OP_IMPORT] = { "= ", TAG_GREEN, "import", "import", "importing", "imported",
                    "importing failed", "imported" },
    [OP_IMPORT_REPLACEMENT] = { "=>", TAG_FG(13), "import replacement", "import",
                                "importing replacement", "imported replacement", "importing failed",
                                "imported" },
    [OP_EXTEND_PARAMETERIZE] = { "  ", TAG_RESET, "", "", "", "", "failed", "extended" },
};

bool op_is_replacement_step(enum step_op op)
{
    return op == OP_REPLACE || op == OP_CREATE_REPLACEMENT || op == OP_DELETE_REPLACED
           || op == OP_READ_REPLACEMENT || op == OP_DISCARD_REPLACED
           || op == OP_REMOVE_PENDING_REPLACE || op == OP_IMPORT_REPLACEMENT;
}

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
