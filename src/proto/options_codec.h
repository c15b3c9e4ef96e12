/* options_codec.h — the options of a resource in and out of every message that has them, by the
 * list in model/resource_fields.def. */
#pragma once

#include "model/resource_options.h"

#include <protobuf-c/protobuf-c.h>

/* The message of each wire. */
extern const ProtobufCMessageDescriptor *const options_messages[OPTION_WIRES];

/* What a message has of the options replaces what was there; options that this message does not
 * know stay. Texts are borrowed from the message. Nothing is checked. */
void options_get(struct arena *arena, enum option_wire wire, const ProtobufCMessage *message,
                 struct requested_options *inout);
/* Fills the fields of a message that is initialised. */
void options_put(struct arena *arena, enum option_wire wire,
                 const struct requested_options *options, ProtobufCMessage *message);

/* The options of a state, as if they had been requested. */
void options_of_state(struct arena *arena, const struct resource *state,
                      struct requested_options *out);

/* Checks what was requested and gives what is to be kept. Failures are meant for the program. */
fallible options_settle(struct arena *arena, struct requested_options *options,
                        struct resource_options *out);
/* Checks those options alone that are values. One that is null was not given. */
fallible options_settle_values(struct arena *arena, struct requested_options *options);
