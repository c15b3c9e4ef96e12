/* code.c — GenerateProgram: PCL and schemas in, a program out. */
#include "common/code.h"

#include "common/loader.h"
#include "proto/message.h"

#include "pb/language.pb-c.h"

static fallible code_load_schema(void *loader, const struct pcl_package *package,
                                 struct arena *arena, str *json)
{
    const struct schema_dependency wanted = {
        .name = package->plugin,
        .version = package->version,
        .download_url = package->download_url,
        .parameter_name = package->parameter_name,
        .parameter_version = package->parameter_version,
        .parameter_value = loader_parameter_text(arena, package->parameter_value),
    };
    return loader_load(loader, &wanted, arena, json);
}

static fallible code_print(struct arena *arena, const Pb__GenerateProgramRequest *request,
                           pcl_print *print, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct loader source = { .address = message_str(request->loader_target) };
    const struct pcl_loader loader = { &source, code_load_schema };
    struct pcl_program program = { 0 };

    /* Lines are counted in the file that has them. */
    for (size_t i = 0; i < request->n_source; i++) {
        struct pcl_body body;
        TRY(error_wrap(pcl_read(arena, message_str(request->source[i]->value), &body), "%s",
                       request->source[i]->key));
        strbuf_add(&text, message_str(request->source[i]->value));
        strbuf_add_char(&text, '\n');
    }
    struct error *failure =
        pcl_program_read(arena, arena_copy(arena, strbuf_str(&text)), &loader, &program);
    if (!failure)
        failure = print(&program, out);
    pcl_program_release(&program);
    loader_release(&source);
    return failure;
}

Pb__Diagnostic **code_complaint(struct arena *arena, struct error *failure)
{
    Pb__Diagnostic **list = ARENA_NEW(arena, Pb__Diagnostic *);
    Pb__Diagnostic *diagnostic = ARENA_NEW(arena, Pb__Diagnostic);

    pb__diagnostic__init(diagnostic);
    diagnostic->severity = PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR;
    diagnostic->summary = message_cstr(arena, error_message(failure));
    error_free(failure);
    *list = diagnostic;
    return list;
}

fallible code_generate_program(struct arena *arena, const char *file, pcl_print *print, str request,
                               str *response)
{
    Pb__GenerateProgramResponse answer = PB__GENERATE_PROGRAM_RESPONSE__INIT;
    Pb__BytesEntry entry = PB__BYTES_ENTRY__INIT, *entries[] = { &entry };
    void *message;
    str text = STR("");

    TRY(message_request(arena, &pb__generate_program_request__descriptor, request, &message));
    struct error *failure = code_print(arena, message, print, &text);
    if (failure) {
        answer.diagnostics = code_complaint(arena, failure);
        answer.n_diagnostics = 1;
    } else {
        entry.key = message_cstr(arena, str_from(file));
        entry.value = message_binary(text);
        answer.source = entries;
        answer.n_source = 1;
    }
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}
