/* stack_ref.c — the names of stacks: what is allowed, how references are read and shown. */
#include "backend/backend_ops.h"

enum { LONGEST_NAME = 100 };

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
           || c == '_' || c == '.';
}

static bool char_is_word(char c)
{
    return is_name_char(c) && c != '-' && c != '_' && c != '.';
}

/* Place of the first byte that no name may have, or SIZE_MAX. */
static size_t find_bad_char(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_name_char(name.ptr[i]))
            return i;
    return SIZE_MAX;
}

/* Names become directories. */
static fallible check_is_no_folder_link(const char *what, str name)
{
    if (!str_equal(name, STR(".")) && !str_equal(name, STR("..")))
        return NULL;
    return error_new(ERROR_INVALID, "a %s cannot be named '" STR_FMT "'", what, STR_ARG(name));
}

/* How many bytes of the text the character at its start has. */
static int char_len(str text)
{
    unsigned char first = (unsigned char)text.ptr[0];
    size_t len = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return (int)(len <= text.len ? len : text.len);
}

fallible stack_name_check(str name)
{
    if (name.len == 0)
        return error_new(ERROR_INVALID, "a stack name may not be empty");
    if (name.len > LONGEST_NAME)
        return error_new(ERROR_INVALID, "a stack name cannot exceed %d characters", LONGEST_NAME);

    size_t bad = find_bad_char(name);
    if (bad == SIZE_MAX)
        return check_is_no_folder_link("stack", name);
    return error_new(
        ERROR_INVALID,
        "a stack name may only contain alphanumeric, hyphens, underscores, or periods: "
        "invalid character '%.*s' at position %zu",
        char_len(str_slice(name, bad, name.len)), name.ptr + bad, bad);
}

static fallible check_project(str project)
{
    if (project.len > LONGEST_NAME)
        return error_new(ERROR_INVALID, "project names are limited to %d characters", LONGEST_NAME);
    if (find_bad_char(project) != SIZE_MAX)
        return error_new(
            ERROR_INVALID,
            "project names may only contain alphanumerics, hyphens, underscores, and periods");
    return check_is_no_folder_link("project", project);
}

/* "stack", "org/stack" or "org/project/stack". */
static fallible stack_ref_split(str text, str *organization, str *project, str *name)
{
    str rest;

    if (!str_cut(text, STR("/"), organization, &rest)) {
        *name = text;
        return NULL;
    }
    if (!str_cut(rest, STR("/"), project, name))
        *name = rest;
    if (str_find_char(*name, '/') == SIZE_MAX)
        return NULL;
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' is not the name of a stack: it is written as stack, "
                     "organization/stack or organization/project/stack",
                     STR_ARG(text));
}

fallible stack_ref_parse(struct arena *arena, str text, str project, struct stack_ref *out)
{
    str organization = STR(""), own_project = STR(""), name = STR("");

    if (text.len == 0)
        return error_new(ERROR_INVALID, "stack name must not be empty");
    TRY(stack_ref_split(text, &organization, &own_project, &name));
    if (organization.len > 0 && !str_equal(organization, STR("organization")))
        return error_new(ERROR_INVALID, "organization name must be 'organization'");
    if (own_project.len > 0)
        project = own_project;
    if (project.len == 0)
        return error_new(
            ERROR_INVALID,
            "no Pulumi.yaml project file found; either run this command from a directory "
            "containing a "
            "Pulumi project, or pass the fully qualified stack name (organization/project/stack)");
    TRY(check_project(project));
    TRY(stack_name_check(name));
    *out = (struct stack_ref){ .project = arena_copy(arena, project),
                               .name = arena_copy(arena, name) };
    return NULL;
}

str backend_organization(const struct backend *backend)
{
    return backend->ops->has_organizations ? backend->options.organization : STR("");
}

/* The owner of stacks in a store that has many. */
static fallible check_organization(str name)
{
    size_t bad = find_bad_char(name);

    if (name.len >= 3 && name.len <= 40 && bad == SIZE_MAX && char_is_word(name.ptr[0])
        && char_is_word(name.ptr[name.len - 1]) && str_find_char(name, '.') == SIZE_MAX)
        return NULL;
    return error_new(ERROR_INVALID, "invalid stack owner '" STR_FMT "'", STR_ARG(name));
}

static fallible parse_owned(const struct backend *backend, struct arena *arena, str text,
                            str project, struct stack_ref *out)
{
    str organization = STR(""), own_project = STR(""), name = STR("");

    if (text.len == 0)
        return error_new(ERROR_INVALID, "stack name must not be empty");
    TRY(stack_ref_split(text, &organization, &own_project, &name));
    if (!organization.len)
        organization = backend->options.organization;
    TRY(check_organization(organization));
    TRY(stack_ref_parse(arena, name, own_project.len ? own_project : project, out));
    out->organization = arena_copy(arena, organization);
    return NULL;
}

fallible backend_stack_ref(const struct backend *backend, struct arena *arena, str text,
                           str project, struct stack_ref *out)
{
    if (backend->ops->has_organizations)
        return parse_owned(backend, arena, text, project, out);
    if (!backend->has_no_projects || project.len || !text.len
        || str_find_char(text, '/') != SIZE_MAX)
        return stack_ref_parse(arena, text, project, out);
    TRY(stack_name_check(text));
    *out = (struct stack_ref){ .name = arena_copy(arena, text) };
    return NULL;
}

str stack_ref_qualified(struct arena *arena, struct stack_ref stack)
{
    str organization = stack.organization.len ? stack.organization : STR("organization");

    if (stack.project.len == 0)
        return arena_copy(arena, stack.name);
    return arena_concat(arena, organization, STR("/"), stack.project, STR("/"), stack.name);
}

bool stack_ref_equal(struct stack_ref a, struct stack_ref b)
{
    return str_equal(a.project, b.project) && str_equal(a.name, b.name)
           && str_equal(a.organization, b.organization);
}

str stack_ref_display(struct arena *arena, struct stack_ref stack, str current_project,
                      str current_organization, bool is_qualified)
{
    if (is_qualified || !str_equal(stack.project, current_project))
        return stack_ref_qualified(arena, stack);
    if (str_equal(stack.organization, current_organization))
        return arena_copy(arena, stack.name);
    return arena_concat(arena, stack.organization, STR("/"), stack.name);
}
