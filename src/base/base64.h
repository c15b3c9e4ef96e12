/* base64.h — bytes as standard base64 text with padding. */
#pragma once

#include "base/strbuf.h"

void base64_encode(struct strbuf *out, str bytes);

/* Line breaks between the characters are allowed. False, with `out` undefined, if the text is not
 * base64. */
bool base64_decode(struct strbuf *out, str text);
