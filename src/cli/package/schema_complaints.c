/* schema_complaints.c — checks schemas and prints what is wrong with them. */
#include "cli/package/schema_complaints.h"

#include "cli/open.h"
#include "cli/package/package_schema.h"
#include "cli/package/plugin_open.h"
#include "schema/schema_check.h"

#include <stdio.h>

/* Opened at the first reference to another package. */
struct other_packages {
    struct cli *cli;
    struct plugin_host *host;
};

static fallible load_other_package(void *others_, const struct schema_dependency *package,
                                   struct arena *arena, str *json)
{
    struct other_packages *others = others_;
    struct package_ref wanted = { .name = package->name, .version = package->version };
    str here;

    if (!others->host) {
        TRY(cli_current_directory(others->cli, &here));
        TRY(cli_open_plugins(others->cli, here, &others->host));
    }
    return package_schema_load(others->cli, others->host, &wanted, arena, json);
}

static void print_complaints(const struct schema_complaints *complaints, bool shows_warnings)
{
    for (size_t i = 0; i < complaints->len; i++) {
        const struct schema_complaint *complaint = &complaints->items[i];
        if (complaint->is_warning && !shows_warnings)
            continue;
        fprintf(stderr, "%s: " STR_FMT "%s" STR_FMT "\n\n",
                complaint->is_warning ? "Warning" : "Error", STR_ARG(complaint->place),
                complaint->place.len ? ": " : "", STR_ARG(complaint->text));
    }
}

fallible schema_complaints_print(struct cli *cli, str json, const struct complaint_wishes *wishes,
                                 size_t *error_count)
{
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    struct other_packages others = { .cli = cli };
    const struct schema_others ask = { &others, load_other_package };
    const struct schema_check_options checks = { wishes->allows_dangling ? DANGLING_IS_FINE
                                                                         : DANGLING_IS_ERROR,
                                                 &ask };

    struct error *failure = schema_check_json(cli->arena, json, &checks, &complaints);
    if (others.host)
        plugin_host_close(others.host);
    TRY(failure);
    print_complaints(&complaints, wishes->shows_warnings);
    *error_count = complaints.error_count;
    return NULL;
}
