/* xml.h — answers of services in XML, which are flat: elements are found by name, attributes do not
 * matter, no element contains another of its own name. Pure. */
#pragma once

#include "base/arena.h"

/* The next element of this name in *rest: what is between its tags, as it is written. *rest goes on
 * behind it. False: there is none that is complete. */
bool xml_next(str *rest, const char *name, str *content);
/* The text of the first element of this name, decoded; empty if there is none. */
str xml_text(struct arena *arena, str document, const char *name);
