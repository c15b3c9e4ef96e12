/* go_docs.h — descriptions, which are Markdown, as comments of Go. */
#pragma once

#include "base/strbuf.h"

/* What the references of a description mean: {{% ref #/resources/a:b:C %}}. Gives an empty text for
 * what is not known. */
struct go_doc_names {
    void *context;
    str (*resolve)(void *context, str reference);
};

/* The description as lines of a comment, each behind `indent` (tabs); nothing for an empty one. Of
 * examples only those in Go and for a shell stay. gofmt has nothing to change about the result. A
 * message says why the thing is deprecated; empty: it is not. `names` may be NULL. */
void go_put_docs(struct strbuf *out, str description, str deprecation, const char *indent,
                 const struct go_doc_names *names);
