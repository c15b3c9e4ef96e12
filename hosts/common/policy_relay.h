/* policy_relay.h — policy packs for engines that say by a call which stack they are for. */
#pragma once

#include "base/error.h"

struct command;
struct host;
struct sink;

/* Runs a policy pack to its end, as command_run does. Packs want to find stack, project and
 * configuration in their environment when they start. Where the environment of `command` lacks
 * them, the port that is written to `sink` is that of an Analyzer of ours: it waits for
 * ConfigureStack, starts the pack with what was said, and passes all calls on. Blocks. */
fallible policy_pack_run(struct host *host, struct arena *arena, struct command *command,
                         struct sink *sink, int *exit_code);
