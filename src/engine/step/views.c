/* views.c — views: which steps providers may describe, and what they have said so far. */
#include "engine/step/views.h"

#include "base/uuid.h"
#include "engine/estate/estate.h"
#include "engine/step/step.h"
#include "engine/step/step_report.h"

void views_release(struct views *views)
{
    map_release(&views->reports);
}

struct status_token status_token_reserve(struct views *views, struct step *step)
{
    if (views->are_refused)
        return (struct status_token){ .views = views };
    struct view_report *report = ARENA_NEW(views->arena, struct view_report);
    str token = uuid_new(views->arena);
    report->owner = step;
    step->views = report;
    map_put(&views->reports, token, report);
    return (struct status_token){ views, views->address, token };
}

void status_token_release(struct status_token *token)
{
    map_remove(&token->views->reports, token->text);
}

struct view_report *views_find(const struct views *views, str token)
{
    return map_find(&views->reports, token);
}

void view_report_add(const struct step_tools *tools, struct view_report *report, struct step *step)
{
    vec_add(&report->steps, step);
    step_report_before(tools->report, step);
}

void views_report_deletes(const struct step_tools *tools, struct step *owner)
{
    struct provider_views known = estate_views(tools->estate, owner->old->urn);
    struct view_report *report = ARENA_NEW(tools->arena, struct view_report);

    if (known.len == 0)
        return;
    report->owner = owner;
    owner->views = report;
    for (size_t i = 0; i < known.len; i++)
        view_report_add(tools, report,
                        step_new(tools->arena, &step_view, OP_DELETE, known.items[i], NULL, NULL));
}
