/* template_pack.h — private to this folder: the built-in templates, packed. */
#pragma once

#include "template/template.h"

/* Records of files, as tools/pack-templates writes them. */
str template_pack_bytes(void);

/* Takes the next record off; false at the end. A record that is not whole is a mistake of the
 * build. */
bool template_pack_next(str *rest, str *name, struct template_file *file);

/* A tree of files as a template or a collection; what the folders and archives share. `name` is
 * what a template at the top is called. */
void template_from_files(struct arena *arena, enum template_kind kind, str name,
                         struct template_files files, struct templates *out, bool *is_collection);
