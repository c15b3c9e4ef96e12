/* hosted.h — what belongs to the hosted service. */
#pragma once

#include "base/str.h"

/* Is this the URL of a service, and not of a store of the user's? */
bool hosted_is_service(str url);
