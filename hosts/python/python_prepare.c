/* python_prepare.c — gives a project that was made for pip the project file that poetry and uv
 * want. */
#include "python/python.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "common/search.h"

enum { REQUIREMENTS_MAX = 1 << 20 };

static fallible say_deleted(struct sink *sink)
{
    return sink_write(sink, OUTPUT_STDOUT,
                      STR("Deleted requirements.txt, dependencies for this project are tracked in "
                          "pyproject.toml\n"));
}

/* --- uv does it itself --- */

static fallible prepare_for_uv(struct host *host, struct arena *arena, const struct python *python,
                               str project, struct sink *sink)
{
    str requirements = fs_path_join(arena, python->program->directory, STR("requirements.txt"));
    const char *init[] = { "init", "--bare", "--no-package", "--no-pin-python", NULL, NULL, NULL };
    const char *add[] = { "add", "--no-sync", "-r", "requirements.txt", NULL };
    CLEANUP(words_release) struct words words = { 0 };

    if (project.len > 0) {
        init[4] = "--name";
        init[5] = arena_cstr(arena, project);
    }
    TRY(error_wrap(python_run_tool(host, arena, python, sink, init),
                   "error initializing python project"));
    if (!fs_exists(requirements))
        return NULL;
    words_add_all(&words, add);
    TRY(python_add_no_workspace(host, arena, python, &words));
    TRY(error_wrap(python_run_tool(host, arena, python, sink, words_end(&words)),
                   "error installing dependencies from requirements.txt"));
    TRY(fs_remove(requirements));
    return say_deleted(sink);
}

/* --- poetry: written here --- */

static void toml_add_text(struct strbuf *out, str text)
{
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            strbuf_add_char(out, '\\');
        strbuf_add_char(out, text.ptr[i]);
    }
    strbuf_add_char(out, '"');
}

static size_t find_first_of(str text, const char *marks)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\0' && strchr(marks, text.ptr[i]))
            return i;
    return text.len;
}

/* NAME[EXTRA,…] VERSIONS ; MARKERS */
static void toml_add_requirement(struct strbuf *out, str line)
{
    line = str_trim(str_slice(line, 0, find_first_of(line, ";")));
    size_t end = find_first_of(line, "<>=!~ \t");
    str name = str_slice(line, 0, end), versions = str_trim(str_slice(line, end, line.len)),
        extra = STR("");

    if (str_starts_with(versions, STR("==")))
        versions = str_trim(str_slice(versions, 2, versions.len));
    bool has_extra = str_cut(name, STR("["), &name, &extra);
    toml_add_text(out, name);
    strbuf_add(out, has_extra ? STR(" = { version = ") : STR(" = "));
    toml_add_text(out, versions.len > 0 ? versions : STR("*"));
    if (has_extra) {
        strbuf_add(out, STR(", extras = ["));
        for (str rest = str_slice(extra, 0, find_first_of(extra, "]"));
             str_next(&rest, STR(","), &extra);) {
            toml_add_text(out, str_trim(extra));
            strbuf_add(out, rest.len > 0 ? STR(", ") : STR(""));
        }
        strbuf_add(out, STR("] }"));
    }
    strbuf_add_char(out, '\n');
}

static void add_requirements(struct strbuf *out, str text)
{
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        line = str_trim(str_slice(line, 0, find_first_of(line, "#")));
        if (line.len > 0 && line.ptr[0] != '-') /* options are pip's own */
            toml_add_requirement(out, line);
    }
}

static fallible prepare_for_poetry(struct arena *arena, const struct python *python, str project,
                                   struct sink *sink)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str directory = python->program->directory, requirements = STR("");
    str path = fs_path_join(arena, directory, STR("requirements.txt"));
    bool has_requirements = fs_exists(path);

    if (has_requirements)
        TRY(fs_read(arena, path, REQUIREMENTS_MAX, &requirements));
    strbuf_add(&text, STR("[build-system]\nrequires = [\"poetry-core\"]\nbuild-backend = "
                          "\"poetry.core.masonry.api\"\n\n"
                          "[tool.poetry]\nname = "));
    toml_add_text(&text, project.len > 0 ? project : fs_path_name(directory));
    strbuf_add(&text,
               STR("\npackage-mode = false\n\n[tool.poetry.dependencies]\npython = \"^3.10\"\n"));
    if (has_requirements)
        add_requirements(&text, requirements);
    else
        strbuf_add(&text, STR("pulumi = \">=3.0.0,<4.0.0\"\n"));
    TRY(fs_create(fs_path_join(arena, directory, STR("pyproject.toml")), strbuf_str(&text), 0666));
    if (!has_requirements)
        return NULL;
    TRY(fs_remove(path));
    return say_deleted(sink);
}

fallible python_prepare(struct host *host, struct arena *arena, const struct python *python,
                        str project, struct sink *sink)
{
    if (search_up(arena, python->program->directory, STR("pyproject.toml")).len > 0)
        return NULL;
    if (python->toolchain == TOOLCHAIN_UV)
        return prepare_for_uv(host, arena, python, project, sink);
    return python->toolchain == TOOLCHAIN_POETRY ? prepare_for_poetry(arena, python, project, sink)
                                                 : NULL;
}
