/* template_folder.h — private to this folder: the files of a template on the disk. */
#pragma once

#include "template/template.h"

enum { TEMPLATE_DEPTH_MAX = 64 }; /* folders around a file, in a template of any origin */

/* Lists the files of a template that is a folder; nothing for others. Links to files count as
 * files; version control is left out. Blocks the thread. */
fallible template_load_files(struct arena *arena, struct template *template);
