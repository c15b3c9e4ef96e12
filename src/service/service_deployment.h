/* service_deployment.h — operations that the service runs: created, their log, their end. All of it
 * blocks but the reading of answers. */
#pragma once

#include "service/service_crypter.h"

struct service_deployment {
    struct service_place place; /* the stack */
    str id;
    str page; /* for people */
};
/* `request` is JSON. Fills in the rest. */
fallible service_deployment_create(struct service *service, str request, struct arena *arena,
                                   struct service_deployment *inout);

struct service_log {
    struct strs lines;
    str next; /* where the log goes on; empty: it has ended */
};
/* `from` is empty at the beginning. */
fallible service_deployment_log(struct service *service,
                                const struct service_deployment *deployment, str from,
                                struct arena *arena, struct service_log *out);
/* "succeeded", "failed", … */
fallible service_deployment_status(struct service *service,
                                   const struct service_deployment *deployment, struct arena *arena,
                                   str *out);

/* Out of the text of an answer. Pure. */
fallible service_log_read(struct arena *arena, str text, struct service_log *out);
