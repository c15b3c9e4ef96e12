/* value_json.h — property values as the JSON of checkpoints, events and `stack output`. */
#pragma once

#include "base/json.h"
#include "model/value.h"

enum secret_form {
    SECRET_CIPHERTEXT, /* {SIG, ciphertext}; every secret must be sealed */
    SECRET_PLAINTEXT,  /* {SIG, plaintext: "<json text>"}; every secret must be open */
    SECRET_NESTED,     /* inside a secret's own text: {SIG, ciphertext: "<json text>"} */
    SECRET_BLINDED,    /* {SIG, ciphertext: "[secret]"} */
    SECRET_MASKED,     /* just "[secret]" */
    SECRET_BARE,       /* the element itself */
};

void value_write(struct json_writer *writer, struct value value, enum secret_form form);
/* The text that is encrypted for a secret: compact, HTML-escaped. */
str value_secret_text(struct arena *arena, struct value element);

/* Reads one value, signatures understood. Strings may be slices of the input. Ciphertexts stay
 * sealed. Deeper nesting than VALUE_MAX_DEPTH is an error. */
fallible value_read(struct json_reader *reader, struct value *out);
/* A map of properties: one of them may have the name of the signature key, which means nothing
 * there. */
fallible value_read_properties(struct json_reader *reader, struct value *out);
/* The text of a decrypted secret; strings may be slices of it. `depth`: how deep the secret is
 * nested itself, 0 if that is not known. */
fallible value_from_secret_text(struct arena *arena, str text, unsigned depth, struct value *out);
/* Plain JSON: no signature means anything. */
fallible value_read_plain(struct json_reader *reader, struct value *out);
/* The same, where whole numbers of 64 bits keep all their digits (value_integer). */
fallible value_read_exact(struct json_reader *reader, struct value *out);
