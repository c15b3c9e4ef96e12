/* terminal.h — what is on the other side: a person at a terminal or a machine, with colour or
 * without. */
#pragma once

#include "base/error.h"
#include "display/color.h"

struct terminal {
    bool is_interactive;
    bool is_terminal; /* what we print is seen on one */
    enum color_mode color;
};

/* `color` is the option's value; empty means auto. */
fallible terminal_detect(str color, bool non_interactive, struct terminal *out);
