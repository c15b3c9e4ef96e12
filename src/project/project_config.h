/* project_config.h — private to this folder: the `config` section of a project file. */
#pragma once

#include "project/project.h"

/* Fills project->config from the document. */
fallible project_read_config(struct arena *arena, struct project *project);
