/* operation.c — what is particular to update, refresh, destroy and import. */
#include "engine/report/operation.h"

#include "engine/engine.h"

/* Without and with --run-program; an update runs it in any case. */
static const struct operation_row operation_rows[OPERATION_KINDS][2] = {
    [OPERATION_UPDATE] = {
        { "update", SOURCE_PROGRAM, MODE_UPDATE, RULE_CHOOSES_NAMES },
        { "update", SOURCE_PROGRAM, MODE_UPDATE, RULE_CHOOSES_NAMES | RULE_READS_EACH },
    },
    [OPERATION_REFRESH] = {
        { "refresh", SOURCE_NONE, MODE_REFRESH,
          RULE_REFRESHES | RULE_NAMES_STATE | RULE_SPARES_PROGRAM },
        { "refresh", SOURCE_PROGRAM, MODE_REFRESH,
          RULE_REFRESHES | RULE_NAMES_STATE | RULE_READS_EACH },
    },
    [OPERATION_DESTROY] = {
        { "destroy", SOURCE_NOTHING, MODE_UPDATE,
          RULE_NAMES_STATE | RULE_LACKS_HOOKS | RULE_SPARES_PROGRAM },
        /* It refreshes before its program runs, so that the program sees what will be deleted. */
        { "destroy", SOURCE_PROGRAM, MODE_DESTROY, RULE_NAMES_STATE },
    },
    [OPERATION_IMPORT] = {
        { "import", SOURCE_LIST, MODE_UPDATE, RULE_HAS_NO_VIEWS },
        { "import", SOURCE_LIST, MODE_UPDATE, RULE_HAS_NO_VIEWS },
    },
};

const struct operation_row *operation_of(const struct engine_options *options)
{
    return &operation_rows[options->kind][options->plan.run_program];
}

bool operation_has(const struct engine_options *options, unsigned rules)
{
    return (operation_of(options)->rules & rules) != 0;
}

bool operation_refreshes(const struct engine_options *options)
{
    return options->plan.refresh || operation_has(options, RULE_REFRESHES);
}

bool operation_refreshes_each(const struct engine_options *options)
{
    return operation_refreshes(options) && operation_has(options, RULE_READS_EACH);
}

bool operation_refreshes_first(const struct engine_options *options)
{
    return operation_refreshes(options) && !operation_has(options, RULE_READS_EACH);
}
