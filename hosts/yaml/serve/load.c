/* load.c — programs and plugins in folders. */
#include "yaml/serve/load.h"

#include "base/fs.h"
#include "base/yaml.h"
#include "fiber/fiber.h"
#include "yaml/syntax/syntax.h"

void loaded_init(struct loaded *loaded, struct arena *arena)
{
    *loaded = (struct loaded){ .arena = arena,
                               .diags = { .arena = arena },
                               .packages = { .arena = arena } };
}

void loaded_release(struct loaded *loaded)
{
    diags_release(&loaded->diags);
    packages_release(&loaded->packages);
}

/* Reading goes as deep as the text is nested, so it does not run on a fiber's stack. */
struct reading {
    struct loaded *loaded;
    const struct source *source;
    struct program *program;
};

static void read_on_main_stack(void *reading_)
{
    struct reading *reading = reading_;
    reading->program =
        program_read(reading->loaded->arena, reading->source, &reading->loaded->diags);
}

static struct program *read_source(struct loaded *loaded, const struct source *source)
{
    struct reading reading = { loaded, source, NULL };

    fiber_on_main_stack(read_on_main_stack, &reading);
    return reading.program;
}

void load_text(struct loaded *loaded)
{
    loaded->program = read_source(loaded, &loaded->source);
}

/* --- programs --- */

fallible load_program(struct loaded *loaded, str directory)
{
    static const char *const names[] = { "Main.json", "Main.yaml", "Pulumi.yaml", "Pulumi.yml",
                                         "Pulumi.json" };
    struct error *failure = NULL;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        str path = fs_path_join(loaded->arena, directory, str_from(names[i]));
        error_ignore(failure, "the next name is tried");
        failure = fs_read(loaded->arena, path, YAML_MAX_SIZE, &loaded->source.text);
        loaded->source.name = str_from(names[i]);
        if (!failure || error_kind(failure) != ERROR_NOT_FOUND)
            break;
    }
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_free(failure);
        return error_new(ERROR_NOT_FOUND,
                         "no program in '" STR_FMT "': it is Main.json, Main.yaml or the project "
                         "file",
                         STR_ARG(directory));
    }
    TRY(failure);
    load_text(loaded);
    if (loaded->diags.errors)
        return NULL;
    return packages_search(&loaded->packages, directory);
}

/* --- plugins --- */

static bool set_once(struct loaded *loaded, struct expr **place, struct expr *other,
                     const char *what)
{
    if (*place && other) {
        diags_error(&loaded->diags, other->range, "cannot merge templates with different %s", what);
        return false;
    }
    if (other)
        *place = other;
    return true;
}

static void refuse_root(struct loaded *loaded, bool is_present, const char *field)
{
    if (is_present)
        diags_error(&loaded->diags, (struct range){ 0 },
                    "PulumiPlugin.yaml: root-level `%s` field is not supported in plugins.", field);
}

static void merge(struct loaded *loaded, const struct program *other)
{
    struct program *all = loaded->program;
    size_t len = all->component_count + other->component_count;
    struct component_decl *components = ARENA_ARRAY(loaded->arena, struct component_decl, len + 1);

    refuse_root(loaded, other->config_count, "config");
    refuse_root(loaded, other->variables.len, "variables");
    refuse_root(loaded, other->resource_count, "resources");
    refuse_root(loaded, other->outputs.len, "outputs");
    set_once(loaded, &all->name, other->name, "names");
    set_once(loaded, &all->namespace, other->namespace, "namespaces");
    set_once(loaded, &all->description, other->description, "descriptions");
    set_once(loaded, &all->version, other->version, "versions");
    for (size_t i = 0; i < len; i++)
        components[i] = i < all->component_count ? all->components[i]
                                                 : other->components[i - all->component_count];
    for (size_t i = 0; i < len; i++)
        for (size_t k = 0; k < i; k++)
            if (str_equal(components[i].name, components[k].name))
                diags_error(&loaded->diags, components[i].range,
                            "duplicate component name " STR_FMT, STR_ARG(components[i].name));
    all->components = components;
    all->component_count = len;
}

static fallible load_part(struct loaded *loaded, str directory, str name)
{
    struct source *source = ARENA_NEW(loaded->arena, struct source);

    source->name = name;
    TRY(fs_read(loaded->arena, fs_path_join(loaded->arena, directory, name), YAML_MAX_SIZE,
                &source->text));
    struct program *part = read_source(loaded, source);
    if (loaded->diags.errors == 0)
        merge(loaded, part);
    return NULL;
}

fallible load_plugin(struct loaded *loaded, str directory)
{
    str *names;
    size_t len;

    loaded->program = ARENA_NEW(loaded->arena, struct program);
    loaded->program->source = &loaded->source;
    TRY(fs_list(loaded->arena, directory, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str path = fs_path_join(loaded->arena, directory, names[i]);
        if (str_ends_with(names[i], STR(".yaml")) && fs_is_file(path))
            TRY(load_part(loaded, directory, names[i]));
    }
    if (loaded->diags.errors == 0 && !loaded->program->name)
        diags_error(&loaded->diags, (struct range){ 0 }, "missing required `name` field.");
    if (loaded->diags.errors)
        return NULL;
    return packages_search(&loaded->packages, directory);
}
