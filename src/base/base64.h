/* base64.h — bytes as base64 text: standard with padding, and for URLs. */
#pragma once

#include "base/strbuf.h"

void base64_encode(struct strbuf *out, str bytes);

/* Line breaks between the characters are allowed. False, with `out` undefined, if the text is not
 * base64. */
bool base64_decode(struct strbuf *out, str text);

/* For URLs: - and _ in place of + and /, and no padding. */
void base64_encode_url(struct strbuf *out, str bytes);
/* Padding is allowed. */
bool base64_decode_url(struct strbuf *out, str text);
