/* json_print.h — JSON documents on standard output, and the options that ask for them. */
#pragma once

#include "base/json.h"

struct json_print {
    struct strbuf text;
    struct json_writer writer;
};

/* `indent` blanks a level; 0: one line. */
struct json_writer *json_print_begin(struct json_print *print, unsigned indent);
/* Writes it with a newline behind. */
void json_print_end(struct json_print *print);

/* What --output and its older form --json say. */
fallible output_is_json(str output, bool json, bool *out);
