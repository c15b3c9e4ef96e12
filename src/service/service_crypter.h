/* service_crypter.h — secrets that the service seals and unseals for a stack: what many fibers ask
 * for at the same time is one request, and what was seen once is not asked for again. */
#pragma once

#include "model/crypter.h"
#include "service/service.h"

/* "/api/stacks/ORGANIZATION/PROJECT/STACK" */
struct service_place {
    str organization;
    str project;
    str stack;
};
str service_place_path(struct arena *arena, const struct service_place *place);

struct service_crypter;
/* The service is borrowed. `forgets`: a secret that is sealed again gets a new ciphertext. */
struct service_crypter *service_crypter_open(struct service *service,
                                             const struct service_place *place, bool forgets);
void service_crypter_close(struct service_crypter *owned);
struct crypter *service_crypter_face(struct service_crypter *crypter);
