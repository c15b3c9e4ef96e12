/* json_print.c — collects a document and writes it at once. */
#include "cli/screen/json_print.h"

#include <stdio.h>

struct json_writer *json_print_begin(struct json_print *print, unsigned indent)
{
    *print = (struct json_print){ 0 };
    print->writer = (struct json_writer){ .out = &print->text, .indent = indent };
    return &print->writer;
}

void json_print_end(struct json_print *print)
{
    strbuf_add_char(&print->text, '\n');
    fwrite(print->text.ptr, 1, print->text.len, stdout);
    strbuf_release(&print->text);
}

fallible output_is_json(str output, bool json, bool *out)
{
    if (output.len && !str_equal(output, STR("default")) && !str_equal(output, STR("json")))
        return error_new(ERROR_INVALID,
                         "invalid argument \"" STR_FMT "\" for \"--output\" flag: output \"" STR_FMT
                         "\" not supported, valid values are: default or json",
                         STR_ARG(output), STR_ARG(output));
    *out = json || str_equal(output, STR("json"));
    return NULL;
}
