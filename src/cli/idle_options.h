/* idle_options.h — options that are accepted and change nothing here. */
#pragma once

#include "cli/cli.h"

/* A warning for each that was given. */
void idle_options_report(const struct cli *cli);
