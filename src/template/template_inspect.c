/* template_inspect.c — what the manifest of a template says about it. */
#include "template/template.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "project/project.h"

static str inspected_path(struct arena *arena, const struct template *template)
{
    str name = template_manifest_name(template->kind);

    return template->folder.len ? fs_path_join(arena, template->folder, name) : name;
}

static fallible inspect_project(struct arena *arena, struct template *template)
{
    struct project project;

    TRY(project_parse(arena, inspected_path(arena, template), template->manifest, &project));
    template->description =
        project.template_description.len ? project.template_description : project.description;
    template->quickstart = project.template_quickstart;
    return NULL;
}

static str scalar_of(const struct yaml_node *mapping, str key)
{
    const struct yaml_node *node = yaml_find(mapping, key);

    return node && node->kind == YAML_SCALAR && !yaml_is_null(node) ? node->text : STR("");
}

/* Policy packs and packages: all that matters here is that something can run them. */
static fallible inspect_other(struct arena *arena, struct template *template)
{
    str path = inspected_path(arena, template), runtime;
    struct value options;
    struct yaml_node *root;

    TRY(project_read_runtime(arena, path, template->manifest, &runtime, &options));
    TRY(yaml_read(arena, template->manifest, &root));
    const struct yaml_node *section = yaml_find(root, STR("template"));
    str description = scalar_of(section, STR("description"));
    template->description = description.len ? description : scalar_of(root, STR("description"));
    template->quickstart = scalar_of(section, STR("quickstart"));
    return NULL;
}

/* Who wrote the template does not write to the terminal. */
static str shown_text(struct arena *arena, str text, bool keeps_lines)
{
    CLEANUP(strbuf_release) struct strbuf shown = { 0 };

    strbuf_add_shown(&shown, text, keeps_lines);
    return arena_copy(arena, strbuf_str(&shown));
}

void template_inspect(struct arena *arena, struct template *template)
{
    struct error *failure = template->kind == TEMPLATE_PROJECT ? inspect_project(arena, template)
                                                               : inspect_other(arena, template);

    if (failure)
        template->problem = arena_copy(arena, error_message(failure));
    error_ignore(failure, "reported when the template is chosen");
    template->name = shown_text(arena, template->name, false);
    template->description = shown_text(arena, str_trim(template->description), false);
    template->quickstart = shown_text(arena, template->quickstart, true);
    template->problem = shown_text(arena, template->problem, true);
}
