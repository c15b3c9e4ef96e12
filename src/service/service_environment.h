/* service_environment.h — environments that the service evaluates: configuration and variables for
 * stacks that name them. */
#pragma once

#include "model/value.h"
#include "service/service.h"

struct service_environment {
    struct value config;    /* VALUE_OBJECT: keys of configuration; secrets are open */
    struct value variables; /* VALUE_OBJECT of texts, some of them secret */
    struct value files;     /* VALUE_OBJECT of contents, by the variable that gets the path */
    struct value policies;  /* VALUE_OBJECT: settings by policies; secrets are open */
    struct value all;       /* VALUE_OBJECT: these and everything else; secrets are open */
};

enum environment_depth {
    ENVIRONMENT_CHECKED, /* evaluated without opening: what is secret is not told */
    ENVIRONMENT_OPENED,
};

/* `definition` is YAML or JSON: {"imports":["project/environment", …], …}. Blocks. */
fallible service_environment_read(struct service *service, str organization, str definition,
                                  enum environment_depth depth, struct arena *arena,
                                  struct service_environment *out);
/* Makes an environment; `definition` is YAML. There must be none of that name. Blocks. */
fallible service_environment_create(struct service *service, str organization, str project,
                                    str name, str definition);
/* Out of the text of an answer. Pure. */
fallible service_environment_parse(struct arena *arena, str text, struct service_environment *out);
