/* peer.h — which user owns the process at the other end of a loopback connection. */
#pragma once

#include "base/error.h"

struct stream;

/* Every user of a machine can reach a port at 127.0.0.1. Both calls fail when the process at the
 * other end belongs to a user who is neither us nor root. The kernel says who it is, over netlink
 * or in /proc/net/tcp; where both are missing, and with CULUMI_ANY_USER=1, every peer is accepted.
 */

/* For a connection that was accepted. A peer that has gone already is refused, too: its owner can
 * no longer be found. */
fallible peer_check(const struct stream *stream);
/* For a connection that we opened: the owner of the listener at the port or, if there is none any
 * more, of the accepted socket. */
fallible peer_check_listener(const struct stream *stream);
