/* stack_errors.c — what is wrong with a stack, with the same messages on every backend. */
#include "backend/stack_errors.h"

#include "base/exit_codes.h"
#include "base/program.h"

fallible stack_not_found(struct stack_ref stack)
{
    struct error *error =
        error_new(ERROR_NOT_FOUND, "no stack named '" STR_FMT "' found", STR_ARG(stack.name));
    return error_with_exit_code(error, EXIT_STACK_NOT_FOUND);
}

fallible stack_exists_already(struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str name = stack_ref_qualified(&scratch, stack);

    return error_new(ERROR_EXISTS, "stack '" STR_FMT "' already exists", STR_ARG(name));
}

/* A lone root stack is what an emptied stack looks like. */
static bool has_resources(const struct snapshot *snapshot)
{
    return snapshot->resource_count > 1
           || (snapshot->resource_count == 1
               && !str_equal(snapshot->resources[0]->type, STR("pulumi:pulumi:Stack")));
}

fallible stack_still_has_resources(struct stack_ref stack)
{
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' still has resources; removal rejected. Possible actions:\n"
                     "- Make sure that '" STR_FMT "' is the stack that you want to destroy\n"
                     "- Run `%s destroy` to delete the resources, then run `%s stack rm`\n"
                     "- Run `%s stack rm --force` to override this error",
                     STR_ARG(stack.name), STR_ARG(stack.name), program_name(), program_name(),
                     program_name());
}

fallible stack_check_empty(struct stack_ref stack, const struct snapshot *snapshot)
{
    return has_resources(snapshot) ? stack_still_has_resources(stack) : NULL;
}

fallible stack_replaced(struct stack_ref stack)
{
    return error_new(ERROR_OTHER,
                     "another process has taken over the stack '" STR_FMT
                     "': somebody removed its lock while this operation was running, so nothing "
                     "more is written",
                     STR_ARG(stack.name));
}
