/* hosted.h — what belongs to the hosted service. */
#pragma once

#include "base/error.h"

/* What a backend that knows no environments says; `host` is its name. */
fallible hosted_no_environments(str host);
