/* menu.h — a list to choose from with the arrow keys or by typing a part of a name. Knows keys and
 * lines; the terminal is the caller's. */
#pragma once

#include "display/color.h"

enum { MENU_ROWS = 10, MENU_FILTER_MAX = 40 };

enum menu_verdict { MENU_OPEN, MENU_CHOSEN, MENU_CANCELED };

/* The zero value with `choices` set (NULL ends them) has the first one selected. */
struct menu {
    const char *const *choices;
    size_t selected; /* index among all choices */
    char filter[MENU_FILTER_MAX];
    size_t filter_len;
    enum { KEY_PLAIN, KEY_ESCAPE, KEY_SEQUENCE } key; /* inside of which kind of key we are */
};

/* Bytes from the keyboard. Those after the one that decides are left alone. */
enum menu_verdict menu_feed(struct menu *menu, str bytes);

/* After Escape: the rest of a key may follow. Who knows that nothing does, ends it. */
bool menu_is_inside_key(const struct menu *menu);
void menu_end_key(struct menu *menu);

/* The rows to show, each ending in a newline and at most `width` columns wide; gives their
 * number. */
size_t menu_draw(const struct menu *menu, size_t width, enum color_mode color, struct strbuf *out);
