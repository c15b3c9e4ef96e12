/* property_change.c — prints pairs of values as what changed between them. */
#include "display/list_match.h"
#include "display/property_pieces.h"
#include "display/text_diff.h"

static bool value_is_primitive(struct value value)
{
    return value.kind == VALUE_NULL || value.kind == VALUE_STRING || value.kind == VALUE_NUMBER
           || value.kind == VALUE_BOOL || value.kind == VALUE_COMPUTED || value.kind == VALUE_OUTPUT
           || value.kind == VALUE_SECRET;
}

void property_print_title(const struct property_printer *printer, struct property_title title)
{
    struct property_printer outer = *printer;

    outer.indent -= title.is_index ? 1 : 0;
    piece_title(&outer, title.text, title.width);
    if (title.note.len)
        piece_add(printer, title.note);
}

void property_print_whole(const struct property_printer *printer, struct property_title title,
                          enum step_op op, struct value value)
{
    struct property_printer marked = piece_with(printer, op, true);

    property_print_title(&marked, title);
    piece_line_value(&marked, value);
}

static void print_same(const struct property_printer *printer, struct property_title title,
                       struct value value)
{
    struct property_printer same = piece_with(printer, OP_SAME, false);

    property_print_title(&same, title);
    piece_line_value(&same, value);
}

static void print_element_change(const struct property_printer *printer, struct list_pair pair,
                                 struct value old, struct value new)
{
    CLEANUP(strbuf_release) struct strbuf index = { 0 };

    strbuf_printf(&index, "[%zu]", pair.new == SIZE_MAX ? pair.old : pair.new);
    struct property_title title = { .text = strbuf_str(&index), .is_index = true };
    if (pair.old == SIZE_MAX)
        property_print_whole(printer, title, OP_CREATE, new.items[pair.new]);
    else if (pair.new == SIZE_MAX)
        property_print_whole(printer, title, OP_DELETE, old.items[pair.old]);
    else if (!value_equal(old.items[pair.old], new.items[pair.new]))
        property_print_update(printer, title, old.items[pair.old], new.items[pair.new]);
    else if (!printer->hides_sames)
        print_same(printer, title, new.items[pair.new]);
}

static void print_array_change(const struct property_printer *printer, struct value old,
                               struct value new)
{
    struct property_printer inner = piece_deeper(printer, 2);
    struct list_pairs pairs = { 0 };
    size_t len = old.len > new.len ? old.len : new.len;

    if (printer->matches_lists)
        list_match(old, new, &pairs);
    for (size_t i = 0; !printer->matches_lists && i < len; i++)
        vec_add(&pairs,
                ((struct list_pair){ i < old.len ? i : SIZE_MAX, i < new.len ? i : SIZE_MAX }));
    for (size_t i = 0; i < pairs.len; i++)
        print_element_change(&inner, pairs.items[i], old, new);
    vec_release(&pairs);
}

static bool text_is_blank(str text)
{
    return str_trim(text).len == 0;
}

/* How far from a change a line is, up to `limit`. */
static size_t distance_to_change(struct text_lines lines, size_t index, size_t limit)
{
    for (size_t far = 1; far <= limit; far++) {
        if ((index >= far && lines.items[index - far].change != LINE_SAME)
            || (index + far < lines.len && lines.items[index + far].change != LINE_SAME))
            return far;
    }
    return limit + 1;
}

/* Lines that went and came, two lines around each change, "..." for the rest. */
static void print_line_change(const struct property_printer *printer, struct property_title title,
                              str old, str new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct text_lines lines = text_diff(&scratch, old, new);
    struct property_printer inner = piece_deeper(printer, 1);
    bool is_skipping = false;
    enum { CONTEXT = 2 };

    property_print_title(printer, title);
    piece_add(printer, STR("\n"));
    for (size_t i = 0; i < lines.len; i++) {
        enum line_change change = lines.items[i].change;
        struct property_printer line = piece_with(&inner,
                                                  change == LINE_ADDED     ? OP_CREATE
                                                  : change == LINE_DELETED ? OP_DELETE
                                                                           : OP_SAME,
                                                  change != LINE_SAME);
        bool is_far = change == LINE_SAME && distance_to_change(lines, i, CONTEXT) > CONTEXT;
        if (text_is_blank(lines.items[i].text))
            continue;
        if (!is_far || !is_skipping)
            property_print_line(&line, is_far ? STR("...") : lines.items[i].text);
        is_skipping = is_far;
    }
}

/* The texts themselves, on one line. */
static void print_quoted_change(const struct property_printer *printer, struct property_title title,
                                str old, str new)
{
    CLEANUP(strbuf_release) struct strbuf before = { 0 };
    CLEANUP(strbuf_release) struct strbuf after = { 0 };
    struct property_printer deleted = piece_with(printer, OP_DELETE, false),
                            created = piece_with(printer, OP_CREATE, false);

    piece_add_quoted(&before, old);
    piece_add_quoted(&after, new);
    property_print_title(printer, title);
    piece_add(&deleted, strbuf_str(&before));
    piece_add(printer, STR(" => "));
    piece_add(&created, strbuf_str(&after));
    piece_add(printer, STR("\n"));
}

/* Texts that hold an object or a list on both sides are compared as what they hold. Where that is
 * the same, only the texts can tell the difference. */
