/* import_parts.h — the writing of one program; shared by the files that write PCL. */
#pragma once

#include "base/strbuf.h"
#include "cli/codegen/import_program.h"

/* A text of the state that is the ID, the name or the ARN of one of the resources. */
struct import_reference {
    str expression; /* "bucket.id" */
    str urn;
    bool is_ambiguous; /* several have it */
};

struct import_writer {
    const struct import_program *program;
    struct arena *arena;
    struct strbuf text;
    struct map resources;   /* URN → const struct resource *, of the state */
    struct map variables;   /* URN → str * */
    struct map taken;       /* variables in use */
    struct map references;  /* text → struct import_reference * */
    bool has_references;    /* off when they would make a cycle */
    str urn;                /* what is being written */
    struct str_list *edges; /* resources that it refers to */
    unsigned indent;
};

/* A quoted string of PCL. */
void pcl_put_string(struct strbuf *out, str text);
bool pcl_is_identifier(str name);
/* A key: bare where that is an identifier. */
void pcl_put_name(struct strbuf *out, str name);
void pcl_new_line(struct import_writer *writer);

/* The value as the type wants it; no type: as it is. */
void pcl_put_value(struct import_writer *writer, struct value value,
                   const struct schema_type *type);
/* For a property that must be there and is not. */
void pcl_put_zero(struct import_writer *writer, const struct schema_type *type);
/* Nothing, or a reference to a resource that has no variable which can be referred to. */
bool pcl_is_absent(const struct import_writer *writer, struct value value);
