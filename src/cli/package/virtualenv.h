/* virtualenv.h — gives a Python project a virtual environment before anything is installed. */
#pragma once

#include "cli/cli.h"

/* A Python project that says nothing about its environment would be installed into the Python of
 * the system. It gets the option `virtualenv: venv` in its project file, and a message says so.
 * Nothing is changed where the user has chosen: an option (an empty one means the Python of the
 * search path), an environment that is active, or a tool that creates environments itself.
 * Blocks. */
fallible virtualenv_choose(struct cli *cli);
