/* embed-page.c — makes one HTML file of a page's sources, and C source of that: the text before and
 * after the place for the data. Part of the build.
 *
 * usage: embed-page DIRECTORY PAGE >FILE.c      (DIRECTORY/PAGE/page.html is read)
 *
 * Lines of page.html that are put in place of:
 *   @styles FILE…    the style sheets, in one <style>
 *   @scripts FILE…   the modules, in one <script>: each after those that it imports from. The lines
 *                    `import … from …;` and the word `export` go; a module stays a module in the
 *                    tree, and names are those of one scope: a name used twice is an error when the
 *                    page is loaded, which its tests notice.
 *   @data            the data
 * In the policy, @style-hash and @script-hash: the browser runs and applies just these texts. */
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t len;
};

static const char *directory;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "embed-page: %s %s\n", what, name);
    exit(1);
}

static void text_add(struct text *text, const char *bytes, size_t len)
{
    text->bytes = realloc(text->bytes, text->len + len + 1);
    if (!text->bytes)
        die("out of memory for", "a page");
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
    text->bytes[text->len] = '\0';
}

static void text_add_string(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

static struct text read_source(const char *name)
{
    char path[4096], chunk[65536];
    struct text text = { 0 };
    size_t len;

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file)
        die("cannot open", path);
    text_add(&text, "", 0);
    while ((len = fread(chunk, 1, sizeof(chunk), file)) > 0)
        text_add(&text, chunk, len);
    fclose(file);
    return text;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* An import may take several lines; it ends with one that ends with a semicolon. */
static void add_module(struct text *into, const char *name)
{
    struct text module = read_source(name);
    bool is_import = false;

    for (char *line = module.bytes, *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        is_import = is_import || begins(line, "import ");
        if (is_import) {
            is_import = !(end - line > 1 && end[-2] == ';');
            continue;
        }
        if (begins(line, "export "))
            line += strlen("export ");
        text_add(into, line, (size_t)(end - line));
    }
    free(module.bytes);
}

static void add_style(struct text *into, const char *name)
{
    struct text style = read_source(name);

    text_add(into, style.bytes, style.len);
    free(style.bytes);
}

/* Each of the names behind the directive. */
static struct text collect(char *names, void (*add)(struct text *into, const char *name))
{
    struct text text = { 0 };
    char *rest = NULL;

    text_add(&text, "\n", 1);
    for (char *name = strtok_r(names, " \n", &rest); name; name = strtok_r(NULL, " \n", &rest))
        add(&text, name);
    if (strstr(text.bytes, "</script") || strstr(text.bytes, "</style")
        || strstr(text.bytes, "<!--"))
        die("would end its own element:", "a script or style sheet");
    return text;
}

static void add_hash(struct text *into, struct text of)
{
    unsigned char digest[SHA256_DIGEST_LENGTH], encoded[64];

    SHA256((const unsigned char *)of.bytes, of.len, digest);
    EVP_EncodeBlock(encoded, digest, sizeof(digest));
    text_add_string(into, "'sha256-");
    text_add_string(into, (const char *)encoded);
    text_add_string(into, "'");
}

static void replace(struct text *text, const char *mark, struct text by)
{
    char *at = strstr(text->bytes, mark);
    struct text made = { 0 };

    if (!at)
        die("page.html has no", mark);
    text_add(&made, text->bytes, (size_t)(at - text->bytes));
    text_add(&made, by.bytes, by.len);
    text_add_string(&made, at + strlen(mark));
    free(text->bytes);
    *text = made;
}

static void print_literal(const char *page, const char *part, const char *bytes, size_t len)
{
    printf("const char page_%s_%s[] =\n    \"", page, part);
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '\n')
            printf("\\n\"\n    \"");
        else if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < ' ' || byte > '~')
            printf("\\%03o", byte);
        else
            putchar(byte);
    }
    printf("\";\nconst size_t page_%s_%s_len = %zu;\n", page, part, len);
}

int main(int argc, char **argv)
{
    char name[256];
    struct text page = { 0 }, styles = { 0 }, scripts = { 0 }, hash = { 0 };

    if (argc != 3)
        die("usage:", "embed-page DIRECTORY PAGE");
    directory = argv[1];
    snprintf(name, sizeof(name), "%s/page.html", argv[2]);
    struct text source = read_source(name);
    for (char *line = source.bytes, *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        if (begins(line, "@styles ") || begins(line, "@scripts ")) {
            bool is_style = line[2] == 't';
            char *names = strndup(strchr(line, ' '), (size_t)(end - strchr(line, ' ')));
            struct text *into = is_style ? &styles : &scripts;
            *into = collect(names, is_style ? add_style : add_module);
            text_add_string(&page, is_style ? "<style>" : "<script type=\"module\">");
            text_add(&page, into->bytes, into->len);
            text_add_string(&page, is_style ? "</style>\n" : "</script>\n");
            free(names);
        } else {
            text_add(&page, line, (size_t)(end - line));
        }
    }
    add_hash(&hash, styles);
    replace(&page, "@style-hash", hash);
    hash.len = 0;
    add_hash(&hash, scripts);
    replace(&page, "@script-hash", hash);
    const char *data = strstr(page.bytes, "@data");
    if (!data)
        die("page.html has no", "@data");
    printf("/* made of pages/%s by tools/embed-page.c */\n#include <stddef.h>\n", argv[2]);
    print_literal(argv[2], "head", page.bytes, (size_t)(data - page.bytes));
    data += strlen("@data");
    print_literal(argv[2], "tail", data, page.len - (size_t)(data - page.bytes));
    return 0;
}
