/* views.h — resources inside a resource, told by its provider while it works on it
 * (monitor/views.c). */
#pragma once

#include "base/error.h"

struct deployment;
struct step;

/* What a provider needs to tell; released when its call has returned. */
struct status_token {
    struct deployment *deployment;
    str address;
    str text;
};
struct status_token status_token_reserve(struct deployment *deployment, struct step *step);
void status_token_release(struct status_token *token);
/* What was told while a step ran is told on and recorded. */
fallible views_execute(struct deployment *deployment, struct step *owner);
/* A preview of a delete shows the deletes of the views. */
void views_publish_deletes(struct deployment *deployment, struct step *step);
