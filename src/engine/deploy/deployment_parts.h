/* deployment_parts.h — what one operation consists of. Seen by deploy/ and run/ only; the other
 * rooms are given the parts that they need. */
#pragma once

#include "engine/deploy/deployment.h"
#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/exec/executor.h"
#include "engine/exec/recorder.h"
#include "engine/hook/hooks.h"
#include "engine/plan/stepgen.h"
#include "engine/provider/registry.h"
#include "engine/report/course.h"
#include "engine/report/report.h"
#include "engine/step/views.h"

struct cancel;
struct engine_shared;
struct language;
struct monitor;

/* Registrations on their way into the plan. */
struct intake {
    struct registrations registrations;
    struct semaphore slots;     /* so many are planned at a time */
    struct work_group planning; /* registrations under way */
};

/* The program that registers resources. */
struct program_run {
    struct engine_shared *shared; /* services that its plugins use */
    struct language *language;
    struct monitor *monitor;
    struct package_refs *packages; /* default versions of providers; NULL: none */
    struct latch shut_down;        /* all is done: it may end */
    struct latch ended;
    struct error *failure; /* owned; of a program that had registered everything before */
};

/* Outputs of the stack: applied at the very end. */
struct stack_outputs {
    bool are_set;
    str urn;
    struct value values;
};

struct deployment {
    const struct engine_options *options;
    struct arena *arena;  /* lives as long as the command */
    struct cancel *scope; /* of everything that must not end with the program's connection */
    struct report report;
    struct course course;
    struct estate estate;
    struct registry registry;
    struct hooks hooks;
    struct views views;
    struct step_tools tools;
    struct recorder recorder;
    struct stepgen gen;
    struct executor executor;
    struct intake intake;
    struct program_run program;
    struct stack_outputs stack_outputs;
};

/* Makes one that can report and be stopped. */
void deployment_init(struct deployment *deployment, const struct engine_options *options,
                     struct arena *arena);
/* Opens all parts, each after those that it is given. */
fallible deployment_open(struct deployment *deployment);
void deployment_release(struct deployment *deployment);

/* Something failed: the update ends in error. */
bool deployment_has_failed(const struct deployment *deployment);
