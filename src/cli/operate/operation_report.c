/* operation_report.c — --report: the page of an operation, written when it is over. */
#include "cli/operate/operation_setup.h"

#include "cli/screen/input.h"
#include "display/report.h"

#include <fcntl.h>
#include <unistd.h>

/* An operation may take hours: a file that cannot be written is no news for its end. */
static fallible operation_try_report(struct operation *operation)
{
    str path = operation->args->report;
    int fd = open(arena_cstr(operation->cli->arena, path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        return input_not_opened("open", path);
    close(fd);
    return NULL;
}

fallible operation_open_report(struct operation *operation)
{
    if (!operation->args->report.len)
        return NULL;
    TRY(operation_try_report(operation));
    operation->report = report_open();
    return NULL;
}

fallible operation_close_report(struct operation *operation)
{
    CLEANUP(strbuf_release) struct strbuf page = { 0 };
    const struct page_report_facts facts = {
        .stack = operation->cli->stack.name,
        .project = operation->cli->stack.project,
        .operation = command_name(operation->cli->command),
    };

    if (!operation->report)
        return NULL;
    report_write(operation->report, &facts, &page);
    report_close(operation->report);
    return error_wrap(output_write(operation->args->report, strbuf_str(&page)),
                      "writing the report");
}
