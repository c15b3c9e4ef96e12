/* stack_errors.h — what is wrong with a stack, with the same messages on every backend. */
#pragma once

#include "backend/backend.h"

fallible stack_not_found(struct stack_ref stack);      /* exit code 6 */
fallible stack_exists_already(struct stack_ref stack); /* ERROR_EXISTS */
fallible stack_still_has_resources(struct stack_ref stack);
/* Refuses to remove a stack that has resources besides its root. */
fallible stack_check_empty(struct stack_ref stack, const struct snapshot *snapshot);
/* "another process has taken over the stack …": what says who may write was taken away. */
fallible stack_replaced(struct stack_ref stack);
