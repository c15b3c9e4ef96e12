/* peer.h — whose process is at the other end of a loopback connection. */
#pragma once

#include "base/error.h"

struct stream;

/* Every user of a machine can reach a port at 127.0.0.1. Both calls fail when the process at the
 * other end belongs to somebody who is neither us nor root. The kernel says who it is, over netlink
 * or in /proc/net/tcp; where it says neither, and with CULUMI_ANY_USER=1, everybody is taken. */

/* For a connection that was accepted. A peer that has gone already is refused, too: nobody can say
 * any more whose it was. */
fallible peer_check(const struct stream *stream);
/* For a connection that was made: who listens at the port, or, if nobody does any more, who has
 * taken the connection. */
fallible peer_check_listener(const struct stream *stream);
