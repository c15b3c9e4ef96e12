/* views.h — views: resources inside a resource, which its provider describes while it works on
 * it. */
#pragma once

#include "base/map.h"
#include "base/vec.h"

struct arena;
struct resource;
struct step;
struct step_tools;

/* What a provider said of the views of one step's resource. */
struct view_report {
    struct step *owner;
    struct {
        VEC(struct step *);
    } steps;
};

struct views {
    struct arena *arena; /* of the operation */
    str address;         /* of the service that providers send to */
    bool are_refused;    /* nothing that is imported has views yet */
    struct map reports;  /* token → struct view_report * of a step under way */
};

void views_release(struct views *views);

/* What a provider needs to describe views; released when its call has returned. */
struct status_token {
    struct views *views;
    str address;
    str text;
};
struct status_token status_token_reserve(struct views *views, struct step *step);
void status_token_release(struct status_token *token);
/* NULL: no step under way has this token. */
struct view_report *views_find(const struct views *views, str token);
/* Adds what is shown at once and recorded when the owner's step has ended. */
void view_report_add(const struct step_tools *tools, struct view_report *report, struct step *step);
/* The view of the owner as it was before this step that has the type and the name of this URN; the
 * owner may have had another name. NULL: there is none. */
struct resource *view_known(const struct step_tools *tools, const struct step *owner, str urn);
/* What a refresh finds out about a view is a refresh of the view. */
void step_view_belongs(struct step *step, const struct step *owner);
/* With their owner go the views that no provider has spoken of: in a preview, where only the state
 * is changed, and where a refresh finds the owner gone. With an instance that was replaced, only
 * those go that were replaced, too. */
void views_report_deletes(const struct step_tools *tools, struct step *owner, bool only_replaced);
