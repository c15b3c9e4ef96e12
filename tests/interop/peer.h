/* peer.h — our side of the interop tests. The service is the same in every language: bytes in,
 * bytes out, no protobuf.
 *
 *   /interop.T/Echo   unary           the request
 *   /interop.T/Fail   unary "N"       NOT_FOUND, "no such thing: é 100%", details with N bytes
 *   /interop.T/Wait   unary           waits until it is canceled
 *   /interop.T/Waits  unary           how many waits were canceled so far
 *   /interop.T/Die    unary           ends the process without a word
 *   /interop.T/Spout  server stream   "COUNT SIZE": so many messages of that size, all 's'
 *   /interop.T/Sum    client stream   the number of bytes received
 *   /interop.T/Chat   both            each message as it comes
 */
#pragma once

#include "base/error.h"

/* google.rpc.Status with NOT_FOUND, the text, and one Any of `size` bytes. */
str peer_details(struct arena *arena, size_t size);
#define PEER_TEXT STR("no such thing: \xc3\xa9 100%")

/* Calls every method at the address; prints a TAP line for each claim. False if one failed. */
bool peer_call_all(str address);
