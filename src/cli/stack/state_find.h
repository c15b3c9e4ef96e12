/* state_find.h — finds the resource that a URN on the command line means, or helps to find the
 * right one. */
#pragma once

#include "cli/cli.h"

/* Its place in the snapshot. Two copies of one URN, as in a replacement under way, are refused. */
fallible state_find(const struct snapshot *snapshot, str urn, size_t *out);

/* "No such resource …", with the URNs that look most like it. `skips_deleted` leaves those marked
 * for deletion out. */
fallible state_not_found(const struct snapshot *snapshot, str urn, bool skips_deleted);

/* Without operands the URN that is chosen from those of the stack becomes the first. Where nobody
 * is there to choose, one has to be given. */
fallible state_choose(struct cli *cli, const char *question);

/* Asks before the state is edited by hand; nothing where nobody is there. */
fallible state_confirm(struct cli *cli, bool yes, const char *question);
