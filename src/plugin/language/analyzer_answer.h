/* analyzer_answer.h — what policy packs say of resources; private to this directory. No I/O. */
#pragma once

#include "plugin/analyzer.h"

#include "pb/analyzer.pb-c.h"

/* What is known of the pack. */
struct analyzer_facts {
    const Pb__AnalyzerInfo *info;
    str version; /* empty: as it says itself */
};

/* No answer (NULL) is an empty one. */
void analyzer_take_violations(struct analyzer_facts facts, struct arena *arena,
                              const Pb__AnalyzeResponse *answer, struct policy_violations *out);
fallible analyzer_take_remediations(struct analyzer_facts facts, struct arena *arena,
                                    const Pb__RemediateResponse *answer, struct remediations *out);
