/* script.h — the folder that the parts of one running operation share: the script that they play,
 * and the trace of what they saw.
 *
 * SCENARIO_DIR       the folder: program.json, rules.json, components.json, schemas.json,
 * cloud.json, trace.jsonl SCENARIO_NOTRACE   set to anything: leave no trace SCENARIO_NOCLOUD   set
 * to anything: keep no cloud SCENARIO_DELAYS   "seed:ms": calls of providers take up to that long
 */
#pragma once

#include "base/error.h"
#include "model/value.h"

#include <protobuf-c/protobuf-c.h>

str script_path(struct arena *arena, str name);

/* A file of the script; null if there is none. */
fallible script_load(struct arena *arena, str name, struct value *out);

/* Waits until each of the named files of the folder has the text, or all the texts, that are given
 * for it ("": it is there): {"trace.jsonl": ["a", "b"], "mark": ""}. So a script need not guess how
 * long something takes. Fails after a time that no machine needs. Blocks. */
fallible script_await_files(struct value facts);
/* Creates an empty file for processes that wait for it. */
fallible script_mark(str name);

/* Who saw it. */
enum trace_part { TRACE_PROVIDER, TRACE_PROGRAM, TRACE_CALLBACK, TRACE_PLUGIN };

/* Appends one record in a single write, so that processes can share the file. */
fallible script_trace(enum trace_part part, struct value record);
/* Waits until the trace has the provider call `rpc` of the resource `name`; fails after a while.
 * Blocks. */
fallible script_await(str rpc, str name);
bool script_has_seen(str rpc, str name);
/* Notes that this process began to play a plugin. */
void script_trace_start(str name);

/* --- gRPC with messages --- */

struct rpc_client;

/* One request, one answer of the type given, which lives in the arena. Blocks. */
fallible script_call(struct rpc_client *client, const char *method, const ProtobufCMessage *request,
                     const ProtobufCMessageDescriptor *type, struct arena *arena, void **answer);

/* A record of two or more members: script_record(arena, "rpc", value, …, NULL). */
struct value script_record(struct arena *arena, const char *first, ...) __attribute__((sentinel));
