/* value_describe.c — values in messages to the user: short, and without secrets. */
#include "model/value_describe.h"

#include "base/json.h"
#include "model/value_json.h"

void value_describe(struct strbuf *out, struct value value)
{
    struct json_writer writer = { .out = out };

    if (value.kind == VALUE_STRING)
        strbuf_add(out, value_text(value));
    else if (value.kind == VALUE_NULL)
        strbuf_add(out, STR("<nil>"));
    else if (value.kind == VALUE_COMPUTED)
        strbuf_add(out, STR("[unknown]"));
    else
        value_write(&writer, value, SECRET_MASKED);
}
