/* import.c — `import`: brings existing resources under management without running a program. */
#include "engine/deployment.h"

struct error *import_resources(struct deployment *deployment)
{
    (void)deployment;
    return error_new(ERROR_OTHER, "import is not supported yet");
}
