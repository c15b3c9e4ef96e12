/* go_docs.c — descriptions, which are Markdown, as comments of Go.
 *
 * gofmt rewrites comments in front of declarations, so they are written the way it leaves alone:
 * 1. Blocks are separated by one empty line: paragraphs, headings, lists, code.
 * 2. Code is indented by a tab, items of a list by two blanks and their further lines by four.
 * 3. A block that is indented swallows one that follows it. A list next to code or next to a list
 *    of another kind is therefore written as a paragraph.
 * 4. A short line between paragraphs that looks like a title is a heading to gofmt.
 * 5. Doubled quotes of either kind would become typographic ones. */
#include "go/sdk/go_docs.h"

#include "base/vec.h"

#include <ctype.h>

enum block_kind { BLOCK_PARAGRAPH, BLOCK_HEADING, BLOCK_CODE, BLOCK_BULLETS, BLOCK_NUMBERS };

struct doc_block {
    enum block_kind kind;
    bool is_loose; /* of a list: empty lines between its items */
    str language;  /* of code */
    size_t first;  /* line */
    size_t end;
};

struct doc_line {
    str text;
    str marker; /* of the first line of an item: "-" or "1." */
};

struct doc_text {
    VEC(struct doc_line);
};

struct doc_blocks {
    VEC(struct doc_block);
};

struct doc_reader {
    str rest;
    struct doc_text lines;
    struct doc_blocks blocks;
    bool is_open; /* the last block may go on */
    bool had_gap; /* an empty line came last */
    /* of an example: what to go back to if there is no code in it for us */
    bool in_example;
    bool example_has_code;
    size_t example_line;
    size_t example_block;
};

static void doc_reader_release(struct doc_reader *reader)
{
    vec_release(&reader->lines);
    vec_release(&reader->blocks);
}

/* --- lines --- */

static bool doc_next_line(str *rest, str *line)
{
    if (!str_next(rest, STR("\n"), line))
        return false;
    if (line->len && line->ptr[line->len - 1] == '\r')
        line->len--;
    return true;
}

static str doc_trim_end(str line)
{
    while (line.len && isspace((unsigned char)line.ptr[line.len - 1]))
        line.len--;
    return line;
}

static size_t doc_indentation(str line)
{
    size_t at = 0;

    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t'))
        at++;
    return at;
}

/* "- text", "* text", "+ text", "1. text", "1) text": the marker, and the text behind it. */
static bool doc_is_item(str line, str *marker, str *text)
{
    size_t at = 0;

    line = str_trim(line);
    if (line.len && (line.ptr[0] == '-' || line.ptr[0] == '*' || line.ptr[0] == '+')) {
        at = 1;
    } else {
        while (at < line.len && char_is_digit(line.ptr[at]))
            at++;
        if (!at || at >= line.len || (line.ptr[at] != '.' && line.ptr[at] != ')'))
            return false;
        at++;
    }
    if (at >= line.len || (line.ptr[at] != ' ' && line.ptr[at] != '\t'))
        return false;
    *marker = char_is_digit(line.ptr[0]) ? str_slice(line, 0, at) : STR("-");
    *text = str_trim(str_slice(line, at, line.len));
    return text->len > 0;
}

/* "## Title": the title. */
static bool doc_is_heading(str line, str *title)
{
    size_t level = 0;

    while (level < line.len && line.ptr[level] == '#')
        level++;
    if (!level || level > 6 || level >= line.len || !isspace((unsigned char)line.ptr[level]))
        return false;
    *title = str_trim(str_slice(line, level, line.len));
    return title->len > 0;
}

/* The fence that begins or ends code. */
static bool doc_is_fence(str line, str *fence, str *language)
{
    size_t len = 0;

    line = str_trim(line);
    while (len < line.len && line.ptr[len] == line.ptr[0])
        len++;
    if (len < 3 || (line.ptr[0] != '`' && line.ptr[0] != '~'))
        return false;
    *fence = str_slice(line, 0, len);
    *language = str_trim(str_slice(line, len, line.len));
    return str_find_char(*language, '`') == SIZE_MAX;
}

/* --- blocks --- */

static void doc_add_line(struct doc_reader *reader, str text, str marker)
{
    struct doc_line line = { text, marker };

    vec_add(&reader->lines, line);
    reader->blocks.items[reader->blocks.len - 1].end = reader->lines.len;
}

static void doc_begin(struct doc_reader *reader, enum block_kind kind)
{
    struct doc_block block = { .kind = kind, .first = reader->lines.len, .end = reader->lines.len };

    vec_add(&reader->blocks, block);
    reader->is_open = kind != BLOCK_HEADING && kind != BLOCK_CODE;
}

