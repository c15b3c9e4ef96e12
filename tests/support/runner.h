/* runner.h — runs scenarios and says which held. */
#pragma once

#include "model/resource.h"

/* `self`: the path of this executable. Returns the exit code of the process. */
int runner_main(str self, struct strs arguments);
