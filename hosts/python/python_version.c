/* python_version.c — versions of Python packages as versions of plugins, and what pyproject.toml
 * says. */
#include "python/python.h"

#include "base/fs.h"

enum { PYPROJECT_MAX = 4 << 20 };

/* --- versions: 1.2.3rc4.post5.dev6 --- */

static str take_digits(str *rest)
{
    size_t len = 0;
    while (len < rest->len && char_is_digit(rest->ptr[len]))
        len++;
    str digits = str_slice(*rest, 0, len);
    *rest = str_slice(*rest, len, rest->len);
    return digits;
}

static bool version_take(str *rest, str prefix)
{
    if (!str_starts_with(*rest, prefix))
        return false;
    *rest = str_slice(*rest, prefix.len, rest->len);
    return true;
}

/* Three numbers, however many there are. */
static bool take_release(str *rest, struct strbuf *out)
{
    size_t count = 0;

    while (count < 3) {
        str digits = take_digits(rest);
        if (digits.len == 0)
            return false;
        strbuf_printf(out, "%s" STR_FMT, count > 0 ? "." : "", STR_ARG(digits));
        count++;
        if (rest->len < 2 || rest->ptr[0] != '.' || !char_is_digit(rest->ptr[1]))
            break;
        *rest = str_slice(*rest, 1, rest->len);
    }
    for (; count < 3; count++)
        strbuf_add(out, STR(".0"));
    return true;
}

static bool version_take_part(str *rest, str mark, str written, struct strbuf *out)
{
    if (!version_take(rest, mark))
        return true;
    str digits = take_digits(rest);
    if (digits.len == 0)
        return false;
    strbuf_add(out, written);
    strbuf_add(out, digits);
    return true;
}

bool python_version_to_semver(struct arena *arena, str version, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str rest = version;

    if (!take_release(&rest, &text) || !version_take_part(&rest, STR("a"), STR("-alpha."), &text)
        || !version_take_part(&rest, STR("b"), STR("-beta."), &text)
        || !version_take_part(&rest, STR("rc"), STR("-rc."), &text))
        return false;
    size_t before = text.len;
    if (!version_take_part(&rest, STR(".post"), STR("+post"), &text))
        return false;
    if (!version_take_part(&rest, STR(".dev"), text.len > before ? STR("dev") : STR("+dev"), &text)
        || rest.len > 0)
        return false;
    *out = arena_copy(arena, strbuf_str(&text));
    return true;
}

/* --- pyproject.toml: plain keys of plain tables are all that is asked for --- */

static str version_unquoted(str text)
{
    text = str_trim(text);
    if (text.len < 2 || (text.ptr[0] != '"' && text.ptr[0] != '\''))
        return STR("");
    size_t end = str_find_char(str_slice(text, 1, text.len), text.ptr[0]);
    return end == SIZE_MAX ? STR("") : str_slice(text, 1, end + 1);
}

static str toml_find(str text, str table, str key)
{
    bool is_inside = false;
    str line, name, value;

    while (str_next(&text, STR("\n"), &line)) {
        line = str_trim(line);
        if (str_starts_with(line, STR("[")))
            is_inside = str_starts_with(line, table);
        else if (is_inside && str_cut(line, STR("="), &name, &value)
                 && str_equal(str_trim(name), key))
            return version_unquoted(value);
    }
    return STR("");
}

str python_package_name(struct arena *arena, str directory)
{
    str text;
    struct error *failure =
        fs_read(arena, fs_path_join(arena, directory, STR("pyproject.toml")), PYPROJECT_MAX, &text);

    if (failure) {
        error_ignore(failure, "no project file, no package");
        return STR("");
    }
    if (toml_find(text, STR("[build-system]"), STR("build-backend")).len == 0)
        return STR("");
    return arena_copy(arena, toml_find(text, STR("[project]"), STR("name")));
}
