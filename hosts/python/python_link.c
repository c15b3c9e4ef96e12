/* python_link.c — makes SDKs of this project known to its package manager. */
#include "python/python.h"

#include "base/fs.h"
#include "base/semver.h"
#include "common/names.h"
#include "common/search.h"
#include "python/python_names.h"

#include <ctype.h>

enum { LINK_REQUIREMENTS_MAX = 1 << 20 };

/* --- requirements.txt --- */

/* Names differ neither by case nor by these marks. */
static char link_fold(char c)
{
    return c == '-' || c == '.' ? '_' : (char)tolower((unsigned char)c);
}

static bool link_is_same_name(str a, str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (link_fold(a.ptr[i]) != link_fold(b.ptr[i]))
            return false;
    return true;
}

/* The distribution that a line asks for; empty if it is a path, an option or a comment. */
static str link_name_of_line(str line)
{
    size_t end = 0;

    while (end < line.len
           && (isalnum((unsigned char)line.ptr[end]) || strchr("_-.", line.ptr[end])))
        end++;
    bool is_path = end < line.len && line.ptr[end] == '/';
    bool begins = line.len && isalnum((unsigned char)line.ptr[0]);
    return is_path || !begins ? STR("") : str_slice(line, 0, end);
}

struct link_target {
    str name; /* of the distribution */
    str path; /* from the folder of the program */
};

struct link_targets {
    const struct link_target *items;
    size_t len;
};

/* An older line for one of them goes. */
static bool link_is_replaced(struct link_targets targets, str line)
{
    str name = link_name_of_line(line);

    for (size_t i = 0; i < targets.len; i++)
        if (str_equal(line, targets.items[i].path)
            || (name.len && link_is_same_name(name, targets.items[i].name)))
            return true;
    return false;
}

static fallible link_requirements(struct arena *arena, str directory, struct link_targets targets)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str path = fs_path_join(arena, directory, STR("requirements.txt"));
    str text = STR(""), line;

    if (fs_exists(path))
        TRY(fs_read(arena, path, LINK_REQUIREMENTS_MAX, &text));
    str end = str_find(text, STR("\r\n")) != SIZE_MAX ? STR("\r\n") : STR("\n");
    while (str_next(&text, STR("\n"), &line)) {
        if (str_ends_with(line, STR("\r")))
            line.len--;
        if (link_is_replaced(targets, str_trim(line)))
            continue;
        strbuf_add(&out, line);
        strbuf_add(&out, end);
    }
    for (size_t i = 0; i < targets.len; i++) {
        strbuf_add(&out, targets.items[i].path);
        strbuf_add(&out, end);
    }
    return fs_replace(path, strbuf_str(&out), 0666);
}

/* --- poetry and uv --- */

/* From this version on uv takes packages below the project for members of it, which must then have
 * a project file, unless it is told not to. */
static bool link_version_has_members(str answer)
{
    static const struct semver first = { .minor = 8 };
    struct semver version;
    str name, rest, number;

    if (!str_cut(answer, STR(" "), &name, &rest))
        return false;
    number = rest;
    str_cut(rest, STR(" "), &number, &rest);
    return semver_parse_tolerant(str_trim(number), &version)
           && semver_compare(&version, &first) >= 0;
}

fallible python_add_no_workspace(struct host *host, struct arena *arena,
                                 const struct python *python, struct words *words)
{
    CLEANUP(command_release) struct command command = { .path = python->tool };
    str answer;

    words_add(&command.args, arena, STR("--version"));
    TRY(error_wrap(command_read(host, arena, &command, &answer), "asking uv for its version"));
    if (link_version_has_members(answer))
        words_add(words, arena, STR("--no-workspace"));
    return NULL;
}

/* Nobody sees what a host prints while it links: why the tool failed has to be in the error. */
static fallible link_with_tool(struct host *host, struct arena *arena, const struct python *python,
                               struct link_targets targets)
{
    bool is_uv = python->toolchain == TOOLCHAIN_UV;
    CLEANUP(command_release) struct command command = { 0 };
    str answer;

    python_tool_command(arena, python, &command);
    words_add(&command.args, arena, STR("add"));
    words_add(&command.args, arena, is_uv ? STR("--no-sync") : STR("--lock"));
    if (is_uv)
        TRY(python_add_no_workspace(host, arena, python, &command.args));
    for (size_t i = 0; i < targets.len; i++)
        words_add(&command.args, arena, targets.items[i].path);
    return error_wrap(command_read(host, arena, &command, &answer), "linking packages");
}

/* --- the call --- */

/* What is given from the root of the project is needed from the folder of the program. */
static str link_path(struct arena *arena, const struct program *program, str path)
{
    bool is_at_root =
        !program->directory.len
        || str_equal(fs_path_clean(arena, program->root), fs_path_clean(arena, program->directory));
    return is_at_root ? path : fs_path_absolute(arena, program->root, path);
}

static struct link_targets link_targets(struct arena *arena, const struct program *program,
                                        struct sdk_links links)
{
    struct link_target *targets = ARENA_ARRAY(arena, struct link_target, links.len);

    for (size_t i = 0; i < links.len; i++)
        targets[i] = (struct link_target){
            .name = links.items[i].schema ? python_package(arena, links.items[i].schema)
                                          : STR("pulumi"),
            .path = link_path(arena, program, links.items[i].path),
        };
    return (struct link_targets){ targets, links.len };
}

static str link_instructions(struct arena *arena, struct sdk_links links)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_printf(&out, "You can import the SDK%s in your Python code with:\n\n",
                  links.len > 1 ? "s" : "");
    for (size_t i = 0; i < links.len; i++) {
        const struct schema *schema = links.items[i].schema;
        if (!schema)
            continue;
        str chosen = schema_language_text(schema, STR("python"), STR("packageName"));
        strbuf_printf(&out, "  import " STR_FMT " as " STR_FMT "\n",
                      STR_ARG(python_package(arena, schema)),
                      STR_ARG(chosen.len ? chosen : name_identifier(arena, schema->name)));
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* Whether a project that is not pip's has no project file yet: what it needs is still in
 * requirements.txt, from where installing takes it over. */
static fallible link_is_before_project(struct arena *arena, const struct python *python, bool *out)
{
    str directory = python->program->directory;

    *out = search_up(arena, directory, STR("pyproject.toml")).len == 0;
    if (*out && !fs_exists(fs_path_join(arena, directory, STR("requirements.txt"))))
        return error_new(ERROR_NOT_FOUND,
                         "there is neither pyproject.toml nor requirements.txt in '" STR_FMT "'",
                         STR_ARG(directory));
    return NULL;
}

fallible python_link(struct host *host, struct arena *arena, const struct program *program,
                     struct sdk_links links, str *instructions)
{
    struct link_targets targets = link_targets(arena, program, links);
    bool uses_requirements = true;
    struct python python;

    TRY(python_open(host, arena, program, false, &python));
    if (python.toolchain != TOOLCHAIN_PIP)
        TRY(link_is_before_project(arena, &python, &uses_requirements));
    if (uses_requirements && python.toolchain == TOOLCHAIN_POETRY) {
        /* It wants the name of what is in a folder, which it finds out itself when it is asked. */
        TRY(python_prepare(host, arena, &python, STR(""), NULL));
        uses_requirements = false;
    }
    if (uses_requirements)
        TRY(link_requirements(arena, program->directory, targets));
    else
        TRY(link_with_tool(host, arena, &python, targets));
    *instructions = link_instructions(arena, links);
    return NULL;
}