static struct doc_block *doc_open_list(struct doc_reader *reader)
{
    struct doc_block *last =
        reader->blocks.len ? &reader->blocks.items[reader->blocks.len - 1] : NULL;
    bool is_list = last && (last->kind == BLOCK_BULLETS || last->kind == BLOCK_NUMBERS);

    return is_list && reader->is_open ? last : NULL;
}

static bool is_go_code(str language)
{
    return !language.len || str_equal(language, STR("go")) || str_equal(language, STR("sh"));
}

static void doc_read_fenced(struct doc_reader *reader, str fence, str language)
{
    bool is_ours = is_go_code(language);
    str line, end, other;

    if (is_ours) {
        doc_begin(reader, BLOCK_CODE);
        reader->blocks.items[reader->blocks.len - 1].language = language;
        reader->example_has_code = true;
    }
    reader->is_open = false;
    while (doc_next_line(&reader->rest, &line)) {
        if (doc_is_fence(line, &end, &other) && !other.len && end.len >= fence.len
            && end.ptr[0] == fence.ptr[0])
            return;
        if (is_ours)
            doc_add_line(reader, doc_trim_end(line), STR(""));
    }
}

static void doc_read_item(struct doc_reader *reader, str marker, str text)
{
    enum block_kind kind = char_is_digit(marker.ptr[0]) ? BLOCK_NUMBERS : BLOCK_BULLETS;
    struct doc_block *list = doc_open_list(reader);

    if (!list || list->kind != kind)
        doc_begin(reader, kind);
    else if (reader->had_gap)
        list->is_loose = true;
    doc_add_line(reader, text, marker);
}

static void doc_read_text(struct doc_reader *reader, str line)
{
    bool goes_on = reader->is_open && (!reader->had_gap || doc_open_list(reader));

    if (reader->had_gap && doc_open_list(reader) && !doc_indentation(line))
        goes_on = false;
    if (goes_on && reader->had_gap) {
        /* Another paragraph of the same item. */
        reader->blocks.items[reader->blocks.len - 1].is_loose = true;
        doc_add_line(reader, STR(""), STR(""));
    }
    if (!goes_on) {
        bool is_code = doc_indentation(line) >= 4 || line.ptr[0] == '\t';
        doc_begin(reader, is_code ? BLOCK_CODE : BLOCK_PARAGRAPH);
        reader->is_open = true;
    }
    bool is_code = reader->blocks.items[reader->blocks.len - 1].kind == BLOCK_CODE;
    doc_add_line(reader, is_code ? doc_trim_end(line) : str_trim(line), STR(""));
}

/* Markers of examples: what is between two that has no code for us is left out. */
static bool doc_read_marker(struct doc_reader *reader, str line)
{
    str word = str_trim(line);

    if (str_starts_with(word, STR("<!--")) && str_ends_with(word, STR("-->")))
        return true;
    if (!str_starts_with(word, STR("{{%")) || !str_ends_with(word, STR("%}}"))
        || str_find(word, STR("example")) == SIZE_MAX)
        return false;
    word = str_trim(str_slice(word, 3, word.len - 3));
    if (str_equal(word, STR("example"))) {
        reader->in_example = true;
        reader->example_has_code = false;
        reader->example_line = reader->lines.len;
        reader->example_block = reader->blocks.len;
    } else if (str_equal(word, STR("/example")) && reader->in_example) {
        if (!reader->example_has_code) {
            reader->lines.len = reader->example_line;
            reader->blocks.len = reader->example_block;
        }
        reader->in_example = false;
    }
    reader->is_open = false;
    return true;
}

static void doc_read_blocks(struct doc_reader *reader)
{
    str line, fence, language, marker, text;

    while (doc_next_line(&reader->rest, &line)) {
        line = doc_trim_end(line);
        if (!line.len) {
            reader->had_gap = true;
            continue;
        }
        if (doc_is_fence(line, &fence, &language)) {
            doc_read_fenced(reader, fence, language);
        } else if (doc_read_marker(reader, line)) {
        } else if (doc_is_heading(line, &text)) {
            doc_begin(reader, BLOCK_HEADING);
            doc_add_line(reader, text, STR(""));
        } else if (doc_is_item(line, &marker, &text)
                   && (doc_open_list(reader) || doc_indentation(line) < 4)) {
            doc_read_item(reader, marker, text);
        } else {
            doc_read_text(reader, line);
        }
        reader->had_gap = false;
    }
}

/* --- what gofmt would change --- */

static bool doc_ends_like_title(str line)
{
    unsigned char last = (unsigned char)line.ptr[line.len - 1];

    return isalnum(last) || last >= 0x80;
}

