/* template_guide.h — helps to choose a template: by provider and language, or from the list. */
#pragma once

#include "cli/cli.h"
#include "template/template.h"

/* Provider, then language; or "Browse all templates". Without a choice: "no template selected".
 * Gives an index of the list, which may be sorted. Blocks the whole program. */
fallible template_guide(struct cli *cli, struct templates *list, size_t *out);
/* All of them. */
fallible template_guide_list(struct cli *cli, struct templates *list, size_t *out);
