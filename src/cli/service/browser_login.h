/* browser_login.h — a token of the hosted service by way of the user's browser. */
#pragma once

#include "cli/cli.h"

#include "base/secret.h"

/* Shows the page of the site where people log in, and waits until it sends the browser back to us
 * with a token. Blocks; ERROR_CANCELED when the user gives up. */
fallible browser_login(struct cli *cli, str console, struct secret *out);
