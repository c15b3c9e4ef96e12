/* template_guide.c — questions that lead to a template. */
#include "cli/new/template_guide.h"

#include "base/program.h"
#include "cli/new/template_source.h"
#include "cli/screen/prompt.h"

enum { PROVIDERS = 4, LANGUAGES = 8 };

static const struct guide_word {
    const char *shown;
    const char *word; /* in the names of templates */
} providers[PROVIDERS] = { { "AWS", "aws" },
                           { "Azure", "azure" },
                           { "Google Cloud", "gcp" },
                           { "Basic Pulumi Program", "" } },
  languages[LANGUAGES] = { { "TypeScript", "typescript" },
                           { "Python", "python" },
                           { "Go", "go" },
                           { "C#", "csharp" },
                           { "Java", "java" },
                           { "YAML", "yaml" },
                           { "JavaScript", "javascript" },
                           { "Visual Basic", "visualbasic" } };

static const struct template *guided_template(struct arena *arena, const struct templates *list,
                                              const struct guide_word *provider,
                                              const struct guide_word *language)
{
    str name = provider->word[0] ? arena_printf(arena, "%s-%s", provider->word, language->word)
                                 : str_from(language->word);

    return template_find(list, name);
}

static bool has_any(struct arena *arena, const struct templates *list,
                    const struct guide_word *provider)
{
    for (size_t i = 0; i < LANGUAGES; i++)
        if (guided_template(arena, list, provider, &languages[i]))
            return true;
    return false;
}

static fallible none_chosen(struct error *failure)
{
    if (!failure || error_kind(failure) != ERROR_CANCELED)
        return failure;
    error_free(failure);
    return error_new(ERROR_CANCELED, "no template selected; please use `%s new` to choose one",
                     program_name());
}

fallible template_guide_list(struct cli *cli, struct templates *list, size_t *out)
{
    const char **lines = template_source_lines(cli, list);
    str question = arena_printf(cli->arena, "Please choose a template (%zu total):", list->len);

    return none_chosen(prompt_choice(cli, question.ptr, lines, 0, out));
}

/* *is_back: the language was not chosen, so the provider is asked again. */
static fallible choose_language(struct cli *cli, const struct templates *list,
                                const struct guide_word *provider, size_t *out, bool *is_back)
{
    const char *names[LANGUAGES + 1] = { NULL };
    const struct template *found[LANGUAGES];
    size_t count = 0, chosen;

    for (size_t i = 0; i < LANGUAGES; i++) {
        const struct template *template =
            guided_template(cli->arena, list, provider, &languages[i]);
        if (!template)
            continue;
        found[count] = template;
        names[count++] = languages[i].shown;
    }
    struct error *failure =
        prompt_choice(cli, "Which language would you like to use?", names, 0, &chosen);
    *is_back = failure && error_kind(failure) == ERROR_CANCELED;
    if (*is_back) {
        error_ignore(failure, "back to the provider");
        return NULL;
    }
    TRY(failure);
    *out = (size_t)(found[chosen] - list->items);
    return NULL;
}

fallible template_guide(struct cli *cli, struct templates *list, size_t *out)
{
    const char *names[PROVIDERS + 2] = { NULL };
    const struct guide_word *offered[PROVIDERS];
    size_t count = 0, chosen = 0;
    bool is_back = true;

    for (size_t i = 0; i < PROVIDERS; i++) {
        if (!has_any(cli->arena, list, &providers[i]))
            continue;
        offered[count] = &providers[i];
        names[count++] = providers[i].shown;
    }
    names[count] = "Browse all templates";
    while (is_back) {
        TRY(none_chosen(
            prompt_choice(cli, "Which provider would you like to use?", names, chosen, &chosen)));
        if (chosen == count)
            return template_guide_list(cli, list, out);
        TRY(choose_language(cli, list, offered[chosen], out, &is_back));
    }
    return NULL;
}
