/* menu.c — what keys do to a list of choices, and how it looks. */
#include "cli/screen/menu.h"

#include "base/console.h"
#include "base/width.h"

#include <strings.h>

enum { CTRL_C = 3, CTRL_D = 4, BACKSPACE = 8, CTRL_N = 14, CTRL_P = 16, ESCAPE = 27, DELETE = 127 };

/* --- what is shown --- */

static bool is_shown(const struct menu *menu, size_t index)
{
    str choice = str_from(menu->choices[index]);

    for (size_t i = 0; i + menu->filter_len <= choice.len; i++) {
        if (strncasecmp(choice.ptr + i, menu->filter, menu->filter_len) == 0)
            return true;
    }
    return false;
}

static size_t count(const struct menu *menu)
{
    size_t number = 0;

    while (menu->choices[number])
        number++;
    return number;
}

/* The next one that is shown, around the end; the same if it is the only one. */
static size_t step(const struct menu *menu, size_t from, bool is_up)
{
    size_t all = count(menu), at = from;

    for (size_t i = 0; i < all; i++) {
        at = (at + (is_up ? all - 1 : 1)) % all;
        if (is_shown(menu, at))
            return at;
    }
    return from;
}

/* --- keys --- */

/* Without its last character, which may be several bytes. */
static void shorten_filter(struct menu *menu)
{
    while (menu->filter_len > 0 && ((unsigned char)menu->filter[--menu->filter_len] & 0xc0) == 0x80)
        continue;
}

static void change_filter(struct menu *menu, char key)
{
    if (key == BACKSPACE || key == DELETE)
        shorten_filter(menu);
    else if (menu->filter_len < MENU_FILTER_MAX)
        menu->filter[menu->filter_len++] = key;
    if (!is_shown(menu, menu->selected))
        menu->selected = step(menu, count(menu) - 1, false);
}

static enum menu_verdict plain_key(struct menu *menu, char key)
{
    switch (key) {
    case CTRL_C:
    case CTRL_D: return MENU_CANCELED;
    case '\r':
    case '\n': return is_shown(menu, menu->selected) ? MENU_CHOSEN : MENU_OPEN;
    case CTRL_N:
    case CTRL_P: menu->selected = step(menu, menu->selected, key == CTRL_P); break;
    case ESCAPE: menu->key = KEY_ESCAPE; break;
    default:
        if (key == BACKSPACE || (unsigned char)key >= ' ')
            change_filter(menu, key);
    }
    return MENU_OPEN;
}

/* Arrows are ESC [ A or ESC O A; what else begins with ESC [ ends at the first letter and means
 * nothing here. */
static void sequence_key(struct menu *menu, char key)
{
    bool is_begin = menu->key == KEY_ESCAPE && (key == '[' || key == 'O');

    if (menu->key == KEY_SEQUENCE && (key == 'A' || key == 'B'))
        menu->selected = step(menu, menu->selected, key == 'A');
    bool goes_on = menu->key == KEY_SEQUENCE && (key < '@' || key > '~');
    menu->key = is_begin || goes_on ? KEY_SEQUENCE : KEY_PLAIN;
}

/* ^C, Enter and the like are never a part of a longer key. */
static bool is_control(char key)
{
    return (unsigned char)key < ' ';
}

bool menu_is_inside_key(const struct menu *menu)
{
    return menu->key != KEY_PLAIN;
}

void menu_end_key(struct menu *menu)
{
    menu->key = KEY_PLAIN;
}

enum menu_verdict menu_feed(struct menu *menu, str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        enum menu_verdict verdict = MENU_OPEN;
        if (menu->key == KEY_PLAIN || is_control(bytes.ptr[i])) {
            menu->key = KEY_PLAIN;
            verdict = plain_key(menu, bytes.ptr[i]);
        } else
            sequence_key(menu, bytes.ptr[i]);
        if (verdict != MENU_OPEN)
            return verdict;
    }
    return MENU_OPEN;
}

/* --- drawing --- */

static void draw_row(const struct menu *menu, size_t index, size_t width, enum color_mode color,
                     struct strbuf *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_selected = index == menu->selected;
    str text = str_from(menu->choices[index]);

    color_add(out, is_selected ? STR(TAG_PROMPT "> ") : STR("  "), color);
    strbuf_add(out, width_fit(console_plain_line(&scratch, text), width > 2 ? width - 2 : 0));
    color_add(out, is_selected ? STR(TAG_RESET "\n") : STR("\n"), color);
}

size_t menu_draw(const struct menu *menu, size_t width, enum color_mode color, struct strbuf *out)
{
    size_t all = count(menu), before = 0, shown = 0, rows = 0;

    for (size_t i = 0; i < all; i++) {
        shown += is_shown(menu, i);
        before += i < menu->selected && is_shown(menu, i);
    }
    size_t skipped = before < MENU_ROWS / 2 || shown <= MENU_ROWS ? 0 : before - MENU_ROWS / 2;
    if (shown > MENU_ROWS && skipped > shown - MENU_ROWS)
        skipped = shown - MENU_ROWS;
    if (menu->filter_len) {
        strbuf_printf(out, "  / " STR_FMT "\n", (int)menu->filter_len, menu->filter);
        rows++;
    }
    for (size_t i = 0, place = 0; i < all; i++) {
        if (!is_shown(menu, i) || place++ < skipped || place > skipped + MENU_ROWS)
            continue;
        draw_row(menu, i, width, color, out);
        rows++;
    }
    return rows;
}
