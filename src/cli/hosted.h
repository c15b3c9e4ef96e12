/* hosted.h — what belongs to the hosted service. */
#pragma once

#include "base/error.h"

/* Is this the URL of a service, and not of a store of the user's? */
bool hosted_is_service(str url);

/* What a backend that knows no environments says; `host` is its name. */
fallible hosted_no_environments(str host);
