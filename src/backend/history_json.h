/* history_json.h — entries of the history and tags as text; for every kind of backend. No I/O. */
#pragma once

#include "backend/history.h"
#include "base/strbuf.h"

void history_entry_format(struct strbuf *out, const struct history_entry *entry);
fallible history_entry_parse(struct arena *arena, str text, struct history_entry *out);

void tags_format(struct strbuf *out, const struct tags *tags);
fallible tags_parse(struct arena *arena, str text, struct tags *out);
/* With one more, or with another value of it, or (no value) without it. */
struct tags tags_change(struct arena *arena, const struct tags *tags, str name, const str *value);
