/* property_assets.c — what changed in archives, member by member. */
#include "display/property_pieces.h"

/* "old->new", or one of them if they are the same. */
static void asset_add_change(struct strbuf *out, str old, str new)
{
    strbuf_add(out, old);
    if (!str_equal(old, new))
        strbuf_printf(out, "->" STR_FMT, STR_ARG(new));
}

/* "archive(file:1234567->89abcde) { path }" */
static void print_place(const struct property_printer *printer, struct property_title title,
                        const char *kind, const struct asset *old, const struct asset *new)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    bool is_file = old->path.len > 0;

    strbuf_printf(&text, "%s(%s:", kind, is_file ? "file" : "uri");
    asset_add_change(&text, str_slice(old->hash, 0, 7), str_slice(new->hash, 0, 7));
    strbuf_add(&text, STR(") { "));
    asset_add_change(&text, is_file ? old->path : old->uri, is_file ? new->path : new->uri);
    strbuf_add(&text, STR(" }\n"));
    property_print_title(printer, title);
    piece_add(printer, strbuf_str(&text));
}

static bool have_same_place(const struct asset *old, const struct asset *new)
{
    return (old->path.len && new->path.len)
           || (!old->path.len && !new->path.len && old->uri.len &&new->uri.len);
}

static void print_both(const struct property_printer *printer, struct property_title title,
                       struct value old, struct value new)
{
    property_print_whole(printer, title, OP_DELETE, old);
    property_print_whole(printer, title, OP_CREATE, new);
}

static void print_asset(const struct property_printer *printer_, struct property_title title,
                        struct value old, struct value new)
{
    struct property_printer printer = piece_with(printer_, OP_UPDATE, true);

    if (have_same_place(old.asset, new.asset))
        print_place(&printer, title, "asset", old.asset, new.asset);
    else
        print_both(&printer, title, old, new);
}

static void print_member(const struct property_printer *printer, struct property_title title,
                         const struct value *old, const struct value *new)
{
    struct property_printer inner = piece_deeper(printer, 1);

    if (!old)
        property_print_whole(&inner, title, OP_CREATE, *new);
    else if (!new)
        property_print_whole(&inner, title, OP_DELETE, *old);
    else if (old->kind != new->kind)
        print_both(printer, title, *old, *new);
    else if (str_equal(old->asset->hash, new->asset->hash))
        return; /* routinely most of them */
    else if (old->kind == VALUE_ARCHIVE)
        piece_archive_change(printer, title, *old, *new);
    else
        print_asset(printer, title, *old, *new);
}

static void print_members(const struct property_printer *printer, struct value old,
                          struct value new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct value both = value_merge(&scratch, old, new);
    size_t width = 0;

    for (size_t i = 0; i < both.len; i++)
        width = both.members[i].key.len > width ? both.members[i].key.len : width;
    for (size_t i = 0; i < both.len; i++) {
        CLEANUP(strbuf_release) struct strbuf name = { 0 };
        str key = both.members[i].key;
        strbuf_printf(&name, "\"" STR_FMT "\"", STR_ARG(key));
        struct property_title title = { .text = strbuf_str(&name), .width = width + 2 };
        print_member(printer, title, value_find(old, key), value_find(new, key));
    }
}

void piece_archive_change(const struct property_printer *printer_, struct property_title title,
                          struct value old, struct value new)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct property_printer printer = piece_with(printer_, OP_UPDATE, true);
    struct property_printer inner = piece_deeper(&printer, 1);

    if (have_same_place(old.asset, new.asset)) {
        print_place(&printer, title, "archive", old.asset, new.asset);
        return;
    }
    if (!old.asset->has_members || !new.asset->has_members) {
        print_both(&printer, title, old, new);
        return;
    }
    strbuf_add(&text, STR("archive(assets:"));
    asset_add_change(&text, str_slice(old.asset->hash, 0, 7), str_slice(new.asset->hash, 0, 7));
    strbuf_add(&text, STR(") {\n"));
    property_print_title(&printer, title);
    piece_add(&printer, strbuf_str(&text));
    print_members(&inner, old.asset->members, new.asset->members);
    piece_close(&printer, STR("}\n"));
}
