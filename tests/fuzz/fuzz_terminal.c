/* fuzz_terminal.c — text from outside on its way to the terminal, and keys from it: tags and widths
 * stay within their columns, secrets stay hidden, and a menu always has one of its choices
 * selected. */
#include "fuzz/fuzz_support.h"

#include "base/console.h"
#include "base/width.h"
#include "cli/screen/menu.h"
#include "display/mask.h"

static void try_width(struct arena *arena, str text)
{
    size_t at = 0, sum = 0, columns;

    (void)arena;
    while (at < text.len) {
        size_t len = width_next(text, at, &columns);
        REQUIRE(len >= 1 && len <= text.len - at && columns <= 2);
        at += len;
        sum += columns;
    }
    REQUIRE(sum == width_of(text));
    for (size_t limit = 0; limit < 12; limit++) {
        str fitting = width_fit(text, limit);
        REQUIRE(width_of(fitting) <= limit && str_starts_with(text, fitting));
    }
    REQUIRE(str_equal(width_fit(text, sum), text));
}

static void try_color(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf plain = { 0 };
    CLEANUP(strbuf_release) struct strbuf colored = { 0 };
    CLEANUP(strbuf_release) struct strbuf raw = { 0 };

    color_add(&plain, text, COLOR_NEVER);
    color_add(&colored, text, COLOR_ALWAYS);
    color_add(&raw, text, COLOR_RAW);
    REQUIRE(str_equal(strbuf_str(&raw), text) || str_find(text, STR(TAG_LESS)) != SIZE_MAX);
    REQUIRE(str_equal(color_strip(arena, color_quote(arena, text)), text));
    /* A tag in the middle of an escape sequence makes two of it; a terminal gets neither. */
    str shown = console_plain(arena, text);
    REQUIRE(color_width(color_quote(arena, shown)) == width_of(shown));
    REQUIRE(str_find(color_strip(arena, color_said(arena, text)), STR(TAG_LESS)) == SIZE_MAX
            || str_find(text, STR("<{%")) != SIZE_MAX);
    REQUIRE(str_equal(strbuf_str(&plain), color_strip(arena, text)));
    REQUIRE(plain.len <= colored.len || str_find(text, STR("<{%")) == SIZE_MAX);
    for (size_t limit = 0; limit < 12; limit++) {
        REQUIRE(color_width(color_clip(arena, shown, limit)) <= limit);
        REQUIRE(color_width(color_fit(arena, shown, limit)) <= limit);
        REQUIRE(color_width(color_fit_middle(arena, shown, limit)) <= limit);
    }
}

/* No control character is left, and plain text stays as it is. */
static void try_plain(struct arena *arena, str text)
{
    str plain = console_plain(arena, text), line = console_plain_line(arena, text);

    REQUIRE(str_is_utf8(plain) && str_is_utf8(line));
    for (size_t i = 0; i < plain.len; i++) {
        unsigned char c = (unsigned char)plain.ptr[i];
        REQUIRE((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t');
        REQUIRE(c != 0xc2 || (unsigned char)plain.ptr[i + 1] >= 0xa0);
    }
    REQUIRE(str_find_char(line, '\n') == SIZE_MAX && str_find_char(line, '\t') == SIZE_MAX);
    REQUIRE(str_equal(console_plain(arena, plain), plain));
}

static bool shares_character(str a, str b)
{
    for (size_t i = 0; i < a.len; i++)
        if (str_find_char(b, a.ptr[i]) != SIZE_MAX)
            return true;
    return false;
}

/* Two secrets and a text that may hold them. What is left of them could only be made of the word
 * that stands in their place. */
static void try_mask(struct arena *arena, str text)
{
    struct secret secrets[] = { secret_hide(fuzz_part(&text)), secret_hide(fuzz_part(&text)) };
    struct mask mask = mask_new(arena, (struct secret_list){ secrets, 2 });
    str shown = mask_text(mask, arena, text);

    for (size_t i = 0; i < mask.len; i++) {
        str secret = secret_reveal(mask.texts[i]);
        REQUIRE(str_find(shown, secret) == SIZE_MAX || shares_character(secret, STR("[secret]")));
        REQUIRE(str_equal(mask_text(mask, arena, secret), STR("[secret]")));
    }
    REQUIRE(mask.len > 0 || str_equal(shown, text));
}

/* The same keys at once and one by one. */
static void try_menu(struct arena *arena, str keys)
{
    static const char *const choices[] = {
        "dev", "prod", "organization/proj/a", "\xe6\x97\xa5", "staging", "x", "y", "z", "k", "l",
        "m",   NULL
    };
    CLEANUP(strbuf_release) struct strbuf rows = { 0 };
    struct menu menu = { .choices = choices }, slow = menu;
    enum menu_verdict verdict = menu_feed(&menu, keys), slowly = MENU_OPEN;

    (void)arena;
    for (size_t i = 0; i < keys.len && slowly == MENU_OPEN; i++) {
        slowly = menu_feed(&slow, str_slice(keys, i, i + 1));
        REQUIRE(slow.selected < sizeof(choices) / sizeof(choices[0]) - 1);
        REQUIRE(slow.filter_len <= MENU_FILTER_MAX);
    }
    REQUIRE(verdict == slowly && menu.selected == slow.selected);
    REQUIRE(menu_draw(&menu, 20, COLOR_NEVER, &rows) <= MENU_ROWS + 1);
    menu_end_key(&menu);
    REQUIRE(!menu_is_inside_key(&menu));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const parts[])(struct arena * arena, str text) = { try_width, try_color, try_mask,
                                                                     try_menu, try_plain };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    parts[fuzz_choice(&input, sizeof(parts) / sizeof(parts[0]))](&arena, input);
    return 0;
}
