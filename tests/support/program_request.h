/* program_request.h — what all calls of a program have in common; private to program_*.c, host.c
 * and the components. */
#pragma once

#include "support/program.h"

#include <protobuf-c/protobuf-c.h>

#define MONITOR(method) "/pulumirpc.ResourceMonitor/" method

/* Traces the answer to one call, or why there is none. Passes `owned_failure` through. An end of
 * the engine in the middle is not traced: whether a program sees it is a race. */
fallible program_note(struct arena *arena, const char *rpc, str label,
                      const ProtobufCMessage *answer, struct error *owned_failure);

/* Calls the monitor and notes the answer. Blocks. */
fallible request_send(struct program *program, const char *method, str label,
                      const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                      void **answer);

/* The message that the entry's `opts` describe; a fresh one if there are none. */
fallible request_from_options(struct program *program, struct value entry,
                              const ProtobufCMessageDescriptor *type, void **out);

char *request_text(struct program *program, str text);
/* The entry's `name`, or else its label. */
str request_name(struct value entry, str label);
fallible request_put_struct(struct program *program, struct value object, ProtobufCBinaryData *out);
/* Only if the entry names one. */
void request_put_provider(struct program *program, struct value entry, char **out);
fallible request_put_package(struct program *program, struct value entry, char **out);
