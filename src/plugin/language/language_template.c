/* language_template.c — asks a language host about a program that is being made. */
#include "plugin/language/language_parts.h"

#include "plugin/provider/provider_errors.h"

#include "pb/language.pb-c.h"

typedef Pb__RuntimeOptionPrompt__RuntimeOptionValue option_value;

static str option_text(struct arena *arena, const option_value *value, bool is_number)
{
    if (!value)
        return STR("");
    return is_number ? arena_printf(arena, "%d", value->int32_value)
                     : arena_copy(arena, message_str(value->string_value));
}

static struct runtime_prompt read_prompt(struct arena *arena, const Pb__RuntimeOptionPrompt *from)
{
    bool is_number = from->prompt_type == PB__RUNTIME_OPTION_PROMPT__RUNTIME_OPTION_TYPE__INT32;
    struct runtime_choice *choices = ARENA_ARRAY(arena, struct runtime_choice, from->n_choices + 1);

    for (size_t i = 0; i < from->n_choices; i++) {
        str shown = message_str(from->choices[i]->display_name);
        choices[i].value = option_text(arena, from->choices[i], is_number);
        choices[i].shown = shown.len ? arena_copy(arena, shown) : choices[i].value;
    }
    return (struct runtime_prompt){
        .key = arena_copy(arena, message_str(from->key)),
        .description = arena_copy(arena, message_str(from->description)),
        .choices = choices,
        .choice_count = from->n_choices,
        .preset = option_text(arena, from->default_, is_number),
        .is_number = is_number,
    };
}

fallible language_runtime_prompts(struct language *language, const struct program_info *program,
                                  struct arena *arena, struct runtime_prompts *out)
{
    Pb__RuntimeOptionsRequest request = PB__RUNTIME_OPTIONS_REQUEST__INIT;
    Pb__ProgramInfo info;
    void *answer;

    *out = (struct runtime_prompts){ 0 };
    TRY(language_program_info(arena, program, &info));
    request.info = &info;
    struct error *failure =
        language_call(language, "/pulumirpc.LanguageRuntime/RuntimeOptionsPrompts", &request.base,
                      &pb__runtime_options_response__descriptor, arena, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "a host without options");
        return NULL;
    }
    TRY(provider_error(failure));
    const Pb__RuntimeOptionsResponse *response = answer;
    out->items = ARENA_ARRAY(arena, struct runtime_prompt, response->n_prompts + 1);
    for (size_t i = 0; i < response->n_prompts; i++)
        out->items[out->len++] = read_prompt(arena, response->prompts[i]);
    return NULL;
}

fallible language_fill_template(struct language *language, const struct program_info *program,
                                str project_name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__TemplateRequest request = PB__TEMPLATE_REQUEST__INIT;
    Pb__ProgramInfo info;
    void *answer;

    TRY(language_program_info(&scratch, program, &info));
    request.info = &info;
    request.project_name = message_cstr(&scratch, project_name);
    struct error *failure =
        language_call(language, "/pulumirpc.LanguageRuntime/Template", &request.base,
                      &pb__template_response__descriptor, &scratch, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "a host that adds nothing");
        return NULL;
    }
    return provider_error(failure);
}
