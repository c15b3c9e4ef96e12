/* course.h — whether an operation still goes on, and why not. */
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "fiber/sync.h"

struct cancel;
struct report;

struct course {
    struct report *report;
    struct latch stopped;  /* the program is done, or something failed */
    struct cancel *waits;  /* scope of those who wait for others; fired when nothing new starts */
    bool has_stopped;      /* nothing new starts */
    bool has_failed;       /* something was reported that ends the run without another message */
    bool is_canceled;      /* by the user */
    bool is_terminated;    /* by the user's second interrupt: calls under way are abandoned */
    bool is_closing;       /* what fails from here on only ends because its plugin does */
    struct error *refusal; /* owned; why the operation could not begin; not reported */
};

/* Nothing new starts; nothing is reported. */
void course_stop(struct course *course);
/* Something failed beyond repair: nothing new starts. Takes the error; reports it on the resource
 * unless it already was. */
void course_fail(struct course *course, str urn, struct error *owned);
/* Something that all depends on could not be started. No resource is to blame: whoever asked for
 * the operation gets the error. */
void course_refuse(struct course *course, struct error *owned);
