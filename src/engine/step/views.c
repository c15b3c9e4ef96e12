/* views.c — views: which steps providers may describe, and what they have said so far. */
#include "engine/step/views.h"

#include "base/uuid.h"
#include "engine/estate/estate.h"
#include "engine/step/step.h"
#include "engine/step/step_report.h"
#include "model/urn.h"

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

void step_view_belongs(struct step *step, const struct step *owner)
{
    if (!step_is(owner, STEP_REFRESHES))
        return;
    step->view_result = step->op;
    step->op = OP_REFRESH;
    step->is_during_program = owner->is_during_program;
}

struct resource *view_known(const struct step_tools *tools, const struct step *owner, str urn)
{
    struct provider_views known =
        estate_views(tools->estate, owner->old ? owner->old : step_resource(owner));

    for (size_t i = 0; i < known.len; i++)
        if (str_equal(known.items[i]->type, urn_type_of(urn))
            && str_equal(urn_name_of(known.items[i]->urn), urn_name_of(urn)))
            return known.items[i];
    return NULL;
}

static struct view_report *report_of(const struct step_tools *tools, struct step *owner)
{
    if (!owner->views) {
        owner->views = ARENA_NEW(tools->arena, struct view_report);
        owner->views->owner = owner;
    }
    return owner->views;
}

static bool was_told_of(const struct view_report *report, const struct resource *view)
{
    for (size_t i = 0; report && i < report->steps.len; i++)
        if (report->steps.items[i]->old == view)
            return true;
    return false;
}

static struct step *view_goes(const struct step_tools *tools, const struct step *owner,
                              struct resource *view)
{
    struct step *step = step_new(tools->arena, &step_view, OP_DELETE, view, NULL, NULL);

    step_view_belongs(step, owner);
    return step;
}

static void report_deletes(const struct step_tools *tools, struct step *owner,
                           struct provider_views known, bool only_replaced)
{
    for (size_t i = 0; i < known.len; i++)
        if (!was_told_of(owner->views, known.items[i])
            && (!only_replaced || known.items[i]->is_delete))
            view_report_add(tools, report_of(tools, owner),
                            view_goes(tools, owner, known.items[i]));
}

void views_report_deletes(const struct step_tools *tools, struct step *owner, bool only_replaced)
{
    const struct resource *old = owner->old;

    report_deletes(tools, owner, estate_views(tools->estate, old), only_replaced);
    report_deletes(tools, owner, estate_replaced_views(tools->estate, old), only_replaced);
}
