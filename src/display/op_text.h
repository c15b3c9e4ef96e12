/* op_text.h — the words, marks and colours of each kind of step. */
#pragma once

#include "engine/event.h"

struct op_text {
    const char *mark;    /* two characters */
    const char *tag;     /* colour */
    const char *planned; /* in a preview, while it is planned */
    const char *will;    /* in a preview, when it is over */
    const char *doing;
    const char *done;
    const char *failed;
    const char *past; /* in the summary */
};
extern const struct op_text op_texts[STEP_OP_COUNT];

/* "pkg:mod/name:Name" → "pkg:mod:Name" where the file is called like the type. */
str type_display_name(struct arena *arena, str type);