static bool print_decoded_change(const struct property_printer *printer,
                                 struct property_title title, struct value old, struct value new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct value old_inside, new_inside;
    const char *old_kind = piece_decode(&scratch, value_text(old), &old_inside);
    const char *new_kind = old_kind ? piece_decode(&scratch, value_text(new), &new_inside) : NULL;

    if (!old_kind || !new_kind)
        return false;
    if (value_equal(old_inside, new_inside)) {
        print_quoted_change(printer, title, value_text(old), value_text(new));
        return true;
    }
    if (old_inside.kind != new_inside.kind)
        return false;
    title.note = strcmp(old_kind, new_kind) == 0
                     ? arena_printf(&scratch, "(%s) ", old_kind)
                     : arena_printf(&scratch, "(%s => %s) ", old_kind, new_kind);
    property_print_update(printer, title, old_inside, new_inside);
    return true;
}

/* Texts that need more than one line. */
static bool print_text_change(const struct property_printer *printer, struct property_title title,
                              struct value old, struct value new)
{
    str old_text = value_text(old), new_text = value_text(new);

    if (old.kind != VALUE_STRING || new.kind != VALUE_STRING || !str_is_utf8(old_text)
        || !str_is_utf8(new_text))
        return false;
    if (print_decoded_change(printer, title, old, new))
        return true;
    if (str_find_char(old_text, '\n') == SIZE_MAX && str_find_char(new_text, '\n') == SIZE_MAX)
        return false;
    print_line_change(printer, title, old_text, new_text);
    return true;
}

static void print_primitive_change(const struct property_printer *printer,
                                   struct property_title title, struct value old, struct value new)
{
    struct property_printer deleted = piece_with(printer, OP_DELETE, false),
                            created = piece_with(printer, OP_CREATE, false);

    property_print_title(printer, title);
    piece_value(&deleted, old);
    piece_add(printer, STR(" => "));
    piece_value(&created, new);
    piece_add(printer, STR("\n"));
}

static bool is_masked(const struct property_printer *printer, struct value value)
{
    return value.kind == VALUE_SECRET && (!printer->shows_secrets || value.secret->is_opaque);
}

void property_print_update(const struct property_printer *printer_, struct property_title title,
                           struct value old, struct value new)
{
    struct property_printer printer = piece_with(printer_, OP_UPDATE, true);
    struct property_printer inner = piece_deeper(&printer, 1);
    bool is_hidden = is_masked(&printer, old)
                     || is_masked(&printer, new); /* what becomes secret was worth hiding before */

    if (!is_hidden && old.kind == VALUE_SECRET)
        old = old.secret->element;
    if (!is_hidden && new.kind == VALUE_SECRET)
        new = new.secret->element;
    if (old.kind == VALUE_ARRAY && new.kind == VALUE_ARRAY) {
        property_print_title(&printer, title);
        piece_add(&printer, STR("[\n"));
        print_array_change(&printer, old, new);
        piece_close(&printer, STR("]\n"));
    } else if (old.kind == VALUE_OBJECT && new.kind == VALUE_OBJECT) {
        property_print_title(&printer, title);
        piece_add(&printer, STR("{\n"));
        property_print_change(&inner, old, new, NULL);
        piece_close(&printer, STR("}\n"));
    } else if (is_hidden && !property_is_empty(old) && !property_is_empty(new)) {
        property_print_title(&printer, title);
        piece_add(&printer, STR("[secret] => [secret]\n"));
    } else if (old.kind == VALUE_ARCHIVE && new.kind == VALUE_ARCHIVE) {
        piece_archive_change(&printer, title, old, new);
    } else if (value_is_primitive(old) && value_is_primitive(new) && !property_is_empty(old)
               && !property_is_empty(new)) {
        if (!print_text_change(&printer, title, old, new))
            print_primitive_change(&printer, title, old, new);
    } else {
        if (!property_is_empty(old))
            property_print_whole(&printer, title, OP_DELETE, old);
        if (!property_is_empty(new))
            property_print_whole(&printer, title, OP_CREATE, new);
    }
}

void property_print_brackets(const struct property_printer *printer, struct property_title title,
                             bool is_array,
                             void (*inside)(const struct property_printer *printer,
                                            const void *context),
                             const void *context)
{
    struct property_printer marked = piece_with(printer, OP_UPDATE, true);
    struct property_printer inner = piece_deeper(&marked, is_array ? 2 : 1);

    property_print_title(&marked, title);
    piece_add(&marked, is_array ? STR("[\n") : STR("{\n"));
    inside(&inner, context);
    piece_close(&marked, is_array ? STR("]\n") : STR("}\n"));
}

void property_print_member_change(const struct property_printer *printer, str key, size_t width,
                                  const struct value *old, const struct value *new)
{
    struct property_title title = { .text = key, .width = width };

    if (!old && !new)
        return;
    if (!old)
        property_print_whole(printer, title, OP_CREATE, *new);
    else if (!new)
        property_print_whole(printer, title, OP_DELETE, *old);
    else if (!value_equal(*old, *new))
        property_print_update(printer, title, *old, *new);
    else if (!printer->hides_sames && !property_is_empty(*new))
        print_same(printer, title, *new);
}

void property_print_change(const struct property_printer *printer, struct value old,
                           struct value new, const struct strs *only)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct value both = value_merge(&scratch, old, new);
    size_t width = 0;

    for (size_t i = 0; i < both.len; i++) {
        str key = both.members[i].key;
        if ((!only || strs_has(*only, key)) && !property_key_is_internal(key))
            width = key.len > width ? key.len : width;
    }
    for (size_t i = 0; i < both.len; i++) {
        str key = both.members[i].key;
        if ((!only || strs_has(*only, key)) && !property_key_is_internal(key))
            property_print_member_change(printer, key, width, property_find(old, key),
                                         property_find(new, key));
    }
}
