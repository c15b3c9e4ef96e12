/* step_report.h — events about steps, and the counts of the summary. */
#pragma once

#include "engine/report/report.h"
#include "engine/step/step.h"

void step_report_before(const struct report *report, const struct step *step);
/* `failure` is NULL if it went well; it is only shown, not taken. */
void step_report_after(struct report *report, const struct step *step, const struct error *failure);
/* The outputs of a component were registered. */
void step_report_outputs(const struct report *report, const struct step *step);
