/* diag.h — complaints about a program, each with its place in the text. */
#pragma once

#include "base/error.h"
#include "base/vec.h"

struct strbuf;
struct yaml_node;

struct source {
    str name; /* as shown: Pulumi.yaml */
    str text;
};

/* Lines and columns from 1, the end exclusive; line 0: no place. */
struct range {
    const struct source *source;
    size_t line;
    size_t column;
    size_t end_line;
    size_t end_column;
};

enum diag_severity { DIAG_ERROR, DIAG_WARNING };

struct diag {
    enum diag_severity severity;
    struct range range;
    str summary;
    str detail; /* may be empty */
    bool is_shown;
};

struct diags {
    VEC(struct diag);
    struct arena *arena; /* for texts */
    size_t errors;
};

void diags_release(struct diags *diags);

/* Where a node is. A mapping or sequence ends where its last scalar ends, a scalar after its text.
 * NULL: no place. */
struct range node_range(const struct source *source, const struct yaml_node *node);

struct diag *diags_add(struct diags *diags, enum diag_severity severity, struct range range,
                       str summary, str detail);
struct diag *diags_error(struct diags *diags, struct range range, const char *format, ...)
    PRINTF(3, 4);
struct diag *diags_warn(struct diags *diags, struct range range, const char *format, ...)
    PRINTF(3, 4);

/* Severity, summary, the lines of the source with the range marked, detail. */
void diag_write(struct strbuf *out, const struct diag *diag, bool is_colored);

/* On one line: FILE:LINE,COLUMN-COLUMN: summary; detail. */
void diag_write_short(struct strbuf *out, const struct diag *diag);

/* All of them in that form: one bare, several behind "-error: " and "-warning: ". */
str diags_text(struct arena *arena, const struct diags *diags);
