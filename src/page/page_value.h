/* page_value.h — property values as pages have them: nothing secret, no contents of assets. */
#pragma once

#include "base/json.h"
#include "model/value.h"

/* A member that is there only if the text is not empty. */
void page_member_text(struct json_writer *writer, str key, str text);

/* Of a state: typed. A secret is {SIGNATURE_KEY: SIGNATURE_SECRET} and nothing else. */
void page_value_write_state(struct json_writer *writer, struct value value);

/* Of an event: plain JSON, in which secrets are objects with a signature. What they hold, sealed or
 * not, is left out. */
void page_value_write_plain(struct json_writer *writer, struct value value);
