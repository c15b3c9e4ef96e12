/* exit_codes.h — what a command ends with other than 0 and 1: docs/exit-codes.md. Scripts rely on
 * them; the numbers are those of the reference. */
#pragma once

enum exit_code {
    EXIT_CONFIGURATION = 2,       /* it would have to ask, or was given a name that is none */
    EXIT_AUTHENTICATION = 3,      /* the hosted service wants a login */
    EXIT_STACK_NOT_FOUND = 6,     /* there is no such stack */
    EXIT_NO_CHANGES_EXPECTED = 7, /* and there are some */
    EXIT_TERMINATED = 8,          /* by a second interrupt */
    EXIT_CRASHED = 134,           /* a defect; what a shell says of SIGABRT */
};
