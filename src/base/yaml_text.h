/* yaml_text.h — private to yaml_*.c: the text of single nodes. */
#pragma once

#include "base/strbuf.h"
#include "base/yaml.h"

/* Does it fit on the line of its key: a scalar that is no block, a flow collection or an empty
 * one? */
bool yaml_is_inline(const struct yaml_node *node);

/* The text of an inline node, or of any node forced onto one line. */
void yaml_add_inline(struct strbuf *out, const struct yaml_node *node);

/* A key and its colon. */
void yaml_add_key(struct strbuf *out, const struct yaml_node *key, size_t indent);

/* What follows "key:": a blank and an inline text, or lines with the given indent. No newline at
 * the end. */
void yaml_add_value(struct strbuf *out, const struct yaml_node *value, size_t indent);

/* What follows "- " in a column: the first line there, the others indented. No newline at the
 * end. */
void yaml_add_item(struct strbuf *out, const struct yaml_node *item, size_t indent);

/* `|-` and so on, or nothing for a collection: what of a value that is not inline stays on the line
 * of its key. */
str yaml_block_header(const struct yaml_node *node);
/* The lines that follow it, without a newline at the end. */
void yaml_add_block(struct strbuf *out, const struct yaml_node *node, size_t indent);
