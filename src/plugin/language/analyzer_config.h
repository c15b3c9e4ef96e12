/* analyzer_config.h — what a policy pack is configured with: its defaults, and the user's settings
 * over them. */
#pragma once

#include "base/error.h"

#include "pb/analyzer.pb-c.h"

/* For every policy: the defaults of its schema and its level, then the pack's own initial
 * configuration, then `config`: a JSON object of policy (or "all") to a level or to
 * {enforcementLevel, properties …}. Entries are in the order of the policies and live in the
 * arena. */
fallible analyzer_config_merge(struct arena *arena, const Pb__AnalyzerInfo *info, str config,
                               Pb__ConfigureAnalyzerRequest *out);
