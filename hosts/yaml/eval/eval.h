/* eval.h — evaluates a program: registers its resources with the engine, the ones that do not
 * depend on each other side by side. */
#pragma once

#include "base/map.h"
#include "yaml/syntax/graph.h"
#include "yaml/eval/output.h"
#include "yaml/schema/packages.h"
#include "yaml/schema/schemas.h"

#include <protobuf-c/protobuf-c.h>

/* Calls a method of the engine's services. Blocks. */
struct engine_link {
    void *context;
    fallible (*call)(void *context, const char *path, const ProtobufCMessage *request,
                     const ProtobufCMessageDescriptor *answer_type, struct arena *arena,
                     void **answer);
    bool knows_features; /* private to wire.c: whether … */
    bool accepts_byte_strings;
};

#define MONITOR_METHOD(name) "/pulumirpc.ResourceMonitor/" name
#define ENGINE_METHOD(name) "/pulumirpc.Engine/" name

struct run_settings {
    str project;
    str stack;
    str organization;
    str root_directory;
    str program_directory;
    bool is_preview;
    size_t largest_value; /* in bytes; 0: what a message to the engine may have */
};

struct registered;

/* Providers for the packages of a resource and of those below it. */
struct registered_providers {
    struct registered **items;
    size_t len;
};

/* A resource that the engine knows. */
struct registered {
    str urn;
    str name;
    str type;
    struct value id; /* VALUE_STRING, VALUE_COMPUTED, or VALUE_NULL for components */
    struct value outputs;
    bool is_provider;
    bool is_unknown;                      /* it failed or was skipped: nothing of it is known */
    const struct schema_resource *schema; /* NULL: none */
    struct registered_providers providers;
};

struct evaluator {
    struct arena *arena;
    const struct run_settings *settings;
    struct engine_link engine;
    struct graph *graph;
    struct schemas *schemas;
    struct packages *packages;
    struct diags *diags;         /* what went wrong; all of it is shown as it comes */
    struct map by_urn;           /* struct registered * */
    struct map looked_up;        /* URN → struct registered *: those that outputs refer to */
    struct map stack_references; /* name → struct registered *, for fn::stackReference */
    str parent;                  /* URN of the stack or of the component */
    str component_name;          /* empty: a program */
    struct registered_providers providers; /* given to the component */
    /* Told the outputs of a program as soon as they are there, while other resources are still on
     * their way; not if a call that they need has failed. May be NULL. */
    fallible (*take_outputs)(void *context, struct value outputs);
    void *context;
    struct semaphore places;
    struct work_group tasks;
    struct error *failure; /* the first call that failed */
    bool has_failed; /* a declaration was wrong: what is behind it in order is not registered … */
    size_t failed_at; /* … behind this position */
    bool is_refused;  /* the program asks for another version of the engine: nothing more is done */
};

/* The evaluation of one declaration. */
struct task {
    struct evaluator *evaluator;
    struct node *node;
    str name;         /* what is being evaluated, for messages */
    bool is_poisoned; /* something that it needs has failed; that was said there */
    bool is_broken;   /* … because a call to the engine did */
};

/* Evaluates everything and gives the outputs. What is wrong with the program is reported to the
 * engine and counted in the diagnostics; the error is of the calls that failed. Blocks. */
fallible evaluator_run(struct evaluator *evaluator, struct value *outputs);
void evaluator_release(struct evaluator *evaluator);

/* Tells the engine, as an error of the program. */
void evaluator_log(struct evaluator *evaluator, int severity, str message);
bool task_fail(struct task *task, struct range range, const char *format, ...) PRINTF(3, 4);
bool task_fail_detail(struct task *task, struct range range, str summary, str detail);
/* A call to the engine failed; kept for the end. Always false. */
bool task_broken(struct task *task, struct error *owned);

/* How many bytes a value may take, all that is in it counted as often as it is there. A larger one
 * would not get to the engine and is refused where it is made: eval_expr gives none. */
size_t evaluator_limit(const struct evaluator *evaluator);
/* Takes what the value needs off `left`. False: that is not enough. */
bool value_weigh(struct value value, size_t *left);
/* If not, the task has failed. */
bool task_fits(struct task *task, struct range range, struct value value);
/* `what` is "the value takes" or the like. Always false. */
bool task_too_large(struct task *task, struct range range, const char *what);

/* False: it failed, or something it needs did. Blocks. */
bool eval_expr(struct task *task, const struct expr *expr, struct value *out);
bool eval_access(struct task *task, struct range range, const struct access *access,
                 struct value *out);
bool eval_call(struct task *task, const struct expr *expr, struct value *out);
bool eval_invoke(struct task *task, const struct expr *expr, struct value *out);
/* What is below a value: properties and items. */
bool eval_steps(struct task *task, struct range range, struct value value,
                const struct access_step *steps, size_t len, struct value *out);
/* The plain value of an expression and its taint. */
bool eval_plain(struct task *task, const struct expr *expr, struct value *out, struct taint *taint);

bool eval_config(struct task *task, struct value *out);
bool eval_resource(struct task *task, struct registered **out);
/* Options that name resources; the value of the expression has to be one, or a list of them. */
bool eval_resource_option(struct task *task, const struct expr *expr, struct registered **out);
bool eval_resource_list(struct task *task, const struct expr *expr, const char *option,
                        struct strs *urns, struct registered ***out);
/* A resource that is only known by its URN. */
bool eval_get_resource(struct task *task, struct range range, const struct reference *reference,
                       struct registered **out);
/* Reads a stack reference by name. */
bool eval_read_stack(struct task *task, struct range range, str name, struct registered **out);

struct value registered_reference(struct arena *arena, const struct registered *resource);
/* URN::ID. */
str registered_provider(struct arena *arena, const struct registered *resource);

/* A config value as text, typed by what it looks like. */
struct value config_retype(struct arena *arena, str text);
