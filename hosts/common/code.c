/* code.c — what a host answers that is asked to write a program. */
#include "common/code.h"

#include "base/strbuf.h"
#include "proto/message.h"

#include "pb/language.pb-c.h"

static void add_comment(struct strbuf *out, const struct code_style *style, str line)
{
    strbuf_printf(out, "%s%s", style->comment, line.len > 0 ? " " : "");
    strbuf_add(out, line);
    strbuf_add_char(out, '\n');
}

static void code_add_lines(struct strbuf *out, const struct code_style *style, str text)
{
    while (text.len > 0) {
        str line = text, rest = STR("");
        str_cut(text, STR("\n"), &line, &rest);
        add_comment(out, style, line);
        text = rest;
    }
}

static str comments(struct arena *arena, const struct code_style *style,
                    const Pb__GenerateProgramRequest *request)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    add_comment(&text, style, STR("This language host does not write code yet. Please write the"));
    add_comment(&text, style, STR("following declarations into your program by hand:"));
    for (size_t i = 0; i < request->n_source; i++) {
        add_comment(&text, style, STR(""));
        code_add_lines(&text, style, message_str(request->source[i]->value));
    }
    return arena_copy(arena, strbuf_str(&text));
}

fallible code_as_comments(struct arena *arena, const struct code_style *style, str request,
                          str *response)
{
    Pb__GenerateProgramResponse answer = PB__GENERATE_PROGRAM_RESPONSE__INIT;
    Pb__Diagnostic diagnostic = PB__DIAGNOSTIC__INIT, *diagnostics[] = { &diagnostic };
    Pb__BytesEntry entry = PB__BYTES_ENTRY__INIT, *entries[] = { &entry };
    void *message;

    TRY(message_request(arena, &pb__generate_program_request__descriptor, request, &message));
    diagnostic.severity = PB__DIAGNOSTIC_SEVERITY__DIAG_WARNING;
    diagnostic.summary = message_cstr(arena, STR("this language host does not write code yet"));
    answer.diagnostics = diagnostics;
    answer.n_diagnostics = 1;
    entry.key = message_cstr(arena, str_from(style->file));
    entry.value = message_binary(comments(arena, style, message));
    answer.source = entries;
    answer.n_source = 1;
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}