/* A line that gofmt takes for a heading if it stands alone. */
static bool doc_is_title(str line)
{
    if (!line.len || line.ptr[0] < 'A' || line.ptr[0] > 'Z' || !doc_ends_like_title(line))
        return false;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i], next = i + 1 < line.len ? line.ptr[i + 1] : '\0';
        if (strchr(";:!?+*/=[]{}_^&~%#@<\">\\", c) || (c == '.' && (!next || next == ' ')))
            return false;
        if (c == '\'' && (next != 's' || (i + 2 < line.len && line.ptr[i + 2] != ' ')))
            return false;
    }
    return str_find(line, STR("°")) == SIZE_MAX && str_find(line, STR("§")) == SIZE_MAX;
}

static bool is_list_block(const struct doc_block *block)
{
    return block->kind == BLOCK_BULLETS || block->kind == BLOCK_NUMBERS;
}

/* Lists that would be swallowed by what is next to them. */
static void doc_separate_lists(struct doc_blocks *blocks)
{
    for (size_t i = 0; i < blocks->len; i++) {
        struct doc_block *block = &blocks->items[i];
        const struct doc_block *before = i ? block - 1 : NULL;
        const struct doc_block *after = i + 1 < blocks->len ? block + 1 : NULL;
        if (!is_list_block(block))
            continue;
        if ((before && (is_list_block(before) || before->kind == BLOCK_CODE))
            || (after && after->kind == BLOCK_CODE))
            block->kind = BLOCK_PARAGRAPH;
    }
}

static void doc_find_titles(struct doc_blocks *blocks, const struct doc_text *lines)
{
    for (size_t i = 1; i + 1 < blocks->len; i++) {
        struct doc_block *block = &blocks->items[i];
        const struct doc_block *after = block + 1;
        if (block->kind == BLOCK_PARAGRAPH && block->end - block->first == 1
            && (after->kind == BLOCK_PARAGRAPH || after->kind == BLOCK_HEADING)
            && doc_is_title(lines->items[block->first].text))
            block->kind = BLOCK_HEADING;
    }
}

/* --- printing --- */

struct doc_printer {
    struct strbuf *out;
    const char *indent;
    const struct go_doc_names *names;
};

static void doc_put_start(struct doc_printer *printer, str lead)
{
    strbuf_add(printer->out, str_from(printer->indent));
    strbuf_add(printer->out, lead);
}

static void doc_put_end(struct doc_printer *printer)
{
    struct strbuf *out = printer->out;

    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
    strbuf_add_char(out, '\n');
}

static void doc_put_gap(struct doc_printer *printer)
{
    doc_put_start(printer, STR("//\n"));
}

/* {{% ref … %}} at the start of the text: its length, or 0. */
static size_t doc_put_reference(struct doc_printer *printer, str text)
{
    size_t end = str_find(text, STR("%}}"));

    if (!printer->names || !str_starts_with(text, STR("{{% ref ")) || end == SIZE_MAX)
        return 0;
    str name = printer->names->resolve(printer->names->context, str_trim(str_slice(text, 8, end)));
    if (!name.len)
        return 0;
    strbuf_add(printer->out, name);
    return end + 3;
}

/* "[name]: https://…" would be moved to the end of the comment. */
static str doc_put_link_target(struct doc_printer *printer, str text)
{
    size_t end = str_find(text, STR("]: "));

    if (!text.len || text.ptr[0] != '[' || end == SIZE_MAX
        || str_find(str_slice(text, end, text.len), STR("://")) == SIZE_MAX)
        return text;
    strbuf_add(printer->out, str_slice(text, 1, end));
    return str_slice(text, end + 1, text.len);
}

static void doc_put_words(struct doc_printer *printer, str text)
{
    text = doc_put_link_target(printer, text);
    for (size_t i = 0; i < text.len;) {
        char c = text.ptr[i];
        size_t run = 1, skipped = 0;
        while (i + run < text.len && text.ptr[i + run] == c)
            run++;
        if (c == '{')
            skipped = doc_put_reference(printer, str_slice(text, i, text.len));
        if (skipped) {
            i += skipped;
            continue;
        }
        if (c == '`' && run == 2) {
            strbuf_add_char(printer->out, '`');
        } else if (c == '\'' && run > 1) {
            strbuf_add_repeated(printer->out, '"', run / 2);
            strbuf_add_repeated(printer->out, '\'', run % 2);
        } else if (c == '{') {
            run = 1;
            strbuf_add_char(printer->out, c);
        } else {
            strbuf_add(printer->out, str_slice(text, i, i + run));
        }
        i += run;
    }
    doc_put_end(printer);
}

