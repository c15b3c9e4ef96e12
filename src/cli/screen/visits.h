/* visits.h — a browser on this machine asks us over HTTP. */
#pragma once

#include "base/error.h"

/* What a request wants; the empty one is none that we can read. */
struct visit {
    str method;
    str target; /* as sent: "/?a=b" */
    str host;   /* "localhost:8008" */
    str head;   /* all of it */
};
struct visit visit_parse(str head);
/* Whether the browser was led to this machine under a name of its own. Names of others may lead
 * here, too, so that their pages can ask us. */
bool visit_is_local(const struct visit *visit);

/* Writes the whole answer, in the arena; false: no further visit is waited for. */
typedef bool visit_answer(void *context, struct arena *arena, const struct visit *visit, str *out);

struct visits;
/* Listens at 127.0.0.1 on this port, or on a free one (0). Each visit has a fiber of its own. */
fallible visits_open(uint16_t port, visit_answer *answer, void *context, struct visits **out);
uint16_t visits_port(const struct visits *visits);
/* Until an answer says so. Blocks; ERROR_CANCELED. */
fallible visits_wait(struct visits *visits);
void visits_close(struct visits *owned); /* blocks */
