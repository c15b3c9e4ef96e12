/* message_check.h — private to this folder: what compiled messages do not check by themselves. */
#pragma once

#include "base/error.h"

#include <protobuf-c/protobuf-c.h>

/* Walks the bytes of a message before they are unpacked: every field number is a valid one, and
 * every string, also in the messages inside, is UTF-8. A NUL byte would end the text where the
 * library keeps it, and two names would become one, so only text for people may have one. */
fallible message_check(const ProtobufCMessageDescriptor *type, str bytes);

/* The bytes are no message of this type. */
fallible message_malformed(const ProtobufCMessageDescriptor *type, str bytes);