static void doc_put_paragraph(struct doc_printer *printer, const struct doc_line *lines, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!lines[i].text.len) {
            doc_put_gap(printer);
            continue;
        }
        doc_put_start(printer, STR("// "));
        if (lines[i].marker.len) {
            strbuf_add(printer->out, lines[i].marker);
            strbuf_add_char(printer->out, ' ');
        }
        doc_put_words(printer, lines[i].text);
    }
}

static void doc_put_list(struct doc_printer *printer, const struct doc_block *block,
                         const struct doc_line *lines)
{
    for (size_t i = block->first; i < block->end; i++) {
        const struct doc_line *line = &lines[i];
        if (!line->text.len) {
            doc_put_gap(printer);
            continue;
        }
        if (line->marker.len && i > block->first && block->is_loose)
            doc_put_gap(printer);
        if (!line->marker.len) {
            doc_put_start(printer, STR("//     "));
        } else if (block->kind == BLOCK_BULLETS) {
            doc_put_start(printer, STR("//   - "));
        } else {
            doc_put_start(printer, STR("//  "));
            strbuf_add(printer->out, str_slice(line->marker, 0, line->marker.len - 1));
            strbuf_add(printer->out, STR(". "));
        }
        doc_put_words(printer, line->text);
    }
}

/* How far all lines are indented. */
static size_t doc_common_indentation(const struct doc_line *lines, size_t len)
{
    size_t common = SIZE_MAX;

    for (size_t i = 0; i < len; i++) {
        size_t own = doc_indentation(lines[i].text), same = 0;
        if (!lines[i].text.len)
            continue;
        while (common != SIZE_MAX && same < own && same < common
               && lines[i].text.ptr[same] == lines[0].text.ptr[same])
            same++;
        common = common == SIZE_MAX ? own : same;
    }
    return common == SIZE_MAX ? 0 : common;
}

static void doc_put_code(struct doc_printer *printer, const struct doc_block *block,
                         const struct doc_line *lines, size_t len)
{
    str marker, text;
    size_t common = doc_common_indentation(lines, len);
    /* gofmt would make a list of it. */
    bool is_fenced = doc_is_item(lines[0].text, &marker, &text);

    if (is_fenced) {
        doc_put_start(printer, STR("//\t```"));
        strbuf_add(printer->out, block->language);
        doc_put_end(printer);
    }
    for (size_t i = 0; i < len; i++) {
        if (!lines[i].text.len) {
            doc_put_gap(printer);
            continue;
        }
        doc_put_start(printer, STR("//\t"));
        strbuf_add(printer->out, str_slice(lines[i].text, common, lines[i].text.len));
        doc_put_end(printer);
    }
    if (is_fenced)
        doc_put_start(printer, STR("//\t```\n"));
}

static bool doc_put_block(struct doc_printer *printer, const struct doc_block *block,
                          const struct doc_text *text, bool is_first)
{
    size_t first = block->first, end = block->end;

    while (first < end && !text->items[end - 1].text.len)
        end--;
    while (first < end && !text->items[first].text.len)
        first++;
    if (first == end)
        return false;
    const struct doc_line *lines = &text->items[first];
    size_t len = end - first;
    if (!is_first)
        doc_put_gap(printer);
    if (block->kind == BLOCK_CODE) {
        doc_put_code(printer, block, lines, len);
    } else if (block->kind == BLOCK_HEADING) {
        doc_put_start(printer, STR("// # "));
        strbuf_add(printer->out, lines[0].text);
        doc_put_end(printer);
    } else if (is_list_block(block)) {
        doc_put_list(printer, block, text->items);
    } else {
        doc_put_paragraph(printer, lines, len);
    }
    return true;
}

static bool doc_put_text(struct doc_printer *printer, str description, bool is_first)
{
    CLEANUP(doc_reader_release) struct doc_reader reader = { .rest = description };

    doc_read_blocks(&reader);
    doc_separate_lists(&reader.blocks);
    doc_find_titles(&reader.blocks, &reader.lines);
    for (size_t i = 0; i < reader.blocks.len; i++)
        if (doc_put_block(printer, &reader.blocks.items[i], &reader.lines, is_first))
            is_first = false;
    return is_first;
}

void go_put_docs(struct strbuf *out, str description, str deprecation, const char *indent,
                 const struct go_doc_names *names)
{
    struct doc_printer printer = { out, indent, names };

    bool is_first = doc_put_text(&printer, description, true);
    if (!deprecation.len)
        return;
    CLEANUP(strbuf_release) struct strbuf notice = { 0 };
    strbuf_add(&notice, STR("Deprecated: "));
    strbuf_add(&notice, deprecation);
    doc_put_text(&printer, strbuf_str(&notice), is_first);
}
