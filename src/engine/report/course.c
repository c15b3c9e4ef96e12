/* course.c — whether an operation still goes on. */
#include "engine/report/course.h"

#include "engine/report/report.h"
#include "fiber/fiber.h"

void course_stop(struct course *course)
{
    course->has_stopped = true;
    if (course->waits)
        cancel_fire(course->waits);
    latch_open(&course->stopped);
}

void course_fail(struct course *course, str urn, struct error *owned)
{
    bool is_stopping = error_kind(owned) == ERROR_CANCELED && course->has_stopped;

    if (is_stopping || course->is_closing) {
        error_ignore(owned, "it only says that the operation has stopped; the cause is reported");
        return;
    }
    if (!error_is_reported(owned))
        report_diagnose(course->report, SEVERITY_ERROR, urn, STR_FMT,
                        STR_ARG(error_message(owned)));
    error_free(owned);
    course->has_failed = true;
    course_stop(course);
}

void course_refuse(struct course *course, struct error *owned)
{
    course->refusal = error_join(course->refusal, owned);
    course->has_failed = true;
    course_stop(course);
}
