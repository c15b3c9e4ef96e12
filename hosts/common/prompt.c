/* prompt.c — questions about runtime options that `new` asks. */
#include "common/prompt.h"

#include "common/host.h"
#include "proto/message.h"

static Pb__RuntimeOptionPrompt__RuntimeOptionValue *new_choice(struct arena *arena, str name,
                                                               bool is_missing)
{
    Pb__RuntimeOptionPrompt__RuntimeOptionValue *choice =
        ARENA_NEW(arena, Pb__RuntimeOptionPrompt__RuntimeOptionValue);

    pb__runtime_option_prompt__runtime_option_value__init(choice);
    choice->string_value = message_cstr(arena, name);
    choice->display_name =
        message_cstr(arena, is_missing ? arena_concat(arena, name, STR(" [not found]")) : name);
    return choice;
}

/* Those that are there come first. */
static void add_choices(struct host *host, struct arena *arena, Pb__RuntimeOptionPrompt *prompt,
                        const char *const *choices, bool are_missing)
{
    for (size_t i = 0; choices[i]; i++) {
        str name = str_from(choices[i]);
        if ((host_find_executable(host, arena, name).len == 0) == are_missing)
            prompt->choices[prompt->n_choices++] = new_choice(arena, name, are_missing);
    }
}

void prompt_add(struct host *host, struct arena *arena, Pb__RuntimeOptionsResponse *response,
                const char *key, const char *description, const char *const *choices)
{
    Pb__RuntimeOptionPrompt *prompt = ARENA_NEW(arena, Pb__RuntimeOptionPrompt);
    Pb__RuntimeOptionPrompt **list =
        ARENA_ARRAY(arena, Pb__RuntimeOptionPrompt *, response->n_prompts + 1);
    size_t count = 0;

    pb__runtime_option_prompt__init(prompt);
    prompt->key = message_cstr(arena, str_from(key));
    prompt->description = message_cstr(arena, str_from(description));
    while (choices[count])
        count++;
    prompt->choices = ARENA_ARRAY(arena, Pb__RuntimeOptionPrompt__RuntimeOptionValue *, count);
    add_choices(host, arena, prompt, choices, false);
    add_choices(host, arena, prompt, choices, true);
    prompt->default_ = new_choice(arena, str_from(choices[0]), false);
    for (size_t i = 0; i < response->n_prompts; i++)
        list[i] = response->prompts[i];
    list[response->n_prompts++] = prompt;
    response->prompts = list;
}
