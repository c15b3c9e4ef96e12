/* pcl_syntax.h — whether a text is PCL at all: blocks, attributes and expressions of the whole
 * language, templates, operators and loops among them. What they mean is not looked at. */
#pragma once

#include "base/error.h"

/* ERROR_INVALID where it is none, with the line. */
fallible pcl_syntax_check(str text);
