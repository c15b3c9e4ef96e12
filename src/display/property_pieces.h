/* property_pieces.h — the parts of which lines of properties are made. Seen only by
 * property_*.c. */
#pragma once

#include "display/property_text.h"

/* The same printer with another mark, or further in. */
struct property_printer piece_with(const struct property_printer *printer, enum step_op op,
                                   bool has_mark);
struct property_printer piece_deeper(const struct property_printer *printer, unsigned levels);

/* Text in the colour of the step. */
void piece_add(const struct property_printer *printer, str text);
/* A bracket on a line of its own, without a newline. */
void piece_close(const struct property_printer *printer, str bracket);
/* "key : ", with indent and mark. */
void piece_title(const struct property_printer *printer, str key, size_t width);

void piece_value(const struct property_printer *printer, struct value value);
/* With a newline behind. */
void piece_line_value(const struct property_printer *printer, struct value value);

/* Two archives that differ: only the members that do. */
void piece_archive_change(const struct property_printer *printer, struct property_title title,
                          struct value old, struct value new);

/* "json" or "yaml" if the text holds an object or array of that kind, and nothing else; else
 * NULL. */
const char *piece_decode(struct arena *arena, str text, struct value *out);
/* Quoted as Go does: escapes for what cannot be seen. */
void piece_add_quoted(struct strbuf *out, str text);
